"""Jobs: written with the change they follow, done once, renewed while they wait."""

import asyncio
from dataclasses import replace

import pytest

from bot.features.challenges.store import Challenges
from bot.features.matches.rows import LiveMessage, Seat
from bot.features.matches.store import Matches
from bot.platform.db.errors import StaleVersionError
from bot.platform.db.rows import Job, QueuedJob
from bot.platform.db.store import Store
from tests.support.stored import (
    ANA,
    BEN,
    LIMITS,
    NOW,
    build_challenge,
    build_step,
    dump_tables,
    load_due,
    load_given_up,
    register_people,
    start_match,
)

pytestmark = pytest.mark.asyncio
SHOW = Job("show", "match 1", NOW, {"why": "a move", "versions": [1, 2]})
LAPSE = Job("lapse", "challenge 1", NOW + 10)
ANAS = Seat("gold", 0, ANA, "ana's")
BENS = Seat("black", 0, BEN, "ben's")


async def _load_only_job(store: Store, now: int = NOW + 1000) -> QueuedJob:
    (job,) = await load_due(store.jobs, now, 10)
    return job


async def test_a_wish_becomes_a_job_that_waits(store: Store) -> None:
    (show, lapse) = await store.jobs.enqueue(0, [SHOW, LAPSE])
    assert show == QueuedJob(
        "show",
        "match 1",
        NOW,
        SHOW.detail,
        id=show.id,
        guild=0,
        leased_by=None,
        revision=1,
        tries=0,
        error=None,
        given_up=None,
    )
    assert (lapse.kind, lapse.key, lapse.due, lapse.detail) == (
        "lapse",
        "challenge 1",
        NOW + 10,
        {},
    )
    assert await load_due(store.jobs, NOW + 10, 10) == [show, lapse]
    assert await store.jobs.enqueue(0, []) == ()


async def test_jobs_come_by_when_they_are_due_and_no_more_than_asked_for(store: Store) -> None:
    late, early, same = await store.jobs.enqueue(
        0, [Job("a", "1", 30), Job("b", "1", 10), Job("a", "2", 10)]
    )
    in_order = sorted((early, same), key=lambda job: job.id)
    assert await load_due(store.jobs, 30, 10) == [*in_order, late]
    assert await load_due(store.jobs, 30, 1) == in_order[:1]
    assert await load_due(store.jobs, 29, 10) == in_order
    assert await load_due(store.jobs, 9, 10) == []


async def test_when_the_next_job_is_due(store: Store) -> None:
    assert await store.jobs.find_next_due() is None
    first, second = await store.jobs.enqueue(0, [Job("a", "1", 20), Job("a", "2", 30)])
    assert await store.jobs.find_next_due() == 20
    assert await store.jobs.find_next_due(after=20) == 30
    await store.jobs.give_up(first, "gone", 25)
    assert await store.jobs.find_next_due() == 30
    await store.jobs.finish(second)
    assert await store.jobs.find_next_due() is None


async def test_a_wish_for_what_waits_renews_it(store: Store) -> None:
    (first,) = await store.jobs.enqueue(0, [SHOW])
    await store.jobs.schedule_retry(first, NOW + 50, "403")
    both = {"why": "another", "versions": [1, 2], "where": 1 << 60}
    newer = replace(SHOW, due=NOW + 5, detail={"why": "another", "where": 1 << 60})
    (again,) = await store.jobs.enqueue(0, [newer])
    assert again == replace(first, due=NOW + 5, detail=both, revision=2)
    assert await _load_only_job(store) == again


async def test_a_wish_renews_what_was_given_up(store: Store) -> None:
    (first,) = await store.jobs.enqueue(0, [replace(SHOW, detail={"where": 1, **SHOW.detail})])
    await store.jobs.give_up(first, "the channel is gone", NOW + 7)
    kept = replace(first, tries=1, error="the channel is gone", given_up=NOW + 7)
    assert await load_given_up(store.jobs) == [kept]
    assert await load_due(store.jobs, NOW + 1000, 10) == []
    (again,) = await store.jobs.enqueue(0, [SHOW])
    assert again == replace(first, revision=2, detail=SHOW.detail)
    assert await load_given_up(store.jobs) == []


async def test_of_two_like_wishes_at_once_the_later_counts(store: Store) -> None:
    later = replace(SHOW, due=NOW + 3, detail={"why": "another"})
    (job,) = await store.jobs.enqueue(0, [SHOW, later])
    assert (job.due, job.revision) == (NOW + 3, 1)
    assert job.detail == {"why": "another", "versions": [1, 2]}


async def test_a_job_that_was_renewed_meanwhile_stays(store: Store) -> None:
    (old,) = await store.jobs.enqueue(0, [SHOW])
    (new,) = await store.jobs.enqueue(0, [SHOW])
    assert not await store.jobs.finish(old)
    await store.jobs.schedule_retry(old, NOW + 99, "too late")
    await store.jobs.give_up(old, "too late", NOW)
    assert await _load_only_job(store) == new
    assert await store.jobs.finish(new)
    assert not await store.jobs.finish(new)
    assert await load_due(store.jobs, NOW + 1000, 10) == []


async def test_a_failure_is_counted_and_its_error_kept(store: Store) -> None:
    (job,) = await store.jobs.enqueue(0, [SHOW])
    await store.jobs.schedule_retry(job, NOW + 20, "500 of Discord")
    assert await load_due(store.jobs, NOW + 19, 10) == []
    assert await _load_only_job(store) == replace(
        job, due=NOW + 20, tries=1, error="500 of Discord"
    )
    await store.jobs.schedule_retry(job, NOW + 40, "502 of Discord")
    assert await _load_only_job(store) == replace(
        job, due=NOW + 40, tries=2, error="502 of Discord"
    )


async def test_an_action_is_saved_with_its_jobs_or_not_at_all(store: Store) -> None:
    match = await start_match(store)
    matches = store.get(Matches)
    done = await matches.apply_update(match, build_step(0, "roll", jobs=[SHOW, LAPSE]))
    assert [(job.kind, job.revision) for job in done.jobs] == [("show", 1), ("lapse", 1)]
    before = await dump_tables(store)
    with pytest.raises(StaleVersionError):
        await matches.apply_update(match, build_step(0, "late", jobs=[SHOW]))
    assert (await matches.apply_update(match, build_step(1, "roll", jobs=[SHOW]))).jobs == ()
    assert await dump_tables(store) == before
    (renewed,) = (await matches.apply_update(match, build_step(1, "move", jobs=[SHOW]))).jobs
    assert renewed.revision == 2


async def test_what_was_posted_is_kept_with_the_job_done(store: Store) -> None:
    match = await start_match(store)
    matches = store.get(Matches)
    (job,) = (await matches.apply_update(match, build_step(0, "roll", jobs=[SHOW]))).jobs
    (retire,) = await matches.save_live_message(
        match, LiveMessage(77, 3, 1, 1), job, [Job("retire", "76", NOW)]
    )
    assert await _load_only_job(store) == retire
    row = await matches.load_row(match)
    assert row is not None
    assert (row.message, row.channel, row.since, row.shown) == (77, 3, 1, 1)


async def test_what_was_posted_does_not_finish_a_job_renewed_meanwhile(store: Store) -> None:
    match = await start_match(store)
    matches = store.get(Matches)
    (job,) = (await matches.apply_update(match, build_step(0, "roll", jobs=[SHOW]))).jobs
    (renewed,) = (await matches.apply_update(match, build_step(1, "move", jobs=[SHOW]))).jobs
    await matches.save_live_message(match, LiveMessage(77, 3, 1, 1), job)
    assert await _load_only_job(store) == renewed


async def test_a_challenge_s_jobs_from_making_it_to_its_match(store: Store) -> None:
    await register_people(store, ANA, BEN)
    challenges = store.get(Challenges)
    created = await challenges.create(build_challenge(), ANAS, LIMITS, lambda _: [LAPSE, SHOW])
    lapse, show = created.jobs
    assert await challenges.save_message(created.challenge.id, 55, done=show)
    assert await _load_only_job(store) == lapse
    asked: list[tuple[str, int | None]] = []

    def follow(challenge: object, match: int | None) -> list[Job]:
        asked.append((getattr(challenge, "state", ""), match))
        return [Job("show", f"match {match}", NOW)]

    result = await challenges.join(created.challenge.id, BENS, 1, NOW, LIMITS, follow)
    assert asked == [("accepted", result.match)]
    assert [job.key for job in result.jobs] == [f"match {result.match}"]


async def test_a_closed_challenge_s_jobs(store: Store) -> None:
    await register_people(store, ANA)
    challenges = store.get(Challenges)
    number = (await challenges.create(build_challenge(), ANAS, LIMITS)).challenge.id
    closed = await challenges.close(number, "withdrawn", NOW, [SHOW])
    assert closed is not None
    assert closed == (await _load_only_job(store),)
    assert await challenges.close(number, "lapsed", NOW, [LAPSE]) is None
    assert closed == (await _load_only_job(store),)


async def test_fifty_wishes_at_once_for_the_same_are_one_job(store: Store, rival: Store) -> None:
    others = [Job("show", f"match {number}", NOW) for number in (3, 2, 1)]
    await asyncio.gather(
        *(
            (store, rival)[at % 2].jobs.enqueue(0, others if at % 3 else others[::-1])
            for at in range(50)
        ),
    )
    assert [job.revision for job in await load_due(store.jobs, NOW, 10)] == [50, 50, 50]
