"""Contests with very many matches: created in parts, by whoever goes on after a kill."""

import asyncio
import os
import signal
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from bot.client import Tabula
from bot.features.contests import seasons, service
from bot.features.contests.delivery import start_contest
from bot.features.contests.planning import MATCHES_AT_ONCE
from bot.features.contests.service import (
    ContestStartingError,
    ShowContest,
    StartContest,
    ThrowOpening,
)
from bot.features.contests.store import Contests
from bot.features.contests.tables import (
    ContestFormat,
    ContestState,
    Entrant,
)
from bot.features.matches.store import Matches
from bot.platform.db.store import Store
from bot.platform.db.tables import now_ms
from bot.platform.i18n.reader import DeclinedError
from engine import dice
from engine.clock import DAY
from tests.store.test_contests import SECRET, build_contest, load
from tests.support.forks import fork_with_pipe
from tests.support.stored import load_due

pytestmark = pytest.mark.asyncio

GAMES = (
    *("zeno", "fallas", "irish", "todas-tablas"),
    *("backgammon", "emperador", "ludus-anglicorum", "laquet"),
)
PEOPLE = range(1001, 1017)
EVERYTHING = 2 * 28 * 8
"""The matches of two divisions of eight people, in eight games."""


async def open_league(store: Store, people: range = PEOPLE) -> int:
    """Return the number of a league that those people have joined."""
    now = now_ms()
    for person in people:
        await store.people.save_name(person, f"Person {person}", now)
    new = build_contest(
        organiser=people[0],
        format=ContestFormat.LEAGUE,
        game=GAMES[0],
        more_games=GAMES[1:],
        commitment=dice.compute_commitment(SECRET),
        created=now,
        starts=now + DAY,
        at_once=56,
    )
    number, _ = await store.get(Contests).create(
        new, lambda at: [StartContest(at).build_job(now + DAY)]
    )
    for person in people:
        job = ShowContest(number).build_job(now)
        change = await store.get(Contests).join(number, Entrant(person, f"{person}", now), 64, job)
        assert change.is_made
    return number


def start_and_be_killed(said: Connection, where: str | Path, number: int) -> None:
    """Start a league in a process that somebody kills meanwhile, who is to be faster."""
    os.nice(19)

    async def start() -> None:
        async with await Store.open(where) as store:
            said.send("open")
            await seasons.start_contest(Tabula(store).app, number)
            said.send("started")

    asyncio.run(start())


async def kill_after(where: str | Path, number: int, count: int) -> None:
    """Start a league in another process, and kill that once so many matches are there."""
    async with fork_with_pipe(start_and_be_killed, where, number) as (process, pipe):
        assert await asyncio.to_thread(pipe.recv) == "open"
        async with await Store.open_read_only(where) as looking, asyncio.timeout(120):
            # Another process writes, and cannot say so to an event of this one.
            while len((await load(looking, number)).pairings) < count:  # noqa: ASYNC110
                await asyncio.sleep(0)
            process.kill()
        assert await process.wait() == -signal.SIGKILL


async def check_between(store: Store, number: int) -> int:
    """Check a league some of whose matches are there; return how many."""
    view = await load(store, number)
    assert (view.contest.state, view.contest.is_starting) == (ContestState.OPEN, True)
    assert (len(view.pairings) % MATCHES_AT_ONCE, view.contest.ends) == (0, None)
    assert [len(each) for each in view.list_divisions()] == [8, 8]
    # Nobody plays: no match has an opening roll, and none is about to be thrown.
    rows = await store.get(Matches).load_rows([each.match for each in view.pairings])
    assert {row.version for row in rows} == {0}
    due = Counter(job.kind for job in await load_due(store.jobs, now_ms() + 60_000, 10_000))
    assert due[ThrowOpening.kind] == 0
    assert due[StartContest.kind] == 1
    # Nor does anybody come or go.
    late, shown = Entrant(PEOPLE[0], "late", now_ms()), ShowContest(number).build_job(0)
    assert not (await store.get(Contests).join(number, late, 64, shown)).is_made
    assert not (await store.get(Contests).withdraw(number, PEOPLE[0], now_ms(), [shown])).is_made
    return len(view.pairings)


async def check_complete(store: Store, number: int) -> None:
    """Check that a league runs, with each match once."""
    view = await load(store, number)
    assert view.contest.state is ContestState.RUNNING
    assert view.contest.began is not None
    assert view.contest.ends == view.contest.began + 28 * DAY
    assert [each.number for each in view.pairings] == list(range(1, EVERYTHING + 1))
    rows = {
        row.id: row for row in await store.get(Matches).load_rows([p.match for p in view.pairings])
    }
    played = Counter(
        (frozenset((each.first, each.second)), rows[each.match].game) for each in view.pairings
    )
    assert (len(played), set(played.values())) == (EVERYTHING, {1})
    # Everybody meets the seven others of their division in each of the eight games.
    met = Counter(person for each in view.pairings for person in (each.first, each.second))
    assert set(met.values()) == {7 * 8}
    division = {each.person: each.division for each in view.entrants}
    assert {division[each.first] == division[each.second] for each in view.pairings} == {True}
    assert sorted(rows) == sorted(await store.get(Matches).load_numbers())
    # The dice are those that were fixed before anybody joined.
    for pairing in (view.pairings[0], view.pairings[-1]):
        secret = dice.derive_match_secret(SECRET, pairing.number)
        assert rows[pairing.match].commitment == dice.compute_commitment(secret)
    due = await load_due(store.jobs, now_ms(), 10_000)
    openings = [int(job.key) for job in due if job.kind == ThrowOpening.kind]
    assert sorted(openings) == sorted(rows)


@pytest.mark.wire
@pytest.mark.parametrize("count", [1, EVERYTHING // 2])
async def test_a_start_that_is_killed_between_two_parts_goes_on_and_does_nothing_twice(
    store: Store, where: str | Path, count: int
) -> None:
    number = await open_league(store)
    await store.close()
    await kill_after(where, number, count)
    async with await Store.open(where) as again:
        assert count <= await check_between(again, number) < EVERYTHING
        bot = Tabula(again)
        for job in await load_due(again.jobs, now_ms() + 60_000, 10_000):
            if job.kind == StartContest.kind:
                await start_contest(bot, StartContest(number), job)
        await check_complete(again, number)


async def test_two_programs_that_start_it_at_once_create_each_match_once(
    store: Store, rival: Store
) -> None:
    number = await open_league(store)
    apps = [Tabula(each).app for each in (store, rival, store)]
    started = await asyncio.gather(
        *(seasons.start_contest(app, number) for app in apps), return_exceptions=True
    )
    refused = [each for each in started if isinstance(each, DeclinedError)]
    assert len(refused) < 3
    assert [each for each in started if isinstance(each, Exception)] == refused
    await check_complete(store, number)


async def test_a_league_that_is_called_off_between_two_parts_gets_no_more_matches(
    store: Store,
) -> None:
    number = await open_league(store)
    app = Tabula(store).app
    view = await load(store, number)
    first = await seasons._start_part(app, view.contest)  # noqa: SLF001 - the rest is not to come
    assert (first.is_made, first.is_complete) == (True, False)
    assert await check_between(store, number) == MATCHES_AT_ONCE
    assert (await store.get(Contests).cancel(number, [])).is_made
    with pytest.raises(DeclinedError):
        await seasons.resume_start(app, (await load(store, number)).contest)
    view = await load(store, number)
    assert view.contest.state is ContestState.CANCELLED
    assert len(view.list_running()) == MATCHES_AT_ONCE


async def test_people_are_told_to_wait_while_matches_are_created(store: Store) -> None:
    number = await open_league(store)
    app = Tabula(store).app
    await seasons._start_part(app, (await load(store, number)).contest)  # noqa: SLF001
    before = await load(store, number)
    for doing in (
        service.leave_contest(app, number, PEOPLE[0]),
        seasons.start_contest(app, number),
    ):
        with pytest.raises(ContestStartingError):
            await doing
    assert await load(store, number) == before
    await seasons.resume_start(app, before.contest)
    await check_complete(store, number)
    await service.leave_contest(app, number, PEOPLE[0])
