"""Puzzles: one a day for each server, or for a person who asks in direct messages, and streaks.

A day is a UTC day. In a server that has its puzzle posted every day it lasts from one post to the
next, and is that of the post by the server's clocks. The first answer that somebody gives in it
counts, in any server; right answers on consecutive days are a streak. Nothing else of a person is
kept, but in such a server who answered within a week.
"""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from cachetools import LRUCache

from bot.features.matches.service import suggest_plays
from bot.features.posts.rows import PostKind, ScheduledPost
from bot.features.posts.service import PostSchedule, load_schedule
from bot.features.puzzles import match_puzzles
from bot.features.puzzles.store import (
    ANSWER_DAYS,
    PastPuzzle,
    PuzzleDayResult,
    Puzzles,
    PuzzleStreak,
    Streak,
)
from bot.platform.context import App
from bot.platform.i18n.reader import DeclinedError, mark_text
from bot.platform.lines import Asker
from engine.clock import DAY
from engine.match import Match
from engine.notation import format_play, parse_play
from engine.players.puzzles import Puzzle, PuzzlePlay, find_end_position, load_puzzles
from engine.plays import list_unblocked_targets
from engine.refusal import Refusal

PERSON, SERVER = "person", "server"
MAX_OPEN = 4096
NEVER_DAY = 2**31 - 1
"""A day that does not come."""
MAX_STREAKS, MIN_STREAK = 5, 2
"""Streaks that are listed, and the days of the shortest."""
REST_DAYS = 7
"""Days between two puzzles by the same house rules, to which people have to get used first."""


@dataclass
class OpenPuzzles:
    """Which puzzle somebody has open, by channel and person; a forgotten one is opened again."""

    found: LRUCache[tuple[int, int], str] = field(default_factory=lambda: LRUCache(MAX_OPEN))


class PuzzleNotSolvedError(DeclinedError):
    sentence = mark_text("You can share today's puzzle only if you solved it at the first try.")


class PuzzlePastError(DeclinedError):
    sentence = mark_text("That isn't today's puzzle. `/puzzle` shows it.")


class PuzzlePlace(NamedTuple):
    """Where a puzzle is asked for: the scope, a server or a person, and its id."""

    scope: str
    id: int


@dataclass(frozen=True, slots=True)
class DailyPuzzle:
    """A day's puzzle, and whether the person who asks has answered one on that day.

    `next_post` is when the next puzzle is posted, None where that isn't done.
    """

    puzzle: Puzzle
    day: int
    answered: bool
    next_post: int | None = None


@dataclass(frozen=True, slots=True)
class PuzzleAttempt:
    """What somebody plays in a puzzle: the match after it, and the play so far as it is written."""

    puzzle: Puzzle
    match: Match
    play: str


@dataclass(frozen=True, slots=True)
class PuzzleResult:
    """A whole play: its equity, whether it is right, whether it counts, and the streak now."""

    tried: PuzzleAttempt
    answer: PuzzlePlay
    right: bool
    counts: bool
    streak: int


async def load_daily_puzzle(app: App, place: PuzzlePlace, person: int) -> DailyPuzzle:
    """Return the puzzle of today in a place; the first who asks on a day has it chosen."""
    schedule = None
    if place.scope == SERVER:
        schedule = await load_schedule(app, place.id, PostKind.PUZZLE)
    if schedule is not None and schedule.is_on:
        day, next_post = schedule.present_day, schedule.following.at
    else:
        day, next_post = app.clock() // DAY, None
    puzzle = await load_puzzle_of_day(app, place, day, is_posted=next_post is not None)
    before = await app.store.get(Puzzles).load_streak(person)
    # Elsewhere it may be the next day already.
    answered = before is not None and before.day >= day
    return DailyPuzzle(puzzle, day, answered, next_post)


async def load_puzzle_of_day(app: App, place: PuzzlePlace, day: int, *, is_posted: bool) -> Puzzle:
    """Return the puzzle of a day in a place; the first who asks for it has it chosen.

    Where it is posted every day, it may be from a match of the server.
    """
    name = await app.store.get(Puzzles).load_daily_puzzle(*place, day)
    puzzle = await match_puzzles.find_puzzle(app, name)
    if name is None and is_posted and day % match_puzzles.MATCH_PUZZLE_EVERY == 0:
        puzzle = await match_puzzles.choose_match_puzzle(app, place.id, day)
    # A puzzle may have left the file since; then the day gets another.
    if puzzle is None:
        name = await app.store.get(Puzzles).choose_daily_puzzle(
            *place, day, lambda given: choose_next_puzzle(load_puzzles(), place, day, given)
        )
        puzzle = load_puzzles()[name]
    return puzzle


def choose_next_puzzle(
    known: Mapping[str, Puzzle], place: PuzzlePlace, day: int, given: Mapping[str, PastPuzzle]
) -> str:
    """Return the next puzzle of a place: all once before any is repeated, in an order of its own.

    The first of the file comes first. Those by the same house rules come a week apart, though
    others are repeated meanwhile: else all that a new version brings would come at once wherever
    the others were given before.
    """
    first = next(iter(known))
    resting = {
        _identify_house_rules(known[name])
        for name, past in given.items()
        if name in known and known[name].options and day - past.last < REST_DAYS
    }

    def rank(name: str) -> tuple[int, bool, bytes]:
        times = given[name].times if name in given else 0
        return times, name != first, _compute_shuffle_key(place, name)

    # Stable for a place, different between places, and without any state but what was given.
    rested = (name for name in known if _identify_house_rules(known[name]) not in resting)
    return min(rested, key=rank)


def _identify_house_rules(puzzle: Puzzle) -> tuple[str, frozenset[tuple[str, str]]]:
    return puzzle.game, frozenset(puzzle.options.items())


def _compute_shuffle_key(place: PuzzlePlace, name: str) -> bytes:
    return hashlib.blake2b(f"{place.scope} {place.id} {name}".encode(), digest_size=8).digest()


async def attempt_own_play(
    app: App, asker: Asker, name: str, text: str
) -> PuzzleAttempt | match_puzzles.OwnPuzzleResult:
    """Play in one's own puzzle, as in today's."""
    puzzle = await match_puzzles.load_own_puzzle(app, asker, name)
    tried, answer = await asyncio.to_thread(_evaluate_play, puzzle, text)
    return (
        tried
        if answer is None
        else await match_puzzles.record_answer(app, asker.person, puzzle, answer)
    )


async def attempt_play(
    app: App, place: PuzzlePlace, person: int, name: str, text: str
) -> PuzzleAttempt | PuzzleResult:
    """Play in today's puzzle; the play may be given in parts, and is kept only once it is whole.

    Raises DeclinedError for another puzzle than today's, and Refusal if the rules forbid the play.
    """
    now = await load_daily_puzzle(app, place, person)
    # Yesterday's card may still be open, but its answer is known by now.
    if now.puzzle.id != name:
        raise PuzzlePastError
    # In a thread, since the ends of all plays of a puzzle take a while to compute.
    tried, answer = await asyncio.to_thread(_evaluate_play, now.puzzle, text)
    if answer is None:
        return tried
    right = now.puzzle.is_solved_by(answer)
    # Names of solvers are kept only where the next puzzle lists them.
    guild = None if now.next_post is None else place.id
    counts = await app.store.get(Puzzles).record_answer(
        person, now.day, name, solved=right, guild=guild
    )
    after = await app.store.get(Puzzles).load_streak(person)
    assert after is not None
    return PuzzleResult(tried, answer, right, counts, after.streak)


def _evaluate_play(puzzle: Puzzle, text: str) -> tuple[PuzzleAttempt, PuzzlePlay | None]:
    """Return what is played, and what it is worth if it is a whole play."""
    match = puzzle.match
    try:
        moves = parse_play(text, match.rules, match.position)
    except Refusal as refusal:
        if puzzle.is_forced:
            # What would be legal is the answer.
            raise Refusal(refusal.reason, **refusal.parts) from None
        raise
    here = find_end_position(match, moves)
    play = format_play(moves, match.rules, match.position)
    tried = PuzzleAttempt(puzzle, replace(match, position=here, moves=moves), play)
    return tried, puzzle.ends.get(here)


async def load_solved_puzzle(
    app: App, place: PuzzlePlace, person: int, name: str
) -> tuple[Puzzle, Streak]:
    """Return today's puzzle and the streak of somebody who solved it.

    Raises DeclinedError for anyone who did not solve it.
    """
    now = await load_daily_puzzle(app, place, person)
    if now.puzzle.id != name:
        raise PuzzlePastError
    streak = await app.store.get(Puzzles).load_streak(person)
    # The card may be of an earlier day, or of an answer that did not count.
    if streak is None or (streak.day, streak.puzzle) != (now.day, name) or not streak.streak:
        raise PuzzleNotSolvedError
    return now.puzzle, streak


def list_unblocked_moves(match: Match) -> list[str]:
    """List where each man might go by each number if nothing barred its way.

    These are the things to try in a forced play.
    """
    rules, side = match.rules, match.turn
    names = rules.board.place_names
    targets = [
        list_unblocked_targets(rules, side, number) for number in dict.fromkeys(match.position.dice)
    ]
    men = match.position.men(side)
    return [
        f"{names[source]}-{names[reached[source]]}"
        for source in range(rules.board.size)
        for reached in targets
        if men[source] and 0 <= reached[source] < rules.board.size
    ]


def remember_open_puzzle(app: App, channel: int, person: int, puzzle: Puzzle) -> None:
    """Remember the puzzle that somebody has open in a channel, so that they can answer there."""
    app.get_part(OpenPuzzles).found[channel, person] = puzzle.id


def forget_open_puzzle(app: App, channel: int, person: int) -> None:
    """Forget that somebody has a puzzle open: it is answered."""
    app.get_part(OpenPuzzles).found.pop((channel, person), None)


def find_open_puzzle(app: App, channel: int, person: int) -> str | None:
    """Return the puzzle that somebody has open in a channel, perhaps since an earlier day."""
    return app.get_part(OpenPuzzles).found.get((channel, person))


def suggest_continuations(app: App, person: int, name: str, typed: str) -> list[str]:
    """List continuations of what was typed in a puzzle; empty if they would reveal the answer."""
    puzzle: Puzzle | None = load_puzzles().get(name)
    if puzzle is None:
        puzzle = app.get_part(match_puzzles.MatchPuzzleCache).found.get(name)
    if match_puzzles.is_own_puzzle(name):
        puzzle = app.get_part(match_puzzles.OwnPuzzleCache).found.get((person, name))
    # Where only one play is legal, to suggest it would be to solve it.
    return [] if puzzle is None or puzzle.is_forced else suggest_plays(puzzle.match, typed)


@dataclass(frozen=True, slots=True)
class SolvedPuzzle:
    """The last puzzle that was posted, and what became of it."""

    puzzle: Puzzle
    result: PuzzleDayResult
    post: ScheduledPost


@dataclass(frozen=True, slots=True)
class DailyPost:
    """The puzzle of a day in a server, the one before if there was one, and the streaks.

    `next_post` is when the next puzzle comes.
    """

    puzzle: Puzzle
    last: SolvedPuzzle | None
    streaks: Sequence[PuzzleStreak]
    next_post: int


async def load_daily_post(app: App, schedule: PostSchedule) -> DailyPost:
    """Return what is to be posted in a server now."""
    chosen, day = schedule.chosen, schedule.latest.day
    store = app.store.get(Puzzles)
    puzzle = await load_puzzle_of_day(app, PuzzlePlace(SERVER, chosen.guild), day, is_posted=True)
    before = await match_puzzles.find_puzzle(app, chosen.subject)
    last = None
    if before is not None:
        result = await store.load_day_result(chosen.guild, chosen.day)
        last = SolvedPuzzle(before, result, chosen)
    # Those go on that lasted until yesterday.
    streaks = await store.load_longest_streaks(chosen.guild, day - 1, MIN_STREAK, MAX_STREAKS)
    return DailyPost(puzzle, last, streaks, schedule.following.at)


async def forget_old_answers(app: App, schedule: PostSchedule) -> None:
    """Forget who answered in a server longer ago than anything is told of it."""
    before = schedule.latest.day - ANSWER_DAYS
    await app.store.get(Puzzles).forget_answers(schedule.chosen.guild, before)


async def forget_answers(app: App, guild: int) -> None:
    """Forget who answered in a server, once no puzzle is posted there any more."""
    await app.store.get(Puzzles).forget_answers(guild, before=NEVER_DAY)
