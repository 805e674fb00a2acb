"""The slash commands, and what buttons, menus and modals do.

Both do the same actions, by the same use cases. Every module of a feature is searched for what
it declares by `command`, by `person_menu`, by `press`, or as a group of commands. A new command is
one new function in one of them.
"""

from collections.abc import Iterable, Mapping

from discord import app_commands

from bot.platform.features import walk_declarations
from bot.platform.ui.declarations import Commands, Press


def collect_commands() -> Commands:
    """Return every slash command; those of a group come with it."""
    return tuple(
        each
        for each in walk_declarations()
        if isinstance(each, app_commands.Command | app_commands.Group) and each.parent is None
    )


def collect_menus() -> tuple[app_commands.ContextMenu, ...]:
    """Return every entry of the menu that a person's name opens."""
    return tuple(each for each in walk_declarations() if isinstance(each, app_commands.ContextMenu))


def collect_presses() -> Mapping[str, Press]:
    """Return what is done for each verb with which the id of a button, menu or modal begins.

    Raises TypeError if two are declared for one verb.
    """
    declared = [each for each in walk_declarations() if isinstance(each, Press)]
    return index_presses(declared)


def index_presses(declared: Iterable[Press]) -> Mapping[str, Press]:
    """Return presses by their verbs; raises TypeError if two are declared for one verb."""
    found: dict[str, Press] = {}
    for each in declared:
        # One without a verb is what a form does that a button has opened.
        if each.verb and (other := found.setdefault(each.verb, each)) is not each:
            raise TypeError(f"{other.module} and {each.module} both declare “{each.verb}”")
    return found
