"""A failing database: people learn what it means for them; the log has the file and the cause."""

import logging
from pathlib import Path

import pytest

from bot.platform.db import engines
from tests.support.club import open_club
from tests.support.driver import (
    choose_own_throws,
    find_mentioned_player,
    get_ephemeral_text,
    start_match,
)
from tests.support.stored import connect_directly, corrupt_table

pytestmark = pytest.mark.asyncio


async def test_what_cannot_be_saved_is_told_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(engines, "PATIENCE_S", 0.2)
    path = tmp_path / "club.sqlite3"
    async with open_club(path) as club:
        await choose_own_throws(club, club.ana, club.ben)
        await start_match(club, "zeno")
        with connect_directly(path) as other:
            other.execute("BEGIN IMMEDIATE")
            text = get_ephemeral_text(await find_mentioned_player(club).slash(club.channel, "roll"))
        assert "I couldn't save that, so nothing has changed" in text
        assert str(tmp_path) not in text
        assert f"{path} is locked by another program" in caplog.text
        assert {
            record.levelno for record in caplog.records if str(path) in record.getMessage()
        } == {logging.ERROR}


async def test_what_cannot_be_read_says_nothing_of_saving(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "club.sqlite3"
    async with open_club(path) as club:
        await start_match(club, "zeno")
        with connect_directly(path) as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        corrupt_table(path, "events")
        text = get_ephemeral_text(await club.ana.slash(club.channel, "match replay", match=1))
        assert "I can't read the database right now" in text
        assert "saved" not in text
        assert str(tmp_path) not in text
        assert f"{path} is damaged; restore a backup" in caplog.text
