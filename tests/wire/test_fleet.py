"""Three processes on one PostgreSQL and sixteen shards.

Whichever is killed or restarted, nothing is lost or doubled; and a league is paired and decided
once, though others try it at the same time.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import combinations
from pathlib import Path

import pytest
import pytest_asyncio
from sqlalchemy import Connection, update

from bot.features.contests.endings import decide_unfinished
from bot.features.contests.results import list_tables
from bot.features.contests.seasons import start_contest
from bot.features.contests.service import EndContest
from bot.features.contests.store import Contests
from bot.features.contests.tables import ContestState, ContestView, contests
from bot.features.matches.store import Matches
from bot.platform.context import App
from bot.platform.db.store import Store
from bot.platform.db.tables import now_ms
from bot.platform.i18n.reader import DeclinedError, StaleMatchError
from tests.store.conftest import server as server
from tests.support.postgresql import PostgreSQLServer
from tests.support.stored import load_given_up
from tests.wire.contests import create_contest

from .discord_server import MEMBER_PERMISSIONS
from .fleet import PATIENCE_S, POLL_S, RECOVERY_LIMIT_S, Fleet, start_fleet
from .people import WirePerson
from .tabula import filter_live_messages
from .world import MANAGE_GUILD, WorldChannel

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]
TABLES = 12


@pytest_asyncio.fixture
async def many(server: PostgreSQLServer, tmp_path: Path) -> AsyncIterator[Fleet]:
    """Three processes, and a dozen matches that have begun."""
    async with start_fleet(server.create_database(), tmp_path, TABLES) as made:
        yield made


async def test_matches_go_on_while_processes_are_killed_and_restarted_in_turn(many: Fleet) -> None:
    """A stopped process finishes what it has begun; a killed one leaves it to its successor."""
    playing = asyncio.create_task(many.play_for(2 * PATIENCE_S))
    first, second, third = many.members
    await asyncio.sleep(1)
    await many.kill_member(first)
    await many.start_member(first)
    await many.kill_member(second)
    await many.start_member(second)
    await many.stop_member(third)
    await many.start_member(third)
    await many.stop_member(first)
    await many.start_member(first)
    await playing
    found = await many.verify_tables()
    assert found.matches == TABLES
    assert found.lost == []
    assert found.saved > TABLES


LEAGUE_SERVER = 5
"""The server in which the league is played; the second process serves it."""


@pytest_asyncio.fixture
async def idle(server: PostgreSQLServer, tmp_path: Path) -> AsyncIterator[Fleet]:
    """Three processes, and nobody who plays yet."""
    async with start_fleet(server.create_database(), tmp_path, 0) as made:
        yield made


@asynccontextmanager
async def open_rivals(many: Fleet) -> AsyncIterator[list[App]]:
    """Programs that serve the other shards, and may try what is not theirs to do."""
    async with AsyncExitStack() as stack:
        rivals = []
        for member in (many.members[0], many.members[2]):
            store = await Store.open(many.database, shards=member.shards)
            rivals.append(App(await stack.enter_async_context(store), now_ms, bytes))
        yield rivals


def list_league_places(many: Fleet, channel: WorldChannel) -> list[WorldChannel]:
    """The channel of the league, and the threads of its matches."""
    known = many.server.world.channels.values()
    return [channel, *(each for each in known if each.parent_id == channel.id)]


def count_boards(many: Fleet, channel: WorldChannel, match: int) -> int:
    """By how many messages a match can be played."""
    return sum(
        len(filter_live_messages(many.server.list_messages(place), match))
        for place in list_league_places(many, channel)
    )


async def load_view(store: Store) -> ContestView:
    """The only league as it is saved."""
    view = await store.get(Contests).load_view(1)
    assert view is not None
    return view


async def count_records(store: Store, match: int) -> Counter[str]:
    """How often each kind of event is in a match."""
    return Counter(str(row.record["event"]) for row in await store.get(Matches).load_events(match))


async def wait_for_view(
    store: Store, is_reached: Callable[[ContestView], bool], *seen: object
) -> ContestView:
    """Wait until the league has come so far: what is pressed may be acknowledged before that."""
    ends = time.monotonic() + RECOVERY_LIMIT_S
    while not is_reached(view := await load_view(store)):
        assert time.monotonic() < ends, (view, await store.jobs.load_all(), *seen)
        await asyncio.sleep(POLL_S)
    return view


async def wait_for_state(
    many: Fleet, store: Store, state: ContestState, *seen: object
) -> ContestView:
    """Wait until the league has come so far, and nothing is left to be done."""
    await wait_for_view(store, lambda view: view.contest.state is state, *seen)
    await many.wait_for_jobs(store)
    return await load_view(store)


async def test_a_league_is_paired_and_decided_once_whoever_tries(idle: Fleet) -> None:
    guild = list(idle.server.world.guilds)[LEAGUE_SERVER]
    (channel,) = (each for each in idle.server.world.channels.values() if each.guild_id == guild)
    organiser = idle.server.get_person("organiser", permissions=MEMBER_PERMISSIONS | MANAGE_GUILD)
    people = {
        person.id: person for person in (idle.server.get_person(f"player-{at}") for at in range(5))
    }
    member = idle.find_member(guild)
    given = {"name": "League", "game": "backgammon"}
    terms = {"pace": ["none"], "unfinished": ["draw"]}
    await create_contest(organiser, "league", given, terms, channel)
    await asyncio.gather(
        *(person.press_under("league standings", "Join", channel) for person in people.values())
    )
    async with open_rivals(idle) as rivals:
        store = rivals[0].store
        await wait_for_view(store, lambda view: len(view.present) == len(people))
        panel = await organiser.slash("league manage", None, channel)
        await organiser.begin_press(panel, panel.find_custom_id("Start now"))
        started = await asyncio.gather(
            *(start_contest(rival, 1) for rival in rivals), return_exceptions=True
        )
        # Whoever was quicker, nobody has done it after another.
        assert sum(not isinstance(each, DeclinedError) for each in started) <= 1, started
        await idle.kill_member(member)
        await idle.start_member(member)
        view = await wait_for_state(idle, store, ContestState.RUNNING, *started)
        pairs = sorted(tuple(sorted((each.first, each.second))) for each in view.pairings)
        assert pairs == sorted(combinations(sorted(people), 2))
        for pairing in view.pairings:
            thrown = await store.get(Matches).load_events(pairing.match)
            assert [event.cause for event in thrown].count("opening") == 1
            assert count_boards(idle, channel, pairing.match) == 1
        # One of each four is played out: there the one with the higher id resigns.
        resigned = view.pairings[::4]
        for pairing in resigned:
            await resign(people[max(pairing.first, pairing.second)], pairing.match, channel)
        await wait_for_view(
            store,
            lambda view: [each.how for each in view.pairings].count("resigned") == len(resigned),
        )
        await end_league(idle, rivals)
        view = await wait_for_state(idle, store, ContestState.OVER)
        numbers = {pairing.number for pairing in resigned}
        for pairing in view.pairings:
            if pairing.number in numbers:
                resignation = (min(pairing.first, pairing.second), "resigned")
                assert (pairing.winner, pairing.how) == resignation
            else:
                # Whoever waited for the first turn wins.
                assert pairing.how == "forfeited"
                assert pairing.winner in (pairing.first, pairing.second)
            records = await count_records(store, pairing.match)
            assert records["concluded"] + records["resigned"] == 1
            assert count_boards(idle, channel, pairing.match) == 0
        (division,) = list_tables(view)
        won = Counter(pairing.winner for pairing in view.pairings)
        assert {each.person: int(each.points) for each in division} == {
            person: won[person] for person in people
        }
        assert await store.find_problems() == []
        assert await load_given_up(store.jobs) == []
    replies = [
        each for each in idle.server.list_messages(channel) if each.text.startswith("### League\n")
    ]
    assert len(replies) == 1
    assert "Finished matches: 10 of 10." in replies[0].text


async def resign(person: WirePerson, match: int, channel: WorldChannel) -> None:
    """Let somebody give up a match."""
    reply = await person.slash("match resign", {"match": match}, channel)
    await person.press(reply, reply.find_custom_id("Resign"))


async def end_league(many: Fleet, rivals: list[App]) -> None:
    """Bring the deadline, which the rivals decide as well, and kill whose it is."""
    store, now = rivals[0].store, now_ms()

    def work(connection: Connection) -> None:
        connection.execute(update(contests).values(ends=now))

    await store._database.write(work)  # noqa: SLF001 - behind the programs' backs
    contest = (await load_view(store)).contest
    await store.jobs.enqueue(contest.guild, [EndContest(contest.id).build_job(now)])
    tried = await asyncio.gather(
        *(decide_unfinished(rival, contest.id, 1) for rival in rivals), return_exceptions=True
    )
    # Where another has decided a match at the same moment, nothing is done, and it is tried again.
    assert all(each is None or isinstance(each, StaleMatchError) for each in tried)
    member = many.find_member(contest.guild)
    await many.kill_member(member)
    await many.start_member(member)
