"""The outbox: done once, tried again, kept with its error."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from bot.features.challenges.service import ShowChallenge
from bot.features.challenges.store import Challenges
from bot.features.matches.jobs import RemoveMessage, ShowMatch
from bot.features.matches.rows import Seat
from bot.features.notifications.jobs import AnnounceMatch, MatchNews, NotifyFollower
from bot.platform.db.rows import Job, QueuedJob
from bot.platform.db.store import Store
from bot.platform.db.tables import now_ms
from bot.platform.jobs.handlers import load_job_kinds
from bot.platform.jobs.runner import (
    HURRY_PAUSE_S,
    MAX_CONCURRENT_JOBS,
    MAX_PAUSE_S,
    NO_JOBS_FROM,
    NO_RETRIES_FROM,
    Done,
    GiveUp,
    JobResult,
    Reschedule,
    Retry,
    Runner,
)
from tests.support.stored import (
    ANA,
    BEN,
    LIMITS,
    build_challenge,
    load_due,
    load_given_up,
    start_match,
)

LATER_MS = 1000


@pytest_asyncio.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """Open a store."""
    async with await Store.open(tmp_path / "jobs.sqlite3") as opened:
        yield opened


class RecordingHandler:
    """What was done, and what goes wrong first: one error, or one result, a try."""

    def __init__(self, *errors: Exception | JobResult) -> None:
        self.done: list[str] = []
        self.errors = list(errors)

    async def __call__(self, job: QueuedJob) -> JobResult:
        if self.errors:
            error = self.errors.pop(0)
            if isinstance(error, Exception):
                raise error
            return error
        self.done.append(job.key)
        return Done()


async def wait_until(true: Callable[[], bool]) -> None:
    """Wait for something to come about."""
    start = time.monotonic()
    while not true():
        assert time.monotonic() - start < 60
        await asyncio.sleep(0.01)


@pytest.mark.asyncio
async def test_what_was_left_from_an_earlier_time_is_done_at_the_start_and_once(
    store: Store,
) -> None:
    await store.jobs.enqueue(0, [Job("deed", str(number), 0) for number in range(300)])
    deeds = RecordingHandler()
    runner = Runner(store, now_ms, {"deed": deeds})
    runner.start()
    await wait_until(lambda: len(deeds.done) >= 300)
    await wait_until(lambda: runner.is_idle)
    await runner.stop(5)
    assert sorted(deeds.done, key=int) == [str(number) for number in range(300)]
    assert await load_due(store.jobs, now_ms(), 10) == []


@pytest.mark.asyncio
async def test_a_wish_is_begun_at_once_and_a_later_one_when_it_is_due(store: Store) -> None:
    deeds = RecordingHandler()
    runner = Runner(store, now_ms, {"deed": deeds})
    runner.start()
    now = now_ms()
    runner.schedule_jobs(
        await store.jobs.enqueue(0, [Job("deed", "now", now), Job("deed", "later", now + LATER_MS)])
    )
    await wait_until(lambda: deeds.done == ["now"])
    await wait_until(lambda: deeds.done == ["now", "later"])
    assert now_ms() >= now + LATER_MS
    await runner.stop(5)


@pytest.mark.asyncio
async def test_it_looks_again_whatever_went_wrong_as_it_looked(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    wrong = [RuntimeError("can't start new thread")]

    def clock() -> int:
        if wrong:
            raise wrong.pop()
        return now_ms()

    deeds = RecordingHandler()
    await store.jobs.enqueue(0, [Job("deed", "left", 0)])
    runner = Runner(store, clock, {"deed": deeds})
    runner.start()
    await wait_until(lambda: deeds.done == ["left"])
    assert "could not load due jobs; retrying" in caplog.text
    await runner.stop(5)


@pytest.mark.asyncio
async def test_a_job_that_fails_is_tried_again(store: Store) -> None:
    deeds = RecordingHandler(RuntimeError("not yet"))
    runner = Runner(store, now_ms, {"deed": deeds})
    runner.start()
    runner.schedule_jobs(await store.jobs.enqueue(0, [Job("deed", "stubborn", 0)]))
    await wait_until(lambda: not deeds.errors)
    await wait_until(lambda: deeds.done == ["stubborn"])
    await runner.stop(5)
    assert await store.jobs.find_next_due() is None


@pytest.mark.asyncio
async def test_a_job_that_cannot_be_done_is_kept_with_its_error(store: Store) -> None:
    runner = Runner(store, now_ms, {"deed": RecordingHandler(GiveUp("the channel is gone"))})
    runner.start()
    runner.schedule_jobs(
        await store.jobs.enqueue(0, [Job("deed", "vain", 0), Job("unheard of", "odd", 0)])
    )
    await wait_until(lambda: runner.is_idle)
    await runner.stop(5)
    kept = {job.key: job.error for job in await load_given_up(store.jobs)}
    assert kept == {"vain": "the channel is gone", "odd": "nobody knows how to unheard of"}
    assert await store.jobs.find_next_due() is None


@pytest.mark.asyncio
async def test_a_job_that_is_done_later_is_replaced_by_a_newer_one(store: Store) -> None:
    newer = Job("deed", "same", now_ms() + 300, {"newer": True})
    deeds = RecordingHandler(Reschedule(newer))
    runner = Runner(store, now_ms, {"deed": deeds})
    runner.start()
    runner.schedule_jobs(await store.jobs.enqueue(0, [Job("deed", "same", 0)]))
    await wait_until(lambda: not deeds.errors and runner.is_idle)
    (kept,) = await load_due(store.jobs, newer.due, 9)
    assert (kept.detail, kept.tries, kept.error) == ({"newer": True}, 0, None)
    await wait_until(lambda: deeds.done == ["same"] and runner.is_idle)
    await runner.stop(5)
    assert await store.jobs.find_next_due() is None


@pytest.mark.asyncio
async def test_a_job_that_waits_for_its_server_waits_longest(store: Store) -> None:
    runner = Runner(store, now_ms, {"deed": RecordingHandler(Retry("out of reach"))})
    runner.start()
    begun = now_ms()
    runner.schedule_jobs(await store.jobs.enqueue(0, [Job("deed", "patient", 0)]))
    await wait_until(lambda: runner.is_idle)
    await runner.stop(5)
    (waiting,) = await load_due(store.jobs, now_ms() + 1000 * MAX_PAUSE_S, 9)
    assert (waiting.tries, waiting.error) == (1, "out of reach")
    assert waiting.due >= begun + 1000 * MAX_PAUSE_S


@pytest.mark.asyncio
async def test_a_wish_renewed_while_it_is_being_done_is_done_once_more(store: Store) -> None:
    done: list[int] = []
    gate = asyncio.Event()

    async def slow(job: QueuedJob) -> JobResult:
        await gate.wait()
        done.append(job.revision)
        return Done()

    runner = Runner(store, now_ms, {"deed": slow})
    runner.start()
    runner.schedule_jobs(await store.jobs.enqueue(0, [Job("deed", "same", 0)]))
    await asyncio.sleep(0)
    runner.schedule_jobs(await store.jobs.enqueue(0, [Job("deed", "same", 0)]))
    runner.schedule_jobs(await store.jobs.enqueue(0, [Job("deed", "same", 0)]))
    gate.set()
    await wait_until(lambda: len(done) == 2)
    assert done[0] < done[1]
    await wait_until(lambda: runner.is_idle)
    await runner.stop(5)
    assert await store.jobs.find_next_due() is None


@pytest.mark.asyncio
async def test_a_job_renewed_with_an_answer_is_done_with_it_after_the_earlier_one(
    store: Store,
) -> None:
    done: list[tuple[str, object]] = []
    gate = asyncio.Event()

    async def show(job: QueuedJob, answer: object = None) -> JobResult:
        done.append(("begin", answer))
        await gate.wait()
        done.append(("end", answer))
        return Done()

    runner = Runner(store, now_ms, {"deed": show})
    runner.start()
    runner.schedule_jobs(await store.jobs.enqueue(0, [Job("deed", "same", 0)]))
    await wait_until(lambda: len(done) == 1)
    for answer in ("overtaken", "answer"):
        runner.schedule_jobs(await store.jobs.enqueue(0, [Job("deed", "same", 0)]), answer)
    newest = runner.find_task("deed", "same")
    assert newest is not None
    await asyncio.sleep(0.05)
    assert done == [("begin", None)]
    gate.set()
    await newest
    assert done == [("begin", None), ("end", None), ("begin", "answer"), ("end", "answer")]
    assert runner.find_task("deed", "same") is None
    await runner.stop(5)
    assert await store.jobs.find_next_due() is None


@pytest.mark.asyncio
async def test_the_first_try_alone_gets_the_answer(store: Store) -> None:
    tried: list[object] = []

    async def fail_once(job: QueuedJob, answer: object = None) -> JobResult:
        tried.append(answer)
        if answer is not None:
            raise OSError("503")
        return Done()

    runner = Runner(store, now_ms, {"deed": fail_once})
    runner.start()
    runner.schedule_jobs(await store.jobs.enqueue(0, [Job("deed", "shown", 0)]), "answer")
    await wait_until(lambda: len(tried) == 2 and runner.is_idle)
    await runner.stop(5)
    assert tried == ["answer", None]
    assert await store.jobs.find_next_due() is None


@pytest.mark.asyncio
async def test_what_follows_a_job_under_way_is_left_when_the_program_ends(store: Store) -> None:
    begun: list[object] = []

    async def hang(job: QueuedJob, answer: object = None) -> JobResult:
        begun.append(answer)
        await asyncio.Event().wait()
        return Done()

    runner = Runner(store, now_ms, {"deed": hang})
    runner.start()
    for answer in ("first", "second"):
        runner.schedule_jobs(await store.jobs.enqueue(0, [Job("deed", "same", 0)]), answer)
        await asyncio.sleep(0)
    await runner.stop(0.05)
    await wait_until(lambda: runner.is_idle)
    assert begun == ["first"]
    (left,) = await load_due(store.jobs, now_ms(), 9)
    assert left.leased_by is None


@pytest.mark.asyncio
async def test_what_is_under_way_hides_nothing_that_is_due_later(store: Store) -> None:
    gate = asyncio.Event()
    done: list[str] = []

    async def deed(job: QueuedJob) -> JobResult:
        if job.key == "slow":
            await gate.wait()
        done.append(job.key)
        return Done()

    await store.jobs.enqueue(0, [Job("deed", "slow", 0), Job("deed", "later", now_ms() + 300)])
    runner = Runner(store, now_ms, {"deed": deed})
    runner.start()
    await wait_until(lambda: done == ["later"])
    gate.set()
    await runner.stop(5)
    assert done == ["later", "slow"]


@pytest.mark.sweep
@pytest.mark.asyncio
async def test_of_very_many_no_more_are_taken_than_can_soon_be_done(store: Store) -> None:
    taken: list[int] = []

    async def deed(job: QueuedJob) -> JobResult:
        now = now_ms()
        waiting = await load_due(store.jobs, now, 1000)
        taken.append(sum(other.leased_by is not None for other in waiting))
        return Done()

    await store.jobs.enqueue(0, [Job("deed", str(number), 0) for number in range(500)])
    await store.jobs.release_leases()
    runner = Runner(store, now_ms, {"deed": deed})
    runner.start()
    await wait_until(lambda: len(taken) == 500)
    await runner.stop(5)
    assert max(taken) <= 2 * MAX_CONCURRENT_JOBS


@pytest.mark.asyncio
async def test_what_is_under_way_is_waited_for_at_the_end(store: Store) -> None:
    begun = asyncio.Event()
    ended: list[str] = []

    async def slow(job: QueuedJob) -> JobResult:
        begun.set()
        await asyncio.sleep(0.2)
        ended.append(job.key)
        return Done()

    runner = Runner(store, now_ms, {"deed": slow})
    runner.start()
    runner.schedule_jobs(await store.jobs.enqueue(0, [Job("deed", "last", 0)]))
    await begun.wait()
    await runner.stop(5)
    assert ended == ["last"]
    assert await store.jobs.find_next_due() is None


HERE, THERE = 1 << 22, 2 << 22


async def add_failed_job(store: Store, guild: int, key: str, tries: int = 1) -> None:
    """Keep a job of a server that has failed so often, and is due in an hour."""
    (job,) = await store.jobs.enqueue(guild, [Job("deed", key, 0)])
    for _ in range(tries):
        await store.jobs.schedule_retry(job, now_ms() + 3_600_000, "Forbidden: no")


@pytest.mark.asyncio
async def test_only_the_jobs_of_the_place_concerned_are_retried_early(store: Store) -> None:
    await add_failed_job(store, HERE, "here")
    await add_failed_job(store, THERE, "there")
    deeds = RecordingHandler()
    runner = Runner(store, now_ms, {"deed": deeds})
    runner.start()
    await runner.retry_failed(HERE)
    await wait_until(lambda: deeds.done == ["here"] and runner.is_idle)
    await runner.retry_failed()
    await wait_until(lambda: deeds.done == ["here", "there"] and runner.is_idle)
    await runner.stop(5)


@pytest.mark.asyncio
async def test_what_a_channel_permits_concerns_its_own_jobs_alone(store: Store) -> None:
    here, there, thread = 2, 3, 4
    first = await start_match(store, guild=HERE, channel=here)
    second = await start_match(store, guild=HERE, channel=there)
    offered = await store.get(Challenges).create(
        build_challenge(guild=HERE, channel=there), Seat("gold", 0, ANA, "ana's"), LIMITS
    )
    for job in (
        ShowMatch(first).build_job(0),
        ShowMatch(second).build_job(0),
        NotifyFollower(second, BEN).build_job(0),
        ShowChallenge(offered.challenge.id).build_job(0),
        RemoveMessage(71, second, thread).build_job(0),
        RemoveMessage(72, first, here).build_job(0),
        AnnounceMatch(second, MatchNews.ENDED).build_job(0),
    ):
        (kept,) = await store.jobs.enqueue(HERE, [job])
        await store.jobs.schedule_retry(kept, now_ms() + 3_600_000, "Forbidden: no")
    done = RecordingHandler()
    runner = Runner(store, now_ms, dict.fromkeys(load_job_kinds(), done))
    runner.start()
    await runner.retry_failed(HERE, here)
    news = f"{second} ended"
    await wait_until(lambda: {*done.done} == {str(first), "72", news} and runner.is_idle)
    # A thread of the channel is a place of its own, and the channel's another.
    await runner.retry_failed(HERE, thread)
    await wait_until(lambda: "71" in done.done and runner.is_idle)
    assert await store.jobs.find_next_due(now_ms() + 1_000_000) is not None
    await runner.retry_failed(HERE, there)
    rest = [str(second), f"{second} {BEN}", str(offered.challenge.id)]
    await wait_until(lambda: sorted(done.done[4:]) == sorted(rest) and runner.is_idle)
    await runner.stop(5)


@pytest.mark.asyncio
@pytest.mark.parametrize("result", [OSError("403"), Retry("403", 1000 * MAX_PAUSE_S)])
async def test_what_fails_just_as_its_cause_is_gone_is_retried_at_once(
    store: Store, result: Exception | JobResult
) -> None:
    deeds = RecordingHandler(result)

    async def refuse(job: QueuedJob) -> JobResult:
        if deeds.errors:
            # The permission is given while the request is under way that is still refused.
            await runner.retry_failed(HERE)
        return await deeds(job)

    runner = Runner(store, now_ms, {"deed": refuse})
    (job,) = await store.jobs.enqueue(HERE, [Job("deed", "1", now_ms() + LATER_MS)])
    for _ in range(6):
        # After many tries the next would be a minute away.
        await store.jobs.schedule_retry(job, now_ms(), "403")
    runner.start()
    start = time.monotonic()
    await wait_until(lambda: deeds.done == ["1"])
    assert time.monotonic() - start < 50
    await runner.stop(5)


@pytest.mark.sweep
@pytest.mark.asyncio
async def test_of_many_calls_in_a_row_one_counts_and_the_others_after_a_pause(store: Store) -> None:
    await add_failed_job(store, HERE, "stubborn", tries=12)
    now = [now_ms()]
    tried: list[int] = []

    async def refuse_job(_: QueuedJob) -> JobResult:
        tried.append(now[0])
        raise RuntimeError("no")

    runner = Runner(store, lambda: now[0], {"deed": refuse_job})
    runner.start()
    first = now[0]
    for _ in range(200):
        await runner.retry_failed(HERE)
        await wait_until(lambda: runner.is_idle)
        now[0] += 100
        await asyncio.sleep(0.002)
    # Within twenty seconds: the first at once, and one more after the pause.
    await wait_until(lambda: len(tried) >= 2)
    await runner.stop(5)
    assert tried[0] - first < 1000
    assert len(tried) == 2
    assert tried[1] - tried[0] >= 1000 * (HURRY_PAUSE_S - 1)


@pytest.mark.asyncio
async def test_the_more_requests_are_refused_the_longer_failed_jobs_wait(store: Store) -> None:
    refused = [0]
    runner = Runner(
        store, now_ms, {"deed": RecordingHandler(*map(RuntimeError, "abc"))}, lambda: refused[0]
    )
    runner.start()
    pauses = []
    for count in (0, 1_000, 3_999):
        refused[0] = count
        begun = now_ms()
        runner.schedule_jobs(await store.jobs.enqueue(HERE, [Job("deed", str(count), 0)]))
        await wait_until(lambda: runner.is_idle)
        due = await store.jobs.find_next_due(after=begun + 500)
        assert due is not None
        pauses.append(round((due - begun) / 1000))
        await store.jobs.finish((await load_due(store.jobs, due, 9))[0])
    await runner.stop(5)
    assert pauses == [1, 2, 8]


@pytest.mark.asyncio
async def test_long_before_discord_bans_it_the_program_makes_no_more_requests(store: Store) -> None:
    await add_failed_job(store, HERE, "failed")
    refused = [NO_RETRIES_FROM]
    deeds = RecordingHandler()
    runner = Runner(store, now_ms, {"deed": deeds}, lambda: refused[0])
    runner.start()
    await runner.retry_failed(HERE)
    runner.schedule_jobs(await store.jobs.enqueue(HERE, [Job("deed", "new", 0)]))
    await wait_until(lambda: deeds.done == ["new"] and runner.is_idle)
    refused[0] = NO_JOBS_FROM
    runner.schedule_jobs(await store.jobs.enqueue(HERE, [Job("deed", "newer", 0)]))
    await asyncio.sleep(0.1)
    await wait_until(lambda: runner.is_idle)
    await runner.stop(5)
    assert deeds.done == ["new"]
    waiting = await load_due(store.jobs, now_ms() + 1000 * MAX_PAUSE_S, 9)
    assert sorted(job.key for job in waiting) == ["failed", "newer"]
    assert await load_due(store.jobs, now_ms() + 1000 * (MAX_PAUSE_S - 60), 9) == []
    assert NO_RETRIES_FROM < NO_JOBS_FROM < 10_000
