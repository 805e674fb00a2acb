"""Puzzles from people's matches: of a server whose players have given their leave, and one's own.

A server's are made where the puzzle is posted every day, from plays that a report has found bad;
nobody is named in them. One's own are positions of one's reported matches in which a play cost
much: only that person sees them, each is evaluated when it is opened, and kept in memory for a
while.
"""

import asyncio
from dataclasses import dataclass, field
from functools import cached_property

from cachetools import LRUCache

from bot.features.analysis.guard import require_free_position
from bot.features.computer.pool import pack_match, rank_plays
from bot.features.matches import loading
from bot.features.puzzles.store import Puzzles
from bot.features.reports.service import BLUNDER, MIN_ERROR
from bot.features.reports.store import Blunder, BlunderCounts, Blunders
from bot.platform.context import App, find_closed_channels
from bot.platform.i18n.reader import DeclinedError, mark_text
from bot.platform.lines import NOBODY, Asker
from bot.platform.people import COMPUTERS
from engine.events import Played
from engine.games import has_newest_rules
from engine.match import Match, Phase
from engine.notation import format_play, parse_play
from engine.players.evaluation import EXACT_TIE
from engine.players.puzzles import (
    Puzzle,
    PuzzlePlay,
    build_puzzle_match,
    find_end_position,
    format_puzzle_row,
    load_puzzles,
    parse_puzzle_row,
)
from engine.position_text import format_position
from engine.refusal import Refusal

MAX_KEPT = 200
"""Puzzles that are kept in memory; another is evaluated again."""
SEPARATOR = "-"
"""What parts the match and the version in the id of one's own puzzle; no other id has it."""


class NoOwnPuzzlesError(DeclinedError):
    sentence = mark_text(
        "You have no puzzles of your own yet. They come from plays that cost you a lot in "
        "matches with a `/match report`."
    )


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

    found: LRUCache[tuple[int, str], OwnPuzzle] = field(default_factory=lambda: LRUCache(MAX_KEPT))

    def add(self, person: int, puzzle: OwnPuzzle) -> None:
        """Keep a puzzle."""
        self.found[person, puzzle.id] = puzzle


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
    while (blunder := await app.store.get(Blunders).find_next(person)) is not None:
        puzzle = await _load_or_build(app, blunder, asker)
        if puzzle is not None:
            await require_free_position(app, person, puzzle.match, exact=True)
            return puzzle
        # A closer look finds the play not so bad, or another edition of the rules has come.
        await app.store.get(Blunders).remove(person, blunder.match, blunder.version)
    raise NoOwnPuzzlesError


async def load_own_puzzle(app: App, asker: Asker, name: str) -> OwnPuzzle:
    """Return one of somebody's own puzzles; raises DeclinedError where they have no such one."""
    puzzle = app.get_part(OwnPuzzleCache).found.get((asker.person, name))
    if puzzle is None:
        puzzle = await _reload_puzzle(app, asker, name)
    if puzzle is None:
        raise NoOwnPuzzlesError
    # It may stand by now in a match in which they would get no hint.
    await require_free_position(app, asker.person, puzzle.match, exact=True)
    return puzzle


async def _reload_puzzle(app: App, asker: Asker, name: str) -> OwnPuzzle | None:
    person = asker.person
    match, _, version = name.partition(SEPARATOR)
    blunder = None
    if match.isdecimal() and version.isdecimal():
        blunder = await app.store.get(Blunders).load_blunder(person, int(match), int(version))
    return await build_own_puzzle(app, blunder, asker) if blunder else None


async def record_answer(
    app: App, person: int, puzzle: OwnPuzzle, answer: PuzzlePlay
) -> OwnPuzzleResult:
    """Keep that somebody has answered, and return how they are doing."""
    right = puzzle.is_solved_by(answer)
    await app.store.get(Blunders).record_try(person, puzzle.reported, puzzle.version, solved=right)
    return OwnPuzzleResult(puzzle, answer, right, await app.store.get(Blunders).count(person))


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
    if not has_newest_rules(session.match.game, session.match.options):
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
        points = min(
            each.evaluation.points, answers[-1].points if answers else each.evaluation.points
        )
        play = format_play(each.event.moves, match.rules, match.position)
        answers.append(PuzzlePlay(play, each.evaluation.win, points))
    exact = all(each.evaluation.exact for each in ranked)
    puzzle = OwnPuzzle(
        game=before.game.slug,
        options=dict(before.options),
        position=position,
        thrown=before.thrown,
        answers=tuple(answers),
        error=EXACT_TIE if exact else MIN_ERROR,
        exact=exact,
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


MATCH_PUZZLE_EVERY = 3
"""Of so many days one has a puzzle from a match, if there is any."""
MAX_TRIED = 3
"""Plays that are looked at on one day; each takes the computer a while."""


@dataclass(frozen=True, kw_only=True)
class MatchPuzzle(Puzzle):
    """A puzzle from a match of the server in which it is given."""


@dataclass
class MatchPuzzleCache:
    """Puzzles from matches that were used lately, by id."""

    found: LRUCache[str, MatchPuzzle] = field(default_factory=lambda: LRUCache(MAX_KEPT))

    def add(self, puzzle: MatchPuzzle) -> None:
        """Keep a puzzle."""
        self.found[puzzle.id] = puzzle


async def find_puzzle(app: App, name: str | None) -> Puzzle | None:
    """Return a puzzle by its id, None for none or for one that is no longer known."""
    if name is None:
        return None
    cache = app.get_part(MatchPuzzleCache)
    known = load_puzzles().get(name) or cache.found.get(name)
    if known is not None:
        return known
    document = await app.store.get(Puzzles).load_match_puzzle(name)
    if document is None:
        return None
    try:
        puzzle = MatchPuzzle(**vars(parse_puzzle_row(document)))
        # Whether its rules still know the position shows when it is set up.
        _ = puzzle.match
    except (KeyError, Refusal):
        return None
    cache.add(puzzle)
    return puzzle


async def choose_match_puzzle(app: App, guild: int, day: int) -> Puzzle | None:
    """Return a puzzle of a server's matches for a day and keep it; None if there is no good one.

    It is of no match in a channel that some members can't see.
    """
    puzzles = app.store.get(Puzzles)
    # Everybody in the server may solve it.
    channels = await puzzles.load_given_channels(guild)
    hidden = await find_closed_channels(app, guild, channels)
    for _ in range(MAX_TRIED):
        blunder = await puzzles.find_given_blunder(guild, COMPUTERS, hidden)
        if blunder is None:
            return None
        try:
            own = await build_own_puzzle(app, blunder)
        except (DeclinedError, Refusal):
            own = None
        if own is None:
            # A closer look finds the play not so bad, or another edition of the rules has come.
            await app.store.get(Blunders).remove(blunder.person, blunder.match, blunder.version)
            continue
        puzzle = MatchPuzzle(
            game=own.game,
            options=own.options,
            position=own.position,
            thrown=own.thrown,
            answers=own.answers,
            error=own.error,
            exact=own.exact,
        )
        kept = await puzzles.keep_match_puzzle(
            guild, day, puzzle.id, blunder, format_puzzle_row(puzzle)
        )
        # Somebody else may have had the day's puzzle chosen meanwhile.
        return await find_puzzle(app, kept)
    return None
