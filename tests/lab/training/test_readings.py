"""What is counted for the pages on disputed rules, by games that are played again."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("numba", reason="the extra `train` is not installed")

from engine.position import Side
from lab import reading_games, readings
from lab.command_line import EXIT_USAGE
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


@pytest.mark.parametrize("games", ["0", "-700", "many"])
def test_a_number_of_games_that_counts_nothing_changes_nothing(
    games: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = readings.COUNTS.read_bytes()
    monkeypatch.setattr(sys, "argv", ["readings", "--games", games])
    with pytest.raises(SystemExit) as ended:
        reading_games.main()
    assert ended.value.code == EXIT_USAGE
    assert f"'{games}' is not a whole number from 1 on" in capsys.readouterr().err
    assert readings.COUNTS.read_bytes() == before


def test_what_is_stored_is_played_again_with_as_many_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readings, "COUNTS", tmp_path / "counts.json")
    monkeypatch.setattr(sys, "argv", ["readings", "--games", "2"])
    reading_games.main()
    first = readings.load_counts()
    assert {each.games for each in first} == {2}
    # As the pages say it.
    monkeypatch.setattr(sys, "argv", ["readings"])
    reading_games.main()
    assert readings.load_counts() == first
    # As in an archive of the program, of which nobody knows the commit.
    monkeypatch.setattr(reading_games, "describe_commit", lambda: "")
    reading_games.main()
    columns = readings.build_table().columns
    for row in readings.list_rows():
        for column, cell in zip(columns, row, strict=True):
            assert cell != ""
            assert cell is not None or not column.required
