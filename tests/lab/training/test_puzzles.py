"""Finding puzzles in games of the players: the same with the same seed.

A puzzle that no longer holds is removed.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engine.events import Played
from engine.match import Match
from engine.players import beginner, greedy
from engine.players.boards import Boards
from engine.players.evaluation_rows import POINTS, EvaluationRows
from engine.players.prospects import evaluate_decisions, find_best
from engine.players.puzzles import (
    FILE,
    Puzzle,
    find_end_position,
    format_puzzle_row,
    load_puzzle_file,
    load_puzzles,
    write_puzzle_file,
)
from engine.position import Position, Side
from engine.rules import Rules
from lab.training import puzzles

SOME = puzzles.PuzzleSearch(wanted=2, games=16, seconds=300, seed=5)
NONE_NEW = puzzles.PuzzleSearch(wanted=20, games=0, seconds=0, seed=5)
BACKGAMMON = puzzles.PuzzleSetting("backgammon")
DOBLET = puzzles.PuzzleSetting("doblet", (("moving", "own-table"),))


@pytest.fixture(scope="module")
def found() -> list[Puzzle]:
    """Some puzzles of backgammon, found now."""
    return puzzles.find_puzzles(BACKGAMMON, [], SOME)


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
    assert [each.id for each in puzzles.find_puzzles(BACKGAMMON, [], SOME)] == [
        each.id for each in found
    ]


def test_what_still_holds_is_kept_and_what_does_not_goes(found: list[Puzzle]) -> None:
    kept = puzzles.find_puzzles(BACKGAMMON, found, NONE_NEW)
    assert [each.id for each in kept] == [each.id for each in found]
    assert [each.throw for each in kept] == [each.throw for each in found]
    # A position that nobody overlooks, and one that the rules do not know.
    opening = replace(found[0], position="a2,m5,r3,t5 f5,h3,n5,z2 gold 3-1", thrown=(3, 1))
    nowhere = replace(found[0], position="a3,m5,r3,t5 f5,h3,n5,z2 gold 3-1", thrown=(3, 1))
    assert puzzles.reevaluate_puzzle(opening) is None
    assert puzzles.reevaluate_puzzle(nowhere) is None


def test_games_without_a_strong_player_have_none() -> None:
    assert puzzles.is_worth_searching(BACKGAMMON)
    # The usual Doblet is solved, but using every number is as good as the best play.
    for setting in map(puzzles.PuzzleSetting, ("twelve-dogs", "paume-carie-two", "doblet")):
        assert not puzzles.is_worth_searching(setting)
        assert puzzles.find_puzzles(setting, list(load_puzzles().values())[:1], SOME) == []


def test_a_solved_game_is_judged_by_its_table() -> None:
    assert puzzles.SOLVED_SETTINGS == (DOBLET,)
    search = puzzles.PuzzleSearch(wanted=1, games=60, seconds=300, seed=2)
    (found,) = puzzles.find_puzzles(DOBLET, [], search)
    assert found.exact
    assert dict(found.options) == {"moving": "own-table"}
    # What is kept comes first, and nothing is sought where that is enough.
    (kept,) = puzzles.find_puzzles(DOBLET, STORED_EXACT[:1], search)
    assert format_puzzle_row(kept) == format_puzzle_row(STORED_EXACT[0])


def require_varied(some: Sequence[Puzzle]) -> None:
    """Raise an error where two puzzles have the same throw, or the same numbers of men."""
    assert len({tuple(sorted(each.thrown)) for each in some}) == len(some)
    assert len({count_left(each) for each in some}) == len(some)


def count_left(puzzle: Puzzle) -> tuple[int, ...]:
    """How many men each side still has, that which is to play first."""
    match = puzzle.match
    sides = match.turn, match.turn.other
    off = match.rules.board.off
    return tuple(match.rules.men - match.position.men(each)[off] for each in sides)


STORED_EXACT = [each for each in load_puzzles().values() if each.exact]


def test_the_stored_exact_puzzles_vary() -> None:
    assert len(STORED_EXACT) == 12
    require_varied(STORED_EXACT)


@pytest.mark.parametrize("stored", STORED_EXACT, ids=lambda each: each.id)
def test_every_stored_exact_answer_is_what_the_table_says_now(stored: Puzzle) -> None:
    again = puzzles.reevaluate_puzzle(stored)
    assert again is not None
    assert format_puzzle_row(again) == format_puzzle_row(stored)
    assert min(count_left(stored)) >= 3
    # Neither greedy nor most beginners find it, nor do those who bear off what they can.
    match = stored.match
    best = next(iter(stored.ends))
    assert find_greedy_end(match) != best
    tried = [beginner.choose_prospect(match, seed).event for seed in range(40)]
    ends = [find_end_position(match, each.moves) for each in tried if isinstance(each, Played)]
    assert ends.count(best) < len(tried) / 2
    borne_off = [end.men(match.turn)[match.rules.board.off] for end in stored.ends]
    assert max(borne_off) in borne_off[1:]


def find_greedy_end(match: Match) -> Position:
    """Where the play ends that greedy makes."""

    def judge(rules: Rules, before: Boards, thrower: Side) -> EvaluationRows:
        return greedy.evaluate_positions(
            rules, thrower, before.men(thrower), before.men(thrower.other)
        )

    event = find_best(match, judge).event
    assert isinstance(event, Played)
    return find_end_position(match, event.moves)


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
    ((setting, now),) = puzzles.rebuild_puzzles(file, NONE_NEW, [BACKGAMMON], 1)
    assert setting == BACKGAMMON
    assert [each.id for each in now] == [found[0].id]
    assert [each.id for each in load_puzzle_file(file)] == [
        *(each.id for each in puzzles.iter_source_puzzles()),
        other.id,
        found[0].id,
    ]


def test_what_another_search_finds_meanwhile_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.jsonl"
    irish, zeno = (
        next(each for each in load_puzzles().values() if each.game == game and not each.source)
        for game in ("irish", "zeno")
    )
    write_puzzle_file(file, [irish])
    settings = [BACKGAMMON, puzzles.PuzzleSetting("pyf")]
    search = puzzles.rebuild_puzzles(file, NONE_NEW, settings, 1)
    next(search)
    write_puzzle_file(file, [irish, zeno])
    list(search)
    assert {irish.id, zeno.id} <= {each.id for each in load_puzzle_file(file)}
