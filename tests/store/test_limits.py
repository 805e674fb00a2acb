"""How much a person may have going on, counted where nothing can come between."""

import asyncio

import pytest

from bot.features.challenges.store import Challenges
from bot.features.challenges.tables import JoinResult, NewChallengeResult
from bot.features.matches.rows import EndingUpdate, Limits, NewMatch, Seat
from bot.features.matches.store import Matches
from bot.platform.db.errors import DuplicateRematchError, LimitExceededError
from bot.platform.db.rows import Job
from bot.platform.db.store import Store
from engine.clock import HOUR
from tests.support.stored import (
    ANA,
    BEN,
    CYN,
    DAN,
    LIMITS,
    NOW,
    build_challenge,
    build_step,
    dump_tables,
    register_people,
    start_match,
)

pytestmark = pytest.mark.asyncio
ANAS = Seat("gold", 0, ANA, "ana's")
BENS = Seat("black", 0, BEN, "ben's")
CYNS = Seat("black", 0, CYN, "cyn's")


async def test_nobody_challenges_with_as_many_matches_as_there_may_be(store: Store) -> None:
    first, _ = await start_match(store), await start_match(store)
    before = await dump_tables(store)
    with pytest.raises(LimitExceededError) as error:
        await store.get(Challenges).create(build_challenge(), ANAS, Limits(running=2, open=9))
    assert (error.value.person, error.value.what, error.value.most) == (ANA, "running", 2)
    assert await dump_tables(store) == before
    await store.get(Matches).apply_update(
        first, build_step(0, "resign", ending=EndingUpdate("draw", "agreed"))
    )
    await store.get(Challenges).create(build_challenge(), ANAS, Limits(running=2, open=9))


async def test_nobody_has_more_open_challenges_than_there_may_be(store: Store) -> None:
    await register_people(store, ANA, BEN)
    two = Limits(running=9, open=2)
    challenges = store.get(Challenges)
    made = [(await challenges.create(build_challenge(), ANAS, two)).challenge for _ in range(2)]
    with pytest.raises(LimitExceededError) as error:
        await challenges.create(build_challenge(), ANAS, two)
    assert (error.value.person, error.value.what, error.value.most) == (ANA, "open", 2)
    await challenges.close(made[0].id, "withdrawn", NOW)
    await challenges.create(build_challenge(), ANAS, two)
    # The others' time is over, though nobody has closed them.
    await challenges.create(build_challenge(created=NOW + 1000, expires=NOW + 2000), ANAS, two)


async def test_nobody_makes_more_challenges_within_a_minute_than_there_may_be(store: Store) -> None:
    await register_people(store, ANA, BEN)
    slow = Limits(running=9, open=9, a_minute=2)
    challenges = store.get(Challenges)
    made = await challenges.create(build_challenge(), ANAS, slow)
    await challenges.close(made.challenge.id, "withdrawn", NOW)
    await challenges.create_and_start(
        build_challenge(created=NOW + 30_000), (ANAS, BENS), 1, slow, lambda _, __: ()
    )
    last = build_challenge(created=NOW + 59_999, expires=NOW + 90_000)
    with pytest.raises(LimitExceededError) as error:
        await challenges.create(last, ANAS, slow)
    assert (error.value.person, error.value.what, error.value.most) == (ANA, "lately", 2)
    with pytest.raises(LimitExceededError):
        await challenges.create_and_start(last, (ANAS, BENS), 1, slow, lambda _, __: ())
    await challenges.create(build_challenge(created=NOW + 60_000, expires=NOW + 90_000), ANAS, slow)


async def test_nobody_is_challenged_in_vain_more_often_within_an_hour_than_they_may_be(
    store: Store,
) -> None:
    await register_people(store, ANA, BEN, CYN)
    patient = Limits(running=9, open=9, an_hour_to_one=2)

    challenges = store.get(Challenges)

    async def challenge(opponent: int | None, after: int) -> int:
        new = build_challenge(opponent=opponent, created=NOW + after, expires=NOW + 2 * HOUR)
        return (await challenges.create(new, ANAS, patient)).challenge.id

    # One that led to a match is none that was made in vain.
    played = build_challenge(opponent=BEN)
    await challenges.create_and_start(played, (ANAS, BENS), 1, patient, lambda _, __: ())
    for after in (0, 1):
        await challenges.close(await challenge(BEN, after), "withdrawn", NOW)
    with pytest.raises(LimitExceededError) as error:
        await challenge(BEN, HOUR - 1)
    assert (error.value.person, error.value.what, error.value.most) == (BEN, "to one", 2)
    # Others may be challenged, and so may anybody.
    await challenge(CYN, HOUR - 1)
    await challenge(None, HOUR - 1)
    await challenge(BEN, HOUR)


async def test_no_server_makes_more_challenges_within_a_minute_than_there_may_be(
    store: Store,
) -> None:
    await register_people(store, ANA, BEN)
    slow = Limits(running=9, open=9, a_minute_here=2)
    challenges = store.get(Challenges)
    await challenges.create(build_challenge(guild=7), ANAS, slow)
    await challenges.create_and_start(
        build_challenge(guild=7, challenger=BEN), (ANAS, BENS), 1, slow, lambda _, __: ()
    )
    with pytest.raises(LimitExceededError) as error:
        await challenges.create(build_challenge(guild=7), ANAS, slow)
    assert (error.value.what, error.value.most) == ("here", 2)
    await challenges.create(build_challenge(guild=8), ANAS, slow)
    await challenges.create(
        build_challenge(guild=7, created=NOW + 60_000, expires=NOW + 90_000), ANAS, slow
    )


async def test_a_rematch_is_offered_once_at_a_time(store: Store) -> None:
    match = await start_match(store)
    challenges = store.get(Challenges)
    challenge = (await challenges.create(build_challenge(rematch_of=match), ANAS, LIMITS)).challenge
    assert challenge.rematch_of == match
    assert await challenges.load_challenge(challenge.id) == challenge
    with pytest.raises(DuplicateRematchError) as error:
        await challenges.create(build_challenge(rematch_of=match), ANAS, LIMITS)
    assert error.value.challenge == challenge.id
    await challenges.create(build_challenge(), ANAS, LIMITS)
    await challenges.create(
        build_challenge(challenger=BEN, side="black", rematch_of=match), BENS, LIMITS
    )
    await challenges.close(challenge.id, "declined", NOW)
    await challenges.create(build_challenge(rematch_of=match), ANAS, LIMITS)


async def test_joining_counts_the_matches_of_everyone_who_sits_there(store: Store) -> None:
    await register_people(store, ANA, BEN, CYN)
    challenges = store.get(Challenges)
    challenge = (await challenges.create(build_challenge(), ANAS, LIMITS)).challenge
    await start_match(store)
    before = await dump_tables(store)
    with pytest.raises(LimitExceededError) as error:
        await challenges.join(challenge.id, CYNS, 1, NOW, Limits(running=1, open=9))
    assert (error.value.person, error.value.what) == (ANA, "running")
    assert await dump_tables(store) == before
    assert (await challenges.join(challenge.id, CYNS, 1, NOW, Limits(running=2, open=9))).match


async def test_of_forty_challenges_at_once_no_more_are_kept_than_there_may_be(
    store: Store, rival: Store
) -> None:
    await register_people(store, ANA)
    few = Limits(running=9, open=5)
    answers = await asyncio.gather(
        *(
            (store, rival)[at % 2].get(Challenges).create(build_challenge(), ANAS, few)
            for at in range(40)
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(answer, NewChallengeResult) for answer in answers) == 5
    assert sum(isinstance(answer, LimitExceededError) for answer in answers) == 35


@pytest.mark.sweep
async def test_forty_acceptances_at_once_begin_no_more_matches_than_there_may_be(
    store: Store, rival: Store
) -> None:
    challengers = range(100, 140)
    await register_people(store, BEN, *challengers)
    few = Limits(running=5, open=9)
    made = [
        (
            await store.get(Challenges).create(
                build_challenge(challenger=person), Seat("gold", 0, person, "x"), few
            )
        ).challenge
        for person in challengers
    ]
    answers = await asyncio.gather(
        *(
            (store, rival)[each.id % 2].get(Challenges).join(each.id, BENS, 1, NOW, few)
            for each in made
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(answer, JoinResult) for answer in answers) == 5
    assert sum(isinstance(answer, LimitExceededError) for answer in answers) == 35
    assert len(await store.get(Matches).load_running_by_person(BEN)) == 5


async def test_two_who_press_rematch_thirty_times_make_one_each(store: Store, rival: Store) -> None:
    match = await start_match(store)
    bens = build_challenge(challenger=BEN, side="black", rematch_of=match)
    answers = await asyncio.gather(
        *(
            store.get(Challenges).create(build_challenge(rematch_of=match), ANAS, LIMITS)
            for _ in range(15)
        ),
        *(rival.get(Challenges).create(bens, BENS, LIMITS) for _ in range(15)),
        return_exceptions=True,
    )
    assert sum(isinstance(answer, NewChallengeResult) for answer in answers) == 2
    assert sum(isinstance(answer, DuplicateRematchError) for answer in answers) == 28


async def test_a_match_begins_without_a_challenge(store: Store) -> None:
    await register_people(store, ANA, BEN, DAN)
    beginning = NewMatch(
        guild=1,
        channel=2,
        game="pyf",
        edition=4,
        options={"dice": "three"},
        rated=False,
        secret=b"secret",
        commitment="c0ffee",
        dice=2,
        created=NOW,
        seats=(BENS, ANAS),
    )
    begun = await store.get(Matches).start(beginning, [Job("show", "new", NOW)])
    assert [job.key for job in begun.jobs] == ["new"]
    row = await store.get(Matches).load_row(begun.match)
    assert row is not None
    assert (row.game, row.edition, row.dice, row.options, row.rated) == (
        "pyf",
        4,
        2,
        {"dice": "three"},
        False,
    )
    assert (row.secret, row.commitment, row.version, row.snapshot) == (b"secret", "c0ffee", 0, {})
    assert row.seats == (ANAS, BENS)
