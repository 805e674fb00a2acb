"""Positions in which one play is clearly the best, and what every play in them is worth.

They lie in `puzzles.jsonl`, one a line, which `make puzzles` writes (see
`lab.training.puzzles`). Nothing is judged here, so neither nets nor their library are needed.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, reduce
from pathlib import Path
from typing import Any

from engine.games import GAMES
from engine.match import Match, Phase
from engine.move import Move
from engine.notation import parse_play
from engine.plays import make_move
from engine.position import Position
from engine.position_text import parse_position
from engine.strict_json import parse_json, write_json

FILE = Path(__file__).with_name("puzzles.jsonl")
ID_BYTES = 5


@dataclass(frozen=True, slots=True)
class PuzzlePlay:
    """A written play, evaluated for the side that makes it: chance to win, expected points."""

    play: str
    win: float
    points: float


@dataclass(frozen=True, kw_only=True)
class Puzzle:
    """A position with its throw, and its plays, best first, one for each end position.

    `position` is in our notation with the numbers to play, `thrown` how the dice lie. Plays that
    are worth no less than the best by more than `error`, in points, are as good. What they are
    worth is `exact` where the position is solved. A position that comes from a source says from
    which, with a comment; one that was found says in which `throw` of a game of the players' own.
    """

    game: str
    position: str
    thrown: tuple[int, ...]
    answers: tuple[PuzzlePlay, ...]
    error: float
    options: Mapping[str, str] = field(default_factory=dict)
    source: str = ""
    comment: str = ""
    throw: int = 0
    exact: bool = False

    @cached_property
    def id(self) -> str:
        """The puzzle's permanent id, made from its game, options, position and throw."""
        named = write_json(
            # Neither the order of options nor that of dice makes another puzzle.
            [self.game, sorted(self.options.items()), self.position, sorted(self.thrown)]
        )
        return hashlib.blake2b(named.encode(), digest_size=ID_BYTES).hexdigest()

    @property
    def is_forced(self) -> bool:
        """Whether there is one play only, so that the puzzle is to find it."""
        return len(self.answers) == 1

    @cached_property
    def match(self) -> Match:
        """A match that waits for the play."""
        return build_puzzle_match(self.game, self.options, self.position, self.thrown)

    @cached_property
    def ends(self) -> Mapping[Position, PuzzlePlay]:
        """The evaluation of each position in which a play can end.

        Finding them takes a while, so not in the event loop.
        """
        match = self.match
        plays = (parse_play(each.play, match.rules, match.position) for each in self.answers)
        return dict(
            zip((find_end_position(match, moves) for moves in plays), self.answers, strict=True)
        )

    def is_solved_by(self, answer: PuzzlePlay) -> bool:
        """Whether a play is as good as the best, as far as that is known."""
        return self.answers[0].points - answer.points <= self.error


def build_puzzle_match(
    game: str, options: Mapping[str, str], position: str, thrown: tuple[int, ...]
) -> Match:
    """Return a match that waits for a play in a position.

    Raises Refusal where there is no such position.
    """
    rules = GAMES[game].resolve_rules(options)
    at = parse_position(position, rules)
    return Match(
        game=GAMES[game],
        options=options,
        rules=rules,
        position=at,
        phase=Phase.PLAY,
        thrown=thrown,
        thrower=at.turn,
    )


def find_end_position(match: Match, moves: Iterable[Move]) -> Position:
    """Return the position in which moves end."""
    return reduce(
        lambda position, move: make_move(match.rules, position, move), moves, match.position
    )


@lru_cache(maxsize=1)
def load_puzzles() -> Mapping[str, Puzzle]:
    """Return the puzzles by id, in the order of the file."""
    return {puzzle.id: puzzle for puzzle in load_puzzle_file(FILE)}


def load_puzzle_file(path: Path) -> Sequence[Puzzle]:
    """Read a file of puzzles."""
    return [
        parse_puzzle_row(parse_json(line)) for line in path.read_text(encoding="utf-8").splitlines()
    ]


def write_puzzle_file(path: Path, some: Iterable[Puzzle]) -> None:
    """Write a file of puzzles; the old one stays whole until the new one is."""
    lines = (f"{write_json(format_puzzle_row(puzzle), ascii_only=False)}\n" for puzzle in some)
    beside = path.with_suffix(".part")
    beside.write_text("".join(lines), encoding="utf-8")
    beside.replace(path)


def parse_puzzle_row(row: Mapping[str, Any]) -> Puzzle:
    """Return the puzzle that a row of the file holds."""
    answers = tuple(PuzzlePlay(*each) for each in row["plays"])
    other = {name: value for name, value in row.items() if name not in ("plays", "told")}
    return Puzzle(
        **{**other, "thrown": tuple(row["thrown"])},
        comment=row.get("told", ""),
        answers=answers,
    )


def format_puzzle_row(puzzle: Puzzle) -> dict[str, Any]:
    """Return a puzzle's row, without what is as usual."""
    row: dict[str, Any] = {
        "game": puzzle.game,
        "position": puzzle.position,
        "thrown": puzzle.thrown,
    }
    usual = {
        "options": puzzle.options,
        "source": puzzle.source,
        "told": puzzle.comment,
        "throw": puzzle.throw,
        "exact": puzzle.exact,
    }
    row |= {name: value for name, value in usual.items() if value}
    digits = 6 if puzzle.exact else 4
    plays = [
        (each.play, round(each.win, digits), round(each.points, digits)) for each in puzzle.answers
    ]
    return {**row, "error": round(puzzle.error, digits), "plays": plays}
