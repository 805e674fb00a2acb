"""Opening a file: ours is brought up to date.

Any other is refused in a sentence and left as it was.
"""

import os
from pathlib import Path

import pytest
from sqlalchemy import Connection

from bot.features.matches.store import Matches
from bot.platform.db import migration as migrating
from bot.platform.db.errors import StoreError
from bot.platform.db.migration import APPLICATION_ID, find_newest_version
from bot.platform.db.store import Store
from tests.support import stored

LATER = """
from alembic import op

revision = "{number}"
down_revision = "{before}"


def upgrade():
    {does}
"""


@pytest.fixture
def where(path: Path) -> Path:
    """Where the database is: here always a file."""
    return path


def load_pragma(path: Path, name: str) -> int:
    """One number from the file's head."""
    with stored.connect_directly(path) as connection:
        return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def load_bytes(path: Path) -> bytes:
    """Every byte of a file."""
    return path.read_bytes()


def write_file(path: Path, what: bytes) -> None:
    """Make a file."""
    path.write_bytes(what)


async def find_refusal(path: str | Path) -> str:
    """Why the store does not open that database; what it says must be one sentence."""
    with pytest.raises(StoreError) as error:
        await Store.open(path)
    assert "\n" not in str(error.value)
    return str(error.value)


def add_later_versions(monkeypatch: pytest.MonkeyPatch, folder: Path, *does: str) -> int:
    """Add versions, each by the statements of its step, and return the number of the last."""
    folder.mkdir()
    present = find_newest_version()
    for number, each in enumerate(does, present + 1):
        (folder / f"v{number}.py").write_text(
            LATER.format(number=number, before=number - 1, does=each)
        )
    monkeypatch.setattr(migrating, "FOLDERS", [*migrating.FOLDERS, folder])
    return present + len(does)


@pytest.mark.asyncio
@pytest.mark.parametrize("exists", [False, True])
async def test_a_new_or_empty_file_becomes_ours(path: Path, exists: bool) -> None:
    if exists:
        write_file(path, b"")
    async with await Store.open(path) as store:
        assert await store.find_problems() == []
    assert load_pragma(path, "application_id") == APPLICATION_ID
    assert load_pragma(path, "user_version") == find_newest_version()
    assert sorted(file.name for file in path.parent.iterdir()) == [
        path.name,
        f"{path.name}.lock",
        f"{path.name}.sum",
    ]


@pytest.mark.asyncio
async def test_opening_again_changes_nothing(store: Store, path: Path) -> None:
    await stored.start_match(store)
    before = stored.dump_file(path)
    await store.close()
    async with await Store.open(path):
        assert stored.dump_file(path) == before


@pytest.mark.asyncio
async def test_a_file_of_a_newer_version_is_refused_and_left(store: Store, path: Path) -> None:
    await store.close()
    with stored.connect_directly(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = load_bytes(path)
    assert (
        await find_refusal(path)
        == f"{path} was written by a newer version of Tabula; update the program"
    )
    assert load_bytes(path) == before


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
    with stored.connect_directly(path) as connection:
        connection.executescript(script)
    before = load_bytes(path)
    assert await find_refusal(path) == f"{path} is the database of another program"
    assert load_bytes(path) == before


@pytest.mark.asyncio
async def test_what_is_no_database_is_refused_and_left(path: Path) -> None:
    noise = os.urandom(20_000)
    write_file(path, noise)
    assert await find_refusal(path) == f"{path} is not a database"
    assert load_bytes(path) == noise


@pytest.mark.asyncio
async def test_a_damaged_file_is_refused(store: Store, path: Path) -> None:
    await stored.start_match(store)
    await store.close()
    with path.open("r+b") as file:
        # Past the file's head, within its first page: the list of its tables.
        file.seek(100)
        file.write(b"\xff" * 3_000)
    assert await find_refusal(path) == f"{path} is damaged; restore a backup"


@pytest.mark.asyncio
async def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "none"
    assert (
        await find_refusal(folder / "tabula.sqlite3")
        == f"the folder {folder} for the database is missing"
    )
    assert not folder.exists()


@pytest.mark.asyncio
async def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert (
        await find_refusal(tmp_path)
        == f"{tmp_path} cannot be opened; check its permissions and its folder's"
    )


@pytest.mark.asyncio
async def test_a_migration_keeps_the_old_file_beside_the_new_one(
    store: Store, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = await stored.start_match(store)
    await store.get(Matches).apply_update(number, stored.build_step(0, "press", 3))
    await store.close()
    old, before = load_pragma(path, "user_version"), stored.dump_file(path)
    last = add_later_versions(
        monkeypatch,
        tmp_path / "later",
        'op.execute("CREATE TABLE later (name TEXT NOT NULL)")',
        'op.execute("ALTER TABLE later ADD COLUMN age INTEGER")',
    )
    backup = path.with_name(f"{path.name}.v{old}.bak")
    write_file(backup, b"cut short by a power cut")
    async with await Store.open(path) as migrated:
        assert len(await migrated.get(Matches).load_events(number)) == 3
        assert await migrated.find_problems() == ["the table later is not one of Tabula's"]
    assert load_pragma(path, "user_version") == last == old + 2
    with stored.connect_directly(path) as connection:
        assert connection.execute("SELECT name, age FROM later").fetchall() == []
    assert stored.dump_file(backup) == before
    assert (load_pragma(backup, "application_id"), load_pragma(backup, "user_version")) == (
        APPLICATION_ID,
        old,
    )


@pytest.mark.asyncio
async def test_a_migration_that_fails_leaves_the_file_at_the_version_before(
    store: Store, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.close()
    old = load_pragma(path, "user_version")
    before = stored.dump_file(path)
    add_later_versions(
        monkeypatch,
        tmp_path / "later",
        'op.execute("CREATE TABLE half (name TEXT)")',
        'op.execute("INSERT INTO nowhere VALUES (1)")',
    )
    for _ in range(2):
        assert await find_refusal(path) == "the database refused: no such table: nowhere"
        assert (load_pragma(path, "user_version"), stored.dump_file(path)) == (old, before)
    monkeypatch.undo()
    async with await Store.open(path) as again:
        assert await again.find_problems() == []


@pytest.mark.asyncio
async def test_the_file_is_written_ahead_and_to_the_disk(store: Store, path: Path) -> None:
    def asked(connection: Connection) -> list[int]:
        names = ("synchronous", "foreign_keys", "busy_timeout")
        return [connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in names]

    full, on, two_seconds = 2, 1, 2_000
    assert await store._database.write(asked) == [full, on, two_seconds]  # noqa: SLF001
    with stored.connect_directly(path) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        tables = connection.execute(
            "SELECT name, strict FROM pragma_table_list WHERE type = 'table'"
        ).fetchall()
    # Alembic makes a table of its own.
    assert {name for name, strict in tables if not strict} == {
        "sqlite_schema",
        "sqlite_temp_schema",
        "tabula_version",
    }


@pytest.mark.asyncio
@pytest.mark.parametrize("killed", [False, True])
async def test_a_file_with_a_page_that_is_damaged_is_refused_and_left(
    path: Path, killed: bool
) -> None:
    async with await Store.open(path) as store:
        await stored.start_match(store)
    async with await Store.open(path) as store:
        await store.metadata.save("commands", "told")
        # What a killed program leaves: a log that was not yet brought into the file.
        log = load_bytes(path.with_name(f"{path.name}-wal"))
    stored.corrupt_table(path, "events")
    if killed:
        write_file(path.with_name(f"{path.name}-wal"), log)
    before = load_bytes(path)
    assert await find_refusal(path) == f"{path} is damaged; restore a backup"
    assert load_bytes(path) == before


@pytest.mark.asyncio
@pytest.mark.sweep
async def test_a_file_whose_making_was_cut_short_is_made_again(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "making.db"
    with stored.connect_directly(file) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("CREATE TABLE people (name TEXT)")
        connection.executemany("INSERT INTO people VALUES (?)", [("x" * 3_000,)] * 50)
        # The file and its journal as a power cut leaves them now.
        write_file(path, load_bytes(file))
        write_file(
            path.with_name(f"{path.name}-journal"),
            load_bytes(file.with_name(f"{file.name}-journal")),
        )
    async with await Store.open(path) as store:
        assert await store.find_problems() == []
        assert await stored.load_display_names(store.people, [1]) == {}
