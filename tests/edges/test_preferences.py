"""What people choose for themselves, where people, places and clocks come and go."""

import asyncio
from typing import Any

import pytest

from bot.features.preferences import service as preferences
from bot.features.preferences.service import DAYS_A_YEAR
from bot.platform.db.preferences import PlayerPreferences, Reminder
from bot.platform.people import DiscordPerson
from engine.clock import DAY, HOUR
from tests.bot.test_leagues import create_league
from tests.support import driver
from tests.support.club import SimulatedClub
from tests.support.panels import ask_deletion, change_settings

pytestmark = pytest.mark.asyncio


async def go_away(club: SimulatedClub, days: int | None) -> str:
    """What Ben reads of his vacation."""
    chosen: dict[str, Any] = {} if days is None else {"days": days}
    return driver.get_ephemeral_text(await club.ben.slash(club.channel, "me vacation", **chosen))


async def test_who_comes_back_after_a_deletion_has_the_defaults(club: SimulatedClub) -> None:
    await change_settings(club.ben, club.channel, reminders="never", throws=False)
    await change_settings(club.ben, club.channel, language="de")
    await change_settings(club.ben, club.channel, language="en")
    await go_away(club, 5)
    message = await ask_deletion(club.ben, club.channel)
    await club.ben.click(message, label="Delete my data")
    await club.advance_clock(5_000)
    assert await club.store.preferences.load_preferences(club.ben.id) == PlayerPreferences()
    assert "You're not on vacation." in await go_away(club, None)
    assert await club.store.pauses.load_relevant([club.ben.id], 0, guild=None) == []


async def test_a_reminder_that_no_direct_message_takes_comes_in_the_channel(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno", pace="day")
    person = driver.find_mentioned_player(club)
    await change_settings(person, club.channel, reminders="direct")
    assert (await club.store.preferences.load_preferences(person.id)).reminder is Reminder.DIRECT
    for _ in range(3):
        club.env.inject_error("POST", "/users/@me/channels", status=403, code=50007)
    await club.advance_clock(22 * HOUR)
    texts = [driver.extract_text(each) for each in driver.list_public_messages(club)]
    assert sum("your time in" in each for each in texts) == 1


async def test_they_hold_in_every_server_and_after_leaving_one(club: SimulatedClub) -> None:
    second = driver.create_second_guild(club, "Second")
    there = second.create_text_channel("tables")
    await change_settings(club.ben, club.channel, confirms=True)
    await go_away(club, 3)
    club.guild.remove_member(club.ben)
    ben = second.add_member(club.ben.user)
    text = driver.get_ephemeral_text(await ben.slash(there, "me vacation"))
    assert "You're on vacation until" in text
    assert (await club.store.preferences.load_preferences(club.ben.id)).confirms


@pytest.mark.parametrize("days", [1, DAYS_A_YEAR])
async def test_the_shortest_and_the_longest_vacation(club: SimulatedClub, days: int) -> None:
    assert f"You have {DAYS_A_YEAR - days} vacation day" in await go_away(club, days)
    await club.advance_clock(days * DAY - HOUR)
    assert "You're on vacation until" in await go_away(club, None)
    await club.advance_clock(2 * HOUR)
    assert "You're not on vacation." in await go_away(club, None)


async def test_of_two_vacations_at_the_same_moment_one_counts(club: SimulatedClub) -> None:
    app, ben = club.bot.app, DiscordPerson(club.ben.id, "Ben")
    began = await asyncio.gather(
        *(preferences.start_vacation(app, ben, 5) for _ in range(2)), return_exceptions=True
    )
    assert sorted(type(each).__name__ for each in began) == ["AlreadyOnVacationError", "Vacation"]
    assert len(await club.store.pauses.load_relevant([club.ben.id], 0, guild=None)) == 1
    assert f"You have {DAYS_A_YEAR - 5} vacation days left" in await go_away(club, None)


async def test_years_later_a_vacation_counts_from_the_present_year(club: SimulatedClub) -> None:
    for _ in range(4):
        assert f"You have {DAYS_A_YEAR - 20} vacation days left" in await go_away(club, 20)
        await club.advance_clock(366 * DAY)
    assert f"You have {DAYS_A_YEAR} vacation days left" in await go_away(club, None)


async def test_what_begins_in_a_vacation_is_named_as_it_is_written(club: SimulatedClub) -> None:
    card = await create_league(club, name="Autumn league <@1> *x*")
    await club.ben.click(card, label="Join")
    text = await go_away(club, 10)
    assert "- Autumn league \\<@1> \\*x\\* starts on <t:" in text
