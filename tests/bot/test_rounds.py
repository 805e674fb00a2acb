"""Going through the matches that wait for oneself, in every server, from /games."""

import discord
import pytest

from bot.features.matches import loading
from bot.features.matches.store import Matches
from engine.clock import DAY, HOUR
from tests.support import driver
from tests.support.club import SimulatedClub

pytestmark = pytest.mark.asyncio


async def list_waiting_matches(club: SimulatedClub, person: int) -> list[int]:
    """The matches that wait for somebody."""
    running = await club.store.get(Matches).load_running_by_person(person)
    sessions = [await loading.load_session(club.bot.app, row.id) for row in running]
    return [each.id for each in sessions if each.person_to_act == person]


async def let_wait(club: SimulatedClub, count: int) -> None:
    """Begin matches until so many wait for Ana; Ben gives up those that he begins."""
    while len(await list_waiting_matches(club, club.ana.id)) < count:
        await driver.start_match(club, "zeno", pace="day")
        for number in await list_waiting_matches(club, club.ben.id):
            await driver.give_up(club, club.ben, club.channel, match=number)


async def start_match_elsewhere(club: SimulatedClub) -> int:
    """Let Ana and Ben begin a match in another server, and return its channel."""
    guild = club.env.create_guild("Tavern", owner=club.ben.user)
    ana, ben = guild.add_member(club.ana.user), guild.add_member(club.ben.user)
    hall = guild.create_text_channel("hall")
    await ana.slash(hall, "challenge", game="zeno", opponent=ben)
    message = hall.last_message
    assert message is not None
    await ben.click(message, custom_id=driver.find_button(message, ":accept"))
    return hall.id


def list_links(message: discord.Message) -> list[str]:
    """Where the links among a message's buttons lead."""
    return [
        part.url
        for part in driver.walk_parts(message)
        if isinstance(part, discord.ui.Button) and part.url
    ]


@pytest.mark.sweep
async def test_one_goes_through_what_waits_for_oneself_in_every_server(club: SimulatedClub) -> None:
    await let_wait(club, 2)
    halls = []
    while len(await list_waiting_matches(club, club.ana.id)) < 3:
        halls.append(await start_match_elsewhere(club))
    numbers = await list_waiting_matches(club, club.ana.id)
    answer = driver.get_response(await club.ana.slash(club.channel, "matches"))
    assert driver.list_button_labels(answer.message) == [
        "Next match waiting for me",
        "Calendar file",
    ]
    await club.ana.click(answer.message, label="Next match waiting for me")
    channels = []
    for place, number in enumerate(numbers, 1):
        row = await club.store.get(Matches).load_row(number)
        assert row is not None
        assert f"-# Match {number}: " in driver.extract_text(answer.message)
        assert f"<@{club.ana.id}>" in driver.extract_text(answer.message)
        assert f"-# Match {place} of 3 waiting for you" in driver.extract_text(answer.message)
        assert ("time runs out" in driver.extract_text(answer.message)) is (row.pace == "day")
        assert driver.list_button_labels(answer.message) == ["Go to match", "Back", "Next"]
        assert list_links(answer.message) == [
            f"https://discord.com/channels/{row.guild}/{row.channel}/{row.message}"
        ]
        assert len(driver.list_pictures(answer.message)) == 1
        channels.append(row.channel)
        await club.ana.click(answer.message, label="Next")
    assert channels == [club.channel.id, club.channel.id, halls[-1]]
    # After the last comes the list again, and from there the first.
    assert driver.extract_text(answer.message).startswith("### Your matches")
    assert driver.list_pictures(answer.message) == []
    for label, place in (
        ("Next match waiting for me", 1),
        ("Next", 2),
        ("Next", 3),
        ("Back", 2),
        ("Back", 1),
    ):
        await club.ana.click(answer.message, label=label)
        assert f"-# Match {place} of 3 waiting for you" in driver.extract_text(answer.message)
    await club.ana.click(answer.message, label="Back")
    assert driver.extract_text(answer.message).startswith("### Your matches")


@pytest.mark.sweep
async def test_what_was_played_meanwhile_is_left_out(club: SimulatedClub) -> None:
    await let_wait(club, 3)
    first, second, third = await list_waiting_matches(club, club.ana.id)
    answer = driver.get_response(await club.ana.slash(club.channel, "matches"))
    await club.ana.click(answer.message, label="Next match waiting for me")
    for number in (first, second):
        await driver.give_up(club, club.ana, club.channel, match=number)
    await club.ana.click(answer.message, label="Next")
    assert f"-# Match {third}: " in driver.extract_text(answer.message)
    assert "-# Match 1 of 1 waiting for you" in driver.extract_text(answer.message)
    await driver.give_up(club, club.ana, club.channel, match=third)
    await club.ana.click(answer.message, label="Next")
    assert driver.list_button_labels(answer.message) == ["Calendar file"]


async def test_the_list_has_no_button_where_nothing_waits_and_tells_who_is_out_of_time(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno", pace="day")
    late = driver.find_mentioned_player(club)
    other = club.ben if late is club.ana else club.ana
    message = driver.get_response(await other.slash(club.channel, "matches")).message
    assert driver.list_button_labels(message) == ["Calendar file"]
    assert f"<@{late.id}> to move, time runs out <t:" in driver.extract_text(message)
    await club.advance_clock(DAY + HOUR)
    assert f"<@{late.id}> to move, ran out of time <t:" in driver.get_ephemeral_text(
        await other.slash(club.channel, "matches")
    )
    assert driver.list_button_labels(driver.get_newest_message(club)) != []
