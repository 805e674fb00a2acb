"""Copies of a database, of whichever kind it is: each is a file."""

from pathlib import Path

import pytest

from bot.features.matches.store import Matches
from bot.platform.db.backups import back_up_database
from bot.platform.db.errors import StoreError
from bot.platform.db.store import Store
from tests.support.filling import fill_store
from tests.support.postgresql import PostgreSQLServer
from tests.support.stored import build_step, dump_file, dump_tables, start_match

pytestmark = pytest.mark.asyncio


async def test_a_backup_is_the_database_as_it_is_now(
    store: Store, where: str | Path, tmp_path: Path
) -> None:
    await fill_store(store)
    match = await start_match(store)
    await store.get(Matches).apply_update(match, build_step(0, "roll", records=3))
    before = await dump_tables(store)
    copy = tmp_path / "copies" / "copy.db"
    copy.parent.mkdir()
    await back_up_database(where, copy)
    await store.get(Matches).apply_update(match, build_step(3, "move"))
    assert [file.name for file in copy.parent.iterdir()] == ["copy.db"]
    assert copy.stat().st_mode & 0o777 == 0o600
    async with await Store.open(copy) as restored:
        assert await dump_tables(restored) == before
        assert await restored.find_problems() == await store.find_problems()


async def test_a_file_is_copied_whole(path: Path, tmp_path: Path) -> None:
    async with await Store.open(path) as store:
        await fill_store(store)
        await back_up_database(path, tmp_path / "copy.db")
    assert dump_file(tmp_path / "copy.db") == dump_file(path)


async def test_a_backup_never_writes_over_a_file(
    store: Store, where: str | Path, tmp_path: Path
) -> None:
    (tmp_path / "copy.db").write_bytes(b"precious")
    for target in (tmp_path / "copy.db", *([where] if isinstance(where, Path) else [])):
        with pytest.raises(StoreError, match=r"exists already; a backup never writes over a file$"):
            await back_up_database(where, target)
    assert (tmp_path / "copy.db").read_bytes() == b"precious"
    assert await store.find_problems() == []


async def test_a_backup_into_a_missing_folder_says_which(
    store: Store, where: str | Path, tmp_path: Path
) -> None:
    target = tmp_path / "nowhere" / "copy.db"
    with pytest.raises(StoreError) as error:
        await back_up_database(where, target)
    assert str(error.value) == f"{target} cannot be written: No such file or directory"
    assert not target.parent.exists()


async def test_a_server_s_database_that_is_not_ours_is_not_copied(
    server: PostgreSQLServer, tmp_path: Path
) -> None:
    where = server.create_database()
    with pytest.raises(StoreError, match=r"is empty; `tabula run` makes it ready$"):
        await back_up_database(where, tmp_path / "copy.db")
    server.execute_sql("CREATE TABLE recipes (name TEXT)", where.rpartition("/")[2])
    with pytest.raises(StoreError, match=r"is the database of another program$"):
        await back_up_database(where, tmp_path / "copy.db")
    assert list(tmp_path.iterdir()) == []
