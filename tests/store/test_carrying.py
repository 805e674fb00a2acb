"""A database written into another, of either kind."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from sqlalchemy import Connection, insert, text

from bot.features.challenges.store import Challenges
from bot.features.matches.rows import Seat
from bot.platform.db import copies
from bot.platform.db.copies import copy_database
from bot.platform.db.errors import StoreError
from bot.platform.db.rows import Job
from bot.platform.db.store import Store
from bot.platform.db.tables import load_metadata, program_metadata
from tests.store.conftest import DATABASES
from tests.support.filling import fill_store, list_rows
from tests.support.postgresql import PostgreSQLServer
from tests.support.stored import ANA, LIMITS, NOW, build_challenge, dump_tables, start_match

pytestmark = pytest.mark.asyncio


@pytest.fixture(params=DATABASES)
def elsewhere(request: pytest.FixtureRequest, tmp_path: Path) -> str | Path:
    """Where another empty database is, of each kind."""
    if request.param == "sqlite":
        return tmp_path / "elsewhere.db"
    server: PostgreSQLServer = request.getfixturevalue("server")
    return server.create_database()


@pytest_asyncio.fixture
async def other(elsewhere: str | Path) -> AsyncIterator[Store]:
    """The open database to write into."""
    async with await Store.open(elsewhere) as store:
        yield store


async def carry_store(source: Store, target: Store) -> dict[str, int]:
    """Carry one store over into another."""
    return dict(await copy_database(source._database, target._database))  # noqa: SLF001


async def test_every_table_says_the_same_there(store: Store, other: Store) -> None:
    await fill_store(store)
    before = await dump_tables(store)
    counts = await carry_store(store, other)
    assert await dump_tables(other) == before == await dump_tables(store)
    assert all(counts.values())
    assert counts == {
        table.name: len(before[table.name]) for table in load_metadata().sorted_tables
    }
    assert await other.find_problems() == await store.find_problems()


@pytest.mark.parametrize("page", [1, 2])
@pytest.mark.sweep
async def test_pages_are_put_together(
    store: Store, other: Store, page: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "PAGE", page)
    await fill_store(store)
    await carry_store(store, other)
    assert await dump_tables(other) == await dump_tables(store)


async def test_what_comes_after_is_numbered_on(store: Store, other: Store) -> None:
    await fill_store(store)
    await carry_store(store, other)
    created = await other.get(Challenges).create(
        build_challenge(), Seat("gold", 0, ANA, "ana's"), LIMITS
    )
    assert created.challenge.id == 10
    assert await start_match(other) == 8
    (job,) = await other.jobs.enqueue(1, [Job("report", "8", NOW)])
    assert job.id == 13


async def test_an_empty_database_is_carried_and_used(store: Store, other: Store) -> None:
    assert not any((await carry_store(store, other)).values())
    assert await start_match(other) == 1


async def test_what_is_not_empty_is_not_written_over(store: Store, other: Store) -> None:
    await fill_store(store)
    await other.metadata.save("commands", "digest")
    before = await dump_tables(other)
    with pytest.raises(StoreError, match=r"^the database to write to is not empty: it has notes$"):
        await carry_store(store, other)
    assert await dump_tables(other) == before


async def test_what_breaks_off_leaves_it_empty(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill_store(store)
    monkeypatch.setattr(copies, "require_empty", lambda _: None)
    # A row that is there already is in the way of one that comes late.
    late = insert(program_metadata).values(list_rows(program_metadata))
    await other._database.write(lambda connection: connection.execute(late))  # noqa: SLF001
    before = await dump_tables(other)
    with pytest.raises(StoreError):
        await carry_store(store, other)
    assert await dump_tables(other) == before


async def test_rows_that_did_not_arrive_are_missed(store: Store, other: Store) -> None:
    def lose(connection: Connection) -> None:
        swallow = (
            "CREATE TRIGGER lose BEFORE INSERT ON notes BEGIN SELECT RAISE(IGNORE); END"
            if connection.dialect.name == "sqlite"
            else "CREATE RULE lose AS ON INSERT TO notes DO INSTEAD NOTHING"
        )
        connection.execute(text(swallow))

    await fill_store(store)
    await other._database.write(lose)  # noqa: SLF001
    before = await dump_tables(other)
    with pytest.raises(StoreError, match=r"^of 1 rows of notes 0 arrived$"):
        await carry_store(store, other)
    assert await dump_tables(other) == before


async def test_what_is_saved_meanwhile_is_not_half_carried(store: Store, other: Store) -> None:
    """A row that comes while tables are read belongs to no table of the copy."""
    await fill_store(store)
    before = await dump_tables(store)
    async with store._database.open_read_transaction() as moment:  # noqa: SLF001
        there = moment.sync_connection
        assert there is not None
        # The moment is that of the first statement.
        await moment.exec_driver_sql("SELECT count(*) FROM people")
        await start_match(store)
        await store.metadata.save("another", "note")
        await other._database.write_beside(  # noqa: SLF001
            lambda here: copies.copy_tables(there, here)
        )
    assert await dump_tables(other) == before
