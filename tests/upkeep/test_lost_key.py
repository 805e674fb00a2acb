"""A seal key that is lost for good costs what it sealed, and nothing else."""

from pathlib import Path

import pytest

from bot.features.challenges.store import Challenges
from bot.features.matches.store import Matches
from bot.ops.checked_backups import create_backup
from bot.ops.doctor import DoctorOptions, examine_and_repair
from bot.platform.db.sealing import generate_seal_key
from bot.platform.db.store import Store
from tests.store.test_sealing import keep_out
from tests.upkeep.test_command import run_tabula
from tests.upkeep.test_doctor import LATE, dump_database

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]
OTHER = generate_seal_key()
RUNNING = 8


async def seal(where: str, key: str) -> int:
    """Seal a season's running match and open challenge; return the number of the challenge."""
    async with await Store.open(where, [key]) as store:
        (number,) = await store.get(Challenges).load_all_open_numbers()
    return number


async def lose_key(where: str, folder: Path, *flags: str, text: str = "") -> tuple[int, list[str]]:
    """Go on without the key; the backup is lost.db."""
    arguments = ("key", "--lost", "lost.db", *flags)
    return await run_tabula(folder, *arguments, text=text, TABULA_DATABASE=where, TABULA_SEAL=OTHER)


async def test_what_a_lost_key_sealed_ends_and_the_rest_stays(where: str, tmp_path: Path) -> None:
    left_open = await seal(where, generate_seal_key())
    before = await dump_database(where)
    folder = tmp_path / "work"
    folder.mkdir()
    settings = {"TABULA_DATABASE": where, "TABULA_SEAL": OTHER}

    status, lines = await run_tabula(folder, "run", TABULA_TOKEN="secret", **settings)
    assert status == 78
    assert lines[-1].endswith("(if it is lost for good: `tabula key --lost FILE`)")
    status, lines = await run_tabula(folder, "backup", "copy.db", **settings)
    assert (status, list(folder.iterdir())) == (1, [])

    status, lines = await lose_key(where, folder, text="no\n")
    assert (status, lines) == (
        1,
        [
            "What no key in TABULA_SEAL opens:",
            "- dice of running matches: 1, which are annulled, without any rating",
            "- dice of open challenges: 1, which are withdrawn",
            "Everything else stays. First, a backup is made as lost.db.",
            "If the key may be found, or is only misspelt, stop here.",
            "Type “lost” to go on: tabula: nothing was changed",
        ],
    )
    assert (await dump_database(where), list(folder.iterdir())) == (before, [])

    status, lines = await lose_key(where, folder, text="lost\n")
    assert (status, lines[-2:]) == (
        0,
        [
            "Type “lost” to go on: Matches annulled: 1; challenges withdrawn: 1.",
            "Their channels say so once the bot runs.",
        ],
    )
    async with await Store.open(where, [OTHER]) as store:
        row = await store.get(Matches).load_row(RUNNING)
        assert row is not None
        assert (row.how, row.winner, row.secret) == ("annulled", "draw", b"")
        assert await store.get(Challenges).load_all_open_numbers() == []
        due = {(job.kind, job.key) for job in await store.jobs.load_all()}
    assert {("show match", "8"), ("show challenge", str(left_open))} <= due
    # The results and ratings of all others are as they were.
    after = await dump_database(where)
    assert {name: rows for name, rows in after.items() if name.startswith("rating")} == {
        name: rows for name, rows in before.items() if name.startswith("rating")
    }
    # A lost secret is nothing that is wrong.
    settings["TABULA_DELETIONS"] = str(folder / "deletions")
    assert await run_tabula(folder, "doctor", "--offline", **settings) == (0, ["Nothing is wrong."])
    assert await lose_key(where, folder) == (
        0,
        ["The keys in TABULA_SEAL open everything; nothing is lost."],
    )


async def test_the_backup_is_of_before_and_opens_with_the_key_that_is_found(
    file: Path, tmp_path: Path
) -> None:
    key = generate_seal_key()
    await seal(str(file), key)
    before = await dump_database(str(file))
    assert (await lose_key(str(file), tmp_path, "--yes"))[0] == 0
    assert await dump_database(str(tmp_path / "lost.db")) == before
    status, lines = await run_tabula(
        *(tmp_path, "restore", "--replace", "lost.db"),
        TABULA_DATABASE=str(file),
        TABULA_SEAL=f"{OTHER},{key}",
    )
    assert (status, lines[-1].startswith("Restored from lost.db")) == (0, True)
    async with await Store.open(file, [OTHER]) as store:
        row = await store.get(Matches).load_row(RUNNING)
        assert row is not None
        assert row.ended is None


async def test_what_was_broken_off_is_gone_on_with(where: str, tmp_path: Path) -> None:
    await seal(where, generate_seal_key())
    # As if it had been killed before the matches were annulled.
    async with await Store.open(where, [OTHER], drops_lost=True):
        pass
    assert (await lose_key(where, tmp_path, "--yes"))[1][-2] == (
        "Matches annulled: 1; challenges withdrawn: 1."
    )


async def test_nothing_is_given_up_while_the_bot_runs(where: str, tmp_path: Path) -> None:
    key = generate_seal_key()
    await seal(where, key)
    before = await dump_database(where)
    async with await Store.open(where, [key]):
        status, lines = await lose_key(where, tmp_path, "--yes")
    assert (status, lines[-1]) == (
        1,
        "tabula: nothing was changed: another Tabula uses the database; stop it first",
    )
    assert await dump_database(where) == before
    assert not (tmp_path / "lost.db").exists()


async def test_marks_that_nobody_can_read_are_forgotten(where: str, tmp_path: Path) -> None:
    async with await Store.open(where, [generate_seal_key()]) as store:
        await keep_out(store)
    status, lines = await lose_key(where, tmp_path, "--yes")
    assert status == 0
    assert (
        "- the key that recognises people who were blocked or removed and had their data deleted: "
        "1 such marks, which are forgotten"
    ) in lines
    async with await Store.open(where, [OTHER]) as store:
        assert await store.count_marks() == 0


async def test_the_doctor_says_when_an_older_key_may_go(file: Path, tmp_path: Path) -> None:
    old, new = generate_seal_key(), generate_seal_key()
    await seal(str(file), old)
    copies = tmp_path / "copies"
    copies.mkdir()
    copy = copies / "tabula-2026-11-01.sqlite3"
    await create_backup(str(file), copy, lambda: LATE, [old])

    async def examine() -> list[str]:
        texts: list[str] = []
        options = DoctorOptions(str(file), None, lambda: LATE, keys=[new, old], copies=copies)
        assert await examine_and_repair(options, texts.append, lambda _: False)
        return texts

    assert (await examine())[0] == (
        "The database needs an older key of TABULA_SEAL, until the bot is started once."
    )
    async with await Store.open(file, [new, old]):
        pass
    assert (await examine())[0] == (
        f"{copy} needs an older key of TABULA_SEAL; keep it until that backup is gone."
    )
    assert [each.name for each in copies.iterdir()] == [copy.name]
    copy.unlink()
    assert (await examine())[0] == (
        f"No backup in {copies} needs the older keys of TABULA_SEAL; remove them, unless you keep "
        "backups elsewhere."
    )


async def test_a_start_ends_what_was_dropped_and_not_yet_annulled(
    where: str, tmp_path: Path
) -> None:
    await seal(where, generate_seal_key())
    # As `tabula key --lost` leaves it that is killed before it annuls.
    async with await Store.open(where, [OTHER], drops_lost=True):
        pass
    status, lines = await run_tabula(
        *(tmp_path, "run"),
        TABULA_DATABASE=where,
        TABULA_SEAL=OTHER,
        TABULA_TOKEN="secret",
        TABULA_DISCORD_API="http://127.0.0.1:1",
    )
    assert (status, "127.0.0.1:1" in lines[-1]) == (1, True), lines
    async with await Store.open(where, [OTHER]) as store:
        row = await store.get(Matches).load_row(RUNNING)
        assert row is not None
        assert row.how == "annulled"
        assert await store.get(Challenges).load_all_open_numbers() == []
