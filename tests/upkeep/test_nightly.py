"""The nightly backup by a program of its own: old copies go, and a failed one is tried again."""

import asyncio
import logging
import os
import re
from datetime import time
from pathlib import Path

import pytest

from bot.ops.checked_backups import BackupPlan, NightlyBackups
from bot.platform.db.store import Store
from tests.support.finished import parse_instant
from tests.support.match_season import format_replay_report
from tests.support.stored import dump_tables
from tests.upkeep.test_doctor import change_database, dump_database

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]
FOUR = time(4)


async def wait_for_file(path: Path) -> None:
    """Wait until something is there."""
    for _ in range(6000):
        if path.exists():
            return
        await asyncio.sleep(0.01)


async def simulate_night(plan: BackupPlan, now: str) -> None:
    """Let the bot run for a moment at that time, and what it has begun be done."""
    copies = NightlyBackups(plan, lambda: parse_instant(now))
    # What the loop does at each of its rounds.
    await copies._make_if_due.coro(copies)  # noqa: SLF001


@pytest.mark.parametrize(
    ("now", "day"),
    [
        ("2026-11-21T03:59", "2026-11-20"),
        ("2026-11-21T04:00", "2026-11-21"),
        ("2026-11-21T23:00", "2026-11-21"),
    ],
)
async def test_what_is_due_is_the_copy_of_the_last_night(
    tmp_path: Path, now: str, day: str
) -> None:
    copies = NightlyBackups(BackupPlan("here", tmp_path, 7, FOUR), lambda: parse_instant(now))
    file = tmp_path / f"tabula-{day}.sqlite3"
    assert copies.find_due_copy() == file
    file.touch()
    assert copies.find_due_copy() is None


@pytest.mark.sweep
async def test_so_many_nights_are_kept_and_nothing_else_is_touched(
    where: str, tmp_path: Path
) -> None:
    folder = tmp_path / "deep" / "copies"
    plan = BackupPlan(where, folder, 2, FOUR)
    (folder / ".tabula-broken-off").mkdir(parents=True)
    (folder / ".tabula-being-made").mkdir()
    long_ago = parse_instant("2026-11-20T04:00") / 1000
    os.utime(folder / ".tabula-broken-off", (long_ago, long_ago))
    now = parse_instant("2026-11-21T04:00") / 1000
    os.utime(folder / ".tabula-being-made", (now, now))
    for name in (
        "tabula-2026-11-17.sqlite3",
        "tabula-2026-11-18.sqlite3",
        "holiday.png",
        "tabula-old.sqlite3",
    ):
        (folder / name).touch()
    before = await dump_database(where)
    await simulate_night(plan, "2026-11-21T04:01")
    await simulate_night(plan, "2026-11-21T23:00")
    names = [
        ".tabula-being-made",
        "holiday.png",
        "tabula-2026-11-18.sqlite3",
        "tabula-2026-11-21.sqlite3",
        "tabula-old.sqlite3",
    ]
    assert sorted(file.name for file in folder.iterdir()) == names
    assert await dump_database(str(folder / names[3])) == before


@pytest.mark.sweep
async def test_a_failure_is_one_line_and_tried_again(
    file: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    away = file.with_name("away.db")
    file.rename(away)
    plan = BackupPlan(str(file), folder, 1, FOUR)
    with caplog.at_level(logging.INFO):
        await simulate_night(plan, "2026-11-21T04:00")
        (line,) = caplog.messages
        assert line == (f"backup failed, retrying in 10 min: tabula: there is no file {file}")
        assert list(folder.iterdir()) == []
        away.rename(file)
        await simulate_night(plan, "2026-11-21T04:10")
    path = folder / "tabula-2026-11-21.sqlite3"
    assert caplog.messages[1:] == [f"Backed up to {path}: {format_replay_report(file)}."]


async def test_a_folder_that_cannot_be_made(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    plan = BackupPlan(str(file), file / "copies", 1, FOUR)
    await simulate_night(plan, "2026-11-21T04:00")
    (line,) = caplog.messages
    assert re.match(r"backup to .*/copies failed, retrying in 10 min: ", line)


@pytest.mark.sweep
async def test_a_copy_that_is_not_sound_takes_no_other_s_place(
    file: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await change_database(str(file), "DELETE FROM events WHERE match = 8 AND version = 5")
    folder = tmp_path / "copies"
    folder.mkdir()
    (folder / "tabula-2026-11-20.sqlite3").touch()
    await simulate_night(BackupPlan(str(file), folder, 1, FOUR), "2026-11-21T04:00")
    (line,) = caplog.messages
    assert line.startswith(
        "the newest backup is not sound, so the older ones are kept: match 8 should have"
    )
    assert len(list(folder.iterdir())) == 2


async def test_the_loop_begins_with_the_bot_and_ends_with_it(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    path = folder / "tabula-2026-11-21.sqlite3"
    async with NightlyBackups(
        BackupPlan(str(file), folder, 1, FOUR), lambda: parse_instant("2026-11-21T05:00")
    ):
        await wait_for_file(path)
    async with await Store.open(path) as store:
        assert len((await dump_tables(store))["matches"]) == 8


async def test_what_is_being_made_when_the_bot_ends_is_given_up(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    async with NightlyBackups(
        BackupPlan(str(file), folder, 1, FOUR), lambda: parse_instant("2026-11-21T05:00")
    ):
        await wait_for_file(folder)
    assert not any(each.name.startswith("tabula") for each in folder.iterdir())
