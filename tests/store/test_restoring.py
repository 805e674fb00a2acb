"""Restoring a copy in place of a database.

That database is empty, or kept aside, and never in use.
"""

import re
from pathlib import Path

import pytest

from bot.platform.db.address import format_address, parse_address
from bot.platform.db.backups import create_migrated_copy, get_folder, restore_database
from bot.platform.db.errors import StoreError
from bot.platform.db.store import Store
from tests.support.filling import fill_store
from tests.support.postgresql import PostgreSQLServer
from tests.support.programs import hold_database
from tests.support.stored import connect_directly, corrupt_table, dump_tables, start_match

pytestmark = pytest.mark.asyncio


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Where the copy lies."""
    return tmp_path / "copies.db"


async def make_copy(copy: Path) -> dict[str, list[str]]:
    """Make the copy; return all that it says."""
    async with await Store.open(copy) as store:
        await fill_store(store)
        return await dump_tables(store)


async def restore_copy(copy: Path, where: str | Path, *, replace: bool = False) -> str | None:
    """Restore the copy."""
    async with create_migrated_copy(copy, get_folder(where)) as path:
        return await restore_database(path, where, replace=replace)


async def dump_database(where: str | Path) -> dict[str, list[str]]:
    """All that a database says."""
    async with await Store.open(where) as store:
        return await dump_tables(store)


async def test_where_nothing_is(copy: Path, empty: str | Path) -> None:
    before = await make_copy(copy)
    assert await restore_copy(copy, empty) is None
    assert await dump_database(empty) == before
    if isinstance(empty, Path):
        assert empty.stat().st_mode & 0o777 == 0o600
        assert {each.name for each in empty.parent.iterdir()} == {
            *(copy.name, f"{copy.name}.lock", f"{copy.name}.sum"),
            *(empty.name, f"{empty.name}.lock", f"{empty.name}.sum"),
        }


async def test_where_the_tables_are_empty(copy: Path, where: str | Path) -> None:
    before = await make_copy(copy)
    async with await Store.open(where):
        pass
    assert await restore_copy(copy, where) is None
    assert await dump_database(where) == before


async def test_where_something_is_nothing_is_changed(copy: Path, where: str | Path) -> None:
    await make_copy(copy)
    async with await Store.open(where) as store:
        await start_match(store)
    before = await dump_database(where)
    with pytest.raises(
        StoreError,
        match=r" is not empty; `tabula restore --replace` takes its place and keeps it aside$",
    ):
        await restore_copy(copy, where)
    assert await dump_database(where) == before


async def test_what_was_there_is_kept_aside(
    server: PostgreSQLServer, copy: Path, where: str | Path
) -> None:
    expected = await make_copy(copy)
    async with await Store.open(where) as store:
        await start_match(store)
    before = await dump_database(where)
    aside = await restore_copy(copy, where, replace=True)
    assert await dump_database(where) == expected
    assert aside
    if isinstance(where, Path):
        assert re.fullmatch(re.escape(str(where)) + r"\.\d{14}\.old", aside)
        assert await dump_database(aside) == before
        return
    schema = re.fullmatch(
        r"the schema (tabula_\d{14}) of " + re.escape(format_address(parse_address(where))), aside
    )
    assert schema
    name = where.rpartition("/")[2]
    server.execute_sql("DROP SCHEMA public CASCADE", name)
    server.execute_sql(f"ALTER SCHEMA {schema[1]} RENAME TO public", name)
    assert await dump_database(where) == before


async def test_a_database_that_is_in_use_is_left(copy: Path, where: str | Path) -> None:
    await make_copy(copy)
    async with hold_database(str(where)):
        with pytest.raises(StoreError, match=r"is in use by another Tabula; stop that one first$"):
            await restore_copy(copy, where, replace=True)
    async with await Store.open(where) as store:
        assert not any((await dump_tables(store)).values())


async def test_another_program_s_database_is_left(server: PostgreSQLServer, copy: Path) -> None:
    await make_copy(copy)
    where = server.create_database()
    server.execute_sql("CREATE TABLE recipes (name TEXT)", where.rpartition("/")[2])
    with pytest.raises(StoreError, match=r"is the database of another program$"):
        await restore_copy(copy, where, replace=True)
    server.execute_sql("DROP TABLE recipes", where.rpartition("/")[2])
    async with await Store.open(where) as store:
        assert await store.find_problems() == []


async def test_a_damaged_file_is_replaced_and_kept_with_its_log(copy: Path, path: Path) -> None:
    expected = await make_copy(copy)
    async with await Store.open(path) as store:
        await fill_store(store)
    async with await Store.open(path) as store:
        await store.metadata.save("another", "note")
        log = path.with_name(f"{path.name}-wal").read_bytes()
    corrupt_table(path, "events")
    path.write_bytes(b"no database at all" + path.read_bytes()[18:])
    path.with_name(f"{path.name}-wal").write_bytes(log)
    damaged = path.read_bytes()
    aside = await restore_copy(copy, path, replace=True)
    assert aside
    assert await dump_database(path) == expected
    assert Path(aside).read_bytes() == damaged
    assert Path(f"{aside}-wal").read_bytes() == log


async def test_what_is_no_copy_is_refused(copy: Path, path: Path) -> None:
    copy.write_bytes(b"Dear diary" * 100)
    with pytest.raises(StoreError, match=r"copies\.db is not a database$"):
        await restore_copy(copy, path)
    copy.unlink()
    with connect_directly(copy) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(StoreError, match=r"copies\.db is the database of another program$"):
        await restore_copy(copy, path)
    assert not path.exists()
