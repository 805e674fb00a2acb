"""Two processes on one database.

What one stores the other knows, and an outage of one does not touch the other.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial

import pytest
import pytest_asyncio
from sqlalchemy import select

from bot.client import monotonic_ms
from bot.features.matches import loading
from bot.features.matches import service as play
from bot.features.matches.jobs import ShowMatch
from bot.features.matches.service import Action, offer_draw, resign_match
from bot.features.matches.store import Matches
from bot.features.preferences import service as preferences
from bot.platform import outages
from bot.platform.context import HEARTBEAT_MS, App
from bot.platform.db.preferences import PlayerPreferences
from bot.platform.db.rows import Pause
from bot.platform.db.shards import Shards
from bot.platform.db.store import MAX_CLOCK_DIFFERENCE_MS, Store
from bot.platform.db.tables import now_ms
from bot.platform.db.tables import outages as outages_table
from engine.clock import parse_pace
from engine.match import Phase
from tests.support.played import ANA, BEN, GUILD, play_match, take_act
from tests.support.postgresql import PostgreSQLServer

pytestmark = pytest.mark.asyncio
HOUR = 3_600_000
DAY_MS = 24 * HOUR
DAY = parse_pace("day")


class ShiftedClock:
    """A clock that a test sets on."""

    def __init__(self) -> None:
        self.ahead = 0

    def __call__(self) -> int:
        return now_ms() + self.ahead


@pytest_asyncio.fixture
async def apps(server: PostgreSQLServer) -> AsyncIterator[list[App]]:
    """Yield a process for each of two shards.

    The second serves the server of the tests, the first direct messages.
    """
    where = server.create_database()
    halves = Shards(0, 0, 2), Shards(1, 1, 2)
    async with (
        await Store.open(where, shards=halves[0]) as even,
        await Store.open(where, shards=halves[1]) as odd,
    ):
        opened = [App(store, ShiftedClock(), secrets.token_bytes) for store in (even, odd)]
        await opened[0].save_people(ANA, BEN)
        for person in (ANA, BEN):
            # They throw themselves, and may so do it at the same moment.
            await even.preferences.save(person.id, PlayerPreferences(throws=False))
        yield opened


async def test_of_two_who_act_at_once_through_two_processes_both_have_acted(
    apps: list[App],
) -> None:
    even, odd = apps
    for number in range(8):
        match = await play_match(odd, 2 * number + 1)
        session = await loading.load_session(even, match)
        acting, other = (ANA, BEN) if session.person_to_act == ANA.id else (BEN, ANA)
        if session.match.phase is not Phase.THROW:
            continue
        await asyncio.gather(
            play.roll(odd, Action(match, acting, f"throw {number}")),
            offer_draw(even, Action(match, other, f"draw {number}")),
        )
        causes = {event.cause for event in await odd.store.get(Matches).load_events(match)}
        assert causes >= {f"throw {number}", f"draw {number}"}
        await resign_match(even, Action(match, other, f"end {number}"))


async def test_of_fifty_who_press_at_once_at_two_processes_one_has_acted(apps: list[App]) -> None:
    match = await play_match(apps[1], 0)
    session = await loading.load_session(apps[1], match)
    acting = ANA if session.person_to_act == ANA.id else BEN
    before = session.match.version
    presses = [
        play.roll(apps[number % 2], Action(match, acting, f"press {number}", before))
        for number in range(50)
    ]
    answers = await asyncio.gather(*presses, return_exceptions=True)
    assert sum(isinstance(answer, play.ActionResult) for answer in answers) == 1
    causes = [
        event.cause
        for event in await apps[0].store.get(Matches).load_events(match)
        if event.version > before
    ]
    assert sum(cause is not None for cause in causes) == 1


async def test_what_follows_is_left_to_the_process_of_the_match(apps: list[App]) -> None:
    even, odd = apps
    match = await play_match(even, 1)
    now = now_ms()
    assert await even.store.jobs.lease_due(now, 10) == []
    assert ShowMatch.kind in {
        job.kind for job in await odd.store.jobs.lease_due(now, 10) if job.key == str(match)
    }


async def test_how_somebody_plays_is_known_wherever_they_chose_it(apps: list[App]) -> None:
    even, odd = apps
    match = await play_match(odd, 4)
    before = await loading.load_session(odd, match)
    assert not any(each.throws for each in before.preferences.values())
    for person in (ANA, BEN):
        await preferences.change_preferences(even, person, partial(replace, throws=True))
    assert all(
        each.throws for each in (await loading.load_session(odd, match)).preferences.values()
    )
    assert len((await loading.load_session(odd, match)).preferences) == 2


async def test_an_outage_of_one_process_stops_the_clocks_of_its_servers_alone(
    apps: list[App],
) -> None:
    even, odd = apps
    for app in apps:
        await outages.start_run(app)
        app.reached.update(app.shards.numbers)
        await outages.record_heartbeat(app)
        assert app.away == set()
    hers, others = [await play_match(odd, 1, guild, DAY) for guild in (GUILD, 2 * GUILD)]
    began = odd.clock()
    for app in apps:
        assert isinstance(app.clock, ShiftedClock)
        app.clock.ahead = HOUR
    # One was there all the time, and the other begins again.
    await even.store.pauses.record_presence([0], 2, even.clock() - HEARTBEAT_MS)
    odd.reached.clear()
    await outages.start_run(odd)
    assert odd.away == {1}
    odd.reached.add(1)
    for app in apps:
        await outages.record_heartbeat(app)
    assert odd.away == set()
    (stop,) = (await loading.load_session(even, hers)).stops
    assert stop.ended - stop.began == pytest.approx(HOUR, abs=5000)
    assert abs(stop.began - began) < 5000
    assert (await loading.load_session(even, others)).stops == ()
    # What was known of its clock before was reckoned without the outage.
    assert (await loading.load_session(odd, hers)).stops == (stop,)
    assert (await loading.load_session(odd, hers)).clock == (
        await loading.load_session(even, hers)
    ).clock


async def test_a_shard_that_is_lost_stops_its_own_clocks_alone(server: PostgreSQLServer) -> None:
    async with await Store.open(server.create_database(), shards=Shards(0, 1, 2)) as store:
        clock = ShiftedClock()
        app = App(store, clock, secrets.token_bytes)
        await outages.start_run(app)
        app.reached.update({0, 1})
        await outages.record_heartbeat(app)
        app.reached.discard(1)
        app.away.add(1)
        clock.ahead = HOUR
        await store.pauses.record_presence([0], 2, clock() - HEARTBEAT_MS)
        await outages.record_heartbeat(app)
        assert app.away == {1}
        app.reached.add(1)
        await outages.record_heartbeat(app)
        assert app.away == set()
        # Asked twice, an outage is noted once.
        await outages.record_heartbeat(app)
        assert await store.pauses.load_relevant([], 0, 2 * GUILD) == []
        (pause,) = await store.pauses.load_relevant([], 0, GUILD)
        assert isinstance(pause, Pause)
        assert pause.ended - pause.began == pytest.approx(HOUR, abs=5000)


@pytest.mark.parametrize("skew", [90_000, -90_000, DAY_MS, -DAY_MS])
async def test_processes_whose_machines_differ_go_by_the_clock_of_the_database(
    server: PostgreSQLServer, skew: int, caplog: pytest.LogCaptureFixture
) -> None:
    where = server.create_database()
    async with (
        await Store.open(where, shards=Shards(0, 0, 2)) as even,
        await Store.open(where, shards=Shards(1, 1, 2)) as odd,
    ):
        even.clock.machine = lambda: now_ms() + skew
        for store in (even, odd):
            await store.acquire_shards()
        astray, right = [App(store, store.clock, secrets.token_bytes) for store in (even, odd)]
        way = "ahead of" if skew > 0 else "behind"
        told = f"the clock of this machine is {abs(skew) // 1000} s {way} the database's"
        assert [text for text in caplog.messages if "the clock" in text] == [
            f"{told}, which counts; set it by NTP"
        ]
        assert abs(astray.clock() - right.clock()) < MAX_CLOCK_DIFFERENCE_MS
        for app in (astray, right):
            await outages.start_run(app)
            app.reached.update(app.shards.numbers)
            await outages.record_heartbeat(app)
        await right.save_people(ANA, BEN)
        match = await play_match(right, 1, GUILD, DAY)
        # Each acts by another process, as in a server and in direct messages.
        for number in range(6):
            assert await take_act((right, astray)[number % 2], match, f"act {number}")
        events = await right.store.get(Matches).load_events(match)
        instants = [event.at for event in events]
        assert max(instants) - min(instants) < 60_000
        # What follows of an act is soon done by the process that serves the match.
        soon = right.clock() + MAX_CLOCK_DIFFERENCE_MS
        due = {job.kind for job in await odd.jobs.lease_due(soon, 10)}
        assert ShowMatch.kind in due
        for app in (astray, right):
            session = await loading.load_session(app, match)
            assert not session.late
            assert session.stops == ()


async def test_a_machine_whose_clock_is_set_goes_on_by_that_of_the_database(
    server: PostgreSQLServer,
) -> None:
    async with await Store.open(server.create_database(), shards=Shards(0, 0, 2)) as store:
        await store.acquire_shards()
        app = App(store, store.clock, secrets.token_bytes, steady=monotonic_ms)
        await outages.start_run(app)
        app.reached.update(app.shards.numbers)
        await outages.record_heartbeat(app)
        for skew in (90_000, -DAY_MS, 0):
            before = app.clock()
            store.clock.machine = partial(lambda ahead: now_ms() + ahead, skew)
            # Until it is looked at nobody is late by it.
            known = [app.is_time_known]
            await outages.record_heartbeat(app)
            known.append(app.is_time_known)
            assert known == [False, True]
            assert abs(app.clock() - before) < 10_000
            assert app.wrong_time is None
        assert store.clock.ahead_ms == 0
        assert not await store._database.read(  # noqa: SLF001
            lambda connection: connection.execute(select(outages_table)).all()
        )


async def test_a_process_that_is_alone_goes_by_its_machine(server: PostgreSQLServer) -> None:
    async with await Store.open(server.create_database()) as store:
        store.clock.machine = lambda: now_ms() + DAY_MS
        await store.acquire_shards()
        assert store.clock.ahead_ms == 0
        assert await store.find_clock_difference() == pytest.approx(-DAY_MS, abs=5000)
