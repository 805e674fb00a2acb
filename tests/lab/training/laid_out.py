"""Positions set up for the kernel: a match's, and those of chance games seen from both sides."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import pytest

from engine.games import GAMES
from engine.match import Match
from engine.players.boards import Men, stack_positions
from engine.position import Side
from engine.rules import Rules
from lab.training import layout as at
from lab.training.rows import write_row
from lab.training.tables import UnknownRuleError, build_tables
from lab.training.workshop import Workshop
from tests.conformance.chance_positions import generate_positions
from tests.conformance.matches import Setting, format_setting

POSITIONS = 10
"""Of each setting."""


def mark_settings(settings: list[Setting]) -> pytest.MarkDecorator:
    """Run a test for every setting, and skip those that the kernel refuses."""
    every = [
        pytest.param(setting, id=format_setting(setting), marks=_mark_refused(setting))
        for setting in settings
    ]
    return pytest.mark.parametrize("setting", every)


def _mark_refused(setting: Setting) -> tuple[pytest.MarkDecorator, ...]:
    slug, options = setting
    try:
        build_tables(GAMES[slug].resolve_rules(dict(options)))
    except UnknownRuleError as error:
        return (pytest.mark.skip(reason=str(error)),)
    return ()


class SeenPosition(NamedTuple):
    """A position in a workshop's first row, the side that throws next, and the men.

    The side is numbered as the kernel counts sides.
    """

    shop: Workshop
    rules: Rules
    number: int
    side: Side
    mine: Men
    theirs: Men


def lay_out_both_sides(setting: Setting) -> Iterator[SeenPosition]:
    """Lay out positions of a setting's chance games one after another, each twice."""
    slug, options = setting
    rules = GAMES[slug].resolve_rules(dict(options))
    shop = Workshop(rules, 16, 1)
    for position in generate_positions(rules, Random(format_setting(setting)), POSITIONS):
        write_row(shop.desk.nodes, position)
        men = stack_positions(rules, [position])
        for number, side in enumerate(Side):
            yield SeenPosition(shop, rules, number, side, men.men(side), men.men(side.other))


def lay_out(shop: Workshop, match: Match, dice: tuple[int, ...] = ()) -> None:
    """Set up the game of a match that waits for a throw, and optionally the dice thrown."""
    write_row(shop.desk.nodes, match.position)
    shop.desk.nodes[at.GAME : at.GAME + at.ROW] = shop.desk.nodes[: at.ROW]
    shop.desk.nodes[at.GAME + at.PLAYER] = match.player
    shop.desk.book[at.DICE_THROWN : at.DICE_THROWN + len(dice)] = dice
