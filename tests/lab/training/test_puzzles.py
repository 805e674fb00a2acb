"""Finding puzzles in games of the players: the same with the same seed.

A puzzle that no longer holds is removed.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.players.evaluation_rows import POINTS
from engine.players.prospects import evaluate_decisions
from engine.players.puzzles import FILE, Puzzle, load_puzzle_file, load_puzzles, write_puzzle_file
from lab.training import puzzles

SOME = puzzles.PuzzleSearch(wanted=2, games=16, seconds=300, seed=5)
NONE_NEW = puzzles.PuzzleSearch(wanted=20, games=0, seconds=0, seed=5)


@pytest.fixture(scope="module")
def found() -> list[Puzzle]:
    """Some puzzles of backgammon, found now."""
    return puzzles.find_puzzles("backgammon", [], SOME)


def test_what_is_found_is_a_puzzle(found: list[Puzzle]) -> None:
    assert len(found) == SOME.wanted
    for puzzle in found:
        best, second, *_ = puzzle.answers
        gap = best.points - second.points
        assert gap >= puzzles.GAP
        assert gap >= puzzles.SURE * puzzle.error
        assert puzzles.OPEN[0] < best.win
        assert puzzle.throw > 0
        assert set(puzzle.ends) == {play.end for play in puzzle.match.plays}


def test_the_best_is_the_best_to_the_players(found: list[Puzzle]) -> None:
    for puzzle in found:
        match = puzzle.match
        best = int(evaluate_decisions(match)[:, POINTS].argmax())
        assert puzzle.ends[match.plays[best].end] == puzzle.answers[0]


def test_the_same_seed_finds_the_same(found: list[Puzzle]) -> None:
    assert [each.id for each in puzzles.find_puzzles("backgammon", [], SOME)] == [
        each.id for each in found
    ]


def test_what_still_holds_is_kept_and_what_does_not_goes(found: list[Puzzle]) -> None:
    kept = puzzles.find_puzzles("backgammon", found, NONE_NEW)
    assert [each.id for each in kept] == [each.id for each in found]
    assert [each.throw for each in kept] == [each.throw for each in found]
    # A position that nobody overlooks, and one that the rules do not know.
    opening = replace(found[0], position="a2,m5,r3,t5 f5,h3,n5,z2 gold 3-1", thrown=(3, 1))
    nowhere = replace(found[0], position="a3,m5,r3,t5 f5,h3,n5,z2 gold 3-1", thrown=(3, 1))
    assert puzzles.reevaluate_puzzle(opening) is None
    assert puzzles.reevaluate_puzzle(nowhere) is None


def test_games_without_a_strong_player_have_none() -> None:
    assert puzzles.is_worth_searching("backgammon")
    for game in ("twelve-dogs", "paume-carie-two"):
        assert not puzzles.is_worth_searching(game)
        assert puzzles.find_puzzles(game, list(load_puzzles().values())[:1], SOME) == []


def test_the_sources_positions_are_judged_as_they_stand() -> None:
    judged = list(puzzles.iter_source_puzzles())
    assert [each.id for each in judged] == [
        each.id for each in load_puzzle_file(FILE) if each.source
    ]
    assert [(each.source, each.comment) for each in judged] == [
        (each.source, each.comment) for each in puzzles.SOURCE_POSITIONS
    ]
    assert [each.answers[0].win for each in judged[1:]] == [1, 1]


def test_a_file_is_rebuilt_game_by_game(found: list[Puzzle], tmp_path: Path) -> None:
    file = tmp_path / "puzzles.jsonl"
    other = next(each for each in load_puzzles().values() if each.game == "irish")
    gone = replace(found[0], position="a2,m5,r3,t5 f5,h3,n5,z2 gold 3-1", thrown=(3, 1))
    write_puzzle_file(file, [gone, other, found[0]])
    ((game, now),) = puzzles.rebuild_puzzles(file, NONE_NEW, ["backgammon"], 1)
    assert game == "backgammon"
    assert [each.id for each in now] == [found[0].id]
    assert [each.id for each in load_puzzle_file(file)] == [
        *(each.id for each in puzzles.iter_source_puzzles()),
        other.id,
        found[0].id,
    ]
