"""Copies are replayed before anybody trusts them, and restored, between both kinds of database."""

import gzip
import os
import shutil
from pathlib import Path

import pytest

from bot.ops.checked_backups import UnsoundCopyError, create_backup, restore_backup
from bot.platform.db.errors import StoreError
from bot.platform.db.sealing import generate_seal_key
from bot.platform.db.store import Store
from tests.store.conftest import DATABASES
from tests.support.match_season import BEGAN, format_replay_report
from tests.support.postgresql import PostgreSQLServer
from tests.support.stored import dump_file, dump_tables
from tests.upkeep.test_command import run_tabula
from tests.upkeep.test_doctor import (
    call_doctor,
    change_database,
    dump_database,
    format_missing_event,
)

pytestmark = pytest.mark.asyncio
SAMPLES = Path(__file__).parents[1] / "store" / "samples"


def get_fixed_time() -> int:
    """An instant."""
    return BEGAN


@pytest.fixture(params=DATABASES)
def elsewhere(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where another empty database is, of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "elsewhere.db")
    server: PostgreSQLServer = request.getfixturevalue("server")
    return server.create_database()


@pytest.mark.sweep
async def test_a_season_goes_through_a_copy_into_either_database(
    where: str, elsewhere: str, tmp_path: Path
) -> None:
    before = await dump_database(where)
    copy = tmp_path / "copy.db"
    checked = await create_backup(where, copy, get_fixed_time)
    assert (checked.gone.matches, list(checked.wrong)) == (8, [])
    assert await dump_database(where) == before
    restored = await restore_backup(copy, elsewhere, get_fixed_time, replace=False, unsound=False)
    assert (restored.checked, restored.aside) == (checked, None)
    assert await dump_database(elsewhere) == before
    assert await call_doctor(elsewhere) == (True, ["Nothing is wrong."])


async def test_a_copy_is_taken_while_the_season_goes_on(
    store: Store, where: str, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    checked = await create_backup(where, copy, get_fixed_time)
    assert (checked.gone.matches, list(checked.wrong)) == (8, [])
    assert await store.find_problems() == []


async def test_what_is_wrong_in_the_database_is_told_and_copied(
    where: str, elsewhere: str, tmp_path: Path
) -> None:
    texts = [await format_missing_event(where)]
    await change_database(where, "DELETE FROM events WHERE match = 8 AND version = 5")
    before = await dump_database(where)
    copy = tmp_path / "copy.db"
    assert list((await create_backup(where, copy, get_fixed_time)).wrong) == texts
    with pytest.raises(UnsoundCopyError) as error:
        await restore_backup(copy, elsewhere, get_fixed_time, replace=False, unsound=False)
    assert list(error.value.checked.wrong) == texts
    restored = await restore_backup(copy, elsewhere, get_fixed_time, replace=False, unsound=True)
    assert list(restored.checked.wrong) == texts
    assert await dump_database(elsewhere) == before


async def test_a_copy_of_an_earlier_version_is_brought_up(tmp_path: Path, elsewhere: str) -> None:
    copy = tmp_path / "copy.db"
    copy.write_bytes(gzip.decompress((SAMPLES / "v5.sqlite3.gz").read_bytes()))
    before = dump_file(copy)
    # What stands in that sample was made up for the store, which knows no rules.
    with pytest.raises(UnsoundCopyError):
        await restore_backup(copy, elsewhere, get_fixed_time, replace=False, unsound=False)
    await restore_backup(copy, elsewhere, get_fixed_time, replace=False, unsound=True)
    assert dump_file(copy) == before
    async with await Store.open_read_only(elsewhere) as store:
        assert len((await dump_tables(store))["matches"]) == 2


@pytest.mark.sweep
async def test_a_database_that_is_not_empty(where: str, tmp_path: Path) -> None:
    before = await dump_database(where)
    copy = tmp_path / "copy.db"
    await create_backup(where, copy, get_fixed_time)
    with pytest.raises(
        StoreError,
        match=r" is not empty; `tabula restore --replace` takes its place and keeps it aside$",
    ):
        await restore_backup(copy, where, get_fixed_time, replace=False, unsound=False)
    await change_database(where, "DELETE FROM jobs")
    assert (await restore_backup(copy, where, get_fixed_time, replace=True, unsound=False)).aside
    assert await dump_database(where) == before


@pytest.mark.sweep
@pytest.mark.wire
async def test_the_commands_of_a_sound_copy(file: Path, tmp_path: Path) -> None:
    there = {"TABULA_DATABASE": str(file)}
    everything_replayed = format_replay_report(file)
    texts = [f"Backed up to copy.db: {everything_replayed}."]
    assert await run_tabula(tmp_path, "backup", "copy.db", "--gently", **there) == (0, texts)
    texts = ["tabula: copy.db exists already; a backup never writes over a file"]
    assert await run_tabula(tmp_path, "backup", "copy.db", **there) == (1, texts)
    texts = [
        (
            f"tabula: {file} is not empty; `tabula restore --replace` takes its place and keeps it "
            "aside"
        )
    ]
    assert await run_tabula(tmp_path, "restore", "copy.db", **there) == (1, texts)
    status, texts = await run_tabula(tmp_path, "restore", "copy.db", "--replace", **there)
    assert (status, texts[-1]) == (0, f"Restored from copy.db: {everything_replayed}.")
    assert texts[0].startswith(f"The previous database is now {file}.")


@pytest.mark.sweep
@pytest.mark.wire
async def test_the_commands_of_a_copy_that_is_not_sound(file: Path, tmp_path: Path) -> None:
    wrong = await format_missing_event(str(file))
    await change_database(str(file), "DELETE FROM events WHERE match = 8 AND version = 5")
    there, new = {"TABULA_DATABASE": str(file)}, {"TABULA_DATABASE": "new.db"}
    text = "tabula: the backup copy.db is made, but fails the checks; run `tabula doctor`"
    assert await run_tabula(tmp_path, "backup", "copy.db", **there) == (1, [wrong, text])
    text = (
        "tabula: copy.db fails the checks and was not restored; use --unsound to restore it anyway"
    )
    assert await run_tabula(tmp_path, "restore", "copy.db", **new) == (1, [wrong, text])
    assert not (tmp_path / "new.db").exists()
    text = "tabula: copy.db is restored, but fails the checks; run `tabula doctor`"
    assert await run_tabula(tmp_path, "restore", "copy.db", "--unsound", **new) == (
        1,
        [wrong, text],
    )
    assert (tmp_path / "new.db").exists()


async def test_a_sealed_match_goes_through_a_copy_with_its_key_alone(
    where: str, elsewhere: str, tmp_path: Path
) -> None:
    before = await dump_database(where)
    key = generate_seal_key()
    async with await Store.open(where, [key]):
        pass
    sealed = await dump_database(where)
    assert sealed != before
    copy = tmp_path / "copy.db"
    checked = await create_backup(where, copy, get_fixed_time, [key])
    assert list(checked.wrong) == []
    with pytest.raises(StoreError, match="give TABULA_SEAL the key that sealed them"):
        await restore_backup(copy, elsewhere, get_fixed_time, replace=False, unsound=False)
    await restore_backup(copy, elsewhere, get_fixed_time, [key], replace=False, unsound=False)
    assert await dump_database(elsewhere) == sealed


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("dangling", "{} exists already; a backup never writes over a file"),
        ("circle", "{} exists already; a backup never writes over a file"),
        ("folder", "{} exists already; a backup never writes over a file"),
        ("missing/copy.db", "{} cannot be written: No such file or directory"),
        (".env", "{} is a file of the bot's own; give the backup another name"),
        (
            "season.db.deletions",
            "{} is a file of the bot's own; give the backup another name",
        ),
        (
            "season.db-journal",
            "{} is a file of the bot's own; give the backup another name",
        ),
    ],
)
@pytest.mark.wire
async def test_where_no_backup_may_lie(
    played: Path, tmp_path: Path, name: str, sentence: str
) -> None:
    file = Path(shutil.copy(played, tmp_path / "season.db"))
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "folder").mkdir()
    there = {"TABULA_DATABASE": str(file)}
    texts = [f"tabula: {sentence.format(name)}"]
    assert await run_tabula(tmp_path, "backup", name, **there) == (1, texts)
    left = {each.name for each in tmp_path.iterdir() if not each.name.startswith("season.db-")}
    assert left == {"season.db", "dangling", "circle", "folder"}


async def test_a_file_that_appears_meanwhile_is_not_replaced(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"

    def look() -> int:
        copy.write_bytes(b"another")
        return BEGAN

    with pytest.raises(StoreError, match=r"exists already; a backup never writes over a file$"):
        await create_backup(str(file), copy, look)
    assert copy.read_bytes() == b"another"
    assert not list(tmp_path.glob(".tabula-*"))


async def test_a_backup_has_its_name_once_it_is_examined(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    seen = []

    def look() -> int:
        seen.append(sorted(each.name for each in folder.iterdir()))
        return BEGAN

    await create_backup(str(file), folder / "copy.db", look)
    assert seen
    assert all("copy.db" not in names for names in seen)
    assert [each.name for each in folder.iterdir()] == ["copy.db"]


async def test_what_a_killed_program_left_is_removed_after_a_day(
    file: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    for name in (".tabula-k1ll3d_x", ".tabula-younger_", ".tabula-other", ".tabula-my_files"):
        (folder / name).mkdir(mode=0o700)
        (folder / name / "copy.db").touch()
        if name != ".tabula-younger_":
            os.utime(folder / name, (0, 0))
    # Others may look into this one, so it's somebody's own.
    (folder / ".tabula-my_files").chmod(0o755)
    await create_backup(str(file), folder / "copy.db", get_fixed_time)
    left = sorted(each.name for each in folder.iterdir())
    assert left == [".tabula-my_files", ".tabula-other", ".tabula-younger_", "copy.db"]


@pytest.mark.parametrize("name", ["folder", "pipe", "circle", "missing/season.db"])
async def test_what_is_no_file_is_not_replaced(file: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "circle").symlink_to("circle")
    before = sorted(tmp_path.iterdir())
    place = str(tmp_path / name)
    with pytest.raises(StoreError, match=r"is not a file that could be replaced$|is missing$"):
        await restore_backup(file, place, get_fixed_time, replace=True, unsound=False)
    assert sorted(tmp_path.iterdir()) == before


async def test_a_database_is_not_restored_from_itself(file: Path, tmp_path: Path) -> None:
    (tmp_path / "linked.db").symlink_to(file)
    before = await dump_database(str(file))
    for copy in (file, tmp_path / "linked.db"):
        with pytest.raises(StoreError, match=r" is the database itself; give the backup that "):
            await restore_backup(copy, str(file), get_fixed_time, replace=True, unsound=False)
    assert await dump_database(str(file)) == before


async def test_a_link_to_a_database_stays_one(file: Path, tmp_path: Path) -> None:
    copy, linked = tmp_path / "copy.db", tmp_path / "linked.db"
    await create_backup(str(file), copy, get_fixed_time)
    before = await dump_database(str(file))
    await change_database(str(file), "DELETE FROM jobs")
    linked.symlink_to(file)
    done = await restore_backup(copy, str(linked), get_fixed_time, replace=True, unsound=False)
    assert linked.is_symlink()
    assert await dump_database(str(file)) == before
    assert done.aside is not None
    assert Path(done.aside).parent == file.parent
    assert not Path(done.aside).is_symlink()
