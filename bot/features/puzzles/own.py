"""A person's own puzzles: positions of their reported matches in which a play cost them much.

Only that person sees them. Each is evaluated when it is opened, and kept in memory for a while.
"""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property

from bot.features.computer.worker import pack_match, rank_plays
from bot.features.hints.guard import require_free_position
from bot.features.matches import loading
from bot.features.reports.service import BLUNDER, LEAST_ERROR
from bot.features.reports.store import Blunder, BlunderCounts
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.lines import NOBODY, Asker
from engine.events import Played
from engine.games import GAMES
from engine.match import Match, Phase
from engine.notation import format_play, parse_play
from engine.players.puzzles import Puzzle, PuzzlePlay, build_puzzle_match, find_end_position
from engine.position_text import format_position

MOST_KEPT = 200
"""Puzzles that are kept in memory; another is evaluated again."""
SEPARATOR = "-"
"""What parts the match and the version in the id of one's own puzzle; no other id has it."""


@dataclass(frozen=True, kw_only=True)
class OwnPuzzle(Puzzle):
    """A puzzle from a match at a version, in which the person made the play that is `played`."""

    reported: int
    version: int
    played: str

    @cached_property
    def id(self) -> str:
        """The puzzle's id among those of one person."""
        return f"{self.reported}{SEPARATOR}{self.version}"


@dataclass
class OwnPuzzleCache:
    """One's own puzzles that were opened lately, by person and id."""

    found: "OrderedDict[tuple[int, str], OwnPuzzle]" = field(default_factory=OrderedDict)

    def add(self, person: int, puzzle: OwnPuzzle) -> None:
        """Keep a puzzle."""
        self.found[person, puzzle.id] = puzzle
        while len(self.found) > MOST_KEPT:
            self.found.popitem(last=False)


@dataclass(frozen=True, slots=True)
class OwnPuzzleResult:
    """A whole play in one's own puzzle: whether it is right, and how many are solved now."""

    puzzle: OwnPuzzle
    answer: PuzzlePlay
    right: bool
    counts: BlunderCounts


def is_own_puzzle(name: str) -> bool:
    """Whether a puzzle's id is that of somebody's own."""
    return SEPARATOR in name


async def load_next_puzzle(app: App, asker: Asker) -> OwnPuzzle:
    """Return what somebody is to solve next; raises DeclinedError where they have no puzzle."""
    person = asker.person
    while (blunder := await app.store.blunders.find_next(person)) is not None:
        puzzle = await _load_or_build(app, blunder, asker)
        if puzzle is not None:
            await require_free_position(app, person, puzzle.match, exact=True)
            return puzzle
        # A closer look finds the play not so bad, or another edition of the rules has come.
        await app.store.blunders.remove(person, blunder.match, blunder.version)
    raise DeclinedError(DeclineReason.OWN_PUZZLES_NONE)


async def load_own_puzzle(app: App, asker: Asker, name: str) -> OwnPuzzle:
    """Return one of somebody's own puzzles; raises DeclinedError where they have no such one."""
    puzzle = app.get_part(OwnPuzzleCache).found.get((asker.person, name))
    if puzzle is None:
        puzzle = await _reload_puzzle(app, asker, name)
    if puzzle is None:
        raise DeclinedError(DeclineReason.OWN_PUZZLES_NONE)
    # It may stand by now in a match in which they would get no hint.
    await require_free_position(app, asker.person, puzzle.match, exact=True)
    return puzzle


async def _reload_puzzle(app: App, asker: Asker, name: str) -> OwnPuzzle | None:
    person = asker.person
    match, _, version = name.partition(SEPARATOR)
    blunder = None
    if match.isdecimal() and version.isdecimal():
        blunder = await app.store.blunders.get(person, int(match), int(version))
    return await build_own_puzzle(app, blunder, asker) if blunder else None


async def record_answer(
    app: App, person: int, puzzle: OwnPuzzle, answer: PuzzlePlay
) -> OwnPuzzleResult:
    """Keep that somebody has answered, and return how they are doing."""
    right = puzzle.is_solved_by(answer)
    await app.store.blunders.record_try(person, puzzle.reported, puzzle.version, solved=right)
    return OwnPuzzleResult(puzzle, answer, right, await app.store.blunders.count(person))


async def _load_or_build(app: App, blunder: Blunder, asker: Asker) -> OwnPuzzle | None:
    """Return a blunder as a puzzle, the one that was opened lately if there is one."""
    name = f"{blunder.match}{SEPARATOR}{blunder.version}"
    known = app.get_part(OwnPuzzleCache).found.get((asker.person, name))
    return known or await build_own_puzzle(app, blunder, asker)


async def build_own_puzzle(app: App, blunder: Blunder, asker: Asker = NOBODY) -> OwnPuzzle | None:
    """Return a blunder as a puzzle; None where it is no good one."""
    session = await loading.load_session(app, blunder.match)
    happened = await loading.load_history(app, session.row)
    before = happened[blunder.version].before
    if session.match.game.edition != GAMES[session.match.game.slug].edition:
        return None
    position = format_position(before.position, before.rules)
    match = build_puzzle_match(before.game.slug, before.options, position, before.thrown)
    if before.phase is not Phase.PLAY or not match.plays:
        return None
    ranked = await app.costly.run(asker, rank_plays, pack_match(match))
    answers: list[PuzzlePlay] = []
    for each in ranked:
        assert isinstance(each.event, Played)
        # 1-ply looks only at the best, and what comes after them is no better.
        points = min(each.worth.points, answers[-1].points if answers else each.worth.points)
        play = format_play(each.event.moves, match.rules, match.position)
        answers.append(PuzzlePlay(play, each.worth.win, points))
    puzzle = OwnPuzzle(
        game=before.game.slug,
        options=dict(before.options),
        position=position,
        thrown=before.thrown,
        answers=tuple(answers),
        error=LEAST_ERROR,
        reported=blunder.match,
        version=blunder.version,
        played=blunder.play,
    )
    # In a thread, since the ends of all plays of a puzzle take a while to compute.
    if not await asyncio.to_thread(_is_blunder, puzzle, match):
        return None
    app.get_part(OwnPuzzleCache).add(blunder.person, puzzle)
    return puzzle


def _is_blunder(puzzle: OwnPuzzle, match: Match) -> bool:
    """Whether the play that was made is bad also when all plays are compared closely."""
    made = parse_play(puzzle.played, match.rules, match.position)
    answer = puzzle.ends.get(find_end_position(match, made))
    return answer is not None and puzzle.answers[0].points - answer.points >= BLUNDER
