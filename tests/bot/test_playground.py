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

from bot.playground import DATABASE, FOLDER, opened
from bot.store import Store, forget
from tests.bot.conftest import furnished
from tests.bot.driver import begin, called, controls, newest, step, text

PEOPLE = ("ana", "ben", "cyn")
PAUSE_S = 0.05
PATIENCE_S = 60


async def until(
    preview: simcord.Preview, done: Callable[[Sequence[discord.Message]], bool]
) -> list[discord.Message]:
    """The channel's messages as soon as they are as wished."""
    start = time.monotonic()
    while not done(messages := preview.channel.history()):
        assert time.monotonic() - start < PATIENCE_S, [text(message) for message in messages]
        await asyncio.sleep(PAUSE_S)
    return messages


@pytest.mark.asyncio
async def test_running_matches_come_back_by_themselves_and_go_on(tmp_path: Path) -> None:
    file = tmp_path / "club.sqlite3"
    async with furnished(file) as club:
        await begin(club, "zeno")
        await club.ana.slash(club.channel, "resign")
        for game in ("zeno", "doblet"):
            await begin(club, game)
            assert await step(club)
        mover = called(club).name
        asked = text(newest(club)).splitlines()[-2]
    async with opened(file, PEOPLE, 0) as preview:
        shown = await until(
            preview, lambda messages: sum(bool(controls(each)) for each in messages) == 2
        )
        assert len(shown) == 3
        assert "Welcome to the tables" in text(shown[0])
        assert not any("Match 1" in text(message) for message in shown)
        mine = next(message for message in shown if "Match 3" in text(message))
        assert text(mine).splitlines()[-2] == asked
        person = next(viewer for viewer in preview.viewers if viewer.name == mover)
        await person.slash(preview.channel, "resign", match=3)
        await until(preview, lambda messages: any("won**" in text(each) for each in messages))


@pytest.mark.asyncio
async def test_an_action_that_something_follows_late_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.playground.FOLLOWED_S", 0.01)
    async with opened(tmp_path / "club.sqlite3", PEOPLE, 0) as preview:
        ana = preview.viewers[0]
        await ana.slash(preview.channel, "play", game="zeno")
        await until(preview, lambda messages: any("Match 1" in text(each) for each in messages))


def play(folder: Path, *flags: str) -> subprocess.CompletedProcess[str]:
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
async def test_matches_that_are_being_played_are_not_forgotten(tmp_path: Path) -> None:
    folder = tmp_path / FOLDER
    folder.mkdir()
    file = folder / DATABASE
    async with furnished(file) as club:
        await begin(club, "zeno")
        before = sorted(folder.iterdir())
        told = await asyncio.to_thread(play, tmp_path, "--fresh")
        assert (told.returncode, told.stdout) == (1, "")
        assert (
            told.stderr
            == f"tabula: {FOLDER / DATABASE} is in use by another Tabula; stop that one first\n"
        )
        assert sorted(folder.iterdir()) == before
        assert await step(club)
    async with await Store.open(file) as store:
        assert await store.matches.get(1) is not None
        assert await store.check() == []
    copy = folder / f"{DATABASE}.v3.bak"
    copy.touch()
    await forget(file)
    assert [left.name for left in folder.iterdir()] == [f"{DATABASE}.lock"]
    async with await Store.open(file) as store:
        assert await store.matches.get(1) is None
