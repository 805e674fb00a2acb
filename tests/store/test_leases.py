"""Leases: a job is done by one process at a time, and by another when that one has died."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bot.platform.db.jobs import LEASE_MS
from bot.platform.db.rows import Job, QueuedJob
from bot.platform.db.shards import Shards
from bot.platform.db.store import Store
from bot.platform.db.tables import now_ms
from bot.platform.jobs.runner import LOOK_SHARED_S, Done, Handler, JobResult, Runner
from tests.support.postgresql import PostgreSQLServer
from tests.support.stored import NOW, load_due, load_given_up

pytestmark = pytest.mark.asyncio
DUE = Job("show", "match 1", 0)
EVEN, ODD = 2 << 22, 3 << 22
"""Servers of the two shards of two."""


async def _execute_sql(store: Store, sql: str) -> None:
    await store._database.write(lambda connection: connection.exec_driver_sql(sql))  # noqa: SLF001


async def test_what_is_due_is_leased_by_whoever_stores_it(store: Store) -> None:
    due, later = await store.jobs.enqueue(0, [DUE, Job("show", "match 2", now_ms() + 60_000)])
    assert (due.leased_by, later.leased_by) == (store.process, None)
    assert await store.jobs.lease_due(now_ms(), 10) == [due]


async def test_those_of_an_earlier_process_are_free_for_the_next(store: Store, where: str) -> None:
    (due,) = await store.jobs.enqueue(0, [DUE])
    await store.close()
    async with await Store.open(where) as again:
        await again.acquire_shards()
        (leased,) = await again.jobs.lease_due(now_ms(), 10)
        assert (leased.id, leased.leased_by) == (due.id, again.process)
        assert leased.leased_by != due.leased_by


async def test_a_job_that_is_put_off_or_given_up_is_nobodys(store: Store) -> None:
    first, second = await store.jobs.enqueue(0, [DUE, Job("show", "match 2", 0)])
    await store.jobs.schedule_retry(first, NOW, "500")
    await store.jobs.give_up(second, "404", NOW)
    assert [
        job.leased_by
        for job in (*await load_due(store.jobs, NOW, 9), *await load_given_up(store.jobs))
    ] == [None, None]


@pytest_asyncio.fixture
async def first(server: PostgreSQLServer) -> AsyncIterator[Store]:
    """A process alone."""
    async with await Store.open(server.create_database()) as store:
        yield store


@pytest_asyncio.fixture
async def second(first: Store) -> AsyncIterator[Store]:
    """One that believes to be alone as well, as where a connection broke."""
    url = first._database._reader.url.render_as_string(hide_password=False)  # noqa: SLF001
    async with await Store.open(url.replace("+asyncpg", "")) as store:
        yield store


async def test_a_lease_holds_until_it_lapses(first: Store, second: Store) -> None:
    (job,) = await first.jobs.enqueue(0, [DUE])
    assert await second.jobs.lease_due(now_ms(), 10) == []
    await _execute_sql(first, f"UPDATE jobs SET leased_until = leased_until - {LEASE_MS - 500}")
    await first.jobs.prolong_leases([job])
    await asyncio.sleep(0.6)
    assert await second.jobs.lease_due(now_ms(), 10) == []
    await _execute_sql(first, f"UPDATE jobs SET leased_until = leased_until - {LEASE_MS - 300}")
    await asyncio.sleep(0.6)
    (taken,) = await second.jobs.lease_due(now_ms(), 10)
    assert taken.leased_by == second.process
    await first.jobs.prolong_leases([job])
    assert await first.jobs.lease_due(now_ms(), 10) == []


async def test_a_lease_from_before_the_clock_was_set_back_holds_nobody_up(
    first: Store, second: Store
) -> None:
    await first.jobs.enqueue(0, [DUE])
    await _execute_sql(first, "UPDATE jobs SET leased_until = leased_until + 3600000")
    assert len(await second.jobs.lease_due(now_ms(), 10)) == 1


async def test_a_wish_renewed_by_another_is_left_to_whoever_does_it(
    first: Store, second: Store
) -> None:
    (job,) = await first.jobs.enqueue(0, [DUE])
    (renewed,) = await second.jobs.enqueue(0, [DUE])
    assert (renewed.leased_by, renewed.revision) == (first.process, 2)
    assert not await first.jobs.finish(job)
    assert await second.jobs.lease_due(now_ms(), 10) == []
    assert await first.jobs.lease_due(now_ms(), 10) == [renewed]


async def test_of_those_who_lease_at_once_each_job_has_one(first: Store, second: Store) -> None:
    await first.jobs.enqueue(0, [Job("show", str(number), 0) for number in range(200)])
    await first.jobs.release_leases()
    stores = [first, second] * 10
    found = await asyncio.gather(*(store.jobs.lease_due(now_ms(), 10) for store in stores))
    leased = {(job.key, job.leased_by) for jobs in found for job in jobs}
    assert max(Counter(key for key, _ in leased).values()) == 1


async def test_each_does_the_jobs_of_its_servers_whoever_stores_them(
    server: PostgreSQLServer,
) -> None:
    where = server.create_database()
    done: list[tuple[str, str]] = []
    all_done = asyncio.Event()

    def deed(by: str) -> Handler:
        async def do(job: QueuedJob) -> JobResult:
            done.append((by, job.key))
            if len(done) == 4:
                all_done.set()
            return Done()

        return do

    async with (
        await Store.open(where, shards=Shards(0, 0, 2)) as even,
        await Store.open(where, shards=Shards(1, 1, 2)) as odd,
    ):
        stores = {"even": even, "odd": odd}
        runners = {
            name: Runner(store, now_ms, {"deed": deed(name)}) for name, store in stores.items()
        }
        for runner in runners.values():
            runner.start()
        for guild, key in ((EVEN, "of even"), (ODD, "of odd")):
            for name, store in stores.items():
                wish = Job("deed", f"{key}, stored by {name}", now_ms())
                runners[name].schedule_jobs(await store.jobs.enqueue(guild, [wish]))
        async with asyncio.timeout(20 * LOOK_SHARED_S):
            await all_done.wait()
        for runner in runners.values():
            await runner.stop(5)
        assert sorted(done) == sorted(
            (by, f"of {by}, stored by {other}") for by in runners for other in runners
        )
        assert await load_due(even.jobs, now_ms(), 10) == []


async def test_what_takes_long_is_not_taken_by_another(
    first: Store, second: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.platform.jobs.runner.PROLONG_S", 0.2)
    begun, done = asyncio.Event(), asyncio.Event()

    async def slow(_: QueuedJob) -> JobResult:
        begun.set()
        await done.wait()
        return Done()

    runner = Runner(first, now_ms, {"show": slow})
    runner.start()
    runner.schedule_jobs(await first.jobs.enqueue(0, [DUE]))
    await begun.wait()
    await _execute_sql(first, f"UPDATE jobs SET leased_until = leased_until - {LEASE_MS - 1000}")
    await asyncio.sleep(1.2)
    assert await second.jobs.lease_due(now_ms(), 10) == []
    done.set()
    await runner.stop(5)
    assert await load_due(second.jobs, now_ms(), 10) == []


async def test_what_is_left_at_the_end_is_free_at_once(first: Store, second: Store) -> None:
    async def endless(_: QueuedJob) -> JobResult:
        await asyncio.sleep(1000)
        return Done()

    runner = Runner(first, now_ms, {"show": endless})
    runner.start()
    runner.schedule_jobs(await first.jobs.enqueue(0, [DUE]))
    await asyncio.sleep(0.1)
    await runner.stop(0.1)
    assert len(await second.jobs.lease_due(now_ms(), 10)) == 1
