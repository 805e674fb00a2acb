"""Pages, digests, notices and reports when languages, channels and results change."""

from dataclasses import replace
from pathlib import Path

import discord
import pytest
import simcord

from bot.features.notifications.jobs import NOTIFY_DELAY_MS, SETTLE_MS
from bot.platform.db.tables import now_ms
from tests.bot.test_access import list_posts
from tests.support.club import SimulatedClub
from tests.support.driver import (
    create_second_guild,
    extract_text,
    get_ephemeral_text,
    give_up,
    start_match,
)
from tests.support.finished import parse_instant
from tests.support.html_pages import read_text
from tests.support.moments import turn_clock_to
from tests.support.panels import change_server, change_settings
from tests.support.public_pages import open_pages
from tests.support.stored import load_given_up

pytestmark = pytest.mark.asyncio


def find_pages(club: SimulatedClub, folder: Path) -> Path:
    """The folder of the club's pages."""
    return folder / "servers" / str(club.guild.id)


async def finish_match(club: SimulatedClub) -> None:
    """Ana and Ben play a match that Ben gives up."""
    await start_match(club, "zeno")
    await give_up(club, club.ben, club.channel)


async def test_pages_are_in_the_new_language_of_their_server(
    club: SimulatedClub, tmp_path: Path
) -> None:
    writer = await open_pages(club, tmp_path / "pages")
    await finish_match(club)
    await writer.write_pages()
    here = find_pages(club, tmp_path / "pages")
    assert "Latest matches" in read_text(here / "index.html")
    await change_server(club.ana, club.channel, language="de")
    await writer.write_pages()
    for page in ("index.html", "matches/1.html"):
        assert 'lang="de"' in (here / page).read_text()
    assert "Latest matches" not in read_text(here / "index.html")


async def test_a_server_without_a_match_has_pages_that_say_so(
    club: SimulatedClub, tmp_path: Path
) -> None:
    writer = await open_pages(club, tmp_path / "pages")
    await writer.write_pages()
    here = find_pages(club, tmp_path / "pages")
    assert "No match has been finished yet." in read_text(here / "index.html")


async def test_a_match_that_is_annulled_is_told_as_annulled_on_its_page(
    club: SimulatedClub, tmp_path: Path
) -> None:
    writer = await open_pages(club, tmp_path / "pages")
    await finish_match(club)
    await writer.write_pages()
    page = find_pages(club, tmp_path / "pages") / "matches" / "1.html"
    assert "won" in read_text(page)
    await club.ana.slash(club.channel, "server end", match=1, how="annul", reason="played twice")
    await club.advance_clock(0)
    await writer.write_pages()
    assert "annulled" in read_text(page)
    assert "won" not in read_text(page)
    assert "played twice" not in read_text(page)


async def start_digest(club: SimulatedClub) -> simcord.ChannelHandle:
    """Have the digest posted from a Wednesday on in a channel of its own, with a match to tell."""
    club.hands.ahead = parse_instant("2027-03-17 12:00") - now_ms()
    hall = club.guild.create_text_channel("digests")
    await change_server(club.ana, club.channel, digest=hall)
    await finish_match(club)
    return hall


async def test_the_digest_is_in_the_language_that_the_server_has_when_it_is_posted(
    club: SimulatedClub,
) -> None:
    hall = await start_digest(club)
    await change_server(club.ana, club.channel, language="de")
    await turn_clock_to(club, parse_instant("2027-03-22 09:01"))
    (digest,) = list_posts(hall)
    assert "Die Woche" in digest
    assert "The week from" not in digest


async def test_a_digest_whose_channel_is_gone_holds_nothing_up_and_comes_again_elsewhere(
    club: SimulatedClub,
) -> None:
    hall = await start_digest(club)
    club.env.backend.delete_channel(hall.id)
    await club.env.settle()
    await turn_clock_to(club, parse_instant("2027-03-22 09:01"))
    assert await club.store.jobs.load_failed(club.guild.id) == []
    assert await load_given_up(club.store.jobs) == []
    # Those who manage the server see which channel is gone, and choose another.
    text = get_ephemeral_text(await club.ana.slash(club.channel, "server settings"))
    assert f"<#{hall.id}>" in text
    other = club.guild.create_text_channel("others")
    await change_server(club.ana, club.channel, digest=other)
    await finish_match(club)
    await turn_clock_to(club, parse_instant("2027-03-29 09:01"))
    assert len(list_posts(other)) == 1


async def test_an_owner_without_direct_messages_holds_no_greeting_up(club: SimulatedClub) -> None:
    hidden = discord.PermissionOverwrite(view_channel=False)
    club.env.inject_error("POST", "/users/@me/channels", status=403, code=50007, times=None)
    other = create_second_guild(club, "Inn")
    other.create_text_channel("cellar", overwrites={other.default_role: hidden})
    await club.env.settle()
    await club.advance_clock(0)
    assert await club.store.jobs.load_failed(other.id) == []
    assert await load_given_up(club.store.jobs) == []


async def test_a_follower_reads_their_own_language(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    await change_settings(club.cyn, club.channel, language="de")
    await club.cyn.slash(club.channel, "match follow", match=1)
    await give_up(club, club.ben, club.channel)
    await club.advance_clock(NOTIFY_DELAY_MS)
    text = extract_text(club.cyn.user.dm_channel.last_message)
    assert "Ben hat aufgegeben" in text
    assert "won**" not in text


async def test_a_subscriber_reads_their_own_language(club: SimulatedClub) -> None:
    await change_settings(club.cyn, club.channel, language="de")
    await club.cyn.slash(club.channel, "notify", game="zeno")
    await club.ana.slash(club.channel, "challenge", game="zeno")
    await club.advance_clock(SETTLE_MS)
    text = extract_text(club.cyn.user.dm_channel.last_message)
    assert text.startswith("### Zeno\n")
    assert "challenges anyone" not in text


async def test_a_report_is_refused_in_the_language_of_whoever_asks(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    await change_settings(club.cyn, club.channel, language="de")
    english, german = [
        get_ephemeral_text(await person.slash(club.channel, "match report", match=1))
        for person in (club.ben, club.cyn)
    ]
    assert english == "Match 1 is not over yet."
    assert "Partie 1" in german


async def test_a_report_is_shown_to_a_player_whose_channel_is_gone(club: SimulatedClub) -> None:
    hall = club.guild.create_text_channel("hall")
    await finish_match(replace(club, channel=hall))
    club.env.backend.delete_channel(hall.id)
    await club.env.settle()
    text = get_ephemeral_text(await club.ben.slash(club.channel, "match report", match=1))
    assert "### Report on match 1" in text or "match 1" in text
    text = get_ephemeral_text(await club.cyn.slash(club.channel, "match report", match=1))
    assert text == "There is no match 1."
