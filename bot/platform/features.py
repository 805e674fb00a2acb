"""Finding what the features declare: commands, presses and the handlers of jobs."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType

PACKAGES = ("bot.features", "bot.platform.jobs", "bot.platform.ui")
"""Where something may be declared. The first is named here alone: it stands above the platform."""


def load_modules() -> Iterator[ModuleType]:
    """Import every module that may declare something, and yield each."""
    for name in PACKAGES:
        package = import_module(name)
        for module in walk_packages(package.__path__, f"{name}."):
            yield import_module(module.name)
