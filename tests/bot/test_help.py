"""What `/help` leads to: a match, a lesson, a contest, one's matches, and every command."""

from functools import partial
from pathlib import Path

import discord
import pytest

from bot.features.computer.controls import PLAY_WAITING
from bot.features.matches.store import Matches
from bot.platform.i18n.reader import load_reader
from lab.commands_page import list_commands
from tests.bot.test_membership import leave_guild
from tests.support.club import SimulatedClub, open_club
from tests.support.driver import (
    extract_raw_text,
    extract_text,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    list_button_labels,
    list_menus,
    list_public_messages,
    start_match,
)
from tests.support.forging import Actor, make_presses, send

pytestmark = pytest.mark.asyncio

LABELS = ["Play", "Learn", "Run a league", "My matches", "All commands"]
MAX_SCREEN_LENGTH = 1000
"""Characters that one screen of a phone shows, of some 45 in a line."""


async def open_help(club: SimulatedClub, label: str) -> discord.Message:
    """What Cyn is shown who presses a button of her help."""
    helped = get_response(await club.cyn.slash(club.channel, "help")).message
    return get_response(await club.cyn.click(helped, label=label)).message


async def test_help_fits_the_screen_of_a_phone(club: SimulatedClub) -> None:
    answer = get_response(await club.cyn.slash(club.channel, "help"))
    assert list_button_labels(answer.message) == LABELS
    text = extract_text(answer.message)
    assert len(text) < MAX_SCREEN_LENGTH
    for named in ("/play", "/challenge", "/learn", "/league create", "/ladder create", "/matches"):
        assert f"`{named}`" in text
    assert "**Take back** undoes a move until the next throw." in text


async def test_play_seats_somebody_with_whoever_waits_and_else_offers_games(
    club: SimulatedClub,
) -> None:
    offered = await open_help(club, "Play")
    assert "Nobody here is waiting for an opponent." in extract_text(offered)
    assert list_button_labels(offered)[-2:] == ["Challenge to Fallas", "Challenge to Zeno"]
    await club.cyn.click(offered, label="Challenge to Zeno")
    assert "challenges anyone who wants to play" in extract_text(get_newest_message(club))
    helped = get_response(await club.ana.slash(club.channel, "help")).message
    await club.ana.click(helped, label="Play")
    assert "Match 1" in extract_text(get_newest_message(club))
    assert await club.store.get(Matches).load_numbers() == [1]


async def test_two_who_press_play_at_once_take_one_challenge(club: SimulatedClub) -> None:
    await club.cyn.slash(club.channel, "challenge", game="zeno")
    sent = []
    for name, person in (("ana", club.ana), ("ben", club.ben)):
        helped = get_response(await person.slash(club.channel, "help")).message
        (press, *_) = make_presses(PLAY_WAITING, helped.id, ())
        actor = Actor(name, person.id, club.guild.id, club.channel.id)
        sent.append(partial(send, club, actor, press))
    answers = [each() for each in sent]
    await club.env.settle()
    await club.advance_clock(0)
    assert await club.store.get(Matches).load_numbers() == [1]
    shown = [extract_text(each.response.message) for each in answers if each.response]
    assert [text for text in shown if text.startswith("Somebody else was quicker.")]


async def test_learn_opens_the_lessons_and_goes_on_where_somebody_stopped(
    club: SimulatedClub,
) -> None:
    lessons = await open_help(club, "Learn")
    assert "### Lessons" in extract_text(lessons)
    lesson = get_response(await club.cyn.click(lessons, label="Zeno")).message
    await club.cyn.click(lesson, label=list_button_labels(lesson)[0])
    assert "Go on" in list_button_labels(await open_help(club, "Learn"))


async def test_my_matches_lists_them(club: SimulatedClub) -> None:
    assert "You have no match in progress" in extract_text(await open_help(club, "My matches"))
    await start_match(club, "zeno")
    helped = get_response(await club.ana.slash(club.channel, "help")).message
    answer = await club.ana.click(helped, label="My matches")
    asked = await club.ana.slash(club.channel, "matches")
    assert get_ephemeral_text(answer) == get_ephemeral_text(asked)


async def test_run_a_league_names_what_opens_each_kind_of_contest(club: SimulatedClub) -> None:
    text = extract_text(await open_help(club, "Run a league"))
    for kind in ("league", "tournament", "ladder"):
        assert f"`/{kind} create`" in text
        assert f"`/{kind} manage`" in text
    assert "Manage Events" in text


async def test_all_commands_leaves_none_out(club: SimulatedClub) -> None:
    everything = {each.qualified_name for each in list_commands()}
    for person, hidden in ((club.cyn, "server"), (club.ana, None)):
        helped = get_response(await person.slash(club.channel, "help")).message
        listed = get_response(await person.click(helped, label="All commands")).message
        shown = {name for name in everything if f"</{name}:" in extract_raw_text(listed)}
        assert shown == {name for name in everything if name.split()[0] != hidden}
        assert "under *Apps*: " in extract_text(listed)
        (menu,) = list_menus(listed)
        described = ""
        for option in menu.options:
            answer = await person.select(listed, custom_id=menu.custom_id, values=[option.value])
            assert get_response(answer).id == listed.id
            described += get_ephemeral_text(answer)
        for each in list_commands():
            assert (f"`/{each.qualified_name}`: {each.description}" in described) is (
                each.qualified_name in shown
            )


async def test_all_commands_are_those_that_work_where_one_asks(club: SimulatedClub) -> None:
    helped = get_response(await club.cyn.user.slash("help")).message
    direct = get_response(await club.cyn.user.click(helped, label="All commands")).message
    await leave_guild(club)
    outside = await open_help(club, "All commands")
    for message, extra in ((direct, "direct"), (outside, "everywhere")):
        text = extract_raw_text(message)
        for each in list_commands():
            assert (f"</{each.qualified_name}:" in text) is each.extras[extra], each.qualified_name
        assert "*Apps*" not in text
    # Nothing is refused that the card of a place without a server offers.
    for label in LABELS[1:4]:
        assert "not a member" not in extract_text(await open_help(club, label)), label
    assert list_public_messages(club) == []


async def test_help_is_in_the_language_of_whoever_asks(tmp_path: Path) -> None:
    async with open_club(tmp_path / "club.sqlite3", people="de") as club:
        helped = get_response(await club.cyn.slash(club.channel, "help")).message
        ids = [
            part.custom_id or ""
            for part in discord.ui.LayoutView.from_message(helped).walk_children()
            if isinstance(part, discord.ui.Button)
        ]
        answer = await club.cyn.click(helped, custom_id=ids[-1])
        say = load_reader("de")
        group = say.in_context("command", "Everything else about one match")
        assert group in get_ephemeral_text(answer)
        (menu,) = list_menus(get_response(answer).message)
        answer = await club.cyn.select(
            get_response(answer).message, custom_id=menu.custom_id, values=["single"]
        )
        roll = say.in_context("command", "Roll the dice in your match in this channel.")
        assert roll in get_ephemeral_text(answer)
