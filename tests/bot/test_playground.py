"""The playground across runs: matches come back, and the state of a match is not lost."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path

import discord
import pytest
import simcord
from PIL import Image
from simcord.backend.cdn import CDN_BASE

from bot.features.matches.store import Matches
from bot.platform.db.backups import delete_database
from bot.platform.db.store import Store
from bot.playground import DATABASE, FOLDER, open_playground
from render.icons import load_icons
from tests.support.club import open_club
from tests.support.driver import (
    extract_text,
    find_mentioned_player,
    get_newest_message,
    get_response,
    give_up,
    list_control_ids,
    start_match,
    take_next_action,
)
from tests.support.panels import change_server

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
        for game in ("zeno", "backgammon"):
            await start_match(club, game)
            assert await take_next_action(club)
        mover = find_mentioned_player(club).name
        text = extract_text(get_newest_message(club)).splitlines()[-1]
    async with open_playground(file, PEOPLE, 0) as preview:
        answers = await wait_for_messages(
            preview, lambda messages: sum(bool(list_control_ids(each)) for each in messages) == 2
        )
        assert len(answers) == 3
        assert "Welcome to the tables" in extract_text(answers[0])
        assert not any("Match 1" in extract_text(message) for message in answers)
        mine = next(message for message in answers if "Match 3" in extract_text(message))
        assert extract_text(mine).splitlines()[-1] == text
        person = next(viewer for viewer in preview.viewers if viewer.name == mover)
        asked_again = await person.slash(preview.channel, "match resign", match=3)
        question = get_response(asked_again).message
        await person.click(question, label="Leave the match")
        await wait_for_messages(
            preview, lambda messages: any("Closed**" in extract_text(each) for each in messages)
        )


@pytest.mark.asyncio
async def test_the_page_has_the_pictures_of_buttons_also_after_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "club.sqlite3"
    for _ in range(2):
        async with open_playground(file, PEOPLE, 0) as preview:
            env = preview.env
            assert len(env.backend.application_emojis) == len(load_icons())
            for each in env.backend.application_emojis:
                assert (env.backend.cdn.get(f"{CDN_BASE}/emojis/{each}.png") or b"")[
                    :4
                ] == b"\x89PNG"


@pytest.mark.asyncio
async def test_no_match_goes_to_a_thread_that_the_page_cannot_show(tmp_path: Path) -> None:
    async with open_playground(tmp_path / "club.sqlite3", PEOPLE, 0) as preview:
        ana, ben = preview.viewers[:2]
        await change_server(ana, preview.channel, threads=True)
        await ana.slash(preview.channel, "challenge", game="zeno", opponent=ben)
        offer = preview.channel.history()[-1]
        await ben.click(offer, label="Accept")
        answers = await wait_for_messages(
            preview, lambda messages: any("Match 1:" in extract_text(each) for each in messages)
        )
        assert preview.channel.threads == []
        # Nor does it miss a permission to open one.
        assert not any("thread" in extract_text(each) for each in answers[1:])


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
        process = await asyncio.to_thread(run_playground, tmp_path, "--fresh")
        assert (process.returncode, process.stdout) == (1, "")
        assert (
            process.stderr
            == f"tabula: {FOLDER / DATABASE} is in use by another Tabula; stop that one first\n"
        )
        assert sorted(folder.iterdir()) == before
        assert await take_next_action(club)
    async with await Store.open(file) as store:
        assert await store.get(Matches).load_row(1) is not None
        assert await store.find_problems() == []
    copy = folder / f"{DATABASE}.v3.bak"
    copy.touch()
    await delete_database(file)
    assert [left.name for left in folder.iterdir()] == [f"{DATABASE}.lock"]
    async with await Store.open(file) as store:
        assert await store.get(Matches).load_row(1) is None


@pytest.mark.asyncio
async def test_the_page_knows_how_large_a_picture_is_before_it_has_shown_it(tmp_path: Path) -> None:
    file = tmp_path / "club.sqlite3"
    async with open_club(file) as club:
        await start_match(club, "zeno")
    async with open_playground(file, PEOPLE, 0) as preview:
        await wait_for_messages(preview, lambda messages: len(messages) == 2)
        page = preview._open_page(None, None)  # noqa: SLF001 - what its server calls
        shown = preview._page_payload(page)["assets"].values()  # noqa: SLF001
        pictures = [each for each in shown if each["available"]]
        assert pictures
        for each in pictures:
            assert not each["displayReady"]
            content = preview._blobs[page.assets[each["id"]].digest or ""].data  # noqa: SLF001
            with Image.open(BytesIO(content)) as picture:
                assert (each["displayWidth"], each["displayHeight"]) == picture.size
