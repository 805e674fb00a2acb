"""Quiet hours of a server: nobody is notified, reminders are held back, but not past the flag."""

from datetime import UTC, timedelta, timezone

import discord
import pytest

from bot.platform.time_zones import MalformedQuietHoursError, find_quiet_end, parse_quiet_hours
from engine.clock import DAY, HOUR, MINUTE
from tests.support import driver
from tests.support.club import SimulatedClub
from tests.support.panels import change_server

MIDNIGHT = 20_000 * DAY


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("22-7", ((1320, 420), None)),
        ("22:30 - 7:15 +2", ((1350, 435), "+02:00")),
        ("22-7+2", ((1320, 420), "+02:00")),
        ("9-17 -3:30", ((540, 1020), "-03:30")),
        ("none", ((), None)),
        # As phones and keyboards write it.
        ("22\u20137", ((1320, 420), None)),
        ("22 \u2212 7", ((1320, 420), None)),
        ("\uff12\uff12\uff1a\uff13\uff10\uff0d\uff17", ((1350, 420), None)),
        ("\u0662\u0662-\u0667", ((1320, 420), None)),
        ("22\u00a0\u2013\u00a07 Europe/Berlin", ((1320, 420), "Europe/Berlin")),
        ("22 to 7 berlin", ((1320, 420), "Europe/Berlin")),
        ("NONE", ((), None)),
    ],
)
def test_quiet_hours_are_read(typed: str, read: tuple[tuple[int, ...], str | None]) -> None:
    assert parse_quiet_hours(typed) == read


@pytest.mark.parametrize(
    "typed", ["", "night", "22", "7-7", "24-7", "22-25", "22:60-7", "22-7 2", "22-7:5"]
)
def test_what_is_no_quiet_hours_is_refused(typed: str) -> None:
    with pytest.raises(MalformedQuietHoursError):
        parse_quiet_hours(typed)


def test_quiet_hours_end_where_they_say() -> None:
    night = (1320, 420)
    east = timezone(timedelta(hours=2))
    # 22:00 two hours ahead of UTC is 20:00 there.
    assert find_quiet_end(night, east, MIDNIGHT + 20 * HOUR - 1) is None
    assert find_quiet_end(night, east, MIDNIGHT + 20 * HOUR) == MIDNIGHT + DAY + 5 * HOUR
    assert find_quiet_end(night, east, MIDNIGHT + 5 * HOUR - 1) == MIDNIGHT + 5 * HOUR
    assert find_quiet_end(night, east, MIDNIGHT + 5 * HOUR) is None
    assert find_quiet_end((), UTC, MIDNIGHT) is None


def list_notified_users(club: SimulatedClub) -> list[str]:
    """Return who the newest posted message may notify.

    Where that is nobody, it makes no sound for others either.
    """
    posted = [
        each
        for each in club.env.http_requests
        if each.method == "POST" and each.path.endswith("/messages")
    ]
    body = posted[-1].json or {}
    allowed = body["allowed_mentions"]
    assert allowed["parse"] == []
    users = [str(user) for user in allowed.get("users", [])]
    silent = body["flags"] & discord.MessageFlags(suppress_notifications=True).value
    assert bool(users) is not bool(silent)
    return users


def list_challenges(club: SimulatedClub) -> list[discord.Message]:
    """The messages that show a challenge, open or answered."""
    return [
        message
        for message in driver.list_public_messages(club)
        if "challenge" in driver.extract_text(message)
    ]


@pytest.mark.asyncio
async def test_nobody_is_notified_in_quiet_hours_and_a_reminder_waits_for_their_end(
    club: SimulatedClub,
) -> None:
    await change_server(
        club.ana, club.channel, pace="day", quiet=driver.format_hours_from_now(club, -1, 1)
    )
    await driver.start_match(club, "zeno")
    assert list_notified_users(club) == []
    await club.advance_clock(2 * HOUR)
    assert len(driver.list_turn_calls(club)) == 1
    assert len(list_notified_users(club)) == 1
    text = driver.get_ephemeral_text(
        await change_server(
            club.ana, club.channel, quiet=driver.format_hours_from_now(club, 18, 21)
        )
    )
    assert "nobody is notified, and reminders are held back." in text
    await club.advance_clock(20 * HOUR)
    before = len(driver.list_public_messages(club))
    assert "your time in" not in driver.extract_text(driver.get_newest_message(club))
    await club.advance_clock(2 * HOUR - 10 * MINUTE)
    # The reminder takes the place of the call.
    assert len(driver.list_public_messages(club)) == before
    assert driver.list_turn_calls(club) == []
    assert "your time in" in driver.extract_text(driver.get_newest_message(club))
    assert len(list_notified_users(club)) == 1


@pytest.mark.asyncio
async def test_a_reminder_does_not_wait_past_the_flag(club: SimulatedClub) -> None:
    await change_server(
        club.ana, club.channel, pace="day", quiet=driver.format_hours_from_now(club, 20, 26)
    )
    await driver.start_match(club, "zeno")
    assert "your time in" not in driver.extract_text(driver.get_newest_message(club))
    await club.advance_clock(23 * HOUR)
    assert "your time in" in driver.extract_text(driver.get_newest_message(club))
    assert list_notified_users(club) == []


@pytest.mark.asyncio
@pytest.mark.sweep
@pytest.mark.usefixtures("own_throws")
async def test_whose_turn_came_in_quiet_hours_is_called_once_when_they_end(
    club: SimulatedClub,
) -> None:
    await change_server(
        club.ana, club.channel, pace="week", quiet=driver.format_hours_from_now(club, -1, 8)
    )
    await driver.start_match(club, "zeno")
    first = driver.find_mentioned_player(club)
    while driver.find_mentioned_player(club) is first:
        await driver.take_next_action(club)
        assert list_notified_users(club) == []
    person = driver.find_mentioned_player(club)
    assert driver.list_turn_calls(club) == []
    await club.advance_clock(8 * HOUR + MINUTE)
    (call,) = driver.list_turn_calls(club)
    assert [user.id for user in call.mentions] == [person.id]
    assert list_notified_users(club) == [str(person.id)]
    assert f"/{driver.list_live_messages(club)[0].id})" in driver.extract_text(call)
    await club.advance_clock(DAY)
    assert driver.list_turn_calls(club) == [call]
    await person.click(
        driver.list_live_messages(club)[0],
        custom_id=driver.find_button(driver.list_live_messages(club)[0], ":roll"),
    )
    await club.advance_clock(0)
    assert driver.list_turn_calls(club) == []


@pytest.mark.asyncio
@pytest.mark.usefixtures("own_throws")
async def test_who_has_acted_in_quiet_hours_is_not_called_when_they_end(
    club: SimulatedClub,
) -> None:
    await change_server(
        club.ana, club.channel, pace="week", quiet=driver.format_hours_from_now(club, -1, 8)
    )
    await driver.start_match(club, "zeno")
    await driver.take_next_action(club)
    await club.advance_clock(9 * HOUR)
    assert driver.list_turn_calls(club) == []


@pytest.mark.asyncio
@pytest.mark.sweep
async def test_whose_dice_were_thrown_for_them_in_quiet_hours_is_called_when_they_end(
    club: SimulatedClub,
) -> None:
    await change_server(
        club.ana, club.channel, pace="week", quiet=driver.format_hours_from_now(club, -1, 8)
    )
    await driver.start_match(club, "zeno")
    person = driver.find_mentioned_player(club)
    await club.advance_clock(MINUTE)
    assert "Roll" not in driver.list_button_labels(driver.list_live_messages(club)[0])
    assert driver.find_mentioned_player(club) is person
    await club.advance_clock(9 * HOUR)
    (call,) = driver.list_turn_calls(club)
    assert [user.id for user in call.mentions] == [person.id]


@pytest.mark.asyncio
async def test_quiet_hours_that_are_made_longer_let_a_call_wait_longer(club: SimulatedClub) -> None:
    await change_server(club.ana, club.channel, quiet=driver.format_hours_from_now(club, -1, 2))
    await driver.start_match(club, "zeno")
    await change_server(club.ana, club.channel, quiet=driver.format_hours_from_now(club, -1, 4))
    await club.advance_clock(2 * HOUR + MINUTE)
    assert driver.list_turn_calls(club) == []
    await club.advance_clock(2 * HOUR)
    assert len(driver.list_turn_calls(club)) == 1


@pytest.mark.asyncio
@pytest.mark.sweep
async def test_those_who_wait_are_told_of_a_flag_when_the_quiet_hours_end(
    club: SimulatedClub,
) -> None:
    await change_server(
        club.ana, club.channel, pace="day", quiet=driver.format_hours_from_now(club, 20, 26)
    )
    await driver.start_match(club, "zeno")
    await club.advance_clock(25 * HOUR)
    # The match's own message says so at once.
    assert "Claim the win" in driver.list_button_labels(driver.list_live_messages(club)[0])
    assert "###" in driver.extract_text(driver.get_newest_message(club))
    await club.advance_clock(2 * HOUR)
    assert "has run out. You can claim the match or give more time." in driver.extract_text(
        driver.get_newest_message(club)
    )
    assert len(list_notified_users(club)) == 1


@pytest.mark.asyncio
async def test_a_challenge_in_quiet_hours_is_replaced_by_a_notifying_message_when_they_end(
    club: SimulatedClub,
) -> None:
    await change_server(club.ana, club.channel, quiet=driver.format_hours_from_now(club, -1, 8))
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    await club.advance_clock(0)
    silent = driver.get_newest_message(club)
    assert list_notified_users(club) == []
    # Discord deletes the old message only at the second try; the new one isn't posted twice.
    club.env.inject_error("DELETE", "/channels/*/messages/*", status=403, code=50013)
    # A busy machine tries again before the first of these is over, and others within the second.
    await club.advance_clock(8 * HOUR + MINUTE)
    await club.advance_clock(MINUTE)
    (loud,) = list_challenges(club)
    deleted = f"/channels/{club.channel.id}/messages/{silent.id}"
    assert [each.path for each in club.env.http_requests].count(deleted) == 2
    assert loud.id > silent.id
    assert list_notified_users(club) == [str(club.ben.id)]
    await club.advance_clock(DAY - 10 * HOUR)
    assert list_challenges(club) == [loud]
    await club.ben.click(loud, custom_id=driver.find_button(loud, ":accept"))
    await club.advance_clock(0)
    assert "Accepted by" in driver.extract_text(list_challenges(club)[0])
    assert driver.list_live_messages(club)


@pytest.mark.asyncio
async def test_a_challenge_that_was_answered_in_quiet_hours_calls_nobody_when_they_end(
    club: SimulatedClub,
) -> None:
    await change_server(club.ana, club.channel, quiet=driver.format_hours_from_now(club, -1, 8))
    await driver.start_match(club, "zeno")
    before = [message.id for message in list_challenges(club)]
    await club.advance_clock(8 * HOUR + MINUTE)
    assert [message.id for message in list_challenges(club)] == before


@pytest.mark.asyncio
@pytest.mark.sweep
async def test_who_answers_the_silent_message_while_it_is_still_there_is_answered_in_the_new_one(
    club: SimulatedClub,
) -> None:
    await change_server(club.ana, club.channel, quiet=driver.format_hours_from_now(club, -1, 8))
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    await club.advance_clock(0)
    silent = driver.get_newest_message(club)
    club.env.inject_error("DELETE", "/channels/*/messages/*", status=403, code=50013)
    await club.advance_clock(8 * HOUR + MINUTE)
    await club.ben.click(silent, custom_id=driver.find_button(silent, ":accept"))
    await club.advance_clock(MINUTE)
    (answered,) = list_challenges(club)
    assert answered.id != silent.id
    assert "Accepted by" in driver.extract_text(answered)
