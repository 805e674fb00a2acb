"""What is posted by itself, where people, places and clocks come and go."""

import pytest

from bot.features.posts.rows import PostKind
from bot.features.posts.store import ScheduledPosts
from bot.platform import outages
from engine.clock import DAY
from tests.bot.test_digest import choose_digest, list_digests
from tests.support.club import SimulatedClub
from tests.support.driver import extract_text, list_public_messages
from tests.support.finished import parse_instant, store_matches
from tests.support.moments import turn_clock_to
from tests.support.panels import change_server

pytestmark = pytest.mark.asyncio
DUE = parse_instant("2027-03-22 08:00")
"""The Monday after the digest was chosen, at nine in Berlin."""


async def choose_with_matches(club: SimulatedClub) -> None:
    """Have a digest posted of a week in which a match was played."""
    await choose_digest(club, "2027-03-17 12:00")
    played = [(DUE - 3 * DAY, club.ana.id, club.ben.id, "gold")]
    await store_matches(club.store, played, guild=club.guild.id, channel=club.channel.id)


async def test_a_post_is_in_the_language_that_the_server_has_by_then(club: SimulatedClub) -> None:
    await choose_with_matches(club)
    await change_server(club.ana, club.channel, language="de")
    await turn_clock_to(club, DUE + 60_000)
    assert list_digests(club) == []
    texts = [extract_text(each) for each in list_public_messages(club)]
    # In German a week is a Woche.
    assert sum("### Die Woche" in each for each in texts) == 1


async def test_a_post_that_was_due_while_the_server_was_away_comes_once(
    club: SimulatedClub,
) -> None:
    await choose_with_matches(club)
    outages.mark_server_lost(club.bot.app, club.guild.id)
    await outages.save_lost_servers(club.bot.app)
    await turn_clock_to(club, DUE + 60_000)
    assert list_digests(club) == []
    outages.mark_server_back(club.bot.app, club.guild.id)
    await outages.save_lost_servers(club.bot.app)
    await turn_clock_to(club, DUE + DAY)
    await turn_clock_to(club, DUE + 2 * DAY)
    assert len(list_digests(club)) == 1


async def test_after_three_years_of_silence_one_post_comes_and_one_row_is_kept(
    club: SimulatedClub,
) -> None:
    await choose_with_matches(club)
    later = DUE + 156 * 7 * DAY
    played = [(later - 3 * DAY, club.ana.id, club.ben.id, "gold")]
    await store_matches(club.store, played, guild=club.guild.id, channel=club.channel.id)
    await turn_clock_to(club, later + DAY)
    assert len(list_digests(club)) == 1
    kept = await club.store.get(ScheduledPosts).load_post(club.guild.id, PostKind.DIGEST)
    assert kept is not None
    assert kept.message == list_digests(club)[0].id


async def test_a_thread_that_is_deleted_stops_nothing_else(club: SimulatedClub) -> None:
    await choose_with_matches(club)
    club.env.backend.delete_channel(club.channel.id)
    other = club.guild.create_text_channel("news")
    await turn_clock_to(club, DUE + 60_000)
    # It waits for the next week, and for another channel.
    await change_server(club.ana, other, digest=other)
    played = [(DUE + 3 * DAY, club.ana.id, club.ben.id, "gold")]
    await store_matches(club.store, played, guild=club.guild.id, channel=other.id)
    await turn_clock_to(club, DUE + 7 * DAY)
    texts = [extract_text(each) for each in other.history()]
    assert sum(each.startswith("### The week from ") for each in texts) == 1
