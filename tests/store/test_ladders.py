"""Ladders as they are stored: one challenge whoever makes it, and results that are kept."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from bot.features.ladders.rows import LadderView, NewLadder
from bot.features.ladders.rungs import (
    DECLINED,
    WITHDRAWN,
    ChallengeRules,
    LadderAction,
    LadderChallenge,
    LadderEvent,
)
from bot.store import (
    DRAW,
    EndingUpdate,
    Job,
    NewChallengeResult,
    Outage,
    Seat,
    Store,
)
from engine.clock import DAY
from tests.store.build import (
    ANA,
    BEN,
    CYN,
    DAN,
    LIMITS,
    NOW,
    build_challenge,
    build_step,
    register_people,
)

pytestmark = pytest.mark.asyncio
PEOPLE = (ANA, BEN, CYN, DAN)
SHOW = Job("show ladder", "1", NOW)


class RefusedError(Exception):
    """A challenge that the rules forbid."""


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
    number, _ = await store.ladders.create(NewLadder(**usual | fields), lambda _: [])
    for person in people:
        assert (await store.ladders.join(number, person, NOW, 64, [SHOW])).is_made
    return number


async def load(store: Store, number: int) -> LadderView:
    """A ladder as it is stored."""
    view = await store.ladders.load_view(number)
    assert view is not None
    return view


async def challenge(
    store: Store, number: int, challenger: int, challenged: int
) -> NewChallengeResult | None:
    """Try to make a challenge by the rules."""

    def require(view: LadderView) -> None:
        rules = ChallengeRules(view.rungs, view.challenges, NOW, {})
        if rules.find_impediment(challenger, challenged):
            raise RefusedError

    new = build_challenge(challenger=challenger, opponent=challenged, ladder=number)
    seat = Seat("gold", 0, challenger, "theirs")
    return await store.ladders.challenge(new, seat, LIMITS, require, lambda _: [SHOW])


async def begin(store: Store, number: int, challenger: int, challenged: int) -> int:
    """The match of a challenge that was accepted."""
    made = await challenge(store, number, challenger, challenged)
    assert made is not None
    joined = await store.challenges.join(
        made.challenge.id, Seat("black", 0, challenged, "mine"), 1, NOW + 1, LIMITS
    )
    assert joined.match is not None
    return joined.match


async def win(store: Store, match: int, gold: int, black: int, side: str = "gold") -> None:
    """End a match with a win of a side."""
    ending = EndingUpdate(side, "off", sides={gold: "gold", black: "black"})
    await store.matches.apply_update(match, build_step(0, "off", ending=ending))


async def test_people_join_once_and_come_back_at_the_bottom(store: Store) -> None:
    number = await open_ladder(store, PEOPLE[:3])
    assert not (await store.ladders.join(number, ANA, NOW, 64, [SHOW])).is_made
    assert not (await store.ladders.join(number, DAN, NOW, 3, [SHOW])).is_made
    left = LadderEvent(NOW + 1, LadderAction.LEAVE, ANA)
    assert (await store.ladders.leave(number, left, lambda _: [SHOW])).is_made
    assert not (await store.ladders.leave(number, left, lambda _: [SHOW])).is_made
    assert (await load(store, number)).rungs == (BEN, CYN)
    assert (await store.ladders.join(number, ANA, NOW + 2, 3, [SHOW])).is_made
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
    row = await store.matches.get(match)
    assert row is not None
    assert row.ladder == number
    (running,) = (await load(store, number)).running
    assert running == LadderChallenge(running.id, CYN, ANA, NOW, NOW + 1000, match)
    # The sides were swapped at the opening roll, so that black's win is Cyn's.
    await win(store, match, ANA, CYN, "black")
    view = await load(store, number)
    (over,) = view.challenges
    assert (over.settled, over.winner, over.how) == (NOW + 5, CYN, "off")
    assert view.rungs == (CYN, ANA, BEN, DAN)
    annulled = EndingUpdate(DRAW, "annulled", annuls=True)
    await store.matches.apply_update(match, build_step(1, "annul", ending=annulled))
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
    assert await store.challenges.close(made.challenge.id, state, NOW + 3, [SHOW]) is not None
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

    left = LadderEvent(NOW + 4, LadderAction.REMOVE, BEN, CYN, "why")
    assert (await store.ladders.leave(number, left, note)).is_made
    assert sorted(ended) == [own.challenge.id, theirs.challenge.id]
    view = await load(store, number)
    assert [each.how for each in view.challenges] == [WITHDRAWN, DECLINED]
    # Dan has taken Ben's rung before Ben was gone.
    assert view.rungs == (ANA, DAN, CYN)
    assert view.rulings == (left,)


async def test_a_closed_ladder_changes_no_more(store: Store) -> None:
    number = await open_ladder(store)
    match = await begin(store, number, BEN, ANA)
    waiting = await challenge(store, number, DAN, BEN)
    assert waiting is not None
    ruling = LadderEvent(NOW + 2, LadderAction.CLOSE, None, CYN, "done")
    assert (await store.ladders.close(number, ruling, lambda _: [SHOW])).is_made
    assert not (await store.ladders.close(number, ruling, lambda _: [SHOW])).is_made
    assert not (await store.ladders.join(number, 15, NOW, 64, [SHOW])).is_made
    assert await challenge(store, number, DAN, CYN) is None
    await win(store, match, BEN, ANA)
    view = await load(store, number)
    assert [each.how for each in view.challenges] == ["off", WITHDRAWN]
    assert view.rungs == PEOPLE
    assert await store.ladders.load_open(1) == []
    assert [each.id for each in await store.ladders.load_latest(1, 9)] == [number]


async def test_people_drop_once_each_time_it_is_due(store: Store, rival: Store) -> None:
    number = await open_ladder(store)
    due, now = NOW + 7 * DAY, NOW + 8 * DAY
    dropped = await asyncio.gather(
        *(
            (store, rival)[at % 2].ladders.drop(
                number, due, now, NOW + 14 * DAY, lambda _: [ANA], [SHOW]
            )
            for at in range(4)
        )
    )
    assert sum(each.is_made for each in dropped) == 1
    view = await load(store, number)
    assert view.rungs == (BEN, ANA, CYN, DAN)
    assert view.ladder.next_drop == NOW + 14 * DAY


async def test_an_outage_puts_off_the_next_drop(store: Store) -> None:
    number = await open_ladder(store)
    outage = Outage(0, 1, began=NOW + 100, ended=NOW + 300)
    await store.pauses.record_presence([0], 1, NOW + 300, [outage])
    assert (await load(store, number)).ladder.next_drop == NOW + 7 * DAY + 200
    assert await store.pauses.load_active_servers() == {1}


async def test_one_message_shows_a_ladder(store: Store) -> None:
    number = await open_ladder(store)
    (job,) = await store.jobs.load_due(NOW, 9)
    assert await store.ladders.save_message(number, 70, None, job)
    assert not await store.ladders.save_message(number, 71, None, job)
    assert (await load(store, number)).ladder.message == 70
    assert await store.ladders.load_channels({number, 99}) == {number: frozenset({2})}
    assert await store.ladders.find_existing({number, 99}) == {number}
