"""Opening a file: what is ours is brought up to date, what is not is refused in a sentence and left as it was."""

import asyncio
import os
from pathlib import Path

import pytest

from bot.store import Store, StoreError, opening
from bot.store.opening import APPLICATION_ID
from tests.store.build import everything, plainly, started, step

LATER = """CREATE TABLE later (
    name TEXT NOT NULL -- a remark; with a semicolon
) STRICT;
CREATE TRIGGER later_is_kept BEFORE DELETE ON later BEGIN
    SELECT RAISE(ABORT, 'kept');
END;
INSERT INTO later VALUES ('a;b');
"""


def pragma(path: Path, name: str) -> int:
    """One number from the file's head."""
    with plainly(path) as connection:
        return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def content(path: Path) -> bytes:
    """Every byte of a file."""
    return path.read_bytes()


def put(path: Path, what: bytes) -> None:
    """Make a file."""
    path.write_bytes(what)


async def refused(path: Path) -> str:
    """Why the store does not open that file; what it says must be one sentence."""
    with pytest.raises(StoreError) as error:
        await Store.open(path)
    assert "\n" not in str(error.value)
    return str(error.value)


def with_later(monkeypatch: pytest.MonkeyPatch, *scripts: str) -> int:
    """Add migrations to those there are, and return how many there are then."""
    steps = [*opening._steps(), *scripts]  # noqa: SLF001
    monkeypatch.setattr(opening, "_steps", lambda: steps)
    return len(steps)


@pytest.mark.asyncio
@pytest.mark.parametrize("exists", [False, True])
async def test_a_new_or_empty_file_becomes_ours(path: Path, exists: bool) -> None:
    if exists:
        put(path, b"")
    async with await Store.open(path) as store:
        assert await store.check() == []
    assert pragma(path, "application_id") == APPLICATION_ID
    assert pragma(path, "user_version") == len(opening._steps())  # noqa: SLF001
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.asyncio
async def test_opening_again_changes_nothing(store: Store, path: Path) -> None:
    await started(store)
    before = everything(path)
    await store.close()
    async with await Store.open(path):
        assert everything(path) == before


@pytest.mark.asyncio
async def test_many_open_a_new_file_at_once(path: Path) -> None:
    stores = await asyncio.gather(*(Store.open(path) for _ in range(6)))
    for store in stores:
        assert await store.check() == []
        await store.close()


@pytest.mark.asyncio
async def test_a_file_of_a_newer_version_is_refused_and_left(store: Store, path: Path) -> None:
    await store.close()
    with plainly(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = content(path)
    assert await refused(path) == f"{path} was written by a newer version of Tabula; update the program"
    assert content(path) == before


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "script",
    [
        "CREATE TABLE recipes (name TEXT); PRAGMA user_version = 1;",
        "CREATE TABLE recipes (name TEXT); PRAGMA application_id = 77;",
        "PRAGMA application_id = 77;",
        "PRAGMA user_version = 1;",
    ],
)
async def test_the_database_of_another_program_is_refused_and_left(path: Path, script: str) -> None:
    with plainly(path) as connection:
        connection.executescript(script)
    before = content(path)
    assert await refused(path) == f"{path} is the database of another program"
    assert content(path) == before


@pytest.mark.asyncio
async def test_what_is_no_database_is_refused_and_left(path: Path) -> None:
    noise = os.urandom(20_000)
    put(path, noise)
    assert await refused(path) == f"{path} is not a database"
    assert content(path) == noise


@pytest.mark.asyncio
async def test_a_damaged_file_is_refused(store: Store, path: Path) -> None:
    await started(store)
    await store.close()
    with path.open("r+b") as file:
        # Past the file's head, within its first page: the list of its tables.
        file.seek(100)
        file.write(b"\xff" * 3_000)
    assert await refused(path) == f"{path} is damaged; restore a backup"


@pytest.mark.asyncio
async def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "none"
    assert await refused(folder / "tabula.sqlite3") == f"the folder {folder} for the database is missing"
    assert not folder.exists()


@pytest.mark.asyncio
async def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert await refused(tmp_path) == f"{tmp_path} cannot be opened; check its permissions and its folder's"


@pytest.mark.asyncio
async def test_a_migration_keeps_the_old_file_beside_the_new_one(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = await started(store)
    await store.matches.append(number, step(0, "press", 3))
    await store.close()
    old, before = pragma(path, "user_version"), everything(path)
    newest = with_later(monkeypatch, LATER, "ALTER TABLE later ADD COLUMN age INTEGER;\n")
    backup = path.with_name(f"{path.name}.v{old}.bak")
    put(backup, b"cut short by a power cut")
    async with await Store.open(path) as migrated:
        assert len(await migrated.matches.events(number)) == 3
        assert await migrated.check() == []
    assert pragma(path, "user_version") == newest == old + 2
    with plainly(path) as connection:
        assert connection.execute("SELECT name, age FROM later").fetchall() == [("a;b", None)]
    assert everything(backup) == before
    assert (pragma(backup, "application_id"), pragma(backup, "user_version")) == (APPLICATION_ID, old)


@pytest.mark.asyncio
async def test_a_migration_that_fails_leaves_the_file_at_the_version_before(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.close()
    old = pragma(path, "user_version")
    before = everything(path)
    with_later(monkeypatch, "CREATE TABLE half (name TEXT) STRICT;\nINSERT INTO nowhere VALUES (1);\n")
    for _ in range(2):
        assert await refused(path) == "the database refused: no such table: nowhere"
        assert (pragma(path, "user_version"), everything(path)) == (old, before)
    monkeypatch.undo()
    async with await Store.open(path) as again:
        assert await again.check() == []
