"""Deletions in a database with a whole season, and in a backup that knows nothing of them."""

import re
import subprocess
import sys
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from bot.features.matches.store import Matches
from bot.features.privacy.deletion_log import KEPT_MS, Deletion, DeletionLog, read_deletions
from bot.features.privacy.service import erase_everywhere
from bot.features.privacy.store import PersonalData
from bot.features.publication.store import Consents
from bot.ops.checked_backups import (
    create_backup,
    list_deletion_files,
    note_other_restore,
    repeat_deletions,
    restore_backup,
)
from bot.platform.db.copies import COPY_MARK
from bot.platform.db.store import Store
from bot.platform.db.tables import Erasure, PersonalColumn
from tests.store.test_privacy import COLUMNS, dump_values, find_traces
from tests.support.match_season import ANA, BEGAN, BEN
from tests.support.stored import load_display_names
from tests.upkeep.test_command import run_tabula
from tests.upkeep.test_copies import elsewhere
from tests.upkeep.test_doctor import LATE, call_doctor

__all__ = ["elsewhere"]


MANY = 40
"""How many deletions each of several processes lists."""
ASKED_AGAIN = "People asked again whether their matches may be published: {}."


def get_late_time() -> int:
    """An instant after the season."""
    return LATE


async def count_people(where: str | Path, person: int) -> int:
    """How often somebody is known by a name, and as who played a match."""
    async with await Store.open(where) as store:
        names = await store.people.load_names([person])
        return len(names) + len(await store.get(Matches).load_ended_by_person(person, 99))


@pytest.mark.asyncio
async def test_a_season_is_sound_without_one_of_its_players(where: str) -> None:
    async with await Store.open(where) as store:
        matches = store.get(Matches)
        played = len(await matches.load_ended_by_person(ANA.id, 99))
        assert played
        await erase_everywhere(store, ANA.id, LATE)
        assert len(await matches.load_ended_by_person(-1, 99)) == played
        assert await matches.load_ended_by_person(ANA.id, 99) == []
        known = await load_display_names(store.people, [ANA.id, -1])
        assert known == {-1: "deleted player"}
        # Their running matches are ended by a job, once the bot is there.
        waiting = [job for job in await store.jobs.load_all() if job.kind == "retire player"]
        assert [job.key for job in waiting] == ["-1"]
    clean, texts = await call_doctor(where)
    assert (clean, texts) == (True, ["Nothing is wrong."])


@pytest.mark.asyncio
async def test_a_restored_backup_does_not_bring_anybody_back(
    where: str, elsewhere: str, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    log = tmp_path / "deletions"
    await create_backup(where, copy, get_late_time)
    copied = await load_mark(copy)
    # Ben came back after a deletion that the copy knows; Ana's is newer.
    DeletionLog((log,)).append(Deletion(BEN.id, copied - 1))
    DeletionLog((log,)).append(Deletion(ANA.id, copied + 1))
    restored = await restore_backup(
        copy, elsewhere, get_late_time, replace=False, unsound=False, deletions=[log]
    )
    assert restored.repeated == [ANA.id]
    assert list(restored.checked.wrong) == []
    assert await count_people(elsewhere, ANA.id) == 0
    assert await count_people(elsewhere, BEN.id) > 0
    # Without the list, somebody would be back.
    assert await count_people(copy, ANA.id) > 0


async def load_mark(copy: Path) -> int:
    """When a copy was made."""
    async with await Store.open(copy) as store:
        found = await store.generations.load_copy_instant()
    assert found is not None
    return found


@pytest.mark.asyncio
async def test_what_was_restored_by_other_means_forgets_by_a_command(
    where: str, tmp_path: Path
) -> None:
    log = tmp_path / "deletions"
    async with await Store.open(where) as store:
        newest = await store.get(PersonalData).load_newest_instant()
        assert newest >= BEGAN
        assert await store.metadata.load_value(COPY_MARK) is None
    DeletionLog((log,)).append(Deletion(BEN.id, newest - 1))
    assert await repeat_deletions(where, [log], get_late_time) == []
    DeletionLog((log,)).append(Deletion(BEN.id, newest + 1))
    noted = await note_other_restore(where, [log, tmp_path / "none"], get_late_time)
    assert noted == ([BEN.id], 0)
    assert await count_people(where, BEN.id) == 0


@pytest.mark.asyncio
async def test_no_column_names_a_player_of_a_season_any_more(where: str) -> None:
    async with await Store.open(where) as store:
        before = find_people(await dump_values(store))
        assert ANA.id in before["seats.person"] | before["events.person"]
        await erase_everywhere(store, ANA.id, LATE)
        after = find_people(await dump_values(store))
        assert [name for name, people in after.items() if ANA.id in people] == []
        assert -1 in after["seats.person"]
        assert find_traces(await dump_values(store), f'"{ANA.name}"') == set()


def find_people(dump: dict[str, list[str]]) -> dict[str, set[int]]:
    """The whole numbers in each column that can hold a person."""
    return {
        name: {int(number) for value in dump[name] for number in re.findall(r"-?\d+", value)}
        for name, rule in COLUMNS.items()
        if isinstance(rule, PersonalColumn) and rule.erasure not in (Erasure.JOB, Erasure.WORD)
        if rule.erasure is not Erasure.WITH_ROW
    }


def test_where_deletions_are_listed(tmp_path: Path) -> None:
    file = tmp_path / "tabula.sqlite3"
    beside = tmp_path / "tabula.sqlite3.deletions"
    folder, chosen = tmp_path / "copies", tmp_path / "chosen"
    assert list_deletion_files(str(file), None) == (beside,)
    assert list_deletion_files(str(file), None, folder) == (beside, folder / "tabula.deletions")
    assert list_deletion_files(str(file), chosen) == (chosen,)
    server = "postgresql://tabula@127.0.0.1:5432/club"
    assert list_deletion_files(server, None) == ()
    assert list_deletion_files(server, chosen, folder) == (chosen, folder / "tabula.deletions")


@pytest.mark.asyncio
@pytest.mark.wire
async def test_the_program_repeats_deletions(file: Path, tmp_path: Path) -> None:
    settings = {"TABULA_DATABASE": str(file)}
    copy = tmp_path / "copies" / "copy.db"
    copy.parent.mkdir()
    assert (await run_tabula(tmp_path, "backup", str(copy), **settings))[0] == 0
    later = await load_mark(copy) + 1
    # As the bot writes it into the folder of the backups.
    DeletionLog((copy.parent / "tabula.deletions",)).append(Deletion(ANA.id, later))
    status, texts = await run_tabula(tmp_path, "restore", str(copy), "--replace", **settings)
    listed = f"{file}.deletions"
    assert (status, texts[-1]) == (0, f"Deletions repeated: 1, and listed in {listed}.")
    assert await count_people(file, ANA.id) == 0
    log = tmp_path / "more"
    late_copy = tmp_path / "late.db"
    assert (await run_tabula(tmp_path, "backup", str(late_copy), **settings))[0] == 0
    DeletionLog((log,)).append(Deletion(BEN.id, later))
    assert await run_tabula(tmp_path, "forget", str(log), **settings) == (
        0,
        # Ana's is repeated too, as the database is still as it was copied.
        [f"Deletions repeated: 2, and listed in {listed}.", ASKED_AGAIN.format(0)],
    )
    assert await count_people(file, BEN.id) == 0
    # A copy of before, which the list that was named knows to be newer, brings nobody back.
    status, texts = await run_tabula(tmp_path, "restore", str(late_copy), "--replace", **settings)
    assert (status, await count_people(file, BEN.id)) == (0, 0)
    for command in (["forget", "none"], ["restore", str(copy), "--deletions", "none"]):
        status, texts = await run_tabula(tmp_path, *command, **settings)
        assert (status, texts) == (1, ["tabula: there is no file none"])
    log.write_text("no list")
    assert await run_tabula(tmp_path, "forget", str(log), **settings) == (
        1,
        [f"tabula: {log} is not a list of deletions"],
    )


@pytest.mark.asyncio
@pytest.mark.wire
async def test_the_program_deletes_the_data_of_one_person(file: Path, tmp_path: Path) -> None:
    settings = {"TABULA_DATABASE": str(file)}
    async with await Store.open(file) as store:
        await store.get(Consents).save(BEN.id, LATE, "b")
    listed = f"{file}.deletions"
    command = ("forget", "--person", str(ANA.id))
    # What can't be listed isn't done: a backup would bring her back.
    Path(listed).mkdir()
    assert (await run_tabula(tmp_path, *command, **settings))[0] == 1
    assert await count_people(file, ANA.id)
    Path(listed).rmdir()
    assert await run_tabula(tmp_path, *command, **settings) == (
        0,
        [f"People whose data is deleted: 1, and listed in {listed}."],
    )
    assert await count_people(file, ANA.id) == 0
    assert [each.person for each in read_deletions([Path(listed)])] == [ANA.id]
    # Nothing was restored, so whoever else agreed still does.
    assert await run_tabula(tmp_path, "forget", **settings) == (
        0,
        ["Deletions repeated: 0.", ASKED_AGAIN.format(1)],
    )
    for wrong in ("-1", "0", "Ana", str(2**63)):
        status, texts = await run_tabula(tmp_path, "forget", f"--person={wrong}", **settings)
        assert status == 2
        assert texts[-1].endswith(f"{wrong} is not the id of a person on Discord")


def write_torn(log: Path) -> None:
    """Leave of the second deletion what a power cut leaves."""
    DeletionLog((log,)).append(Deletion(ANA.id, 1))
    with log.open("ab") as file:
        file.write(b'{"person": "17')


def test_a_line_that_was_being_written_is_no_deletion_and_hinders_none(tmp_path: Path) -> None:
    log = tmp_path / "deletions"
    write_torn(log)
    assert read_deletions([log]) == [Deletion(ANA.id, 1)]
    DeletionLog((log,)).append(Deletion(BEN.id, 2))
    assert read_deletions([log]) == [Deletion(ANA.id, 1), Deletion(BEN.id, 2)]
    # The whole line of a deletion counts, though its end is missing.
    log.write_bytes(log.read_bytes().removesuffix(b"\n"))
    DeletionLog((log,)).append(Deletion(3, 3))
    assert [each.at for each in read_deletions([log])] == [1, 2, 3]
    # A file that says something else is another's: nothing of it is given up.
    for other in (b"other\n" + log.read_bytes(), log.read_bytes() + b"other"):
        log.write_bytes(other)
        with pytest.raises(ValueError, match="is not a list of deletions"):
            DeletionLog((log,)).append(Deletion(4, 4))
        assert log.read_bytes() == other
        log.write_bytes(other.replace(b"other\n", b"").replace(b"other", b""))


def list_many(ready: Barrier, log: Path, first: int) -> None:
    """List deletions as one of several processes, each of which drops one of before."""
    ready.wait()
    for number in range(MANY):
        DeletionLog((log,)).append(Deletion(first + number, KEPT_MS + number + 1))


def test_processes_that_list_at_once_lose_no_deletion(tmp_path: Path) -> None:
    log = tmp_path / "deletions"
    for number in range(MANY):
        DeletionLog((log,)).append(Deletion(1, number))
    firsts = (100, 200, 300)
    context = get_context("spawn")
    ready = context.Barrier(len(firsts))
    processes = [context.Process(target=list_many, args=(ready, log, first)) for first in firsts]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    listed = {each.person for each in read_deletions([log])}
    assert listed == {first + number for first in firsts for number in range(MANY)}


def test_a_deletion_that_cannot_be_listed_leaves_the_list_whole(tmp_path: Path) -> None:
    log = tmp_path / "deletions"
    DeletionLog((log,)).append(Deletion(ANA.id, 1))
    before = log.read_bytes()
    # As on a full disk: a file may grow no further than this one is.
    program = (
        "import resource, signal, sys; from pathlib import Path;"
        "from bot.features.privacy.deletion_log import Deletion, DeletionLog;"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({len(before)}, {len(before)}));"
        "DeletionLog((Path(sys.argv[1]),)).append(Deletion(2, 2))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, log], capture_output=True, text=True, check=False
    )
    assert ended.returncode
    assert "OSError" in ended.stderr
    assert log.read_bytes() == before
