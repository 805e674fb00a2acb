"""What is told with the puzzle of the day: the solution of the last one, and the streaks."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.features.puzzles.match_puzzles import find_puzzle
from bot.features.puzzles.service import SERVER, PuzzlePlace, load_puzzle_of_day
from bot.features.puzzles.store import ANSWER_DAYS, PuzzleDayResult, PuzzleStreak
from bot.features.schedules.rows import ScheduledPost
from bot.features.schedules.service import PostSchedule
from bot.platform.context import App
from engine.players.puzzles import Puzzle

NEVER_DAY = 2**31 - 1
"""A day that does not come."""
MOST_STREAKS, LEAST_STREAK = 5, 2
"""Streaks that are told, and the days of the shortest."""


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
    store = app.store.puzzles
    puzzle = await load_puzzle_of_day(app, PuzzlePlace(SERVER, chosen.guild), day, is_posted=True)
    before = await find_puzzle(app, chosen.subject)
    last = None
    if before is not None:
        result = await store.load_day_result(chosen.guild, chosen.day)
        last = SolvedPuzzle(before, result, chosen)
    # Those go on that lasted until yesterday.
    streaks = await store.load_longest_streaks(chosen.guild, day - 1, LEAST_STREAK, MOST_STREAKS)
    return DailyPost(puzzle, last, streaks, schedule.following.at)


async def forget_old_answers(app: App, schedule: PostSchedule) -> None:
    """Forget who answered in a server longer ago than anything is told of it."""
    before = schedule.latest.day - ANSWER_DAYS
    await app.store.puzzles.forget_answers(schedule.chosen.guild, before)


async def forget_answers(app: App, guild: int) -> None:
    """Forget who answered in a server, once no puzzle is posted there any more."""
    await app.store.puzzles.forget_answers(guild, before=NEVER_DAY)
