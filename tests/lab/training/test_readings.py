"""What is counted for the pages on disputed rules, by games that are played again."""

import pytest

pytest.importorskip("numba", reason="the extra `train` is not installed")

from engine.position import Side
from lab.reading_games import (
    FIRST_SEED,
    FOUR_HITS,
    READINGS,
    ReadingTable,
    RuleReading,
    count_turn_hits,
)
from tests.engine.build import build_position

every_reading = pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.slug)


@every_reading
def test_a_game_can_be_played_again_by_its_seed(reading: RuleReading) -> None:
    table = ReadingTable(reading)
    games = [table.play_game(seed) for seed in range(FIRST_SEED, FIRST_SEED + 3)]
    # In another order and at another table: nothing is left of the game before.
    again = [ReadingTable(reading).play_game(FIRST_SEED + at) for at in (2, 0, 1)]
    assert games == [again[1], again[2], again[0]]
    assert all(set(first) <= {*reading.events, FOUR_HITS} for first, _ in games)
    assert any(winner for _, winner in games)


WALL = "o2,p2,q2,r2,s2"
"""Five points of gold's; with n they are six before black's men on their way from z."""


@pytest.mark.parametrize(
    ("before", "after", "hits", "counted"),
    [
        # One man goes from a to n, another from h to i, where he hits.
        (f"a2,h1,n2,{WALL} i1,z14", f"a1,i1,n3,{WALL} z14,bar1", 0, (1, None)),
        (f"a2,h1,n2,{WALL} i1,z14", f"a1,i1,n3,{WALL} z14,bar1", 2, (3, None)),
        (f"a2,h1,n2,{WALL} i1,z14", f"a1,i1,n3,{WALL} z14,bar1", 3, (4, Side.GOLD)),
        # Nobody is hit, so what was counted stays.
        (f"a3,n2,{WALL} z15", f"a1,b1,n3,{WALL} z15", 2, (2, None)),
        # The sixth point is given up, so the count begins anew.
        (f"a2,h1,n2,{WALL} i1,z14", f"a1,g1,i1,n1,{WALL},t1 z14,bar1", 3, (0, None)),
    ],
)
def test_men_hit_behind_six_points_are_counted_by_turn(
    before: str, after: str, hits: int, counted: tuple[int, Side | None]
) -> None:
    rules, position = build_position(f"{before} gold -", "emperador", barata="off")
    _, end = build_position(f"{after} black -", "emperador", barata="off")
    found, closer = count_turn_hits(rules, position, end, (6, 1, 6), hits * 8)
    assert (found // 8, closer) == counted
