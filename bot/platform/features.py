"""Finding what the features declare: commands, presses, handlers of jobs and extensions."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType
from typing import Any, Generic, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

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


@cache
def list_declarations() -> tuple[object, ...]:
    """Return what each module has declared itself."""
    return tuple(
        each
        for module in load_modules()
        for each in vars(module).values()
        # What a module has only imported is declared where it was made, and counts once.
        if getattr(each, "module", None) == module.__name__
    )


@dataclass(frozen=True, slots=True)
class Extension(Generic[Function]):
    """A function that a feature adds at an extension point; a low `order` comes first."""

    order: int
    function: Function


class ExtensionPoint(Generic[Function]):
    """A place where features add functions of one type, which the place itself does not name."""

    def __init__(self) -> None:
        self._extensions: list[Extension[Function]] = []

    def add(self, order: int = 0) -> Callable[[Function], Function]:
        """Return the decorator that adds a function."""

        def declare(function: Function) -> Function:
            self._extensions.append(Extension(order, function))
            return function

        return declare

    def list_extensions(self) -> list[Extension[Function]]:
        """Return what all features have added, in order."""
        load_modules()
        # By module as well: which is imported first depends on what runs.
        return sorted(self._extensions, key=lambda each: (each.order, each.function.__module__))

    def list_functions(self) -> list[Function]:
        """Return the functions that all features have added, in order."""
        return [each.function for each in self.list_extensions()]
