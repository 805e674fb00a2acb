"""What is posted by itself, whose puzzles are solved where, and a week's figures, on both kinds."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Connection, insert

from bot.features.matches.tables import events
from bot.features.posts.rows import (
    LuckyThrow,
    PostKind,
    ScheduledPost,
    WeekFigures,
    WeekSpan,
    WeekWins,
)
from bot.features.posts.store import ScheduledPosts, WeekDigests
from bot.features.puzzles.commands import PostDailyPuzzle
from bot.features.puzzles.store import PuzzleDayResult, Puzzles, PuzzleStreak
from bot.features.reports.service import MakeReport
from bot.features.reports.store import Blunder, Reports
from bot.features.statistics.rows import ClubScope, MatchLength
from bot.platform.db.preferences import PlayerPreferences
from bot.platform.db.rows import QueuedJob
from bot.platform.db.store import Store
from bot.platform.people import COMPUTERS
from engine.clock import DAY
from tests.support.finished import store_matches
from tests.support.stored import ANA, BEN, CYN, NOW, load_due

pytestmark = pytest.mark.asyncio

GUILD, CHANNEL = 11, 12
CHOSEN = ScheduledPost(GUILD, PostKind.PUZZLE, CHANNEL, hour=9, day=20_000)


async def choose(store: Store, **changes: Any) -> tuple[ScheduledPost, QueuedJob]:
    """Choose where something is posted; returns it and the job."""
    job = PostDailyPuzzle(GUILD).build_job(NOW)
    chosen, (queued,) = await store.get(ScheduledPosts).choose(replace(CHOSEN, **changes), [job])
    return chosen, queued


async def test_a_day_is_posted_once_whoever_asks(store: Store) -> None:
    scheduled_posts = store.get(ScheduledPosts)
    assert await scheduled_posts.load_post(GUILD, PostKind.PUZZLE) is None
    chosen, queued = await choose(store)
    assert chosen == CHOSEN
    assert await scheduled_posts.begin(GUILD, PostKind.PUZZLE, 20_001)
    assert not await scheduled_posts.begin(GUILD, PostKind.PUZZLE, 20_001)
    following = PostDailyPuzzle(GUILD).build_job(NOW + DAY)
    posts = [
        replace(chosen, day=20_001, place=CHANNEL, message=message, subject="p")
        for message in (7, 8)
    ]
    made = await asyncio.gather(
        *(scheduled_posts.finish(post, queued, following, ()) for post in posts)
    )
    assert sorted(result is None for result in made) == [False, True]
    (first,) = [post for post, result in zip(posts, made, strict=True) if result is not None]
    assert await scheduled_posts.load_post(GUILD, PostKind.PUZZLE) == replace(first, begun=20_001)
    (waiting,) = await load_due(store.jobs, NOW + DAY, 9)
    assert waiting.due == NOW + DAY


async def test_a_job_that_was_renewed_meanwhile_stays(store: Store) -> None:
    chosen, queued = await choose(store)
    await choose(store)
    following = PostDailyPuzzle(GUILD).build_job(NOW + DAY)
    posted = replace(chosen, day=20_001)
    assert await store.get(ScheduledPosts).finish(posted, queued, following, ()) == ()
    (waiting,) = await load_due(store.jobs, NOW + DAY, 9)
    assert waiting.due == NOW


async def test_a_choice_never_makes_a_day_due_again(store: Store) -> None:
    await choose(store)
    later, _ = await choose(store, hour=17, day=20_003)
    assert (later.hour, later.day) == (17, 20_003)
    earlier, _ = await choose(store, day=20_001)
    assert (earlier.hour, earlier.day) == (9, 20_003)
    scheduled_posts = store.get(ScheduledPosts)
    assert await scheduled_posts.load_channels(GUILD) == [CHANNEL]
    await scheduled_posts.stop(GUILD, PostKind.PUZZLE)
    assert await scheduled_posts.load_channels(GUILD) == []
    stopped = await scheduled_posts.load_post(GUILD, PostKind.PUZZLE)
    assert stopped == replace(earlier, channel=None)


async def test_who_solved_a_puzzle_is_kept_by_server_and_day(store: Store) -> None:
    puzzles = store.get(Puzzles)
    for day in (1, 2, 3):
        assert await puzzles.record_answer(ANA, day, "p", solved=True, guild=GUILD)
    assert await puzzles.record_answer(BEN, 2, "p", solved=True, guild=GUILD)
    assert await puzzles.record_answer(BEN, 3, "p", solved=True, guild=GUILD)
    assert await puzzles.record_answer(CYN, 3, "p", solved=False, guild=GUILD)
    # Somewhere else it was the first answer of the day, and here it is the first as well.
    assert not await puzzles.record_answer(CYN, 3, "q", solved=True, guild=5)
    # A second answer in the same place changes nothing.
    assert not await puzzles.record_answer(CYN, 3, "p", solved=True, guild=GUILD)
    assert await puzzles.load_day_result(GUILD, 3) == PuzzleDayResult((ANA, BEN), 3)
    assert await puzzles.load_day_result(5, 3) == PuzzleDayResult((CYN,), 1)
    assert await puzzles.load_day_result(GUILD, 4) == PuzzleDayResult((), 0)
    streaks = [PuzzleStreak(ANA, 3), PuzzleStreak(BEN, 2)]
    assert await puzzles.load_longest_streaks(GUILD, 3, 2, 9) == streaks
    assert await puzzles.load_longest_streaks(GUILD, 3, 3, 9) == streaks[:1]
    assert await puzzles.load_longest_streaks(GUILD, 3, 2, 1) == streaks[:1]
    # A day later they are over.
    assert await puzzles.load_longest_streaks(GUILD, 4, 2, 9) == []
    await puzzles.forget_answers(GUILD, 3)
    assert await puzzles.load_day_result(GUILD, 2) == PuzzleDayResult((), 0)
    assert await puzzles.load_day_result(GUILD, 3) == PuzzleDayResult((ANA, BEN), 3)


async def test_a_week_counts_what_people_finished_in_it(store: Store) -> None:
    club, week = ClubScope(GUILD, COMPUTERS), WeekSpan(100, 200)
    nothing = WeekFigures(0, 0, (), (), None)
    digests = store.get(WeekDigests)
    assert await digests.load_figures(club, week, ()) == nothing
    assert await digests.find_finished([1, 2], week) == set()
    computer = min(COMPUTERS)
    await store_matches(
        store,
        [
            (100, ANA, BEN, "gold"),
            (199, BEN, ANA, "black"),
            (150, BEN, CYN, "draw"),
            (200, BEN, CYN, "gold"),
            (99, BEN, CYN, "gold"),
            (150, computer, CYN, "black"),
        ],
        guild=GUILD,
        turns=(5, 9, 9, 99, 99, 99),
    )
    await store_matches(store, [(150, ANA, BEN, "gold")], guild=GUILD, how="forfeited")
    assert await digests.load_figures(club, week, ()) == WeekFigures(
        3, 3, (("zeno", 3),), (WeekWins(ANA, 2),), MatchLength(2, 9)
    )


async def store_report(store: Store, match: int, thrown: Sequence[tuple[int, float]]) -> None:
    """Store a report in which throws, each made at a version, had that luck."""
    judged = [
        {"first": at, "version": at + 1, "side": "black", "thrown": True, "luck": luck}
        for at, luck in thrown
    ]
    (queued,) = await store.jobs.enqueue(GUILD, [MakeReport(match).build_job(NOW)])
    await store.get(Reports).save(match, {"judged": judged}, NOW, queued, GUILD)

    def work(connection: Connection) -> None:
        for at, _ in thrown:
            record = {"event": "thrown", "dice": [at, 6]}
            row = {"match": match, "version": at + 1, "at": NOW, "record": record}
            connection.execute(insert(events).values(row))

    await store._database.write(work)  # noqa: SLF001


async def test_the_luckiest_throw_of_a_week_is_found_in_its_reports(store: Store) -> None:
    club, week = ClubScope(GUILD, COMPUTERS), WeekSpan(100, 200)
    finished = [(150, ANA, BEN, "gold"), (160, ANA, CYN, "gold"), (200, ANA, CYN, "gold")]
    await store_matches(store, finished, guild=GUILD)
    digests = store.get(WeekDigests)
    assert await digests.find_luckiest_throw(club, week, ()) is None
    await store_report(store, 1, [(1, -0.5)])
    assert await digests.find_luckiest_throw(club, week, ()) is None
    await store_report(store, 2, [(1, 0.25), (2, 0.5), (3, 0.5)])
    await store_report(store, 3, [(1, 0.9)])
    expected = LuckyThrow(2, 2, "black", (2, 6), 0.5)
    assert await digests.find_luckiest_throw(club, week, ()) == expected


async def allow(store: Store, *people: int, shares: bool = True) -> None:
    """Let positions of those people's matches become puzzles, or no longer."""
    for person in people:
        await store.preferences.save(person, PlayerPreferences(shares=shares))


async def test_a_puzzle_is_made_of_a_match_if_everyone_in_it_allows_it(store: Store) -> None:
    computer = min(COMPUTERS)
    finished = [(1, ANA, BEN, "gold"), (2, ANA, CYN, "gold"), (3, ANA, computer, "black")]
    await store_matches(store, finished, guild=GUILD)
    await store_matches(store, [(4, ANA, BEN, "gold")], guild=GUILD, how="annulled")
    await store_matches(store, [(5, ANA, BEN, "gold")], guild=5)
    errors = {1: 0.1, 2: 0.3, 3: 0.2, 4: 0.9, 5: 0.8}
    found = [Blunder(ANA, match, 6, "a-b", error) for match, error in errors.items()]
    (queued,) = await store.jobs.enqueue(GUILD, [MakeReport(1).build_job(NOW)])
    await store.get(Reports).save(1, {}, NOW, queued, GUILD, found=found)
    puzzles = store.get(Puzzles)

    async def find(guild: int = GUILD) -> int | None:
        blunder = await puzzles.find_given_blunder(guild, COMPUTERS, ())
        return blunder.match if blunder else None

    assert await find() is None
    await allow(store, BEN, CYN)
    assert await find() is None
    await allow(store, ANA)
    assert await find() == 2
    await allow(store, CYN, shares=False)
    assert await find() == 3
    document = {"game": "zeno", "thrown": [1, 2]}
    assert await puzzles.keep_match_puzzle(GUILD, 9, "p", found[2], document) == "p"
    assert await puzzles.load_daily_puzzle("server", GUILD, 9) == "p"
    assert await puzzles.load_match_puzzle("p") == document
    assert await puzzles.load_match_puzzle("q") is None
    # Each is used once, and a day that has a puzzle keeps it.
    assert await find() == 1
    assert await puzzles.keep_match_puzzle(GUILD, 9, "q", found[0], document) == "p"
    assert await find() == 1
    assert await find(guild=5) == 5
    await allow(store, BEN, shares=False)
    assert await find() is None
    assert await find(guild=5) is None
