"""Finding what the features declare: commands, presses, controls and the handlers of jobs."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType

PACKAGES = ("bot.features", "bot.platform.jobs", "bot.platform.ui")
"""Where something may be declared. The first is named here alone: it stands above the platform."""


@cache
def load_modules() -> tuple[ModuleType, ...]:
    """Import every module that may declare something, and return them all."""
    return tuple(
        import_module(module.name)
        for name in PACKAGES
        for module in walk_packages(import_module(name).__path__, f"{name}.")
    )


def walk_declarations() -> Iterator[object]:
    """Yield what each module has declared itself."""
    for module in load_modules():
        for each in vars(module).values():
            # What a module has only imported is declared where it was made, and counts once.
            if getattr(each, "module", None) == module.__name__:
                yield each
