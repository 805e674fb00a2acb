"""What clocks need: when they stood still, how people play, and jobs that wait for an instant."""

import asyncio
from dataclasses import replace
from functools import partial

import pytest

from bot.features.matches.rows import LiveMessage
from bot.features.matches.store import Matches
from bot.features.preferences.store import Blocks
from bot.platform.db.errors import StoreError
from bot.platform.db.preferences import PlayerPreferences, Reminder, ServerSettings
from bot.platform.db.rows import Job, Outage, Pause, StoppageScope
from bot.platform.db.store import Store
from tests.support.stored import ANA, BEN, CYN, NOW, load_due, register_people, start_match

pytestmark = pytest.mark.asyncio


async def test_pauses_bear_on_those_they_are_of(store: Store) -> None:
    await register_people(store, ANA, BEN, CYN)
    anas, bens = Pause(ANA, NOW + 5, NOW + 50), Pause(BEN, NOW + 2, NOW + 9)
    outage, past = Pause(None, NOW + 3, NOW + 4), Pause(None, NOW - 9, NOW - 5)
    for pause in (anas, Pause(CYN, NOW, NOW + 9), bens):
        await store.pauses.add_absence(pause)
    await store.pauses.record_presence(
        [0], 1, NOW, [Outage(0, 1, each.began, each.ended) for each in (outage, past)]
    )
    assert await store.pauses.load_relevant([ANA, BEN], NOW, 1) == [bens, outage, anas]
    assert await store.pauses.load_relevant([], NOW - 20, 1) == [past, outage]
    assert await store.pauses.load_relevant([ANA, BEN], NOW, guild=None) == [bens, anas]


async def test_time_is_stopped_once_for_each_and_for_nobody_where_none_is_named(
    store: Store,
) -> None:
    stop = partial(store.pauses.stop_clocks, StoppageScope.SERVER)
    assert await stop([], NOW) == frozenset()
    assert await stop([1, 2], NOW) == {1, 2}
    assert await stop([2, 3], NOW + 5) == {3}


async def test_no_outage_lasts_beyond_the_time_that_it_is(store: Store) -> None:
    past, lasting, later = (NOW - 9, NOW - 5), (NOW - 4, NOW + 50), (NOW + 60, NOW + 70)
    kept = [Outage(shard, 2, *times) for shard in (0, 1) for times in (past, lasting, later)]
    await store.pauses.record_presence([0, 1], 2, NOW, kept)
    await store.pauses.end_outages(NOW, [0], 2)
    # A server of the first shard, and one of the second, which another process serves.
    assert await store.pauses.load_relevant([], 0, 2 << 22) == [
        Pause(None, *past),
        Pause(None, NOW - 4, NOW),
    ]
    assert await store.pauses.load_relevant([], 0, 1 << 22) == [
        Pause(None, *each) for each in (past, lasting, later)
    ]


async def test_somebody_comes_back_from_an_absence_once(store: Store) -> None:
    await register_people(store, ANA, BEN)
    await store.pauses.add_absence(Pause(ANA, NOW, NOW + 50))
    assert not await store.pauses.end_absence(BEN, NOW + 5)
    assert await store.pauses.end_absence(ANA, NOW + 5)
    assert not await store.pauses.end_absence(ANA, NOW + 6)
    assert await store.pauses.load_relevant([ANA], NOW, 1) == [Pause(ANA, NOW, NOW + 5)]


async def test_an_outage_that_ends_before_it_begins_is_refused(store: Store) -> None:
    with pytest.raises(StoreError):
        await store.pauses.record_presence([0], 1, NOW, [Outage(0, 1, NOW, NOW - 1)])


async def test_how_somebody_plays_is_kept(store: Store) -> None:
    await register_people(store, ANA, BEN)
    assert await store.preferences.load_preferences(ANA) == PlayerPreferences(
        Reminder.CHANNEL, throws=True
    )
    await store.preferences.save(ANA, PlayerPreferences(Reminder.NEVER, throws=False))
    await store.preferences.save(ANA, PlayerPreferences(Reminder.DIRECT, throws=False))
    kept = {ANA: PlayerPreferences(Reminder.DIRECT, throws=False)}
    assert await store.preferences.load_many([ANA, BEN]) == kept
    names, habits = await store.preferences.load_with_names([ANA, BEN])
    assert {*names} == {ANA, BEN}
    assert habits == kept


async def test_a_server_has_a_pace(store: Store) -> None:
    assert (await store.servers.load_settings(1)).pace == "none"
    for pace in ("day", "week"):
        await store.servers.update_settings(1, partial(replace, pace=pace))
    assert (
        (await store.servers.load_settings(1)).pace,
        (await store.servers.load_settings(2)).pace,
    ) == (
        "week",
        "none",
    )


async def test_a_match_has_the_pace_of_its_challenge_and_a_notice_until_it_is_shown_without(
    store: Store,
) -> None:
    match = await start_match(store, pace="three-days")
    matches = store.get(Matches)
    assert await matches.save_notice(match, 77, 0, build_removal_job) == ()
    row = await matches.load_row(match)
    assert row is not None
    assert (row.pace, row.notice) == ("three-days", 77)
    for notice in (77, None):
        await matches.save_live_message(
            match, LiveMessage(5, 2, 0, 0, notice, notice_before=77), None
        )
        shown = await matches.load_row(match)
        assert shown is not None
        assert shown.notice == notice


def build_removal_job(message: int) -> Job:
    """The job that removes a message."""
    return Job("remove", str(message), NOW)


async def load_notice(store: Store, match: int) -> int | None:
    """What calls somebody to act in a match."""
    row = await store.get(Matches).load_row(match)
    assert row is not None
    return row.notice


async def test_a_call_that_was_posted_for_an_earlier_version_is_removed(store: Store) -> None:
    match = await start_match(store)
    assert [
        job.key for job in await store.get(Matches).save_notice(match, 77, 3, build_removal_job)
    ] == ["77"]
    assert await load_notice(store, match) is None


async def test_of_two_calls_the_first_is_removed_and_none_that_is_posted_again(
    store: Store,
) -> None:
    match = await start_match(store)
    for notice, gone in ((77, []), (77, []), (78, ["77"])):
        jobs = await store.get(Matches).save_notice(match, notice, 0, build_removal_job)
        assert [job.key for job in jobs] == gone
        assert await load_notice(store, match) == notice


@pytest.mark.parametrize(
    ("brings", "kept", "gone"), [(None, 77, []), (90, 90, ["77"]), (77, 77, [])]
)
async def test_a_call_that_is_stored_while_the_match_is_shown_is_not_forgotten(
    store: Store, brings: int | None, kept: int, gone: list[str]
) -> None:
    match = await start_match(store)
    await store.get(Matches).save_notice(match, 77, 0, build_removal_job)
    # Read when nothing called anybody.
    live = LiveMessage(5, 2, 0, 0, brings)
    assert [
        job.key
        for job in await store.get(Matches).save_live_message(
            match, live, None, (), build_removal_job
        )
    ] == gone
    assert await load_notice(store, match) == kept


async def test_what_called_to_an_earlier_act_is_removed_when_the_match_is_shown(
    store: Store,
) -> None:
    match = await start_match(store)
    await store.get(Matches).save_notice(match, 77, 0, build_removal_job)
    live = LiveMessage(5, 2, 0, 0, notice_before=77)
    jobs = await store.get(Matches).save_live_message(match, live, None, (), build_removal_job)
    assert [job.key for job in jobs] == ["77"]
    assert await load_notice(store, match) is None


async def test_a_job_that_was_done_waits_for_another_instant_unless_it_was_renewed(
    store: Store,
) -> None:
    (job,) = await store.jobs.enqueue(0, [Job("watch", "1", NOW)])
    (again,) = await store.jobs.replace(job, Job("watch", "1", NOW + 9, {"called": "reminded"}))
    assert (again.due, again.detail, again.tries) == (NOW + 9, {"called": "reminded"}, 0)
    await store.jobs.enqueue(0, [Job("watch", "1", NOW + 3)])
    assert await store.jobs.replace(again, Job("watch", "1", NOW + 99)) == ()
    assert await store.jobs.find_next_due() == NOW + 3


async def test_jobs_of_a_kind_that_are_due_soon_are_brought_forward(store: Store) -> None:
    await store.jobs.enqueue(
        0, [Job("watch", "1", NOW + 9), Job("watch", "2", NOW + 99), Job("show", "3", NOW + 9)]
    )
    await store.jobs.bring_forward("watch", NOW + 10, NOW)
    assert [job.key for job in await load_due(store.jobs, NOW, 9)] == ["1"]


async def test_what_a_server_chose_is_kept_whole(store: Store) -> None:
    chosen = ServerSettings("week", rated=False, channels=(2**62, 3), role=4)
    assert await store.servers.update_settings(1, lambda _: chosen) == chosen
    assert await store.servers.load_settings(1) == chosen
    assert await store.servers.load_settings(2) == ServerSettings()


async def test_which_servers_have_public_pages_and_who_is_on_none(store: Store) -> None:
    await register_people(store, ANA, BEN)
    for guild, are_on in ((3, True), (1, True), (2, False)):
        await store.servers.update_settings(guild, partial(replace, pages=are_on))
    assert await store.servers.find_with_pages() == [1, 3]
    assert await store.preferences.find_hidden_people() == frozenset()
    await store.preferences.save(ANA, PlayerPreferences(pages=False))
    await store.preferences.save(BEN, PlayerPreferences(throws=False))
    assert await store.preferences.find_hidden_people() == {ANA}


async def test_of_two_who_choose_at_once_both_are_heard(store: Store) -> None:
    changes = [
        partial(replace, pace="week"),
        partial(replace, rated=False),
        partial(replace, role=4),
    ]
    await asyncio.gather(*(store.servers.update_settings(1, change) for change in changes))
    assert await store.servers.load_settings(1) == ServerSettings("week", rated=False, role=4)


async def test_blocks(store: Store) -> None:
    await register_people(store, ANA, BEN, CYN)
    blocks = store.get(Blocks)
    for _ in range(2):
        await blocks.add(ANA, BEN)
    await blocks.add(CYN, ANA)
    assert (
        await blocks.load_blocked(ANA),
        await blocks.load_blocked(BEN),
    ) == (
        [BEN],
        [],
    )
    assert await blocks.load_between(BEN, [ANA, CYN]) == [(ANA, BEN)]
    assert sorted(await blocks.load_between(ANA, [BEN, CYN])) == [(ANA, BEN), (CYN, ANA)]
    assert sorted(await blocks.load_among([ANA, BEN, CYN])) == [(ANA, BEN), (CYN, ANA)]
    assert await blocks.load_among([BEN, CYN]) == []
    await blocks.remove(ANA, BEN)
    await blocks.remove(ANA, BEN)
    assert await blocks.load_between(BEN, [ANA, CYN]) == []
