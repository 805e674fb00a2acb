"""Going through the matches that wait for oneself, in every server, from /games."""

import discord
import pytest

from bot.features.matches import loading
from bot.features.matches.store import Matches
from engine.clock import DAY, HOUR
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    find_button,
    find_mentioned_player,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    give_up,
    list_button_labels,
    list_pictures,
    start_match,
    walk_parts,
)

pytestmark = pytest.mark.asyncio


async def list_waiting_matches(club: SimulatedClub, person: int) -> list[int]:
    """The matches that wait for somebody."""
    running = await club.store.get(Matches).load_running_by_person(person)
    sessions = [await loading.load_session(club.bot.app, row.id) for row in running]
    return [each.id for each in sessions if each.person_to_act == person]


async def let_wait(club: SimulatedClub, count: int) -> None:
    """Begin matches until so many wait for Ana; Ben gives up those that he begins."""
    while len(await list_waiting_matches(club, club.ana.id)) < count:
        await start_match(club, "zeno", pace="day")
        for number in await list_waiting_matches(club, club.ben.id):
            await give_up(club, club.ben, club.channel, match=number)


async def start_match_elsewhere(club: SimulatedClub) -> int:
    """Let Ana and Ben begin a match in another server, and return its channel."""
    guild = club.env.create_guild("Tavern", owner=club.ben.user)
    ana, ben = guild.add_member(club.ana.user), guild.add_member(club.ben.user)
    hall = guild.create_text_channel("hall")
    await ana.slash(hall, "challenge", game="zeno", opponent=ben)
    message = hall.last_message
    assert message is not None
    await ben.click(message, custom_id=find_button(message, ":accept"))
    return hall.id


def list_links(message: discord.Message) -> list[str]:
    """Where the links among a message's buttons lead."""
    return [
        part.url for part in walk_parts(message) if isinstance(part, discord.ui.Button) and part.url
    ]


@pytest.mark.sweep
async def test_one_goes_through_what_waits_for_oneself_in_every_server(club: SimulatedClub) -> None:
    await let_wait(club, 2)
    halls = []
    while len(await list_waiting_matches(club, club.ana.id)) < 3:
        halls.append(await start_match_elsewhere(club))
    numbers = await list_waiting_matches(club, club.ana.id)
    answer = get_response(await club.ana.slash(club.channel, "matches"))
    assert list_button_labels(answer.message) == ["Next match waiting for me", "Calendar file"]
    await club.ana.click(answer.message, label="Next match waiting for me")
    channels = []
    for place, number in enumerate(numbers, 1):
        row = await club.store.get(Matches).load_row(number)
        assert row is not None
        assert f"-# Match {number}: " in extract_text(answer.message)
        assert f"<@{club.ana.id}>" in extract_text(answer.message)
        assert f"-# Match {place} of 3 waiting for you" in extract_text(answer.message)
        assert ("time runs out" in extract_text(answer.message)) is (row.pace == "day")
        assert list_button_labels(answer.message) == ["Go to match", "Back", "Next"]
        assert list_links(answer.message) == [
            f"https://discord.com/channels/{row.guild}/{row.channel}/{row.message}"
        ]
        assert len(list_pictures(answer.message)) == 1
        channels.append(row.channel)
        await club.ana.click(answer.message, label="Next")
    assert channels == [club.channel.id, club.channel.id, halls[-1]]
    # After the last comes the list again, and from there the first.
    assert extract_text(answer.message).startswith("### Your matches")
    assert list_pictures(answer.message) == []
    for label, place in (
        ("Next match waiting for me", 1),
        ("Next", 2),
        ("Next", 3),
        ("Back", 2),
        ("Back", 1),
    ):
        await club.ana.click(answer.message, label=label)
        assert f"-# Match {place} of 3 waiting for you" in extract_text(answer.message)
    await club.ana.click(answer.message, label="Back")
    assert extract_text(answer.message).startswith("### Your matches")


@pytest.mark.sweep
async def test_what_was_played_meanwhile_is_left_out(club: SimulatedClub) -> None:
    await let_wait(club, 3)
    first, second, third = await list_waiting_matches(club, club.ana.id)
    answer = get_response(await club.ana.slash(club.channel, "matches"))
    await club.ana.click(answer.message, label="Next match waiting for me")
    for number in (first, second):
        await give_up(club, club.ana, club.channel, match=number)
    await club.ana.click(answer.message, label="Next")
    assert f"-# Match {third}: " in extract_text(answer.message)
    assert "-# Match 1 of 1 waiting for you" in extract_text(answer.message)
    await give_up(club, club.ana, club.channel, match=third)
    await club.ana.click(answer.message, label="Next")
    assert list_button_labels(answer.message) == ["Calendar file"]


async def test_the_list_has_no_button_where_nothing_waits_and_tells_who_is_out_of_time(
    club: SimulatedClub,
) -> None:
    await start_match(club, "zeno", pace="day")
    late = find_mentioned_player(club)
    other = club.ben if late is club.ana else club.ana
    message = get_response(await other.slash(club.channel, "matches")).message
    assert list_button_labels(message) == ["Calendar file"]
    assert f"<@{late.id}> to move, time runs out <t:" in extract_text(message)
    await club.advance_clock(DAY + HOUR)
    assert f"<@{late.id}> to move, ran out of time <t:" in get_ephemeral_text(
        await other.slash(club.channel, "matches")
    )
    assert list_button_labels(get_newest_message(club)) != []
