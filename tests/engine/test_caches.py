"""A cached result is found again by its value, however many other rules came in between."""

import functools
import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from importlib import import_module
from itertools import product
from pkgutil import walk_packages
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from PIL.ImageFont import FreeTypeFont
from sqlalchemy import Table

from bot.platform.i18n.reader import CommandMentions
from engine.games import GAMES
from engine.plays import list_legal_plays
from engine.position import Side
from engine.rules import Rules

ZENO = GAMES["zeno"].rules
PACKAGES = ("engine", "render", "bot.features", "bot.platform.i18n")


def vary_rules() -> Iterator[Rules]:
    """Yield more different rules than any cache of the engine can hold.

    They are Zeno's with the men set out in other ways.
    """
    for gold, black, gate in product(range(1, 15), range(1, 15), range(4)):
        yield replace(
            ZENO,
            gold=replace(ZENO.gold, start=f"a{gold},b{15 - gold}"),
            black=replace(ZENO.black, start=f"z{black},y{15 - black}"),
            gate=gate,
        )


@pytest.mark.sweep
def test_plays_are_listed_whatever_other_rules_were_asked_about_before() -> None:
    equal = replace(ZENO, gate=100)
    list_legal_plays(ZENO, ZENO.start_position._replace(dice=(6, 5, 5)))
    for rules in vary_rules():
        for side in Side:
            list_legal_plays(rules, rules.start_position._replace(turn=side, dice=(1, 1, 1)))
        # The match that goes on meanwhile is asked about repeatedly, but not for every number.
        list_legal_plays(ZENO, ZENO.start_position._replace(dice=(6, 5, 5)))
    for dice in ((5, 5, 4), (6, 6, 4), (6, 5, 4)):
        known, fresh = (
            list_legal_plays(each, each.start_position._replace(dice=dice))
            for each in (ZENO, equal)
        )
        assert list(known) == list(fresh)


def find_cached_functions() -> dict[str, Any]:
    """Every function of ours whose results are kept."""
    kept = functools.lru_cache(lambda: None)
    found = {}
    for package in PACKAGES:
        for module in walk_packages(import_module(package).__path__, f"{package}."):
            if module.name.startswith("lab.training"):
                continue  # it needs numba, and keeps nothing
            for name, each in vars(import_module(module.name)).items():
                if isinstance(each, type(kept)) and each.__module__ == module.name:
                    found[f"{module.name}.{name}"] = each
    return found


CACHED_FUNCTIONS = find_cached_functions()


MADE_ONCE = (type(None), CommandMentions, FreeTypeFont, Table)
"""Classes of which a process has one object at a time: there is no other that would be equal.

A table is declared once, in its feature.

A font is kept by its name and size; where many others made it go, it is loaded and drawn anew.
"""


def list_classes(hint: object, outer: tuple[type, ...] = ()) -> Iterator[type]:
    """The classes of which a value annotated so may consist, those of its fields included."""
    if get_origin(hint) is Callable:
        return  # a game's own function is itself everywhere
    if isinstance(hint, type):
        yield hint
        if is_dataclass(hint) and hint not in outer:
            hints = get_type_hints(hint)
            for each in fields(hint):
                if each.compare:
                    yield from list_classes(hints[each.name], (*outer, hint))
    else:
        for inner in get_args(hint):
            yield from list_classes(inner, outer)


def is_compared_by_identity(kind: type) -> bool:
    """Whether two objects of a class are equal only where they are one."""
    return not any("__eq__" in vars(each) for each in kind.__mro__ if each is not object)


@pytest.mark.parametrize("name", CACHED_FUNCTIONS)
def test_what_is_kept_is_found_by_values_and_never_by_identity(name: str) -> None:
    cached = CACHED_FUNCTIONS[name]
    parameters = inspect.signature(cached.__wrapped__).parameters
    # What takes nothing may return what its module doesn't import before it is called.
    hints = get_type_hints(cached.__wrapped__) if parameters else {}
    for parameter in parameters:
        for each in list_classes(hints[parameter]):
            assert each in MADE_ONCE or not is_compared_by_identity(each), (parameter, each)


def test_there_are_caches_to_look_at() -> None:
    known = {
        "engine.search.bitboards.build_bitboards",
        "engine.search.routes.build_route",
        "render.layout.orient_board",
    }
    assert known <= set(CACHED_FUNCTIONS)
