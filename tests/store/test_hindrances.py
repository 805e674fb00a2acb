"""What the machine may put in the way: locks, places that cannot be written to, a full disk."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection

from bot.store import Appended, Store, StoreError, copies, engines, opening
from tests.store.build import everything, plainly, started, step

pytestmark = pytest.mark.asyncio
LOCKED = "is locked by another program"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait a fifth of a second for another program, not two."""
    for module in (copies, engines, opening):
        monkeypatch.setattr(module, "PATIENCE_S", 0.2)


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
        with _held(path, "IMMEDIATE"), pytest.raises(StoreError) as refused:
            await store.matches.append(match, step(0, "roll"))
        assert str(refused.value) == f"{path} {LOCKED}; nothing was saved"
        assert refused.value.sentence == f"the database {LOCKED}; nothing was saved"
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
    async with await Store.open(path) as store:
        match = await started(store)
        await _pages(store, "page_count")
        version = await _fill(store, match)
        before = everything(path)
        with pytest.raises(StoreError, match=r"has no room left on its disk; nothing was saved$"):
            await store.matches.append(match, step(version, "too much", records=500))
        assert everything(path) == before
        assert await store.check() == []
        await _pages(store, "1000000")
        again = await store.matches.append(match, step(version, "too much", records=500))
        assert again == Appended(True, version + 500)


async def _pages(store: Store, most: str) -> None:
    """Let the file grow to so many pages, at least what it has."""

    def work(connection: Connection) -> None:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one() if most == "page_count" else int(most)
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    await store._database.write(work)  # noqa: SLF001


async def _fill(store: Store, match: int) -> int:
    """Add events until the disk is full, and return how many were added."""
    for version in range(1000):
        try:
            await store.matches.append(match, step(version, f"action {version}"))
        except StoreError:
            return version
    pytest.fail("the disk never filled")
