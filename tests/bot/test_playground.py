"""The playground across runs: matches come back, and the state of a match is not lost."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import discord
import pytest
import simcord

from bot.platform.db.backups import delete_database
from bot.playground import DATABASE, FOLDER, open_playground
from bot.store import Store
from tests.bot.conftest import open_club
from tests.bot.driver import (
    extract_text,
    find_mentioned_player,
    get_newest_message,
    get_response,
    give_up,
    list_control_ids,
    start_match,
    take_next_action,
)
from tests.bot.panels import change_server

PEOPLE = ("ana", "ben", "cyn")
PAUSE_S = 0.05
PATIENCE_S = 60


async def wait_for_messages(
    preview: simcord.Preview, done: Callable[[Sequence[discord.Message]], bool]
) -> list[discord.Message]:
    """The channel's messages as soon as they are as wished."""
    start = time.monotonic()
    while not done(messages := preview.channel.history()):
        assert time.monotonic() - start < PATIENCE_S, [
            extract_text(message) for message in messages
        ]
        await asyncio.sleep(PAUSE_S)
    return messages


@pytest.mark.asyncio
async def test_running_matches_come_back_by_themselves_and_go_on(tmp_path: Path) -> None:
    file = tmp_path / "club.sqlite3"
    async with open_club(file) as club:
        await start_match(club, "zeno")
        await give_up(club, club.ana, club.channel)
        for game in ("zeno", "doblet"):
            await start_match(club, game)
            assert await take_next_action(club)
        mover = find_mentioned_player(club).name
        asked = extract_text(get_newest_message(club)).splitlines()[-1]
    async with open_playground(file, PEOPLE, 0) as preview:
        shown = await wait_for_messages(
            preview, lambda messages: sum(bool(list_control_ids(each)) for each in messages) == 2
        )
        assert len(shown) == 3
        assert "Welcome to the tables" in extract_text(shown[0])
        assert not any("Match 1" in extract_text(message) for message in shown)
        mine = next(message for message in shown if "Match 3" in extract_text(message))
        assert extract_text(mine).splitlines()[-1] == asked
        person = next(viewer for viewer in preview.viewers if viewer.name == mover)
        asked_again = await person.slash(preview.channel, "match resign", match=3)
        question = get_response(asked_again).message
        await person.click(question, label="Leave the match")
        await wait_for_messages(
            preview, lambda messages: any("Closed**" in extract_text(each) for each in messages)
        )


@pytest.mark.asyncio
async def test_no_match_goes_to_a_thread_that_the_page_cannot_show(tmp_path: Path) -> None:
    async with open_playground(tmp_path / "club.sqlite3", PEOPLE, 0) as preview:
        ana, ben = preview.viewers[:2]
        await change_server(ana, preview.channel, threads=True)
        await ana.slash(preview.channel, "challenge", game="zeno", opponent=ben)
        offer = preview.channel.history()[-1]
        await ben.click(offer, label="Accept")
        shown = await wait_for_messages(
            preview, lambda messages: any("Match 1:" in extract_text(each) for each in messages)
        )
        assert preview.channel.threads == []
        assert "so it's played here" in extract_text(shown[-1])


@pytest.mark.asyncio
@pytest.mark.sweep
async def test_an_action_that_something_follows_late_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.playground.FOLLOWED_S", 0.01)
    async with open_playground(tmp_path / "club.sqlite3", PEOPLE, 0) as preview:
        ana = preview.viewers[0]
        await ana.slash(preview.channel, "play", game="zeno")
        await wait_for_messages(
            preview, lambda messages: any("Match 1" in extract_text(each) for each in messages)
        )


def run_playground(folder: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    """Run `tabula play` where it is expected to end at once."""
    command = (sys.executable, "-m", "bot", "play", "--no-browser", "--port", "0", *flags)
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        text=True,
        capture_output=True,
        check=False,
        timeout=PATIENCE_S,
    )


@pytest.mark.asyncio
@pytest.mark.sweep
async def test_matches_that_are_being_played_are_not_forgotten(tmp_path: Path) -> None:
    folder = tmp_path / FOLDER
    folder.mkdir()
    file = folder / DATABASE
    async with open_club(file) as club:
        await start_match(club, "zeno")
        before = sorted(folder.iterdir())
        told = await asyncio.to_thread(run_playground, tmp_path, "--fresh")
        assert (told.returncode, told.stdout) == (1, "")
        assert (
            told.stderr
            == f"tabula: {FOLDER / DATABASE} is in use by another Tabula; stop that one first\n"
        )
        assert sorted(folder.iterdir()) == before
        assert await take_next_action(club)
    async with await Store.open(file) as store:
        assert await store.matches.get(1) is not None
        assert await store.find_problems() == []
    copy = folder / f"{DATABASE}.v3.bak"
    copy.touch()
    await delete_database(file)
    assert [left.name for left in folder.iterdir()] == [f"{DATABASE}.lock"]
    async with await Store.open(file) as store:
        assert await store.matches.get(1) is None
