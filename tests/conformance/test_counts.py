"""The engine reaches as many positions in one ply and in two as the rulebook's brute force did."""

import json

import pytest

from engine.games import GAMES
from engine.plays import list_legal_plays
from engine.position import Position
from engine.position_text import format_position, parse_position
from engine.rules import Rules
from tests.conformance.counts import FILE, list_numbers
from tests.support.sweeps import mark_sweeps

COUNTS = json.loads(FILE.read_text("utf-8"))


def list_reached_positions(
    rules: Rules, positions: list[Position], given: list[tuple[int, ...]]
) -> set[Position]:
    """The positions after every legal play of these throws, with the other side to move."""
    return {
        Position(end.gold, end.black, position.turn.other, memory=end.memory)
        for position in positions
        for dice in given
        for end in list_legal_plays(rules, position._replace(dice=dice)).ends
    }


@pytest.mark.parametrize("slug", mark_sweeps(COUNTS, lambda slug: slug != "quinze-tablas"))
def test_as_many_positions_after_one_ply_and_two(slug: str) -> None:
    rules, kept = GAMES[slug].resolve_rules({}), COUNTS[slug]
    one = list_reached_positions(rules, [rules.start_position], list_numbers(rules))
    later = [tuple(map(int, text.split("-"))) for text in kept["throws"]]
    texts = sorted(format_position(position, rules) for position in one)
    some = [parse_position(text, rules) for text in texts[:: kept["every"]]]
    assert (len(one), len(list_reached_positions(rules, some, later))) == (kept["one"], kept["two"])


def test_no_game_is_counted_that_is_not_there() -> None:
    assert COUNTS.keys() <= GAMES.keys()
    assert len(COUNTS) >= 30
