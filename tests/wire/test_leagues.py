"""Leagues and tournaments over the wire, by a bot that is killed again and again.

Everyone is paired once with whom they meet, every board stands once, and the table is right.
"""

import asyncio
import os
import sqlite3
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing, suppress
from random import Random
from typing import Any

import pytest

from bot.features.contests.results import list_champions, list_tables
from bot.features.contests.store import Contests
from bot.platform.db.store import Store
from tests.wire.contests import create_contest

from .people import WirePerson
from .replies import Reply
from .sessions import PATIENCE_S, poll_until
from .tabula import WireHarness, filter_live_messages
from .test_threads import list_threads

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]

KILLS = 4
"""How often the bot is killed in each part: sign-up, start, and while results come in."""
TOURNAMENT_KILLS = int(os.environ.get("TABULA_TOURNAMENT_KILLS", "3"))
"""How often it is killed while results of a tournament come in."""
SOON_S = 8.0
MAX_LIFE_S = 1.5
"""Seconds after which a bot is killed at the latest, once it is connected."""


def query_rows(wire: WireHarness, query: str) -> list[tuple[Any, ...]]:
    """What the database says now."""
    with closing(sqlite3.connect(f"file:{wire.database}?mode=ro", uri=True)) as connection:
        return connection.execute(query).fetchall()


def list_entrants(wire: WireHarness) -> set[int]:
    """Who has signed up."""
    return {person for (person,) in query_rows(wire, "SELECT person FROM entrants")}


def is_running(wire: WireHarness) -> bool:
    """Whether the league has started."""
    return query_rows(wire, "SELECT state FROM contests") == [("running",)]


async def wait_for_rest(wire: WireHarness) -> None:
    """Wait until nothing is left to be done soon."""

    def list_left() -> list[tuple[Any, ...]]:
        soon = (time.time() + SOON_S) * 1000
        return query_rows(
            wire, f"SELECT kind, key, error FROM jobs WHERE given_up IS NULL AND due < {soon}"
        )

    await poll_until(lambda: not list_left(), 2 * PATIENCE_S, list_left)


async def sign_up(wire: WireHarness, people: list[WirePerson], chance: Random) -> None:
    """Let everyone join, through kills, until all are in."""
    for kill in range(100):
        missing = [person for person in people if person.id not in list_entrants(wire)]
        if not missing:
            return
        async with wire.start_bot() as process:
            joining = asyncio.gather(
                *(person.press_under("league standings", "Join") for person in missing),
                return_exceptions=True,
            )
            if kill < KILLS:
                life = chance.uniform(0, MAX_LIFE_S)
                await wire.kill_during(process, joining, asyncio.sleep(life))
            else:
                await joining
                await wait_for_rest(wire)
    raise AssertionError("not everyone has joined")


async def start_league(wire: WireHarness, chance: Random) -> None:
    """Let Ana start the league, through kills before and after it has started."""
    killed = 0
    while killed < KILLS or not is_running(wire):
        async with wire.start_bot() as process:
            if is_running(wire):
                deed: asyncio.Future[Any] = asyncio.ensure_future(asyncio.sleep(60))
            else:
                deed = asyncio.ensure_future(rule_start(wire))
            if killed < KILLS:
                life = chance.uniform(0.2, MAX_LIFE_S)
                await wire.kill_during(process, deed, asyncio.sleep(life))
                killed += 1
            else:
                await deed


async def rule_start(wire: WireHarness, command: str = "league manage") -> None:
    """Start what people have signed up for."""
    panel = await wire.ana.slash(command)
    await wire.ana.press(panel, panel.find_custom_id("Start now"))


async def give_up(person: WirePerson, match: int) -> None:
    """Let somebody resign a match."""
    reply = await person.slash("match resign", {"match": match})
    await person.press(reply, reply.find_custom_id("Resign"))


def list_league_messages(wire: WireHarness) -> list[Reply]:
    """The messages that show the league."""
    return [each for each in wire.server.list_messages() if "Autumn league" in each.text]


async def test_killed_again_and_again_a_league_is_paired_and_shown_once(wire: WireHarness) -> None:
    chance = Random(31)
    people = [wire.ana, wire.ben, *(wire.server.get_person(f"player{at}") for at in range(7))]
    by_id = {person.id: person for person in people}
    async with wire.start_bot():
        terms = {"name": "Autumn league", "game": "backgammon"}
        await create_contest(wire.ana, "league", terms)
        await wait_for_rest(wire)
    await sign_up(wire, people, chance)
    await start_league(wire, chance)
    async with wire.start_bot():
        await wait_for_rest(wire)
    pairings = query_rows(wire, "SELECT division, first, second, match FROM pairings")
    # Of nine, five and four meet in two divisions.
    assert Counter(division for division, *_ in pairings) == {0: 10, 1: 6}
    pairs = [frozenset((first, second)) for _, first, second, _ in pairings]
    assert len(set(pairs)) == len(pairs)
    assert query_rows(wire, "SELECT count(*) FROM matches") == [(len(pairings),)]
    threads = list_threads(wire)
    assert len(threads) == len(pairings)
    for _, _, _, match in pairings:
        live = [
            seen
            for thread in threads
            for seen in filter_live_messages(wire.server.list_messages(thread), match)
        ]
        assert len(live) == 1
    assert len(list_league_messages(wire)) == 1
    await end_matches(wire, by_id, chance)
    async with wire.start_bot():
        await wait_for_rest(wire)
    async with await Store.open(wire.database) as store:
        view = await store.get(Contests).load_view(1)
        assert view is not None
        for table in list_tables(view):
            # The lower id wins each match.
            order = sorted(each.person for each in table)
            assert [each.person for each in table] == order
            assert [int(each.points) for each in table] == list(range(len(order)))[::-1]
    card, closing = list_league_messages(wire)
    assert " won.**" in card.text
    assert closing.text.startswith("### Final standings: Autumn league")


async def end_matches(wire: WireHarness, by_id: dict[int, WirePerson], chance: Random) -> None:
    """Let the one with the higher id resign each match, through kills, until all are over."""
    query = "SELECT first, second, match FROM pairings WHERE how IS NULL"
    for kill in range(100):
        left = query_rows(wire, query)
        if not left:
            return
        async with wire.start_bot() as process:
            giving_up = asyncio.gather(
                *(give_up(by_id[max(first, second)], match) for first, second, match in left),
                return_exceptions=True,
            )
            if kill < KILLS:
                life = chance.uniform(0.3, 2 * MAX_LIFE_S)
                await wire.kill_during(process, giving_up, asyncio.sleep(life))
            else:
                with suppress(TimeoutError):
                    await giving_up
                await wait_for_rest(wire)
    raise AssertionError("not every match is over")


async def play_rounds(wire: WireHarness, people: list[WirePerson], chance: Random) -> None:
    """Let the one with the higher id resign each match, through kills, until it is all over."""
    by_id = {person.id: person for person in people}
    running = "SELECT first, second, match FROM pairings WHERE how IS NULL"
    for kill in range(100):
        async with wire.start_bot() as process:
            if kill >= TOURNAMENT_KILLS:
                await wait_for_rest(wire)
            left = query_rows(wire, running)
            if query_rows(wire, "SELECT state FROM contests") == [("over",)]:
                return
            giving_up = asyncio.gather(
                *(give_up(by_id[max(first, second)], match) for first, second, match in left),
                return_exceptions=True,
            )
            if kill < TOURNAMENT_KILLS:
                life = chance.uniform(0.3, 2 * MAX_LIFE_S)
                await wire.kill_during(process, giving_up, asyncio.sleep(life))
            else:
                with suppress(TimeoutError):
                    await giving_up
    raise AssertionError("the tournament does not end")


async def begin_tournament(wire: WireHarness, **terms: Sequence[str]) -> list[WirePerson]:
    """Let eight people sign up for a tournament, and Ana start it."""
    people = [wire.ana, wire.ben, *(wire.server.get_person(f"player{at}") for at in range(6))]
    async with wire.start_bot():
        given = {"name": "Spring cup", "game": "backgammon"}
        await create_contest(wire.ana, "tournament", given, terms)
        await wait_for_rest(wire)
        await asyncio.gather(
            *(person.press_under("tournament standings", "Join") for person in people)
        )
        # Where a press is only acknowledged at first, it's saved a while after it is answered.
        joined = [(len(people),)]
        await poll_until(lambda: query_rows(wire, "SELECT count(*) FROM entrants") == joined)
        await rule_start(wire, "tournament manage")
        await poll_until(lambda: is_running(wire))
    return people


async def check_shown_once(wire: WireHarness) -> None:
    """One message shows the tournament, with its end."""
    (reply,) = (
        each for each in wire.server.list_messages() if each.text.startswith("### Spring cup")
    )
    assert " won.**" in reply.text
    numbers = query_rows(wire, "SELECT count(*), count(DISTINCT match) FROM pairings")
    assert query_rows(wire, "SELECT count(*) FROM matches") == [numbers[0][:1]]
    assert numbers[0][0] == numbers[0][1]
    assert len(list_threads(wire)) == numbers[0][0]


async def test_killed_again_and_again_a_knock_out_goes_on_once(wire: WireHarness) -> None:
    people = await begin_tournament(wire, format=["knock-out 3"], switches=["rated", "third"])
    await play_rounds(wire, people, Random(32))
    # Two matches decide each pairing, as the lower id wins all of them.
    played = query_rows(wire, "SELECT round, board, count(*) FROM pairings GROUP BY round, board")
    places = [*((1, board) for board in range(1, 5)), (2, 1), (2, 2), (3, 1), (3, 2)]
    assert sorted(played) == [(number, board, 2) for number, board in places]
    await check_shown_once(wire)
    async with await Store.open(wire.database) as store:
        view = await store.get(Contests).load_view(1)
        assert view is not None
        assert list_champions(view) == [min(person.id for person in people)]


async def test_killed_again_and_again_a_swiss_pairs_each_round_once(wire: WireHarness) -> None:
    people = await begin_tournament(wire, format=["swiss"], rounds=["3"])
    await play_rounds(wire, people, Random(33))
    rounds = query_rows(wire, "SELECT round, count(*) FROM pairings GROUP BY round")
    assert sorted(rounds) == [(1, 4), (2, 4), (3, 4)]
    pairs = query_rows(wire, "SELECT first, second FROM pairings")
    assert len({frozenset(pair) for pair in pairs}) == 12
    await check_shown_once(wire)
    async with await Store.open(wire.database) as store:
        view = await store.get(Contests).load_view(1)
        assert view is not None
        # Who has won all three has met nobody twice, and is the one with the lowest id.
        assert list_champions(view) == [min(person.id for person in people)]
