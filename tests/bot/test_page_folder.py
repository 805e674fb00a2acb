"""The folder of public pages: what is written and removed there, and what prevents it."""

import asyncio
import errno
import logging
import os
import re
import stat
from pathlib import Path

import pytest

from bot.features.pages.writer import PageWriter
from bot.platform.db.preferences import ServerSettings
from bot.platform.db.shards import Shards
from tests.support.club import SimulatedClub
from tests.support.finished import store_matches
from tests.support.html_pages import read_text
from tests.support.panels import ask_deletion, change_server, change_settings
from tests.support.public_pages import check_pages, finish_match, open_pages

pytestmark = pytest.mark.asyncio
PAGE_TEXT = re.compile(r">([^<]+)<")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for pages that holds nothing yet."""
    return tmp_path / "pages"


async def test_a_web_server_may_read_what_nobody_else_could_write(
    club: SimulatedClub, folder: Path
) -> None:
    writer = await open_pages(club, folder)
    # As under systemd, for the sake of the database.
    before = os.umask(0o077)
    try:
        await writer.write_pages()
    finally:
        os.umask(before)
    for file in folder.rglob("*"):
        assert stat.S_IMODE(file.stat().st_mode) == (0o755 if file.is_dir() else 0o644), file


async def test_only_what_has_changed_is_written_again(club: SimulatedClub, folder: Path) -> None:
    writer = await open_pages(club, folder)
    await finish_match(club)
    await writer.write_pages()
    before = {file: file.stat() for file in folder.rglob("*") if file.is_file()}
    await writer.write_pages()
    after = {file: file.stat() for file in folder.rglob("*") if file.is_file()}
    assert {file: (each.st_ino, each.st_mtime_ns) for file, each in before.items()} == {
        file: (each.st_ino, each.st_mtime_ns) for file, each in after.items()
    }
    # A program that starts anew draws nothing again, either.
    await PageWriter(club.bot, folder).write_pages()
    assert {file.stat().st_ino for file in after} == {each.st_ino for each in after.values()}


async def test_only_the_newest_matches_have_a_page(
    club: SimulatedClub, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = await open_pages(club, folder)
    await finish_match(club, acts=2)
    await writer.write_pages()
    monkeypatch.setattr("bot.features.pages.site.MAX_MATCHES", 1)
    await finish_match(club, acts=2)
    await writer.write_pages()
    matches = folder / "servers" / str(club.guild.id) / "matches"
    assert {file.name for file in matches.iterdir()} == {"2", "2.html", "2.json"}


async def test_the_name_of_a_deleted_player_goes_at_once(
    club: SimulatedClub, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = await open_pages(club, folder)
    await finish_match(club, acts=2)
    await writer.write_pages()
    page = folder / "servers" / str(club.guild.id) / "matches" / "1.html"
    assert "Ben" in read_text(page)
    message = await ask_deletion(club.ben, club.channel)
    await club.ben.click(message, custom_id="delete-data:yes")
    await club.advance_clock(0)
    # Even where drawing the new page has to wait.
    monkeypatch.setattr("bot.features.pages.writer.MAX_DRAWN", 0)
    await writer.write_pages()
    assert not page.exists()
    monkeypatch.undo()
    await writer.write_pages()
    assert "Ana" in read_text(page)
    assert not any("Ben" in read_text(file) for file in folder.rglob("*.html"))


async def test_what_is_turned_off_or_left_is_removed(club: SimulatedClub, folder: Path) -> None:
    writer = await open_pages(club, folder)
    await writer.write_pages()
    here = folder / "servers" / str(club.guild.id)
    assert here.exists()
    await change_server(club.ana, club.channel, pages=False)
    await writer.write_pages()
    assert not here.exists()
    assert "Club" not in read_text(folder / "index.html")
    await change_server(club.ana, club.channel, pages=True)
    await writer.write_pages()
    assert here.exists()
    # While Discord can't be reached, nobody knows whether the bot is still a member.
    reached, club.bot.app.reached = club.bot.app.reached, set()
    guild = club.bot.get_guild(club.guild.id)
    assert guild is not None
    club.bot._connection._remove_guild(guild)  # noqa: SLF001 - as when the bot is removed
    await writer.write_pages()
    assert here.exists()
    club.bot.app.reached = reached
    await writer.write_pages()
    assert not here.exists()
    assert "Club" not in read_text(folder / "index.html")


async def test_pages_are_written_while_the_bot_runs_and_soon_after_a_choice(
    club: SimulatedClub, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.features.pages.writer.REST_S", 0.01)
    writer = await open_pages(club, folder)
    await finish_match(club, acts=2)
    page = folder / "servers" / str(club.guild.id) / "index.html"

    async def wait_for(*, is_named: bool) -> None:
        for _ in range(3000):
            if page.exists() and ("Ana" in page.read_text()) is is_named:
                return
            await asyncio.sleep(0.01)
        raise AssertionError(page)

    async with writer:
        await wait_for(is_named=True)
        await change_settings(club.ana, club.channel, pages=False)
        await wait_for(is_named=False)


async def test_a_match_that_cannot_be_drawn_holds_up_no_other(
    club: SimulatedClub,
    folder: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bot.features.pages.writer.MAX_DRAWN", 1)
    writer = await open_pages(club, folder)
    await finish_match(club, acts=2)
    # Over without anything that has happened in it, as no match of ours is.
    await store_matches(
        club.store,
        [(club.hands() + 1, club.ana.id, club.ben.id, "gold")],
        guild=club.guild.id,
        channel=club.channel.id,
    )
    caplog.clear()
    for _ in range(3):
        await writer.write_pages()
    assert [each.getMessage() for each in caplog.records] == [
        "the pages of match 2 could not be made"
    ]
    matches = folder / "servers" / str(club.guild.id) / "matches"
    assert [file.name for file in matches.glob("*.html")] == ["1.html"]
    assert "match 2" in read_text(matches.parent / "index.html")


async def test_another_process_has_its_own_servers(club: SimulatedClub, folder: Path) -> None:
    writer = await open_pages(club, folder)
    await writer.write_pages()
    # This process has the shards up to the club's own, and another has the next.
    count = 1 << 20
    own = Shards(0, 0, count).get_shard(club.guild.id)
    other = (own + 1) << 22
    theirs = folder / "servers" / str(other)
    theirs.mkdir()
    (theirs / "server.json").write_text('{"name": "Theirs", "language": "en"}')
    await club.store.servers.update_settings(other, lambda _: ServerSettings(pages=True))
    club.store.shards = Shards(0, own, count)
    await writer.write_pages()
    assert (theirs / "server.json").exists()
    assert "Theirs" in "".join(PAGE_TEXT.findall((folder / "index.html").read_text()))


@pytest.mark.parametrize("kind", ["missing", "foreign", "full"])
async def test_a_folder_that_cannot_be_used_is_one_line_in_the_log(
    club: SimulatedClub,
    tmp_path: Path,
    kind: str,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "pages"
    writer = await open_pages(club, folder)
    expected = f"no pages are written, since their folder {folder} doesn't exist"
    if kind == "missing":
        folder.rmdir()
    elif kind == "foreign":
        (folder / "index.html").write_text("mine")
        expected = (
            f"no pages are written, since their folder {folder} has other files in it; "
            "TABULA_PAGES needs a folder of its own"
        )
    else:
        expected = "the pages could not be written: [Errno 28] No space left on device"

        def refuse(*_: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(Path, "write_bytes", refuse)
    caplog.clear()
    with caplog.at_level(logging.INFO, "bot.features.pages"):
        for _ in range(3):
            await writer.write_pages()
        assert [each.getMessage() for each in caplog.records] == [
            f"{expected}; trying again every 5 min"
        ]
        assert not list(folder.glob("*.tmp"))
        monkeypatch.undo()
        folder.mkdir(exist_ok=True)
        (folder / "index.html").unlink(missing_ok=True)
        await writer.write_pages()
    assert caplog.records[-1].getMessage() == "pages are written again"
    assert check_pages(folder) == 3
