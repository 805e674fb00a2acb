"""Copies of the file."""

from pathlib import Path

import pytest

from bot.store import Store, StoreError, backup
from tests.store.build import everything, started, step


@pytest.fixture
def where(path: Path) -> Path:
    """Where the database is: here always a file."""
    return path


@pytest.mark.asyncio
async def test_a_backup_is_the_database_as_it_is_now(store: Store, path: Path, tmp_path: Path) -> None:
    match = await started(store)
    await store.matches.append(match, step(0, "roll", records=3))
    copy = tmp_path / "copy.db"
    await backup(path, copy)
    assert everything(copy) == everything(path)
    await store.matches.append(match, step(3, "move"))
    async with await Store.open(copy) as restored:
        assert await restored.check() == []
        assert [event.version for event in await restored.matches.events(match)] == [1, 2, 3]


@pytest.mark.asyncio
async def test_a_backup_never_writes_over_a_file(store: Store, path: Path, tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_bytes(b"precious")
    for target in (tmp_path / "copy.db", path):
        with pytest.raises(StoreError, match=r"exists already; a backup never writes over a file$"):
            await backup(path, target)
    assert (tmp_path / "copy.db").read_bytes() == b"precious"
    assert await store.check() == []


@pytest.mark.asyncio
async def test_a_backup_into_a_missing_folder_says_which(store: Store, path: Path, tmp_path: Path) -> None:
    target = tmp_path / "nowhere" / "copy.db"
    with pytest.raises(StoreError) as error:
        await backup(path, target)
    assert str(error.value) == f"{target} cannot be written: No such file or directory"
    assert not target.parent.exists()
