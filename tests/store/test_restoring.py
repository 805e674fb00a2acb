"""Restoring a copy in place of a database.

That database is empty, or kept aside, and never in use.
"""

import re
from pathlib import Path

import pytest

from bot.store import Store, StoreError, brought_up, folder_of, restore
from bot.store.address import parse, shown
from tests.store.build import contents, plainly, spoil, started
from tests.store.filling import fill
from tests.store.programs import held
from tests.store.server import PostgreSQL

pytestmark = pytest.mark.asyncio


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Where the copy lies."""
    return tmp_path / "copies.db"


async def copied(copy: Path) -> dict[str, list[str]]:
    """Make the copy; return all that it says."""
    async with await Store.open(copy) as store:
        await fill(store)
        return await contents(store)


async def put_back(copy: Path, where: str | Path, *, replace: bool = False) -> str | None:
    """Restore the copy."""
    async with brought_up(copy, folder_of(where)) as made:
        return await restore(made, where, replace=replace)


async def said(where: str | Path) -> dict[str, list[str]]:
    """All that a database says."""
    async with await Store.open(where) as store:
        return await contents(store)


async def test_where_nothing_is(copy: Path, empty: str | Path) -> None:
    before = await copied(copy)
    assert await put_back(copy, empty) is None
    assert await said(empty) == before
    if isinstance(empty, Path):
        assert empty.stat().st_mode & 0o777 == 0o600
        assert {each.name for each in empty.parent.iterdir()} == {
            *(copy.name, f"{copy.name}.lock"),
            *(empty.name, f"{empty.name}.lock"),
        }


async def test_where_the_tables_are_empty(copy: Path, where: str | Path) -> None:
    before = await copied(copy)
    async with await Store.open(where):
        pass
    assert await put_back(copy, where) is None
    assert await said(where) == before


async def test_where_something_is_nothing_is_changed(copy: Path, where: str | Path) -> None:
    await copied(copy)
    async with await Store.open(where) as store:
        await started(store)
    before = await said(where)
    with pytest.raises(
        StoreError,
        match=r" is not empty; `tabula restore --replace` takes its place and keeps it aside$",
    ):
        await put_back(copy, where)
    assert await said(where) == before


async def test_what_was_there_is_kept_aside(
    server: PostgreSQL, copy: Path, where: str | Path
) -> None:
    expected = await copied(copy)
    async with await Store.open(where) as store:
        await started(store)
    before = await said(where)
    aside = await put_back(copy, where, replace=True)
    assert await said(where) == expected
    assert aside
    if isinstance(where, Path):
        assert re.fullmatch(re.escape(str(where)) + r"\.\d{14}\.old", aside)
        assert await said(aside) == before
        return
    schema = re.fullmatch(r"the schema (tabula_\d{14}) of " + re.escape(shown(parse(where))), aside)
    assert schema
    name = where.rpartition("/")[2]
    server.say("DROP SCHEMA public CASCADE", name)
    server.say(f"ALTER SCHEMA {schema[1]} RENAME TO public", name)
    assert await said(where) == before


async def test_a_database_that_is_in_use_is_left(copy: Path, where: str | Path) -> None:
    await copied(copy)
    async with held(str(where)):
        with pytest.raises(StoreError, match=r"is in use by another Tabula; stop that one first$"):
            await put_back(copy, where, replace=True)
    async with await Store.open(where) as store:
        assert not any((await contents(store)).values())


async def test_another_program_s_database_is_left(server: PostgreSQL, copy: Path) -> None:
    await copied(copy)
    where = server.empty()
    server.say("CREATE TABLE recipes (name TEXT)", where.rpartition("/")[2])
    with pytest.raises(StoreError, match=r"is the database of another program$"):
        await put_back(copy, where, replace=True)
    server.say("DROP TABLE recipes", where.rpartition("/")[2])
    async with await Store.open(where) as store:
        assert await store.check() == []


async def test_a_damaged_file_is_replaced_and_kept_with_its_log(copy: Path, path: Path) -> None:
    expected = await copied(copy)
    async with await Store.open(path) as store:
        await fill(store)
    async with await Store.open(path) as store:
        await store.notes.set("another", "note")
        log = path.with_name(f"{path.name}-wal").read_bytes()
    spoil(path, "events")
    path.write_bytes(b"no database at all" + path.read_bytes()[18:])
    path.with_name(f"{path.name}-wal").write_bytes(log)
    damaged = path.read_bytes()
    aside = await put_back(copy, path, replace=True)
    assert aside
    assert await said(path) == expected
    assert Path(aside).read_bytes() == damaged
    assert Path(f"{aside}-wal").read_bytes() == log


async def test_what_is_no_copy_is_refused(copy: Path, path: Path) -> None:
    copy.write_bytes(b"Dear diary" * 100)
    with pytest.raises(StoreError, match=r"copies\.db is not a database$"):
        await put_back(copy, path)
    copy.unlink()
    with plainly(copy) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(StoreError, match=r"copies\.db is the database of another program$"):
        await put_back(copy, path)
    assert not path.exists()
