"""What the machine may put in the way: locks, places that cannot be written to, a full disk."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.store import Appended, Store, StoreError, database, opening
from bot.store.database import Database
from tests.store.build import everything, plainly, started, step

pytestmark = pytest.mark.asyncio
LOCKED = "is locked by another program; nothing was saved"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait a fifth of a second for another program, not five."""
    for module in (database, opening):
        monkeypatch.setattr(module, "BUSY_S", 0.2)


@contextmanager
def _held(path: Path, how: str) -> Iterator[None]:
    with plainly(path) as other:
        other.execute(f"BEGIN {how}")
        yield


@pytest.mark.usefixtures("impatient")
async def test_a_file_that_another_program_holds_is_not_opened(path: Path) -> None:
    with _held(path, "EXCLUSIVE"), pytest.raises(StoreError, match=f"^{re.escape(str(path))} {LOCKED}$"):
        await Store.open(path)
    async with await Store.open(path) as store:
        assert await store.check() == []


@pytest.mark.usefixtures("impatient")
async def test_a_change_that_another_program_hinders_is_refused_and_can_be_made_afterwards(path: Path) -> None:
    async with await Store.open(path) as store:
        match = await started(store)
        before = everything(path)
        with _held(path, "IMMEDIATE"), pytest.raises(StoreError, match=f"^{re.escape(str(path))} {LOCKED}$"):
            await store.matches.append(match, step(0, "roll"))
        assert everything(path) == before
        assert await store.matches.append(match, step(0, "roll")) == Appended(True, 1)


# To root, permissions forbid nothing; in /proc the kernel itself makes no files for anybody.
@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs Linux's /proc")
async def test_a_place_where_no_file_can_be_made_is_named() -> None:
    with pytest.raises(
        StoreError, match=r"^/proc/tabula\.db cannot be opened; check its permissions and its folder's$"
    ):
        await Store.open(Path("/proc/tabula.db"))


async def test_a_full_disk_saves_nothing_and_harms_nothing(path: Path) -> None:
    opened = await Database.open(path)
    async with Store(opened) as store:
        match = await started(store)
        await _pages(opened, "page_count")
        version = await _fill(store, match)
        before = everything(path)
        with pytest.raises(StoreError, match=r"^the disk is full; nothing was saved$"):
            await store.matches.append(match, step(version, "too much", records=500))
        assert everything(path) == before
        assert await store.check() == []
        await _pages(opened, "1000000")
        again = await store.matches.append(match, step(version, "too much", records=500))
        assert again == Appended(True, version + 500)


async def _pages(opened: Database, most: str) -> None:
    """Let the file grow to so many pages, at least what it has."""

    def work(connection: sqlite3.Connection) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0] if most == "page_count" else int(most)
        connection.execute(f"PRAGMA max_page_count = {pages}")

    await opened.write(work)


async def _fill(store: Store, match: int) -> int:
    """Add events until the disk is full, and return how many were added."""
    for version in range(1000):
        try:
            await store.matches.append(match, step(version, f"action {version}"))
        except StoreError:
            return version
    pytest.fail("the disk never filled")
