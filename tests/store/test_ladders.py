"""Ladders as they are stored: one challenge whoever makes it, and results that are kept."""

import asyncio
import random
import sqlite3
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert, update

from bot.features.challenges.store import Challenges
from bot.features.challenges.tables import NewChallengeResult
from bot.features.contests.tables import CompetitionChange
from bot.features.ladders import rungs
from bot.features.ladders.store import Ladders
from bot.features.ladders.tables import LadderView, NewLadder, events, players, results
from bot.features.matches.rows import DRAW, EndingUpdate, Seat
from bot.features.matches.store import Matches
from bot.platform.db.rows import Job, Outage
from bot.platform.db.store import Store
from engine.clock import DAY
from tests.store.test_statements import capture_store_statements
from tests.support.old_ladders import create_old_ladder
from tests.support.stored import (
    ANA,
    BEN,
    CYN,
    DAN,
    LIMITS,
    NOW,
    build_challenge,
    build_step,
    connect_directly,
    load_due,
    register_people,
)
from tests.support.sweeps import mark_sweeps

pytestmark = pytest.mark.asyncio
PEOPLE = (ANA, BEN, CYN, DAN)
SHOW = Job("show ladder", "1", NOW)


class RefusedError(Exception):
    """A challenge that the rules forbid."""


def join(person: int, at: int = NOW) -> rungs.LadderEvent:
    """What is stored when somebody joins."""
    return rungs.LadderEvent(at, rungs.LadderAction.JOIN, person)


async def open_ladder(store: Store, people: Sequence[int] = PEOPLE, **fields: Any) -> int:
    """A ladder that those people have joined, the first at the top."""
    await register_people(store, *PEOPLE)
    usual: dict[str, Any] = {
        "guild": 1,
        "channel": 2,
        "name": "Club ladder",
        "organiser": ANA,
        "game": "zeno",
        "options": {},
        "rated": True,
        "pace": "none",
        "created": NOW,
        "next_drop": NOW + 7 * DAY,
    }
    number, _ = await store.get(Ladders).create(NewLadder(**usual | fields), lambda _: [])
    for person in people:
        assert (await store.get(Ladders).join(number, join(person), 64, [SHOW])).is_made
    return number


async def load(store: Store, number: int) -> LadderView:
    """A ladder as it is stored."""
    view = await store.get(Ladders).load_view(number)
    assert view is not None
    return view


async def challenge(
    store: Store, number: int, challenger: int, challenged: int
) -> NewChallengeResult | None:
    """Try to make a challenge by the rules."""

    def require(view: LadderView) -> None:
        rules = rungs.ChallengeRules(view.rungs, view.challenges, NOW, {})
        if rules.find_impediment(challenger, challenged):
            raise RefusedError

    new = build_challenge(challenger=challenger, opponent=challenged, ladder=number)
    seat = Seat("gold", 0, challenger, "theirs")
    return await store.get(Ladders).challenge(new, seat, LIMITS, require, lambda _: [SHOW])


async def begin(store: Store, number: int, challenger: int, challenged: int) -> int:
    """The match of a challenge that was accepted."""
    made = await challenge(store, number, challenger, challenged)
    assert made is not None
    result = await store.get(Challenges).join(
        made.challenge.id, Seat("black", 0, challenged, "mine"), 1, NOW + 1, LIMITS
    )
    assert result.match is not None
    return result.match


async def win(store: Store, match: int, gold: int, black: int, side: str = "gold") -> None:
    """End a match with a win of a side."""
    ending = EndingUpdate(side, "off", sides={gold: "gold", black: "black"})
    await store.get(Matches).apply_update(match, build_step(0, "off", ending=ending))


async def test_people_join_once_and_come_back_at_the_bottom(store: Store) -> None:
    number = await open_ladder(store, PEOPLE[:3])
    ladders = store.get(Ladders)
    assert not (await ladders.join(number, join(ANA), 64, [SHOW])).is_made
    assert not (await ladders.join(number, join(DAN), 3, [SHOW])).is_made
    left = rungs.LadderEvent(NOW + 1, rungs.LadderAction.LEAVE, ANA)
    assert (await ladders.leave(number, left, lambda _: [SHOW])).is_made
    assert not (await ladders.leave(number, left, lambda _: [SHOW])).is_made
    assert (await load(store, number)).rungs == (BEN, CYN)
    assert (await ladders.join(number, join(ANA, NOW + 2), 3, [SHOW])).is_made
    assert (await load(store, number)).rungs == (BEN, CYN, ANA)


async def test_two_processes_make_one_challenge(store: Store, rival: Store) -> None:
    number = await open_ladder(store)
    made = await asyncio.gather(
        *(challenge((store, rival)[at % 2], number, CYN, ANA) for at in range(6)),
        *(challenge((store, rival)[at % 2], number, DAN, ANA) for at in range(6)),
        return_exceptions=True,
    )
    assert sum(isinstance(each, NewChallengeResult) for each in made) == 1
    assert sum(isinstance(each, RefusedError) for each in made) == 11
    (kept,) = (await load(store, number)).challenges
    assert kept.challenged == ANA
    assert kept.is_running


async def test_the_match_of_a_challenge_moves_its_winner_and_annulled_nobody(
    store: Store,
) -> None:
    number = await open_ladder(store)
    match = await begin(store, number, CYN, ANA)
    row = await store.get(Matches).load_row(match)
    assert row is not None
    assert row.ladder == number
    (running,) = (await load(store, number)).running
    assert running == rungs.LadderChallenge(running.id, CYN, ANA, NOW, NOW + 1000, match)
    # The sides were swapped at the opening roll, so that black's win is Cyn's.
    await win(store, match, ANA, CYN, "black")
    view = await load(store, number)
    (over,) = view.challenges
    assert (over.settled, over.winner, over.how) == (NOW + 5, CYN, "off")
    assert view.rungs == (CYN, ANA, BEN, DAN)
    annulled = EndingUpdate(DRAW, "annulled", annuls=True)
    await store.get(Matches).apply_update(match, build_step(1, "annul", ending=annulled))
    assert (await load(store, number)).rungs == PEOPLE


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("withdrawn", (ANA, BEN, CYN, DAN)),
        ("declined", (ANA, CYN, BEN, DAN)),
        ("lapsed", (ANA, CYN, BEN, DAN)),
    ],
)
async def test_unanswered_challenges_are_won(
    store: Store, state: str, expected: Sequence[int]
) -> None:
    number = await open_ladder(store)
    made = await challenge(store, number, CYN, BEN)
    assert made is not None
    assert await store.get(Challenges).close(made.challenge.id, state, NOW + 3, [SHOW]) is not None
    view = await load(store, number)
    assert (view.challenges[0].settled, view.challenges[0].how) == (NOW + 3, state)
    assert view.rungs == expected


async def test_who_leaves_declines_and_withdraws(store: Store) -> None:
    number = await open_ladder(store)
    own = await challenge(store, number, BEN, ANA)
    theirs = await challenge(store, number, DAN, BEN)
    assert own is not None
    assert theirs is not None
    ended: list[int] = []

    def note(closed: Sequence[int]) -> list[Job]:
        ended.extend(closed)
        return [SHOW]

    left = rungs.LadderEvent(NOW + 4, rungs.LadderAction.REMOVE, BEN, CYN, "why")
    assert (await store.get(Ladders).leave(number, left, note)).is_made
    assert sorted(ended) == [own.challenge.id, theirs.challenge.id]
    view = await load(store, number)
    assert [each.how for each in view.challenges] == [rungs.WITHDRAWN, rungs.DECLINED]
    # Dan has taken Ben's rung before Ben was gone.
    assert view.rungs == (ANA, DAN, CYN)
    assert await store.get(Ladders).load_rulings(number) == [left]


async def test_a_closed_ladder_changes_no_more(store: Store) -> None:
    number = await open_ladder(store)
    match = await begin(store, number, BEN, ANA)
    waiting = await challenge(store, number, DAN, BEN)
    assert waiting is not None
    ruling = rungs.LadderEvent(NOW + 2, rungs.LadderAction.CLOSE, None, CYN, "done")
    ladders = store.get(Ladders)
    assert (await ladders.close(number, ruling, lambda _: [SHOW])).is_made
    assert not (await ladders.close(number, ruling, lambda _: [SHOW])).is_made
    assert not (await ladders.join(number, join(15), 64, [SHOW])).is_made
    assert await challenge(store, number, DAN, CYN) is None
    await win(store, match, BEN, ANA)
    view = await load(store, number)
    assert [each.how for each in view.challenges] == ["off", rungs.WITHDRAWN]
    assert view.rungs == PEOPLE
    assert await ladders.load_open(1) == []
    assert [each.id for each in await ladders.load_latest(1, 9)] == [number]


def choose(people: Collection[int]) -> Callable[[LadderView], Collection[int]]:
    """Let those drop, however the ladder stands."""
    return lambda _: people


async def test_people_drop_once_each_time_it_is_due(store: Store, rival: Store) -> None:
    number = await open_ladder(store)
    due, now = NOW + 7 * DAY, NOW + 8 * DAY
    dropped = await asyncio.gather(
        *(
            (store, rival)[at % 2]
            .get(Ladders)
            .drop(number, due, now, NOW + 14 * DAY, lambda _: [ANA], [SHOW])
            for at in range(4)
        )
    )
    assert sum(each.is_made for each in dropped) == 1
    view = await load(store, number)
    assert view.rungs == (BEN, ANA, CYN, DAN)
    assert view.ladder.next_drop == NOW + 14 * DAY
    # Nobody moves where all drop, or who is at the bottom: so nothing is stored.
    for week, dropping in ((2, PEOPLE), (3, (DAN,)), (4, (CYN, DAN))):
        due = NOW + week * 7 * DAY
        done = await store.get(Ladders).drop(
            number, due, due, due + 7 * DAY, choose(dropping), [SHOW]
        )
        assert done == CompetitionChange(is_made=True)
    happened = (await store.get(Ladders).load_history(number)).events
    assert [each.person for each in happened if each.action is rungs.LadderAction.DROP] == [ANA]


async def test_an_outage_puts_off_the_next_drop(store: Store) -> None:
    number = await open_ladder(store)
    outage = Outage(0, 1, began=NOW + 100, ended=NOW + 300)
    await store.pauses.record_presence([0], 1, NOW + 300, [outage])
    assert (await load(store, number)).ladder.next_drop == NOW + 7 * DAY + 200
    assert await store.pauses.load_active_servers() == {1}


async def test_one_message_shows_a_ladder(store: Store) -> None:
    number = await open_ladder(store)
    (job,) = await load_due(store.jobs, NOW, 9)
    ladders = store.get(Ladders)
    assert await ladders.save_message(number, 70, None, job)
    assert not await ladders.save_message(number, 71, None, job)
    assert (await load(store, number)).ladder.message == 70
    assert await ladders.load_channels({number, 99}) == {number: frozenset({2})}
    assert await ladders.find_existing({number, 99}) == {number}


@pytest.mark.parametrize("seed", mark_sweeps(range(12), lambda seed: seed < 2))
async def test_the_kept_order_is_that_of_a_replay(store: Store, seed: int) -> None:
    """Whatever happens, in whatever order the clocks of several processes have it."""
    chance = random.Random(seed)
    number, now, matches = await open_ladder(store), NOW + 10, dict[int, tuple[int, int]]()
    ladders = store.get(Ladders)
    for _ in range(60):
        now += chance.choice((0, 0, 1, DAY, -3))
        person, other = chance.sample(PEOPLE, 2)
        match chance.randrange(8):
            case 0:
                await ladders.join(number, join(person, now), 64, [])
            case 1:
                left = rungs.LadderEvent(now, rungs.LadderAction.LEAVE, person)
                await ladders.leave(number, left, lambda _: [])
            case 2:
                due = (await load(store, number)).ladder.next_drop
                some = chance.sample(PEOPLE, 2)
                await ladders.drop(number, due, now, due + 1, choose(some), [])
            case 3 if matches:
                ended = chance.choice(list(matches))
                row = await store.get(Matches).load_row(ended)
                assert row is not None
                how = chance.choice(("off", "off", "agreed", "annulled"))
                sides = dict(zip(matches[ended], ("gold", "black"), strict=True))
                winner = {"off": chance.choice(("gold", "black"))}.get(how, DRAW)
                ending = EndingUpdate(winner, how, annuls=how == "annulled", sides=sides)
                step = replace(build_step(row.version, "off", ending=ending), now=now)
                if row.ended is None or how == "annulled":
                    await store.get(Matches).apply_update(ended, step)
            case 4 | 5:
                # Whoever is on the ladder, wherever they stand: also what no rule allows is kept.
                new = build_challenge(
                    challenger=person,
                    opponent=other,
                    ladder=number,
                    created=now,
                    expires=now + DAY,
                )
                seat = Seat("gold", 0, person, "theirs")
                made = await ladders.challenge(new, seat, LIMITS, lambda _: None, lambda _: [])
                assert made is not None
                state = chance.choice(("declined", "lapsed", "withdrawn", "accepted", "accepted"))
                if state != "accepted":
                    await store.get(Challenges).close(made.challenge.id, state, now + 1)
                    continue
                result = await store.get(Challenges).join(
                    made.challenge.id, Seat("black", 0, other, "mine"), 1, now, LIMITS
                )
                assert result.match is not None
                matches[result.match] = person, other
            case _:
                there = {person: chance.random() < 0.5, other: True}
                await ladders.save_presence(number, there, now, lambda _: [])
        assert await ladders.find_wrong_orders() == []
        view, history = await load(store, number), await ladders.load_history(number)
        assert view.ladder.last_event is not None
        assert view.order == rungs.compute_rungs(history.events, history.challenges)
    await ladders.close(
        number, rungs.LadderEvent(now, rungs.LadderAction.CLOSE, None, ANA, "done"), lambda _: []
    )
    assert await ladders.find_wrong_orders() == []


async def test_a_replay_finds_and_mends_an_order_that_is_wrong(store: Store) -> None:
    number = await open_ladder(store)
    match = await begin(store, number, CYN, ANA)
    await win(store, match, ANA, CYN, "black")
    wrong = update(players).where(players.c.person == DAN).values(won=5)
    await store._database.write(lambda connection: connection.execute(wrong))  # noqa: SLF001 - nothing else does so
    ladders = store.get(Ladders)
    assert await ladders.find_wrong_orders() == [number]
    await ladders.keep_order(number)
    assert await ladders.find_wrong_orders() == []
    view = await load(store, number)
    assert view.rungs == (CYN, ANA, BEN, DAN)
    assert view.count_matches(CYN) == (1, 1)
    assert view.count_matches(DAN) == (0, 0)


async def test_what_an_earlier_version_stores_counts_at_once(store: Store) -> None:
    """In the middle of an upgrade one process may still be of the version before."""
    number = await open_ladder(store)
    match = await begin(store, number, CYN, ANA)
    old = [{"ladder": number, "at": NOW + 9, "action": "leave", "person": DAN}]
    ended = [{"match": match, "at": NOW + 5, "winner": CYN, "how": "off"}]
    for query in (insert(events).values(old), insert(results).values(ended)):
        await store._database.write(partial(Connection.execute, statement=query))  # noqa: SLF001 - as it stored them
        assert (await load(store, number)).ladder.last_event is None
    assert (await load(store, number)).rungs == (CYN, ANA, BEN)
    assert not (await load(store, number)).running
    # The next change keeps it.
    assert (await store.get(Ladders).join(number, join(DAN, NOW + 10), 64, [SHOW])).is_made
    view = await load(store, number)
    assert view.rungs == (CYN, ANA, BEN, DAN)
    assert view.ladder.last_event is not None
    assert await store.get(Ladders).find_wrong_orders() == []


async def test_who_is_gone_is_out_of_the_way_and_keeps_their_place(store: Store) -> None:
    number = await open_ladder(store)
    own = await challenge(store, number, BEN, ANA)
    assert own is not None
    ended: list[int] = []

    def note(closed: Sequence[int]) -> list[Job]:
        ended.extend(closed)
        return [SHOW]

    ladders = store.get(Ladders)
    gone = await ladders.save_presence(number, {BEN: False, CYN: True}, NOW + 2, note)
    assert gone.is_made
    assert ended == [own.challenge.id]
    assert not (await ladders.save_presence(number, {BEN: False}, NOW + 3, note)).is_made
    view = await load(store, number)
    assert view.rungs == (ANA, CYN, DAN)
    assert view.order == PEOPLE
    assert [each.how for each in view.challenges] == [rungs.WITHDRAWN]
    due = NOW + 7 * DAY
    await ladders.drop(number, due, due, due + 7 * DAY, lambda _: [BEN], [SHOW])
    assert (await ladders.save_presence(number, {BEN: True}, due + 1, note)).is_made
    assert (await load(store, number)).rungs == (ANA, CYN, BEN, DAN)


async def test_a_newcomer_takes_the_place_of_who_has_been_gone_for_longest(store: Store) -> None:
    number = await open_ladder(store, PEOPLE[:3])
    ladders = store.get(Ladders)
    for at, person in enumerate((BEN, ANA)):
        await ladders.save_presence(number, {person: False}, NOW + at + 1, lambda _: [])
    assert (await ladders.join(number, join(DAN, NOW + 9), 3, [SHOW])).is_made
    view = await load(store, number)
    assert view.order == (ANA, CYN, DAN)
    assert view.rungs == (CYN, DAN)
    assert await ladders.find_wrong_orders() == []
    assert (await ladders.join(number, join(BEN, NOW + 10), 3, [SHOW])).is_made
    assert (await load(store, number)).rungs == (CYN, DAN, BEN)
    assert not (await ladders.join(number, join(ANA, NOW + 11), 3, [SHOW])).is_made


async def test_a_look_at_an_old_ladder_reads_no_more_than_at_a_new_one(tmp_path: Path) -> None:
    path, work = tmp_path / "club.sqlite3", {}
    async with await Store.open(path) as store:
        for number, weeks in ((1, 20), (2, 208)):
            await create_old_ladder(store, weeks, number)
            await store.get(Ladders).keep_order(number)
        old = await load(store, 2)
        history = await store.get(Ladders).load_history(2)
        assert old.order == rungs.compute_rungs(history.events, history.challenges)
        assert len(history.events) > 6000
        for number in (1, 2):
            with capture_store_statements(store) as said:
                view = await load(store, number)
            assert len(view.order) == 43
            assert len(view.challenges) == 50
            with connect_directly(path) as connection:
                work[number] = [count_steps(connection, each) for each in said]
    # The steps of SQLite's own machine, for each statement: all that it reads takes some.
    assert len(work[1]) == len(work[2])
    for young, aged in zip(work[1], work[2], strict=True):
        assert aged <= young * 1.1 + 20, (young, aged)


def count_steps(connection: sqlite3.Connection, said: tuple[str, Any]) -> int:
    """How many steps SQLite takes for a statement."""
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    connection.set_progress_handler(count, 1)
    try:
        connection.execute(*said).fetchall()
    finally:
        connection.set_progress_handler(None, 0)
    return steps


async def test_a_win_at_the_instant_of_a_drop_counts_before_it(store: Store) -> None:
    """Whichever is stored first, so that a replay comes to the same."""
    number = await open_ladder(store)
    match = await begin(store, number, DAN, ANA)
    due = NOW + 7 * DAY
    await store.get(Ladders).drop(number, due, NOW + 5, due + 1, choose([ANA]), [])
    await win(store, match, ANA, DAN, "black")
    assert (await load(store, number)).challenges[0].settled == NOW + 5
    assert (await load(store, number)).rungs == (DAN, BEN, ANA, CYN)
    assert await store.get(Ladders).find_wrong_orders() == []


async def test_who_left_during_a_match_has_lost_it_before(store: Store) -> None:
    """Though its result comes later: also where they have joined again meanwhile."""
    number = await open_ladder(store)
    match = await begin(store, number, DAN, BEN)
    left = rungs.LadderEvent(NOW + 2, rungs.LadderAction.LEAVE, BEN)
    ladders = store.get(Ladders)
    assert (await ladders.leave(number, left, lambda _: [])).is_made
    assert (await ladders.join(number, join(BEN, NOW + 3), 64, [])).is_made
    assert (await load(store, number)).rungs == (ANA, CYN, DAN, BEN)
    await win(store, match, BEN, DAN, "black")
    # Dan took Ben's rung, above Cyn, when Ben left.
    assert (await load(store, number)).rungs == (ANA, DAN, CYN, BEN)
    assert await ladders.find_wrong_orders() == []
