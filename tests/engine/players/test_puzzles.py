"""The puzzles of the file: possible positions, legal plays, and one play clearly the best."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from engine import throws
from engine.events import Played
from engine.games import GAMES
from engine.match import Match
from engine.notation import format_play, parse_play
from engine.players.puzzles import (
    FILE,
    Puzzle,
    find_end_position,
    load_puzzle_file,
    load_puzzles,
    write_puzzle_file,
)
from engine.position import Position, Side
from engine.position_text import format_position, parse_position
from engine.rules import Rules

EVERY = tuple(load_puzzles().values())
GENERATED_PUZZLES = [each for each in EVERY if not each.source]
EMPEROR = EVERY[0]
ROUNDED = 0.0001
"""By how much a difference may be smaller where what is taken from each other was rounded."""


def format_puzzle_id(puzzle: Puzzle) -> str:
    return f"{puzzle.game}-{puzzle.id}"


def count_men(position: Position, rules: Rules) -> list[int]:
    """How many men each side has, wherever they are."""
    assert len(position.gold) == len(rules.board.place_names)
    return [sum(position.men(side)) for side in Side]


@pytest.mark.parametrize("puzzle", EVERY, ids=format_puzzle_id)
def test_the_position_the_throw_the_plays_and_their_worth_can_be(puzzle: Puzzle) -> None:
    require_possible(puzzle)
    require_legal_plays(puzzle)
    require_worth(puzzle)
    if not puzzle.source:
        require_one_best(puzzle)


def require_possible(puzzle: Puzzle) -> None:
    """Raise an error unless the position and the throw can be."""
    match = puzzle.match
    assert (
        format_position(parse_position(puzzle.position, match.rules), match.rules)
        == puzzle.position
    )
    assert len(puzzle.thrown) == match.rules.dice.count
    assert not throws.must_choose(match.rules.dice, puzzle.thrown)
    assert throws.list_numbers(match.rules.dice, puzzle.thrown) == match.position.dice


def require_legal_plays(puzzle: Puzzle) -> None:
    """Raise an error unless the plays are those that the rules allow, and no man is lost."""
    match = puzzle.match
    assert set(puzzle.ends) == {play.end for play in match.plays}
    assert len(puzzle.ends) == len(puzzle.answers)
    for answer in puzzle.answers[:3]:
        moves = parse_play(answer.play, match.rules, match.position)
        assert format_play(moves, match.rules, match.position) == answer.play
        assert count_men(find_end_position(match, moves), match.rules) == count_men(
            match.position, match.rules
        )


def require_one_best(puzzle: Puzzle) -> None:
    """Raise an error unless one play is clearly the best."""
    best, second, *_ = puzzle.answers
    assert best.points - second.points >= 0.1 - ROUNDED
    assert best.points - second.points > puzzle.error
    assert [each for each in puzzle.answers if puzzle.is_solved_by(each)] == [best]
    assert not puzzle.is_forced


def require_worth(puzzle: Puzzle) -> None:
    """Raise an error unless what the plays are worth is in order and can be."""
    points = [each.points for each in puzzle.answers]
    assert points == sorted(points, reverse=True)
    assert all(0 <= each.win <= 1 for each in puzzle.answers)


def test_there_are_many_of_many_games_and_none_twice() -> None:
    assert len(EVERY) == len(load_puzzle_file(FILE)) >= 150
    games = Counter(each.game for each in GENERATED_PUZZLES)
    assert len(games) >= 12
    assert max(games.values()) <= 20


def test_a_dozen_are_of_a_solved_game_and_stand_last() -> None:
    # Doblet in which men move: in the usual one every play of all numbers is as good.
    exact = [each for each in EVERY if each.exact]
    assert exact == list(EVERY[-12:])
    assert {each.game for each in exact} == {"doblet"}
    for puzzle in exact:
        assert puzzle.options == {"moving": "own-table"}
        assert puzzle.error < ROUNDED


def test_the_emperors_throw_comes_first() -> None:
    # Agathias as Becq de Fouquieres reads him: the men of 10, 19 and 20 go, and eight stand alone.
    assert EMPEROR.game == "zeno"
    assert sorted(EMPEROR.thrown) == [2, 5, 6]
    assert EMPEROR.is_forced
    assert [each.play for each in EMPEROR.answers] == ["k-q t-z u-x"]
    (end,) = EMPEROR.ends
    alone = [
        name
        for name, count in zip(GAMES["zeno"].rules.board.place_names, end.gold, strict=True)
        if count == 1
    ]
    assert alone == ["i", "k", "q", "t", "u", "x", "y", "z"]


def test_the_positions_of_the_sources_name_them() -> None:
    from_sources = [each for each in EVERY if each.source]
    assert [each.game for each in from_sources] == ["zeno", "ludus-anglicorum", "ludus-anglicorum"]
    for puzzle in from_sources:
        assert puzzle.comment
        assert puzzle.is_solved_by(puzzle.answers[0])
    # Royal 13 A XVIII: the seventh man is caught while one stands on each of t to z and eight on a.
    _, lympolding, lurching = from_sources
    assert find_win(lympolding.match, "c-i") == "lympolded"
    assert find_win(lurching.match, "g-m") == "lurched"


def find_win(match: Match, play: str) -> str:
    """How gold wins by a play."""
    moves = parse_play(play, match.rules, match.position)
    outcome = match.apply(Played(moves)).outcome
    assert outcome is not None
    assert outcome.winner is Side.GOLD
    return outcome.how


def test_a_puzzle_is_known_by_its_position_for_ever() -> None:
    # Streaks and servers refer to it.
    assert EMPEROR.id == "1532114530"
    assert replace(EMPEROR, answers=(), error=1.0, comment="", throw=9).id == EMPEROR.id
    assert replace(EMPEROR, thrown=(6, 5, 2)).id == EMPEROR.id
    assert replace(EMPEROR, options={"unusable": "opponent"}).id != EMPEROR.id


def test_what_is_written_is_read(tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl"
    write_puzzle_file(file, EVERY)
    assert file.read_text(encoding="utf-8") == FILE.read_text(encoding="utf-8")
    assert load_puzzle_file(file) == list(EVERY)


def test_plays_within_the_error_are_as_good() -> None:
    best, second, *_ = GENERATED_PUZZLES[0].answers
    doubtful = replace(GENERATED_PUZZLES[0], error=best.points - second.points + 0.001)
    assert doubtful.is_solved_by(second)
    assert not doubtful.is_solved_by(doubtful.answers[-1])
