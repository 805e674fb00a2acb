"""What stands in a server's channels is drawn anew when the server reads another language."""

from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest
import pytest_asyncio

from bot.features.servers import delivery
from bot.features.servers.delivery import REDRAW_PAUSE_MS
from bot.features.servers.service import REDRAW_DELAY_MS, RedrawServer
from bot.platform.context import Languages, load_languages
from bot.platform.i18n.reader import load_reader
from engine.clock import DAY
from tests.support.club import SimulatedClub, open_club
from tests.support.contests import create_contest
from tests.support.driver import (
    choose_own_throws,
    extract_text,
    list_button_labels,
    start_match,
)
from tests.support.panels import change_server, change_settings
from tests.support.stored import load_due

JOIN, ACCEPT, ROLL = map(load_reader("de"), ("Join", "Accept", "Roll"))
"""What buttons say in German, or in English while an edited text waits to be translated again."""

pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture
async def club(tmp_path: Path) -> AsyncIterator[SimulatedClub]:
    """A club in English with a match, a challenge, a league with an event, and a ladder."""
    async with open_club(tmp_path / "club.sqlite3") as opened:
        await choose_own_throws(opened, opened.ana, opened.ben)
        await start_match(opened, "zeno")
        here, ana = opened.channel, opened.ana
        await ana.slash(here, "challenge", game="zeno", opponent=opened.cyn)
        await create_contest(ana, here, "league", name="Herbst", game="zeno", event=True)
        await create_contest(ana, here, "ladder", name="Leiter", game="zeno")
        await opened.advance_clock(0)
        yield opened


def list_labels(club: SimulatedClub) -> list[str]:
    """The labels of all buttons that everyone sees."""
    answers = [each for each in club.channel.history() if not each.flags.ephemeral]
    return [label for each in answers for label in list_button_labels(each)]


def list_edited(club: SimulatedClub, since: int) -> list[str]:
    """The messages of the channel that were changed, once for each change."""
    path = f"/channels/{club.channel.id}/messages/"
    return [
        each.path.partition(path)[2]
        for each in club.env.http_requests[since:]
        if each.method == "PATCH" and path in each.path
    ]


async def list_waiting(club: SimulatedClub) -> set[str]:
    """The kinds of the jobs that are stored, whenever they are due."""
    waiting = await load_due(club.store.jobs, club.hands() + 365 * DAY, 99)
    return {each.kind for each in waiting}


async def load_event_description(club: SimulatedClub) -> str:
    """What the league's event says."""
    server = club.bot.get_guild(club.guild.id)
    assert server is not None
    (event,) = await server.fetch_scheduled_events()
    return event.description or ""


async def choose_language(club: SimulatedClub, language: str) -> None:
    """Ana chooses the language of the server."""
    await change_server(club.ana, club.channel, language=language)


async def test_everything_that_goes_on_is_in_the_new_language_and_drawn_once(
    club: SimulatedClub,
) -> None:
    english = list_labels(club)
    assert english.count("Join") == 2
    assert "Accept" in english
    text = await load_event_description(club)
    since = len(club.env.http_requests)
    # They try several, and it is drawn in the last alone.
    for language in ("fr", "es", "de"):
        await choose_language(club, language)
    await club.advance_clock(REDRAW_DELAY_MS)
    german = list_labels(club)
    assert german.count(JOIN) == 2
    assert {ACCEPT, ROLL} <= set(german)
    assert not {"Join", "Accept", "Roll"} - {JOIN, ACCEPT, ROLL} & set(german)
    assert await load_event_description(club) != text
    edited = list_edited(club, since)
    assert len(edited) == len(set(edited)) == 4
    # Nobody is called once more.
    assert [each for each in club.env.http_requests[since:] if each.method == "POST"] == [
        each
        for each in club.env.http_requests[since:]
        if each.method == "POST" and "/interactions/" in each.path
    ]


async def test_what_was_chosen_already_is_not_drawn_again(club: SimulatedClub) -> None:
    await choose_language(club, "de")
    await club.advance_clock(REDRAW_DELAY_MS)
    since = len(club.env.http_requests)
    await choose_language(club, "de")
    await club.advance_clock(REDRAW_DELAY_MS)
    assert list_edited(club, since) == []
    await choose_language(club, "discord")
    await club.advance_clock(REDRAW_DELAY_MS)
    assert list_labels(club).count("Join") == 2


async def test_many_are_drawn_some_at_a_time_and_none_is_left_out(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "MAX_REDRAWN", 2)
    await choose_language(club, "de")
    await club.advance_clock(REDRAW_DELAY_MS)
    counts = [len([each for each in list_labels(club) if each in {JOIN, ACCEPT}])]
    assert RedrawServer.kind in await list_waiting(club)
    for _ in range(3):
        await club.advance_clock(REDRAW_PAUSE_MS)
        counts.append(len([each for each in list_labels(club) if each in {JOIN, ACCEPT}]))
    assert counts[0] < counts[-1] == 3
    assert not {"Join", "Accept", "Roll"} - {JOIN, ACCEPT, ROLL} & set(list_labels(club))
    assert RedrawServer.kind not in await list_waiting(club)


async def test_it_is_stored_so_that_another_run_draws_it(club: SimulatedClub) -> None:
    await choose_language(club, "de")
    assert RedrawServer.kind in await list_waiting(club)
    club.bot.app.set_part(Languages, Languages())
    await load_languages(club.bot.app)
    await club.advance_clock(REDRAW_DELAY_MS)
    assert list_labels(club).count(JOIN) == 2
    assert RedrawServer.kind not in await list_waiting(club)


async def test_the_language_of_the_server_itself_counts_where_it_has_chosen_none(
    club: SimulatedClub,
) -> None:
    server = club.bot.get_guild(club.guild.id)
    assert server is not None
    await server.edit(preferred_locale=discord.Locale.german)
    await club.env.settle()
    await club.advance_clock(REDRAW_DELAY_MS)
    assert list_labels(club).count(JOIN) == 2
    await choose_language(club, "fr")
    await club.advance_clock(REDRAW_DELAY_MS)
    since = len(club.env.http_requests)
    await server.edit(preferred_locale=discord.Locale.spain_spanish)
    await club.env.settle()
    await club.advance_clock(REDRAW_DELAY_MS)
    assert list_edited(club, since) == []


async def test_who_plays_in_direct_messages_reads_their_new_language_there(
    club: SimulatedClub,
) -> None:
    await club.ana.user.slash("play", game="zeno")
    await club.advance_clock(0)
    before = extract_text(club.ana.user.dm_channel.last_message)
    await change_settings(club.ana, club.channel, language="de")
    await club.advance_clock(0)
    after = club.ana.user.dm_channel.last_message
    assert extract_text(after) != before
    assert load_reader("de")("More…") in list_button_labels(after)
