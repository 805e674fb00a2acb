"""Finding what the features declare: commands, presses and the handlers of jobs."""

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
