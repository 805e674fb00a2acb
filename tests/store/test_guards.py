"""What cannot be is refused, by the store or by the file itself, and nothing is changed."""

from dataclasses import replace
from functools import partial

import pytest
from sqlalchemy import delete, select

from bot.features.challenges.store import Challenges
from bot.features.matches.rows import EndingUpdate, RatingKey, RatingRow, Seat
from bot.features.matches.store import Matches
from bot.features.matches.tables import rating_changes
from bot.platform.db.errors import SeatTakenError, StaleVersionError, StoreError
from bot.platform.db.store import Store
from bot.platform.db.tables import people
from tests.support.stored import (
    ANA,
    BEN,
    CYN,
    LIMITS,
    NOW,
    SIDES,
    build_challenge,
    build_step,
    dump_tables,
    load_display_names,
    register_people,
    start_match,
)

pytestmark = pytest.mark.asyncio

BENS = Seat("black", 0, BEN, "ben's")
ANAS_KEY, BENS_KEY = (RatingKey("everywhere", "zeno", person) for person in (ANA, BEN))
ROW = RatingRow(mu=25.0, sigma=8.0, games=1, won=1, drawn=0, lost=0, updated=NOW)


async def test_nobody_joins_a_challenge_whose_time_is_over(store: Store) -> None:
    await register_people(store, ANA, BEN)
    challenges = store.get(Challenges)
    challenge = (
        await challenges.create(
            build_challenge(expires=NOW + 10), Seat("gold", 0, ANA, "ana's"), LIMITS
        )
    ).challenge
    with pytest.raises(SeatTakenError):
        await challenges.join(challenge.id, BENS, 1, NOW + 10, LIMITS)
    assert await challenges.load_challenge(challenge.id) == challenge
    assert (await challenges.join(challenge.id, BENS, 1, NOW + 9, LIMITS)).match


async def test_somebody_unknown_is_an_error_and_not_a_taken_seat(store: Store) -> None:
    await register_people(store, ANA)
    challenges = store.get(Challenges)
    challenge = (
        await challenges.create(build_challenge(), Seat("gold", 0, ANA, "ana's"), LIMITS)
    ).challenge
    with pytest.raises(StoreError, match=r"(?i)foreign key"):
        await challenges.join(challenge.id, BENS, 1, NOW, LIMITS)
    assert await challenges.load_challenge(challenge.id) == challenge


async def test_only_a_match_makes_a_challenge_accepted(store: Store) -> None:
    await register_people(store, ANA)
    challenges = store.get(Challenges)
    challenge = (
        await challenges.create(build_challenge(), Seat("gold", 0, ANA, "ana's"), LIMITS)
    ).challenge
    with pytest.raises(StoreError, match=r"(?i)check"):
        await challenges.close(challenge.id, "accepted", NOW)
    assert await challenges.load_challenge(challenge.id) == challenge


@pytest.mark.parametrize(
    "fields", [{"side": "white"}, {"players": 0}, {"opponent": ANA}, {"opponent": 999}]
)
async def test_a_challenge_that_cannot_be_is_refused(
    store: Store, fields: dict[str, object]
) -> None:
    await register_people(store, ANA)
    before = await dump_tables(store)
    with pytest.raises(
        StoreError, match=r"^the database refused: .*(?i:check|foreign key) constraint"
    ):
        await store.get(Challenges).create(
            build_challenge(**fields), Seat("gold", 0, ANA, "ana's"), LIMITS
        )
    assert await dump_tables(store) == before


async def test_a_match_that_never_was_takes_nothing(store: Store) -> None:
    before = await dump_tables(store)
    with pytest.raises(StoreError, match="there is no match 5"):
        await store.get(Matches).apply_update(5, build_step(0, "roll"))
    assert await dump_tables(store) == before


async def test_a_match_that_is_over_takes_no_more(store: Store) -> None:
    match = await start_match(store)
    await store.get(Matches).apply_update(
        match, build_step(0, "last", ending=EndingUpdate("gold", "bearing off"))
    )
    before = await dump_tables(store)
    with pytest.raises(StaleVersionError):
        await store.get(Matches).apply_update(
            match, build_step(1, "one more", ending=EndingUpdate("black", "bearing off"))
        )
    assert await dump_tables(store) == before


@pytest.mark.parametrize(
    "wrong",
    [replace(ROW, sigma=0.0), replace(ROW, games=2), replace(ROW, mu=float("nan"))],
    ids=["no uncertainty", "a game without a result", "not a number"],
)
async def test_a_rating_that_cannot_be_undoes_the_move_and_the_result(
    store: Store, wrong: RatingRow
) -> None:
    match = await start_match(store)
    before = await dump_tables(store)
    ending = EndingUpdate(
        "gold", "bearing off", lambda _: {ANAS_KEY: ROW, BENS_KEY: wrong}, sides=SIDES
    )
    with pytest.raises(StoreError, match="constraint"):
        await store.get(Matches).apply_update(match, build_step(0, "last", ending=ending))
    assert await dump_tables(store) == before


async def test_a_winner_that_cannot_be_undoes_the_move(store: Store) -> None:
    match = await start_match(store)
    before = await dump_tables(store)
    with pytest.raises(StoreError, match=r"(?i)check"):
        await store.get(Matches).apply_update(
            match, build_step(0, "last", ending=EndingUpdate("white", "bearing off"))
        )
    assert await dump_tables(store) == before


async def test_what_a_match_did_to_a_rating_stays_when_the_next_match_changes_it(
    store: Store,
) -> None:
    for mu in (27.0, 28.5):
        ending = EndingUpdate(
            "gold", "bearing off", partial(_rate_ana, mu), (ANAS_KEY,), sides=SIDES
        )
        await store.get(Matches).apply_update(
            await start_match(store), build_step(0, "last", ending=ending)
        )
    changes = rating_changes.c
    query = select(changes.match, changes.person, changes.before_mu, changes.after_mu).order_by(
        changes.match
    )
    kept = await store._database.read(  # noqa: SLF001
        lambda connection: connection.execute(query).all()
    )
    assert kept == [(1, ANA, None, 27.0), (2, ANA, 27.0, 28.5)]


def _rate_ana(mu: float, before: object) -> dict[RatingKey, RatingRow]:
    return {ANAS_KEY: replace(ROW, mu=mu)}


async def test_reading_cannot_write(store: Store) -> None:
    await register_people(store, CYN)
    with pytest.raises(StoreError, match="cannot be written to"):
        await store._database.read(  # noqa: SLF001
            lambda connection: connection.execute(delete(people))
        )
    assert await load_display_names(store.people, [CYN])


async def test_a_closed_store_says_so(store: Store) -> None:
    await store.close()
    with pytest.raises(StoreError, match="the database is closed"):
        await load_display_names(store.people, [ANA])
    with pytest.raises(StoreError, match="the database is closed"):
        await register_people(store, ANA)
    await store.close()
