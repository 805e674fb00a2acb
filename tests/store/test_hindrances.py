"""What the machine may put in the way: locks, places that cannot be written to, a full disk."""

import asyncio
import gc
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from bot.features.matches.rows import MatchUpdateResult
from bot.features.matches.store import Matches
from bot.platform.db import copies, engines, opening
from bot.platform.db.backups import back_up_database
from bot.platform.db.errors import SaveOutcome, StoreError
from bot.platform.db.store import Store
from tests.support.programs import try_opening_elsewhere
from tests.support.stored import build_step, connect_directly, corrupt_table, dump_file, start_match

pytestmark = pytest.mark.asyncio
LOCKED = "is locked by another program"


@pytest.fixture
def where(path: Path) -> Path:
    """Where the database is: here always a file."""
    return path


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait a fifth of a second for another program, not two."""
    for module in (copies, engines, opening):
        monkeypatch.setattr(module, "PATIENCE_S", 0.2)


@contextmanager
def _hold_lock(path: Path, how: str) -> Iterator[None]:
    with connect_directly(path) as other:
        other.execute(f"BEGIN {how}")
        yield


@pytest.mark.usefixtures("impatient")
async def test_a_file_that_another_program_holds_is_not_opened(path: Path) -> None:
    with (
        _hold_lock(path, "EXCLUSIVE"),
        pytest.raises(StoreError, match=f"^{re.escape(str(path))} {LOCKED}$"),
    ):
        await Store.open(path)
    async with await Store.open(path) as store:
        assert await store.find_problems() == []


@pytest.mark.usefixtures("impatient")
async def test_a_change_that_another_program_hinders_is_refused_and_can_be_made_afterwards(
    path: Path,
) -> None:
    async with await Store.open(path) as store:
        match = await start_match(store)
        before = dump_file(path)
        with _hold_lock(path, "IMMEDIATE"), pytest.raises(StoreError) as error:
            await store.get(Matches).apply_update(match, build_step(0, "roll"))
        assert str(error.value) == f"{path} {LOCKED}; nothing was saved"
        assert error.value.saved is SaveOutcome.NOTHING
        assert dump_file(path) == before
        assert await store.get(Matches).apply_update(
            match, build_step(0, "roll")
        ) == MatchUpdateResult(True, 1)


# To root, permissions forbid nothing; in /proc the kernel itself makes no files for anybody.
@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs Linux's /proc")
async def test_a_place_where_no_file_can_be_made_is_named() -> None:
    with pytest.raises(
        StoreError,
        match=r"^/proc/tabula\.db cannot be opened; check its permissions and its folder's$",
    ):
        await Store.open(Path("/proc/tabula.db"))


@pytest.mark.sweep
async def test_a_full_disk_saves_nothing_and_harms_nothing(path: Path) -> None:
    async with await Store.open(path) as store:
        match = await start_match(store)
        await _limit_pages(store, "page_count")
        version = await _fill_disk(store, match)
        before = dump_file(path)
        with pytest.raises(StoreError, match=r"has no room left on its disk; nothing was saved$"):
            await store.get(Matches).apply_update(
                match, build_step(version, "too much", records=500)
            )
        assert dump_file(path) == before
        assert await store.find_problems() == []
        await _limit_pages(store, "1000000")
        again = await store.get(Matches).apply_update(
            match, build_step(version, "too much", records=500)
        )
        assert again == MatchUpdateResult(True, version + 500)


async def _limit_pages(store: Store, most: str) -> None:
    """Let the file grow to so many pages, at least what it has."""

    def work(connection: Connection) -> None:
        pages = (
            connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            if most == "page_count"
            else int(most)
        )
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    await store._database.write(work)  # noqa: SLF001


async def _fill_disk(store: Store, match: int) -> int:
    """Add events until the disk is full, and return how many were added."""
    for version in range(1000):
        try:
            await store.get(Matches).apply_update(match, build_step(version, f"action {version}"))
        except StoreError:
            return version
    pytest.fail("the disk never filled")


@pytest.mark.sweep
async def test_a_second_program_is_refused_and_may_have_the_file_afterwards(
    store: Store, path: Path
) -> None:
    match = await start_match(store)
    sentence = f"{path} is in use by another Tabula; stop that one first"
    assert await try_opening_elsewhere(path) == sentence
    with pytest.raises(StoreError, match=f"^{re.escape(sentence)}$"):
        await Store.open(path)
    assert await store.get(Matches).apply_update(match, build_step(0, "roll")) == MatchUpdateResult(
        True, 1
    )
    await store.close()
    assert await try_opening_elsewhere(path) == ""


async def test_only_its_owner_may_read_it(path: Path) -> None:
    before = os.umask(0)
    try:
        async with await Store.open(path) as store:
            await start_match(store)
            assert {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {
                path.name: 0o600,
                f"{path.name}-wal": 0o600,
                f"{path.name}-shm": 0o600,
                f"{path.name}.lock": 0o600,
            }
            await back_up_database(path, path.with_name("copy.db"))
            assert path.with_name("copy.db").stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)


async def test_a_file_that_everybody_could_read_is_closed_to_them(store: Store, path: Path) -> None:
    await store.close()
    path.chmod(0o644)
    async with await Store.open(path):
        assert path.stat().st_mode & 0o777 == 0o600


async def test_what_people_are_told_names_no_file_and_a_failed_read_says_nothing_of_saving(
    store: Store, path: Path
) -> None:
    match = await start_match(store)
    await store.close()
    async with await Store.open(path) as again:
        corrupt_table(path, "events")
        with pytest.raises(StoreError) as error:
            await again.get(Matches).load_events(match)
    assert str(error.value) == f"{path} is damaged; restore a backup"
    assert error.value.saved is SaveOutcome.NOT_ASKED


async def test_nothing_is_saved_in_a_file_that_lost_its_place(
    store: Store, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    match = await start_match(store)
    away = path.with_name("away.db")
    path.rename(away)
    matches = store.get(Matches)
    for _ in range(3):
        with pytest.raises(StoreError) as error:
            await matches.apply_update(match, build_step(0, "roll"))
        assert error.value.saved is SaveOutcome.NOTHING
        assert str(error.value) == f"{path} is gone; nothing was saved; put it back where it was"
    path.write_bytes(b"another file")
    with pytest.raises(StoreError, match="is gone"):
        await matches.apply_update(match, build_step(0, "roll"))
    path.unlink()
    away.rename(path)
    assert (await matches.apply_update(match, build_step(0, "roll"))).version == 1
    # What is wrong is said once, and once that it is well again.
    texts = [
        line.getMessage() for line in caplog.records if line.name == "bot.platform.db.database"
    ]
    assert texts == [f"{path} is gone; put it back where it was", f"{path} works again"]


async def test_a_damaged_file_is_used_no_more(store: Store, path: Path) -> None:
    match = await start_match(store)
    texts: list[str] = []
    store.on_damage(lambda: texts.append(str(store.damage)))
    with connect_directly(path) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    corrupt_table(path, "events")
    with pytest.raises(StoreError, match="is damaged; nothing was saved; restore a backup"):
        await store.get(Matches).apply_update(match, build_step(0, "roll"))
    before = dump_other_tables(path, "events")
    with pytest.raises(StoreError, match="is damaged"):
        await store.metadata.save("a name", "a text")
    with pytest.raises(StoreError, match="is damaged"):
        await store.metadata.load_value("a name")
    assert len(texts) == 1
    assert dump_other_tables(path, "events") == before


def dump_other_tables(path: Path, damaged: str) -> list[object]:
    """What the tables of a file hold that can be read still."""
    with connect_directly(path) as other:
        names = [
            name for (name,) in other.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        return [
            other.execute(f"SELECT * FROM {name}").fetchall() for name in names if name != damaged
        ]


async def test_a_failure_that_nobody_waits_for_any_more_is_no_traceback(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(connection: Connection) -> None:
        connection.execute(text("SELECT * FROM nothing"))

    async with await Store.open(tmp_path / "tabula.db") as store:
        database = store._database  # noqa: SLF001
        for asked in (database.read, database.write):
            waiting = asyncio.create_task(asked(fail))
            # It has been handed over by then, and goes on.
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            await asyncio.wait(database._under_way)  # noqa: SLF001
        gc.collect()
    assert "never retrieved" not in caplog.text
