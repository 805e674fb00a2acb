"""Challenges and their seats."""

import asyncio
from dataclasses import asdict
from typing import Any

import pytest

from bot.features.challenges.store import Challenges
from bot.features.challenges.tables import Challenge, JoinResult
from bot.features.matches.rows import EndingUpdate, Limits, Seat
from bot.features.matches.store import Matches
from bot.platform.db.errors import DuplicateRematchError, LimitExceededError, SeatTakenError
from bot.platform.db.rows import Job
from bot.platform.db.store import Store
from tests.support.stored import (
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
FIRST = Seat("gold", 0, ANA, "ana's")
BENS = Seat("black", 0, BEN, "ben's")


async def _create_challenge(store: Store, **fields: Any) -> Challenge:
    await register_people(store, ANA, BEN, CYN, DAN)
    return (await store.get(Challenges).create(build_challenge(**fields), FIRST, LIMITS)).challenge


async def test_a_challenge_is_kept_as_it_was_offered(store: Store) -> None:
    created = await _create_challenge(store, opponent=BEN, rated=False)
    assert await store.get(Challenges).load_challenge(created.id) == created
    assert asdict(created).items() >= asdict(build_challenge(opponent=BEN, rated=False)).items()
    assert (created.state, created.match, created.message, created.seats) == (
        "open",
        None,
        None,
        (FIRST,),
    )


async def test_there_is_no_challenge_of_that_number(store: Store) -> None:
    assert await store.get(Challenges).load_challenge(99) is None
    with pytest.raises(SeatTakenError):
        await store.get(Challenges).join(99, BENS, 1, NOW, LIMITS)


async def test_a_challenge_knows_its_message(store: Store) -> None:
    number = (await _create_challenge(store)).id
    challenges = store.get(Challenges)
    assert await challenges.save_message(number, 2**62)
    # Two who read that it had none, or the same one, and have posted another.
    assert not await challenges.save_message(number, 5)
    assert not await challenges.save_message(number, 5, before=4)
    kept = await challenges.load_challenge(number)
    assert kept is not None
    assert kept.message == 2**62
    # Found to be posted before, it is stored again.
    assert await challenges.save_message(number, 2**62)
    assert await challenges.save_message(number, 5, before=2**62)


async def test_what_a_new_message_shows_of_the_commitment_is_known_of_the_match(
    store: Store,
) -> None:
    number = (await _create_challenge(store)).id
    challenges = store.get(Challenges)
    assert await challenges.save_message(number, 5, posted_digits=64)
    # Posted again too late to bind, or in vain, it changes nothing.
    assert await challenges.save_message(number, 6, before=5)
    assert not await challenges.save_message(number, 7, before=5, posted_digits=20)
    result = await challenges.join(number, BENS, 1, NOW, LIMITS)
    assert result.challenge.posted_digits == 64
    match = await store.get(Matches).load_row(result.match or 0)
    assert match is not None
    assert match.posted_digits == 64


async def test_a_challenge_closes_once(store: Store) -> None:
    number = (await _create_challenge(store)).id
    challenges = store.get(Challenges)
    assert await challenges.close(number, "withdrawn", NOW) == ()
    assert await challenges.close(number, "declined", NOW) is None
    kept = await challenges.load_challenge(number)
    assert kept is not None
    assert kept.state == "withdrawn"
    with pytest.raises(SeatTakenError):
        await challenges.join(number, BENS, 1, NOW, LIMITS)


async def test_the_last_seat_starts_the_match(store: Store) -> None:
    number = (await _create_challenge(store, players=2)).id
    seats = [
        Seat("black", 1, BEN, "ben's"),
        Seat("gold", 1, CYN, "cyn's"),
        Seat("black", 0, DAN, "dan's"),
    ]
    joined = [await store.get(Challenges).join(number, seat, 3, NOW + 7, LIMITS) for seat in seats]
    assert [each.match is None for each in joined] == [True, True, False]
    last = joined[-1]
    assert (last.challenge.state, last.challenge.match) == ("accepted", last.match)
    assert last.match is not None
    match = await store.get(Matches).load_row(last.match)
    assert match is not None
    assert match.seats == (FIRST, seats[1], seats[2], seats[0])
    made = build_challenge()
    assert (match.guild, match.channel, match.game, match.options) == (
        1,
        2,
        "zeno",
        {"dice": "two"},
    )
    assert (match.secret, match.commitment, match.rated) == (made.secret, made.commitment, True)
    assert (match.edition, match.version, match.created, match.touched) == (3, 0, NOW + 7, NOW + 7)
    assert (match.ended, match.winner, match.how, match.message) == (None, None, None, None)


@pytest.mark.parametrize("seat", [Seat("gold", 0, BEN, "x"), Seat("black", 0, ANA, "x")])
async def test_neither_a_seat_nor_a_person_counts_twice(store: Store, seat: Seat) -> None:
    created = await _create_challenge(store)
    with pytest.raises(SeatTakenError):
        await store.get(Challenges).join(created.id, seat, 1, NOW, LIMITS)
    assert await store.get(Challenges).load_challenge(created.id) == created


async def test_twenty_people_want_the_last_seat_and_one_gets_it(store: Store, rival: Store) -> None:
    number = (await _create_challenge(store)).id
    people = range(100, 120)
    await register_people(store, *people)
    answers = await asyncio.gather(
        *(
            (store, rival)[person % 2]
            .get(Challenges)
            .join(number, Seat("black", 0, person, "x"), 1, NOW, LIMITS)
            for person in people
        ),
        return_exceptions=True,
    )
    (won,) = [answer for answer in answers if isinstance(answer, JoinResult)]
    assert [type(answer) for answer in answers].count(SeatTakenError) == 19
    running = await store.get(Matches).load_running_in_channel(2)
    assert [match.id for match in running] == [won.match]
    assert running[0].seats == won.challenge.seats


def list_first_jobs(after: Challenge, match: int | None) -> list[Job]:
    """What follows when a match begins."""
    return [Job("computer", str(match), NOW)] if match else []


async def test_a_match_that_nobody_needs_to_accept_begins_at_once(store: Store) -> None:
    await register_people(store, ANA, BEN)
    result = await store.get(Challenges).create_and_start(
        build_challenge(rated=False), [FIRST, BENS], 4, LIMITS, list_first_jobs
    )
    assert (result.challenge.state, result.challenge.seats) == ("accepted", (FIRST, BENS))
    assert [job.key for job in result.jobs] == [str(result.match)]
    match = await store.get(Matches).load_row(result.match or 0)
    assert match is not None
    assert (match.seats, match.edition, match.rated, match.dice) == ((FIRST, BENS), 4, False, 2)


async def test_such_a_match_counts_against_the_limit_of_its_person_alone(store: Store) -> None:
    await register_people(store, ANA, BEN, CYN)
    few = Limits(running=1, open=1, exempt=frozenset({BEN}))
    challenges = store.get(Challenges)
    await challenges.create_and_start(build_challenge(), [FIRST, BENS], 1, few, list_first_jobs)
    with pytest.raises(LimitExceededError):
        await challenges.create_and_start(build_challenge(), [FIRST, BENS], 1, few, list_first_jobs)
    cyns = Seat("gold", 0, CYN, "cyn's")
    assert (
        await challenges.create_and_start(
            build_challenge(challenger=CYN), [cyns, BENS], 1, few, list_first_jobs
        )
    ).match


async def test_such_a_match_is_played_again_once_at_a_time(store: Store) -> None:
    await register_people(store, ANA, BEN)
    challenges = store.get(Challenges)
    first = (
        await challenges.create_and_start(
            build_challenge(), [FIRST, BENS], 1, LIMITS, list_first_jobs
        )
    ).match
    again = await challenges.create_and_start(
        build_challenge(rematch_of=first), [FIRST, BENS], 1, LIMITS, list_first_jobs
    )
    with pytest.raises(DuplicateRematchError) as error:
        await challenges.create_and_start(
            build_challenge(rematch_of=first), [FIRST, BENS], 1, LIMITS, list_first_jobs
        )
    assert error.value.challenge == again.challenge.id
    await store.get(Matches).apply_update(
        again.match or 0, build_step(0, "resign", ending=EndingUpdate("draw", "agreed"))
    )
    await challenges.create_and_start(
        build_challenge(rematch_of=first), [FIRST, BENS], 1, LIMITS, list_first_jobs
    )


async def test_free_seats_are_filled_all_or_none(store: Store) -> None:
    number = (await _create_challenge(store, players=2)).id
    others = [Seat("gold", 1, BEN, "b"), Seat("black", 0, CYN, "c"), Seat("black", 1, DAN, "d")]
    challenges = store.get(Challenges)
    with pytest.raises(SeatTakenError):
        await challenges.fill_seats(
            number, [*others, Seat("gold", 0, DAN, "d")], 1, NOW, LIMITS, list_first_jobs
        )
    kept = await challenges.load_challenge(number)
    assert kept is not None
    assert kept.seats == (FIRST,)
    filled = await challenges.fill_seats(number, others, 1, NOW, LIMITS, list_first_jobs)
    assert (filled.challenge.state, filled.challenge.rated) == ("accepted", False)
    match = await store.get(Matches).load_row(filled.match or 0)
    assert match is not None
    assert (match.seats, match.rated) == ((FIRST, *others), False)
    with pytest.raises(SeatTakenError):
        await challenges.fill_seats(number, others, 1, NOW, LIMITS, list_first_jobs)


async def test_of_those_who_wait_for_anyone_the_first_is_found(store: Store) -> None:
    await register_people(store, ANA, BEN)
    elsewhere = await _create_challenge(store, guild=9, created=NOW - 9)
    for_ben = await _create_challenge(store, opponent=BEN, created=NOW - 8)
    closed = await _create_challenge(store, created=NOW - 7)
    challenges = store.get(Challenges)
    await challenges.close(closed.id, "withdrawn", NOW)
    late = await _create_challenge(store, created=NOW - 1)
    first = await _create_challenge(store, created=NOW - 5)
    assert await challenges.find_acceptable(1, BEN, NOW) == [first.id, late.id]
    assert await challenges.find_acceptable(1, ANA, NOW) == []
    assert await challenges.find_acceptable(9, BEN, NOW) == [elsewhere.id]
    assert await challenges.find_acceptable(1, BEN, NOW + 1000) == []
    await challenges.close(first.id, "withdrawn", NOW)
    assert await challenges.find_acceptable(1, BEN, NOW) == [late.id]
    assert for_ben.opponent == BEN
