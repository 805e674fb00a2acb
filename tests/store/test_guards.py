"""What cannot be is refused, by the store or by the file itself, and nothing is changed."""

import sqlite3
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from bot.store import Ending, RatingKey, RatingRow, Seat, Stale, Store, StoreError, Taken
from tests.store.build import ANA, BEN, CYN, NOW, everything, meet, offer, plainly, started, step

pytestmark = pytest.mark.asyncio

BENS = Seat("black", 0, BEN, "ben's")
ANAS_KEY, BENS_KEY = (RatingKey("everywhere", "zeno", person) for person in (ANA, BEN))
ROW = RatingRow(mu=25.0, sigma=8.0, games=1, won=1, drawn=0, lost=0, updated=NOW)


async def test_nobody_joins_a_challenge_whose_time_is_over(store: Store) -> None:
    await meet(store, ANA, BEN)
    made = await store.invitations.create(offer(expires=NOW + 10), Seat("gold", 0, ANA, "ana's"))
    with pytest.raises(Taken):
        await store.invitations.join(made.id, BENS, 1, NOW + 10)
    assert await store.invitations.get(made.id) == made
    assert (await store.invitations.join(made.id, BENS, 1, NOW + 9)).match


async def test_somebody_unknown_is_an_error_and_not_a_taken_seat(store: Store) -> None:
    await meet(store, ANA)
    made = await store.invitations.create(offer(), Seat("gold", 0, ANA, "ana's"))
    with pytest.raises(StoreError, match="FOREIGN KEY"):
        await store.invitations.join(made.id, BENS, 1, NOW)
    assert await store.invitations.get(made.id) == made


async def test_only_a_match_makes_a_challenge_accepted(store: Store) -> None:
    await meet(store, ANA)
    made = await store.invitations.create(offer(), Seat("gold", 0, ANA, "ana's"))
    with pytest.raises(StoreError, match="CHECK"):
        await store.invitations.close(made.id, "accepted")
    assert await store.invitations.get(made.id) == made


@pytest.mark.parametrize("fields", [{"side": "white"}, {"players": 0}, {"opponent": ANA}, {"opponent": 999}])
async def test_a_challenge_that_cannot_be_is_refused(store: Store, path: Path, fields: dict[str, object]) -> None:
    await meet(store, ANA)
    before = everything(path)
    with pytest.raises(StoreError, match=r"^the database refused: (CHECK|FOREIGN KEY) constraint failed"):
        await store.invitations.create(offer(**fields), Seat("gold", 0, ANA, "ana's"))
    assert everything(path) == before


async def test_a_match_that_never_was_takes_nothing(store: Store, path: Path) -> None:
    before = everything(path)
    with pytest.raises(StoreError, match="there is no match 5"):
        await store.matches.append(5, step(0, "roll"))
    assert everything(path) == before


async def test_a_match_that_is_over_takes_no_more(store: Store, path: Path) -> None:
    match = await started(store)
    await store.matches.append(match, step(0, "last", ending=Ending("gold", "bearing off")))
    before = everything(path)
    with pytest.raises(Stale):
        await store.matches.append(match, step(1, "one more", ending=Ending("black", "bearing off")))
    assert everything(path) == before


@pytest.mark.parametrize(
    "wrong",
    [replace(ROW, sigma=0.0), replace(ROW, games=2), replace(ROW, mu=float("nan"))],
    ids=["no uncertainty", "a game without a result", "not a number"],
)
async def test_a_rating_that_cannot_be_undoes_the_move_and_the_result(
    store: Store, path: Path, wrong: RatingRow
) -> None:
    match = await started(store)
    before = everything(path)
    ending = Ending("gold", "bearing off", lambda _: {ANAS_KEY: ROW, BENS_KEY: wrong})
    with pytest.raises(StoreError, match="constraint failed"):
        await store.matches.append(match, step(0, "last", ending=ending))
    assert everything(path) == before


async def test_a_winner_that_cannot_be_undoes_the_move(store: Store, path: Path) -> None:
    match = await started(store)
    before = everything(path)
    with pytest.raises(StoreError, match="CHECK"):
        await store.matches.append(match, step(0, "last", ending=Ending("white", "bearing off")))
    assert everything(path) == before


async def test_what_a_match_did_to_a_rating_stays_when_the_next_match_changes_it(store: Store, path: Path) -> None:
    for mu in (27.0, 28.5):
        ending = Ending("gold", "bearing off", partial(_now, mu), (ANAS_KEY,))
        await store.matches.append(await started(store), step(0, "last", ending=ending))
    with plainly(path) as connection:
        kept = connection.execute("SELECT match, person, before_mu, after_mu FROM rating_changes ORDER BY match")
        assert kept.fetchall() == [(1, ANA, None, 27.0), (2, ANA, 27.0, 28.5)]


def _now(mu: float, before: object) -> dict[RatingKey, RatingRow]:
    return {ANAS_KEY: replace(ROW, mu=mu)}


async def test_reading_cannot_write(store: Store) -> None:
    await meet(store, CYN)
    with pytest.raises(StoreError, match="cannot be written to"):
        await store._database.read(lambda connection: connection.execute("DELETE FROM people"))  # noqa: SLF001
    assert await store.people.names([CYN])


async def test_a_closed_store_says_so(store: Store) -> None:
    await store.close()
    with pytest.raises(StoreError, match="the database is closed"):
        await store.people.names([ANA])
    with pytest.raises(StoreError, match="the database is closed"):
        await meet(store, ANA)
    await store.close()


async def test_the_file_is_written_ahead_and_to_the_disk(store: Store, path: Path) -> None:
    def asked(connection: sqlite3.Connection) -> list[int]:
        names = ("synchronous", "foreign_keys", "busy_timeout")
        return [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

    full, on, five_seconds = 2, 1, 5_000
    assert await store._database.write(asked) == [full, on, five_seconds]  # noqa: SLF001
    with plainly(path) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        tables = connection.execute("SELECT name, strict FROM pragma_table_list WHERE type = 'table'").fetchall()
    assert {name for name, strict in tables if not strict} == {"sqlite_schema", "sqlite_temp_schema"}
