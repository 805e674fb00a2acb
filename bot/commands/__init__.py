"""The slash commands, and what buttons, menus and modals do.

Both do the same actions, by the same use cases. Every module of this folder is searched: its
COMMANDS are registered with Discord, and its PRESSES are what the ids of buttons, menus and modals
begin with. A new command is one new function in one of them.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from bot.commands.asking import Commands, Press


def _load_modules() -> Iterator[ModuleType]:
    for module in iter_modules(__path__):
        yield import_module(f"{__name__}.{module.name}")


def collect_commands() -> Commands:
    """Return every slash command."""
    return tuple(
        command for module in _load_modules() for command in getattr(module, "COMMANDS", ())
    )


def collect_presses() -> Mapping[str, Press]:
    """Return what is done for each verb with which the id of a button, menu or modal begins."""
    return {
        verb: press
        for module in _load_modules()
        for verb, press in getattr(module, "PRESSES", {}).items()
    }
