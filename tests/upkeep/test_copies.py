"""Copies are replayed before anybody trusts them, and restored, between both kinds of database."""

import gzip
from pathlib import Path

import pytest

from bot.store import Store, StoreError, new_key
from bot.upkeep.copies import Unsound, back_up, put_back
from tests.store.build import contents, everything
from tests.store.conftest import DATABASES
from tests.store.server import PostgreSQL
from tests.upkeep.season import BEGAN, gone_through
from tests.upkeep.test_command import tabula
from tests.upkeep.test_doctor import change, examined, kept, one_missing

pytestmark = pytest.mark.asyncio
SAMPLES = Path(__file__).parents[1] / "store" / "samples"


def clock() -> int:
    """An instant."""
    return BEGAN


@pytest.fixture(params=DATABASES)
def elsewhere(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where another empty database is, of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "elsewhere.db")
    server: PostgreSQL = request.getfixturevalue("server")
    return server.empty()


async def test_a_season_goes_through_a_copy_into_either_database(
    where: str, elsewhere: str, tmp_path: Path
) -> None:
    before = await kept(where)
    copy = tmp_path / "copy.db"
    checked = await back_up(where, copy, clock)
    assert (checked.gone.matches, list(checked.wrong)) == (8, [])
    assert await kept(where) == before
    restored = await put_back(copy, elsewhere, clock, replace=False, unsound=False)
    assert (restored.checked, restored.aside) == (checked, None)
    assert await kept(elsewhere) == before
    assert await examined(elsewhere) == (True, ["Nothing is wrong."])


async def test_a_copy_is_taken_while_the_season_goes_on(
    store: Store, where: str, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    checked = await back_up(where, copy, clock)
    assert (checked.gone.matches, list(checked.wrong)) == (8, [])
    assert await store.check() == []


async def test_what_is_wrong_in_the_database_is_told_and_copied(
    where: str, elsewhere: str, tmp_path: Path
) -> None:
    told = [await one_missing(where)]
    await change(where, "DELETE FROM events WHERE match = 8 AND version = 5")
    before = await kept(where)
    copy = tmp_path / "copy.db"
    assert list((await back_up(where, copy, clock)).wrong) == told
    with pytest.raises(Unsound) as error:
        await put_back(copy, elsewhere, clock, replace=False, unsound=False)
    assert list(error.value.checked.wrong) == told
    restored = await put_back(copy, elsewhere, clock, replace=False, unsound=True)
    assert list(restored.checked.wrong) == told
    assert await kept(elsewhere) == before


async def test_a_copy_of_an_earlier_version_is_brought_up(tmp_path: Path, elsewhere: str) -> None:
    copy = tmp_path / "copy.db"
    copy.write_bytes(gzip.decompress((SAMPLES / "v5.sqlite3.gz").read_bytes()))
    before = everything(copy)
    # What stands in that sample was made up for the store, which knows no rules.
    with pytest.raises(Unsound):
        await put_back(copy, elsewhere, clock, replace=False, unsound=False)
    await put_back(copy, elsewhere, clock, replace=False, unsound=True)
    assert everything(copy) == before
    async with await Store.visit(elsewhere) as store:
        assert len((await contents(store))["matches"]) == 2


async def test_a_database_that_is_not_empty(where: str, tmp_path: Path) -> None:
    before = await kept(where)
    copy = tmp_path / "copy.db"
    await back_up(where, copy, clock)
    with pytest.raises(
        StoreError,
        match=r" is not empty; `tabula restore --replace` takes its place and keeps it aside$",
    ):
        await put_back(copy, where, clock, replace=False, unsound=False)
    await change(where, "DELETE FROM jobs")
    assert (await put_back(copy, where, clock, replace=True, unsound=False)).aside
    assert await kept(where) == before


@pytest.mark.sweep
@pytest.mark.wire
async def test_the_commands_of_a_sound_copy(file: Path, tmp_path: Path) -> None:
    there = {"TABULA_DATABASE": str(file)}
    everything_replayed = gone_through(file)
    told = [f"Backed up to copy.db: {everything_replayed}."]
    assert await tabula(tmp_path, "backup", "copy.db", "--gently", **there) == (0, told)
    told = ["tabula: copy.db exists already; a backup never writes over a file"]
    assert await tabula(tmp_path, "backup", "copy.db", **there) == (1, told)
    told = [
        (
            f"tabula: {file} is not empty; `tabula restore --replace` takes its place and keeps it "
            "aside"
        )
    ]
    assert await tabula(tmp_path, "restore", "copy.db", **there) == (1, told)
    status, told = await tabula(tmp_path, "restore", "copy.db", "--replace", **there)
    assert (status, told[-1]) == (0, f"Restored from copy.db: {everything_replayed}.")
    assert told[0].startswith(f"The previous database is now {file}.")


@pytest.mark.sweep
@pytest.mark.wire
async def test_the_commands_of_a_copy_that_is_not_sound(file: Path, tmp_path: Path) -> None:
    wrong = await one_missing(str(file))
    await change(str(file), "DELETE FROM events WHERE match = 8 AND version = 5")
    there, new = {"TABULA_DATABASE": str(file)}, {"TABULA_DATABASE": "new.db"}
    said = "tabula: the backup copy.db is made, but fails the checks; run `tabula doctor`"
    assert await tabula(tmp_path, "backup", "copy.db", **there) == (1, [wrong, said])
    said = (
        "tabula: copy.db fails the checks and was not restored; use --unsound to restore it anyway"
    )
    assert await tabula(tmp_path, "restore", "copy.db", **new) == (1, [wrong, said])
    assert not (tmp_path / "new.db").exists()
    said = "tabula: copy.db is restored, but fails the checks; run `tabula doctor`"
    assert await tabula(tmp_path, "restore", "copy.db", "--unsound", **new) == (1, [wrong, said])
    assert (tmp_path / "new.db").exists()


async def test_a_sealed_match_goes_through_a_copy_with_its_key_alone(
    where: str, elsewhere: str, tmp_path: Path
) -> None:
    before = await kept(where)
    key = new_key()
    async with await Store.open(where, [key]):
        pass
    sealed = await kept(where)
    assert sealed != before
    copy = tmp_path / "copy.db"
    checked = await back_up(where, copy, clock, [key])
    assert list(checked.wrong) == []
    with pytest.raises(StoreError, match=r"give TABULA_SEAL the key that sealed them$"):
        await put_back(copy, elsewhere, clock, replace=False, unsound=False)
    await put_back(copy, elsewhere, clock, [key], replace=False, unsound=False)
    assert await kept(elsewhere) == sealed
