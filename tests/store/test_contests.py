"""Leagues as they are stored: paired once whoever tries, and closed once."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from bot.features.challenges.store import Challenges
from bot.features.contests.standings import Bye
from bot.features.contests.store import Contests
from bot.features.contests.tables import (
    ContestRuling,
    ContestState,
    ContestView,
    Departure,
    Entrant,
    LatePlan,
    NewContest,
    NewPairing,
    RoundPlan,
    RulingAction,
    SeasonPlan,
    UnfinishedRule,
    contests,
)
from bot.features.matches.rows import DRAW, EndingUpdate, Limits, NewMatch, Seat
from bot.features.matches.store import Matches
from bot.platform.db.errors import LimitExceededError
from bot.platform.db.rows import Job, Outage, StoppageScope
from bot.platform.db.sealing import generate_seal_key
from bot.platform.db.store import Store
from tests.support.stored import (
    ANA,
    BEN,
    CYN,
    DAN,
    NOW,
    build_challenge,
    build_step,
    register_people,
)

pytestmark = pytest.mark.asyncio
PEOPLE = (ANA, BEN, CYN, DAN)
SECRET = bytes(range(32))
SHOW = Job("show contest", "1", NOW)


def build_contest(**fields: Any) -> NewContest:
    """Ana's league of Zeno, with other values for any of its fields."""
    usual: dict[str, Any] = {
        "guild": 1,
        "channel": 2,
        "name": "Autumn",
        "organiser": ANA,
        "game": "zeno",
        "options": {},
        "rated": True,
        "pace": "none",
        "days": 28,
        "unfinished": UnfinishedRule.DRAW,
        "repeats": False,
        "secret": SECRET,
        "commitment": "c0ffee",
        "created": NOW,
        "starts": NOW + 1000,
    }
    return NewContest(**usual | fields)


async def open_contest(store: Store, people: Sequence[int] = PEOPLE, **fields: Any) -> int:
    """A league for which those people have signed up."""
    await register_people(store, *PEOPLE)
    number, _ = await store.get(Contests).create(build_contest(**fields), lambda _: [])
    for person in people:
        change = await store.get(Contests).join(number, Entrant(person, f"{person}", NOW), 64, SHOW)
        assert change.is_made
    return number


def pair_everyone(view: ContestView) -> SeasonPlan:
    """One division of all, in which everyone meets everyone."""
    people = [each.person for each in view.present]
    pairs = [(one, other) for at, one in enumerate(people) for other in people[at + 1 :]]
    pairings = [
        NewPairing(0, one, other, build_beginning(view.contest.id, one, other))
        for one, other in pairs
    ]
    return SeasonPlan([people], pairings, NOW + 5000)


def build_beginning(contest: int | None, one: int, other: int) -> NewMatch:
    """The match of two people in a league."""
    return NewMatch(
        guild=1,
        channel=2,
        game="zeno",
        edition=1,
        options={},
        rated=True,
        secret=SECRET,
        commitment="c0ffee",
        dice=2,
        created=NOW,
        seats=[Seat("gold", 0, one, "one"), Seat("black", 0, other, "other")],
        contest=contest,
    )


async def start(store: Store, number: int) -> bool:
    """Try to start a league; return whether that was done now."""
    change = await store.get(Contests).start(number, NOW + 10, pair_everyone, lambda *_: [SHOW])
    return change.is_made


async def load(store: Store, number: int) -> ContestView:
    """A league as it is stored."""
    view = await store.get(Contests).load_view(number)
    assert view is not None
    return view


async def end_all(store: Store, number: int) -> None:
    """End every match of a league as a draw."""
    for pairing in (await load(store, number)).pairings:
        step = build_step(0, "agree", ending=EndingUpdate(DRAW, "agreed"))
        await store.get(Matches).apply_update(pairing.match, step)


async def test_whoever_starts_it_a_league_is_paired_once(store: Store, rival: Store) -> None:
    number = await open_contest(store)
    made = await asyncio.gather(*(start((store, rival)[at % 2], number) for at in range(8)))
    assert sum(made) == 1
    view = await load(store, number)
    assert view.contest.state is ContestState.RUNNING
    assert len({frozenset((each.first, each.second)) for each in view.pairings}) == 6
    assert len(view.pairings) == 6
    assert sorted(await store.get(Matches).load_numbers()) == sorted(
        each.match for each in view.pairings
    )
    assert [(each.person, each.seed) for each in view.entrants] == list(
        zip(PEOPLE, range(4), strict=True)
    )


async def test_a_start_with_too_few_is_put_off_once_and_then_waits(
    store: Store, rival: Store
) -> None:
    number = await open_contest(store, PEOPLE[:2], repeats=True)

    async def put_off(at: int, now: int) -> bool:
        contests = (store, rival)[at % 2].get(Contests)
        change = await contests.put_off(number, now, now + 500, 4, lambda _: [SHOW])
        return change.is_made

    # Too early, and with enough.
    assert not await put_off(0, NOW)
    for now, shortfalls in ((NOW + 1000, 1), (NOW + 1500, 2), (NOW + 9000, 2)):
        made = await asyncio.gather(*(put_off(at, now) for at in range(6)))
        assert sum(made) == (now < NOW + 9000)
        contest = (await load(store, number)).contest
        assert (contest.shortfalls, contest.starts) == (shortfalls, NOW + 1500)
    ruling = ContestRuling(number, NOW + 20_000, ANA, RulingAction.EXTEND, "again")
    reopened = await store.get(Contests).postpone(number, 700, lambda _: [SHOW], ruling)
    assert reopened.is_made
    contest = (await load(store, number)).contest
    assert (contest.is_waiting, contest.starts) == (False, NOW + 20_700)
    joined = await store.get(Contests).join(number, Entrant(DAN, "4", NOW), 64, SHOW)
    assert joined.is_made


async def test_who_has_gone_is_withdrawn_once(store: Store, rival: Store) -> None:
    number = await open_contest(store)
    departed = {BEN: Departure.SERVER, CYN: Departure.ROLE}
    changes = await asyncio.gather(
        *(
            (store, rival)[at % 2]
            .get(Contests)
            .withdraw_departed(number, departed, NOW + at, [SHOW])
            for at in range(6)
        )
    )
    assert sum(each.is_made for each in changes) == 1
    view = await load(store, number)
    assert [each.person for each in view.present] == [ANA, DAN]
    assert [each.departure for each in view.entrants] == [
        None,
        Departure.SERVER,
        Departure.ROLE,
        None,
    ]


async def test_a_plan_that_fails_changes_nothing(store: Store) -> None:
    number = await open_contest(store)

    def fail(view: ContestView) -> SeasonPlan:
        raise LimitExceededError(ANA, "open", 1)

    with pytest.raises(LimitExceededError):
        await store.get(Contests).start(number, NOW, fail, lambda *_: [])
    view = await load(store, number)
    assert view.contest.state is ContestState.OPEN
    assert await store.get(Matches).load_numbers() == []


async def test_the_last_place_is_taken_once(store: Store, rival: Store) -> None:
    number = await open_contest(store, PEOPLE[:2])
    changes = await asyncio.gather(
        *(
            (store, rival)[at].get(Contests).join(number, Entrant(person, "7", NOW), 3, SHOW)
            for at, person in enumerate((CYN, DAN))
        )
    )
    assert sorted(change.is_made for change in changes) == [False, True]
    assert len((await load(store, number)).present) == 3


async def test_nobody_joins_or_leaves_what_has_started_or_twice(store: Store) -> None:
    number = await open_contest(store, PEOPLE[:3])
    again = await store.get(Contests).join(number, Entrant(ANA, "8", NOW), 64, SHOW)
    assert not again.is_made
    assert (await store.get(Contests).withdraw(number, ANA, NOW + 1, [SHOW])).is_made
    assert not (await store.get(Contests).withdraw(number, ANA, NOW + 2, [SHOW])).is_made
    # Who comes back gives to the dice anew.
    assert (await store.get(Contests).join(number, Entrant(ANA, "9", NOW + 3), 64, SHOW)).is_made
    view = await load(store, number)
    assert view.find_entrant(ANA) == Entrant(ANA, "9", NOW + 3)
    assert await start(store, number)
    late = await store.get(Contests).join(number, Entrant(DAN, "10", NOW), 64, SHOW)
    assert not late.is_made


async def test_a_league_closes_once_and_is_followed_by_one_season(
    store: Store, rival: Store
) -> None:
    number = await open_contest(store)
    await start(store, number)
    following = build_contest(season=2, previous=number, secret=bytes(32))
    early = await store.get(Contests).close(number, lambda _: True, [SHOW], following)
    assert not early.is_made
    await end_all(store, number)
    changes = await asyncio.gather(
        *(
            (store, rival)[at % 2].get(Contests).close(number, lambda _: True, [SHOW], following)
            for at in range(6)
        )
    )
    assert sum(change.is_made for change in changes) == 1
    assert (await load(store, number)).contest.state is ContestState.OVER
    latest = await store.get(Contests).load_latest(1, 9)
    assert [each.season for each in latest] == [2, 1]
    opened = await store.get(Contests).find_next_season(number)
    assert opened is not None
    assert opened.contest.id == latest[0].id


async def test_results_are_those_of_the_people_also_when_sides_have_swapped(store: Store) -> None:
    number = await open_contest(store)
    await start(store, number)
    first, second, third, *_ = (await load(store, number)).pairings
    # At the end the second plays gold, as after an opening roll that swaps the sides.
    swapped = {first.first: "black", first.second: "gold"}
    won = EndingUpdate("gold", "off", sides=swapped)
    matches = store.get(Matches)
    await matches.apply_update(first.match, build_step(0, "off", ending=won))
    left = EndingUpdate(
        DRAW,
        "aborted",
        parts={"side": "gold"},
        sides={second.first: "gold", second.second: "black"},
    )
    await matches.apply_update(second.match, build_step(0, "left", ending=left))
    nobody = EndingUpdate(DRAW, "forfeited", sides={third.first: "gold", third.second: "black"})
    await matches.apply_update(third.match, build_step(0, "end", ending=nobody))
    results = [(each.winner, each.how) for each in (await load(store, number)).pairings]
    assert results[:4] == [
        (first.second, "off"),
        (second.second, "aborted"),
        (None, "forfeited"),
        (None, None),
    ]
    annulled = EndingUpdate(DRAW, "annulled", annuls=True)
    await matches.apply_update(first.match, build_step(1, "annul", ending=annulled))
    after = (await load(store, number)).pairings[0]
    assert (after.winner, after.how) == (None, "annulled")


async def test_matches_of_a_league_leave_room_for_others(store: Store) -> None:
    number = await open_contest(store)
    await start(store, number)
    narrow = Limits(running=1, open=9)
    seat = Seat("gold", 0, ANA, "ana's")
    await store.get(Challenges).create(build_challenge(), seat, narrow)
    await store.get(Matches).start(build_beginning(None, ANA, BEN))
    with pytest.raises(LimitExceededError):
        await store.get(Challenges).create(build_challenge(), seat, narrow)


async def test_an_outage_puts_off_sign_up_and_deadline(store: Store) -> None:
    waiting, running = await open_contest(store), await open_contest(store)
    await start(store, running)
    # From before the leagues were made, of which the first was made at NOW and started then + 10.
    outage = Outage(0, 1, began=NOW - 50, ended=NOW + 200)
    await store.pauses.record_presence([0], 1, NOW + 200, [outage])
    assert (await load(store, waiting)).contest.starts == NOW + 1000 + 200
    assert (await load(store, running)).contest.ends == NOW + 5000 + 190
    await store.pauses.stop_clocks(StoppageScope.SERVER, [1], NOW + 300)
    assert await store.pauses.load_active_servers() == {1}
    await store.pauses.resume_servers([1], NOW + 700, ())
    assert (await load(store, waiting)).contest.starts == NOW + 1000 + 600
    assert (await load(store, running)).contest.ends == NOW + 5000 + 590


async def test_an_outage_in_a_pause_puts_the_deadline_off_once(store: Store) -> None:
    number = await open_contest(store)
    await start(store, number)
    ruling = ContestRuling(number, NOW, ANA, RulingAction.PAUSE, "a fair")
    await store.get(Contests).pause(number, NOW + 100, [SHOW], ruling)
    outage = Outage(0, 1, began=NOW + 200, ended=NOW + 300)
    await store.pauses.record_presence([0], 1, NOW + 300, [outage])
    resumed = replace(ruling, action=RulingAction.RESUME)
    await store.get(Contests).resume(number, NOW + 500, lambda _: [SHOW], resumed)
    assert (await load(store, number)).contest.ends == NOW + 5000 + 400


async def test_the_secret_of_a_league_is_sealed_until_it_is_over(where: str | Path) -> None:
    query = select(contests.c.secret)
    old, new = generate_seal_key(), generate_seal_key()

    async def load_kept(store: Store) -> bytes:
        return await store._database.read(  # noqa: SLF001
            lambda connection: connection.execute(query).scalar_one()
        )

    async with await Store.open(where, [old]) as store:
        number = await open_contest(store)
        assert await load_kept(store) != SECRET
        assert (await load(store, number)).contest.secret == SECRET
        await start(store, number)
    async with await Store.open(where, [new, old]):
        pass
    # Sealed anew with the first key at the start.
    async with await Store.open(where, [new]) as store:
        assert (await load(store, number)).contest.secret == SECRET
        await end_all(store, number)
        await store.get(Contests).close(number, lambda _: True, [])
        assert await load_kept(store) == SECRET


async def test_only_decisions_of_ones_own_count_as_coming(store: Store) -> None:
    number = await open_contest(store)
    await start(store, number)
    first, second, *_ = (each.match for each in (await load(store, number)).pairings)
    records: list[dict[str, Any]] = [
        {"event": "battled"},
        {"event": "thrown", "dice": [1]},
        {"event": "played", "moves": [], "forced": True},
    ]
    step = build_step(0, "throw 0", records=3)
    await store.get(Matches).apply_update(first, replace(step, person=ANA, records=records))
    decided: list[dict[str, Any]] = [
        {"event": "thrown"},
        {"event": "played", "moves": [], "forced": False},
    ]
    step = build_step(0, "play", records=2)
    await store.get(Matches).apply_update(second, replace(step, person=CYN, records=decided))
    assert await store.get(Contests).load_actors([first, second]) == {first: set(), second: {CYN}}


async def test_who_comes_late_comes_once(store: Store, rival: Store) -> None:
    number = await open_contest(store, PEOPLE[:3])
    await start(store, number)

    def plan(view: ContestView) -> LatePlan:
        there = [each.person for each in view.present]
        return LatePlan(
            0, [NewPairing(0, DAN, one, build_beginning(number, DAN, one)) for one in there]
        )

    entrant = Entrant(DAN, "late", NOW + 20)
    changes = await asyncio.gather(
        *(
            (store, rival)[at % 2].get(Contests).add_late(number, entrant, plan, lambda _: [SHOW])
            for at in range(4)
        )
    )
    assert sum(change.is_made for change in changes) == 1
    view = await load(store, number)
    assert [each.number for each in view.pairings] == [1, 2, 3, 4, 5, 6]
    added = view.find_entrant(DAN)
    assert added is not None
    assert (added.division, added.seed) == (0, 3)
    # Who has left does not come back this way.
    await store.get(Contests).withdraw(number, DAN, NOW + 30, [SHOW])
    assert not (await store.get(Contests).add_late(number, entrant, plan, lambda _: [])).is_made


async def test_a_round_is_paired_once_whoever_tries(store: Store, rival: Store) -> None:
    number = await open_contest(store)
    await start(store, number)
    await end_all(store, number)

    def plan_second(view: ContestView) -> RoundPlan | None:
        if view.round > 1:
            return None
        beginning = build_beginning(number, ANA, BEN)
        bye = Bye(2, CYN, Fraction(1))
        return RoundPlan([NewPairing(0, ANA, BEN, beginning, 2, 1)], [bye], 1, NOW + 9000)

    changes = await asyncio.gather(
        *(
            (store, rival)[at % 2].get(Contests).add_round(number, plan_second, lambda *_: [SHOW])
            for at in range(6)
        )
    )
    assert sum(change.is_made for change in changes) == 1
    view = await load(store, number)
    assert [each.number for each in view.pairings if each.round == 2] == [7]
    assert view.byes == (Bye(2, CYN, Fraction(1)),)
    assert (view.contest.closed_rounds, view.contest.ends) == (1, NOW + 9000)
    # What is over by its plan is not paired.
    over = await store.get(Contests).add_round(
        number, lambda _: RoundPlan(is_over=True), lambda *_: [SHOW]
    )
    assert not over.is_made


async def test_a_round_closes_once_at_its_deadline(store: Store, rival: Store) -> None:
    number = await open_contest(store)
    await start(store, number)

    async def close(at: int, now: int) -> bool:
        change = (
            await (store, rival)[at % 2]
            .get(Contests)
            .close_round(number, now, lambda _: NOW + 9000, lambda _: [SHOW])
        )
        return change.is_made

    # Its deadline is NOW + 5000.
    assert not await close(0, NOW + 4999)
    made = await asyncio.gather(*(close(at, NOW + 5000) for at in range(6)))
    assert sum(made) == 1
    contest = (await load(store, number)).contest
    assert (contest.closed_rounds, contest.ends) == (1, NOW + 9000)
    # There is no second round that could be closed.
    assert not await close(0, NOW + 9000)


async def test_a_contest_is_paused_and_resumed_once(store: Store, rival: Store) -> None:
    number = await open_contest(store)
    pause = ContestRuling(number, NOW, ANA, RulingAction.PAUSE, "a fair")
    assert not (await store.get(Contests).pause(number, NOW, [SHOW], pause)).is_made
    await start(store, number)
    changes = await asyncio.gather(
        *(
            (store, rival)[at % 2].get(Contests).pause(number, NOW + 100, [SHOW], pause)
            for at in range(4)
        )
    )
    assert sum(change.is_made for change in changes) == 1
    match = (await load(store, number)).pairings[0].match
    (stopped,) = await store.pauses.load_relevant([], NOW, 1, [match])
    assert (stopped.began, stopped.match) == (NOW + 100, match)
    resume = replace(pause, action=RulingAction.RESUME)
    changes = await asyncio.gather(
        *(
            (store, rival)[at % 2].get(Contests).resume(number, NOW + 400, lambda _: [SHOW], resume)
            for at in range(4)
        )
    )
    assert sum(change.is_made for change in changes) == 1
    view = await load(store, number)
    assert view.contest.paused is None
    assert view.contest.ends == NOW + 5300
    (over,) = await store.pauses.load_relevant([], NOW, 1, [match])
    assert (over.began, over.ended) == (NOW + 100, NOW + 400)
    assert [each.action for each in view.rulings] == [RulingAction.PAUSE, RulingAction.RESUME]
