"""Public pages: who is on them, and what they show."""

import json
from pathlib import Path

import pytest

from bot.features.matches.record import verify_record
from bot.features.pages.service import PagePlan
from bot.features.ratings.service import find_season
from bot.platform.db.preferences import PlayerPreferences
from engine.clock import DAY
from tests.bot.test_leagues import load_view
from tests.bot.test_tournaments import play_out, start_tournament
from tests.support.club import SimulatedClub, open_club
from tests.support.contests import create_contest, press_standings
from tests.support.drawn_texts import note_drawn_texts
from tests.support.driver import get_ephemeral_text, get_response, give_up, start_match
from tests.support.html_pages import read_page, read_text
from tests.support.panels import (
    SERVER_SETTINGS,
    change_server,
    change_settings,
    open_server_section,
)
from tests.support.public_pages import (
    check_pages,
    finish_match,
    list_files,
    measure_width,
    open_pages,
)

pytestmark = pytest.mark.asyncio


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for pages that holds nothing yet."""
    return tmp_path / "pages"


HOSTILE = "</title><script>alert(1)</script>\u202e&lt;\ufffe'\"><@1> **x** `y`"


async def test_a_server_has_pages_only_where_its_managers_want_them(
    club: SimulatedClub, tmp_path: Path
) -> None:
    async def turn(*, is_on: bool) -> str:
        return get_ephemeral_text(await change_server(club.ana, club.channel, pages=is_on))

    shown = await open_server_section(club.ana, club.channel, "public")
    assert "**Public pages**: off" in get_ephemeral_text(shown)
    assert await club.store.servers.find_with_pages() == []
    text = await turn(is_on=True)
    assert "Saved. This server has public pages:" in text
    assert "**Public pages**: on" in text
    assert "the person who runs it hasn't set a place for them" in text
    assert await club.store.servers.find_with_pages() == [club.guild.id]
    club.bot.app.get_part(PagePlan).folder = tmp_path
    assert "the person who runs it" not in await turn(is_on=True)
    assert "Saved. This server has no public pages." in await turn(is_on=False)
    assert await club.store.servers.find_with_pages() == []


async def test_who_is_no_manager_cannot_publish_a_server(club: SimulatedClub) -> None:
    # A server may let everyone see its managers' commands.
    known = club.env.backend.commands[None].values()
    (command,) = [int(each["id"]) for each in known if each["name"] == "server"]
    club.guild.set_command_permissions(command, {club.ben: True})
    text = get_ephemeral_text(await club.ben.slash(club.channel, SERVER_SETTINGS))
    assert "Only people with the permission Manage Server can do that." in text
    assert await club.store.servers.find_with_pages() == []


async def test_resetting_ones_preferences_names_nobody_again(club: SimulatedClub) -> None:
    assert await club.store.preferences.find_hidden_people() == frozenset()
    answer = await change_settings(club.ben, club.channel, pages=False)
    assert "Saved. Public pages don't name you" in get_ephemeral_text(answer)
    await change_settings(club.ben, club.channel, language="de")
    panel = get_response(await club.ben.slash(club.channel, "me settings")).message
    await club.ben.click(panel, custom_id="preference:reset")
    assert await club.store.preferences.find_hidden_people() == {club.ben.id}
    assert await club.store.preferences.load_preferences(club.ben.id) == PlayerPreferences(
        pages=False
    )
    answer = await change_settings(club.ben, club.channel, pages=True)
    assert "Saved. Where a server has public pages, they name you." in get_ephemeral_text(answer)
    assert await club.store.preferences.find_hidden_people() == frozenset()


async def test_a_match_can_be_read_turn_by_turn_without_scripts(
    club: SimulatedClub, tmp_path: Path
) -> None:
    writer = await open_pages(club, tmp_path / "pages")
    await finish_match(club)
    await writer.write_pages()
    root = tmp_path / "pages"
    here = root / "servers" / str(club.guild.id)
    assert "Club" in read_text(root / "index.html")
    first = read_text(here / "index.html")
    assert "Doblet, match 1 · " in first
    assert "Ana won: Ben resigned." in first or "Ben resigned" in first
    page = read_page(here / "matches" / "1.html")
    text = " ".join("".join(page.text).split())
    assert "Ana against Ben" in text or "Ben against Ana" in text
    assert " rolled " in text
    assert "<@" not in text
    assert page.sources
    assert {measure_width(here / "matches" / each) for each in page.sources} == {540}
    assert "#turn-2" in page.links
    record = json.loads((here / "matches" / "1.json").read_bytes())
    assert verify_record(record).wrong is None
    assert "Ana's own word" in str(record["contributions"])
    assert not any(file.suffix == ".js" for file in root.rglob("*"))
    assert check_pages(root) == 6
    for data in root.rglob("*.json"):
        json.loads(data.read_bytes())


async def test_a_leaderboard_has_every_season_the_latest_first(
    club: SimulatedClub, folder: Path
) -> None:
    writer = await open_pages(club, folder)
    seasons: list[str] = []
    # Between them lies a season without a match.
    for days in (0, 190):
        club.hands.ahead += days * DAY
        seasons.insert(0, str(find_season(club.hands())))
        await finish_match(club, acts=2)
    await writer.write_pages()
    boards = folder / "servers" / str(club.guild.id) / "boards"
    tables = json.loads((boards / "all.json").read_bytes())["tables"]
    assert [table["season"] for table in tables] == [None, *seasons]
    won = [sum(each["won"] for each in table["entries"]) for table in tables]
    assert won == [2, 1, 1]
    assert read_text(boards / "all.html").count("Season ") == 2


async def test_a_running_match_is_on_no_page(club: SimulatedClub, folder: Path) -> None:
    writer = await open_pages(club, folder)
    await start_match(club, "fallas")
    await writer.write_pages()
    here = folder / "servers" / str(club.guild.id)
    assert not (here / "matches").exists()
    assert "No match has been finished yet." in read_text(here / "index.html")
    await give_up(club, club.ana, club.channel)
    await writer.write_pages()
    assert "Ben won: Ana resigned." in read_text(here / "matches" / "1.html")
    # A moderator's ruling afterwards is shown as well.
    await club.ana.slash(club.channel, "server end", match=1, how="annul", reason="A test")
    await writer.write_pages()
    assert "It doesn't count: annulled." in read_text(here / "matches" / "1.html")


async def test_who_does_not_want_to_be_named_is_a_player_everywhere(
    club: SimulatedClub, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = await open_pages(club, folder)
    await finish_match(club)
    await writer.write_pages()
    here = folder / "servers" / str(club.guild.id)
    assert "Ana" in read_text(here / "boards" / "all.html")
    await change_settings(club.ana, club.channel, pages=False)
    drawn = note_drawn_texts(monkeypatch)
    await writer.write_pages()
    assert "a player" in drawn
    assert "Ben" in drawn
    assert "Ana" not in drawn
    for name, content in list_files(folder).items():
        if not name.endswith((".png", ".css")):
            assert b"Ana" not in content, name
            assert b"ana" not in content.lower().replace(b"manage", b""), name
            assert str(club.ana.id).encode() not in content, name
    page = read_text(here / "matches" / "1.html")
    assert "a player" in page
    assert "The record isn't public" in page
    assert not (here / "matches" / "1.json").exists()
    assert "a player" in read_text(here / "boards" / "all.html")
    await change_settings(club.ana, club.channel, pages=True)
    await writer.write_pages()
    assert "Ana" in read_text(here / "matches" / "1.html")
    assert (here / "matches" / "1.json").exists()


async def test_a_page_that_must_not_name_somebody_goes_before_it_is_drawn_anew(
    club: SimulatedClub, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = await open_pages(club, folder)
    for _ in range(2):
        await finish_match(club, acts=3)
    await writer.write_pages()
    matches = folder / "servers" / str(club.guild.id) / "matches"
    assert {file.name for file in matches.glob("*.html")} == {"1.html", "2.html"}
    await change_settings(club.ben, club.channel, pages=False)
    monkeypatch.setattr("bot.features.pages.writer.MAX_DRAWN", 1)
    await writer.write_pages()
    assert {file.name for file in matches.iterdir()} == {"2", "2.html", "2.json"}
    assert "Ben" not in read_text(matches / "2.html")
    # Listed without a link until it is drawn.
    assert "match 1" in read_text(matches.parent / "index.html")
    await writer.write_pages()
    assert {file.name for file in matches.glob("*.html")} == {"1.html", "2.html"}


async def test_who_is_not_to_be_named_waits_for_no_server_that_is_out_of_reach(
    club: SimulatedClub, folder: Path
) -> None:
    writer = await open_pages(club, folder)
    await change_server(club.ana, club.channel, language="de")
    await finish_match(club, acts=2)
    await writer.write_pages()
    page = folder / "servers" / str(club.guild.id) / "matches" / "1.html"
    assert "Ana" in read_text(page)
    await change_settings(club.ana, club.channel, pages=False)
    guild = club.bot.get_guild(club.guild.id)
    assert guild is not None
    guild.unavailable = True
    await writer.write_pages()
    assert "Ana" not in read_text(page)
    assert page.read_text().startswith('<!DOCTYPE html>\n<html lang="de">')
    assert "Club" in read_text(folder / "index.html")


async def test_names_and_titles_are_never_markup(tmp_path: Path) -> None:
    names = (HOSTILE, "<img src=x onerror=alert(1)>", "**Cyn** `c`")
    async with open_club(tmp_path / "club.sqlite3", names=names) as club:
        folder = tmp_path / "pages"
        writer = await open_pages(club, folder)
        await start_tournament(club, 4)
        view = await load_view(club)
        await play_out(club, [each.person for each in view.entrants])
        await create_contest(club.ana, club.channel, "ladder", name="<b>&amp;", game="fallas")
        await press_standings(club.ana, club.channel, "ladder", "join")
        club.bot.get_guild(club.guild.id).name = HOSTILE  # type: ignore[union-attr]
        await writer.write_pages()
        here = folder / "servers" / str(club.guild.id)
        assert check_pages(folder) >= 8
        everything = b"".join(
            content for name, content in list_files(folder).items() if name.endswith(".html")
        )
        assert b"<script" not in everything
        assert b"<img src=x" not in everything
        contest = read_page(here / "contests" / "1.html")
        text = " ".join("".join(contest.text).split())
        assert "<img src=x onerror=alert(1)>" in text
        assert "**Cyn** `c`" in text
        assert "Final" in text
        (picture,) = contest.sources
        assert picture.startswith("1-")
        assert measure_width(here / "contests" / picture) == 1080
        said = json.loads((here / "contests" / "1.json").read_bytes())
        assert sorted(each["standing"]["rank"] for each in said["entrants"]) == [1, 2, 3, 3]
        assert str(club.ana.id) not in (here / "contests" / "1.json").read_text()
        assert "<b>&amp;" in read_text(here / "ladders" / "1.html")
