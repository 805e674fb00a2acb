"""The table of edges: for each feature, what happens when somebody or something comes or goes.

A feature's cells stand in `cells/FEATURE.toml`, one for each line: the tests that play it, or one
sentence on why it cannot occur there.
"""

import ast
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from pkgutil import iter_modules
from typing import TypeAlias

import bot.features

ROOT = Path(__file__).parents[2]
CELLS = Path(__file__).parent / "cells"


class EdgeLine(StrEnum):
    """Who or what comes and goes."""

    LEAVES = "leaves"
    """A person leaves the server, is banned, or comes back."""
    ROLE = "role"
    """A person gains or loses a role that lets them in."""
    ABSENT = "absent"
    """A person never comes, or stops in the middle."""
    VACATION = "vacation"
    """A person is on vacation, asleep, or in another time zone."""
    BLOCKS = "blocks"
    """A person blocks another, before or after."""
    DELETES = "deletes"
    """A person deletes their data, and comes back."""
    CLOSED_DMS = "closed_dms"
    """A person does not take direct messages."""
    LANGUAGE = "language"
    """A person or a server reads another language, or changes it."""
    NAME = "name"
    """A person's name is wide, turns right to left, mentions somebody, or is only emoji."""
    PLACE = "place"
    """A channel, thread, message, role or event is deleted, archived, locked or hidden."""
    PRIVATE = "private"
    """A channel is not seen by everybody in the server."""
    SERVER = "server"
    """A server goes away or comes back, removes the bot or invites it again."""
    ORGANISER = "organiser"
    """The organiser leaves, or loses the permission."""
    NUMBERS = "numbers"
    """There is nobody, one, two, an odd number, the smallest or the largest number."""
    RESCHEDULED = "rescheduled"
    """It is paused, resumed, extended, brought forward, called off or annulled."""
    TWICE = "twice"
    """It happens twice, at once, after a restart, during a deploy, or in two processes."""
    CLOCK = "clock"
    """The clock changes: summer time, another zone, a jump, an outage."""
    OLD = "old"
    """It is years old and has hundreds of rows."""
    UNDONE = "undone"
    """What it showed is taken back, annulled or corrected."""


@dataclass(frozen=True, slots=True)
class PlayedCell:
    """Tests that play a line in a feature, as `path::name`."""

    tests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ImpossibleCell:
    """Why a line cannot occur in a feature."""

    reason: str


Cell: TypeAlias = PlayedCell | ImpossibleCell


def list_features() -> list[str]:
    """Return the names of all features that there are."""
    return sorted(module.name for module in iter_modules(bot.features.__path__))


def load_cells(feature: str) -> dict[str, Cell]:
    """Return a feature's cells by line; none where it has no file. Raises TOMLDecodeError."""
    path = CELLS / f"{feature}.toml"
    if not path.exists():
        return {}
    return {
        line: ImpossibleCell(cell) if isinstance(cell, str) else PlayedCell(tuple(cell))
        for line, cell in tomllib.loads(path.read_text("utf-8")).items()
    }


def is_test(node: str) -> bool:
    """Say whether a test exists, given as `path::name`."""
    path, _, name = node.partition("::")
    return name in _list_tests(path)


@cache
def _list_tests(path: str) -> frozenset[str]:
    file = ROOT / path
    if not file.is_file():
        return frozenset()
    return frozenset(
        each.name
        for each in ast.parse(file.read_text("utf-8")).body
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
        if each.name.startswith("test_")
    )
