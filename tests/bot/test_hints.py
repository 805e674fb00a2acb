"""Hints: the best there is to do, for those who may be told."""

import re

import discord
import pytest
import simcord

from bot.features.analysis.store import HintConsents
from bot.features.matches import loading
from engine.notation import parse_play
from tests.bot.test_computer import press_next_control
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    find_mentioned_player,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    give_up,
    list_button_labels,
    list_menus,
    list_pictures,
    list_public_messages,
    start_match,
)
from tests.support.panels import change_settings

pytestmark = pytest.mark.asyncio


async def test_against_the_computer_a_hint_is_one_press_away(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "play", game="backgammon")
    while not list_menus(get_newest_message(club)):
        assert "Hint" not in list_button_labels(get_newest_message(club))
        await press_next_control(club)
    answer = get_response(await club.ana.click(get_newest_message(club), label="Hint"))
    assert answer.ephemeral
    lines = extract_text(answer.message).splitlines()
    assert lines[0] == "### Hint for match 1: Backgammon"
    assert lines[1].startswith("**1.** `")
    assert lines[1].endswith("`: best")
    session = await loading.load_session(club.bot.app, 1)
    for line in lines[1:4]:
        assert line.startswith("**")
        typed = line.split("`")[1]
        assert session.match.plays
        assert parse_play(typed, session.match.rules, session.match.position, session.match.duty)
    (picture,) = list_pictures(answer.message)
    assert picture.description is not None
    assert "Arrows 1: " in picture.description
    assert "Arrows 2" not in picture.description
    assert any(line.startswith("**Play 1:** Win chance ") for line in lines)
    assert list_button_labels(answer.message) == ["1", "2", "3", "Play this"]
    assert (await loading.load_session(club.bot.app, 1)).match.version == session.match.version


async def ask_for_hint(club: SimulatedClub) -> simcord.ResponseMessage:
    """Ana plays backgammon against the computer, and asks for a hint on her first throw."""
    await club.ana.slash(club.channel, "play", game="backgammon")
    while not list_menus(get_newest_message(club)):
        await press_next_control(club)
    return get_response(await club.ana.click(get_newest_message(club), label="Hint"))


def list_ranked_plays(message: discord.Message) -> list[str]:
    """The plays that a hint compares, as they are typed."""
    return re.findall(r"\*\*[123]\.\*\* `([^`]+)`", extract_text(message))


async def test_another_of_the_best_plays_is_looked_at_and_played(club: SimulatedClub) -> None:
    answer = await ask_for_hint(club)
    plays = list_ranked_plays(answer.message)
    assert len(plays) == 3
    await club.ana.click(answer.message, label="2")
    text = extract_text(answer.message)
    assert "**Play 2:** Win chance " in text
    assert "**Play 1:**" not in text
    assert list_ranked_plays(answer.message) == plays
    match = (await loading.load_session(club.bot.app, 1)).match
    second = parse_play(plays[1], match.rules, match.position)
    names = match.rules.board.place_names
    (picture,) = list_pictures(answer.message)
    assert picture.description is not None
    arrows = picture.description.partition("Arrows 2: ")[2]
    assert all(f"{names[move.source]} to {names[move.target]}" in arrows for move in second)
    await club.ana.click(answer.message, label="Play this")
    assert f"played `{plays[1]}`" in "\n".join(map(extract_text, list_public_messages(club)))
    assert list_button_labels(answer.message) == []
    assert (await loading.load_session(club.bot.app, 1)).match.version > match.version


async def test_a_hint_of_an_earlier_moment_changes_nothing(club: SimulatedClub) -> None:
    answer = await ask_for_hint(club)
    await club.ana.slash(club.channel, "move", play=list_ranked_plays(answer.message)[1])
    while not list_menus(get_newest_message(club)):
        await press_next_control(club)
    version = (await loading.load_session(club.bot.app, 1)).match.version
    before = extract_text(answer.message)
    for label in ("Play this", "2"):
        assert (
            get_ephemeral_text(await club.ana.click(answer.message, label=label))
            == "The match has moved on. See its latest message, or use `/match board`."
        )
    assert extract_text(answer.message) == before
    assert (await loading.load_session(club.bot.app, 1)).match.version == version


async def test_who_prefers_to_be_asked_is_asked_before_a_hint_is_played(
    club: SimulatedClub,
) -> None:
    await change_settings(club.ana, club.channel, confirms=True)
    answer = await ask_for_hint(club)
    version = (await loading.load_session(club.bot.app, 1)).match.version
    response = get_response(await club.ana.click(answer.message, label="Play this"))
    assert extract_text(response.message).startswith("### End your turn in match 1")
    assert (await loading.load_session(club.bot.app, 1)).match.version == version
    await club.ana.click(response.message, label="Play it")
    assert (await loading.load_session(club.bot.app, 1)).match.version > version


@pytest.mark.sweep
async def test_a_hint_by_command_for_a_choice(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "play", game="twelve-dogs")
    while "af" not in list_button_labels(get_newest_message(club)):
        assert get_ephemeral_text(await club.ana.slash(club.channel, "match hint")).startswith(
            ("There's nothing", "It's Computer")
        )
        await give_up(club, club.ana, club.channel)
        await club.ana.slash(club.channel, "play", game="twelve-dogs")
    text = get_ephemeral_text(await club.ana.slash(club.channel, "match hint"))
    assert "**1.** choose the table " in text


@pytest.mark.sweep
@pytest.mark.usefixtures("own_throws")
async def test_before_the_throw_there_is_nothing_to_decide(club: SimulatedClub) -> None:
    await start_match(club, "zeno", rated=False)
    assert "Roll" in list_button_labels(get_newest_message(club))
    mover = find_mentioned_player(club)
    await mover.slash(club.channel, "match hint")
    other = club.ben if mover is club.ana else club.ana
    await other.click(get_newest_message(club), label="Allow hints")
    assert (
        get_ephemeral_text(await mover.slash(club.channel, "match hint"))
        == "There's nothing to decide yet. Roll first."
    )


async def test_between_people_everyone_allows_hints_first(club: SimulatedClub) -> None:
    await start_match(club, "backgammon", rated=False)
    while not list_menus(get_newest_message(club)):
        await find_mentioned_player(club).click(get_newest_message(club), label="Roll")
    mover = find_mentioned_player(club)
    other = club.ben if mover is club.ana else club.ana
    turn = get_newest_message(club)
    assert "Hint" not in list_button_labels(turn)
    assert get_ephemeral_text(await mover.slash(club.channel, "match hint")).startswith(
        "Everyone in this match must allow hints first."
    )
    question = get_newest_message(club)
    assert f"<@{mover.id}> would like hints in match 1" in extract_text(question)
    assert (
        get_ephemeral_text(await club.cyn.click(question, label="Allow hints"))
        == "You're not playing in match 1."
    )
    # Asked again, the question is not posted again.
    await mover.slash(club.channel, "match hint")
    assert get_newest_message(club).id == question.id
    await other.click(question, label="Allow hints")
    assert (
        extract_text(get_newest_message(club))
        == "Hints are now allowed in match 1. Use `/match hint`."
    )
    assert "**Play 1:** Win chance " in get_ephemeral_text(
        await mover.slash(club.channel, "match hint")
    )
    assert get_ephemeral_text(await other.slash(club.channel, "match hint")).startswith("It's ")


async def test_leave_that_could_not_be_asked_for_is_asked_for_again(club: SimulatedClub) -> None:
    await start_match(club, "backgammon", rated=False)
    before = get_newest_message(club)
    club.env.inject_error("POST", "/channels/*/messages", status=403, code=50013)
    await club.ana.slash(club.channel, "match hint")
    assert get_newest_message(club).id == before.id
    assert await club.store.get(HintConsents).load_people(1) == frozenset()
    await club.ana.slash(club.channel, "match hint")
    assert f"<@{club.ana.id}> would like hints in match 1" in extract_text(get_newest_message(club))


@pytest.mark.sweep
async def test_nobody_is_helped_in_a_rated_match(club: SimulatedClub) -> None:
    await start_match(club, "backgammon")
    text = "Hints aren't available in rated matches."
    assert get_ephemeral_text(await club.ana.slash(club.channel, "match hint")) == text
    await club.ana.slash(club.channel, "play", game="zeno", rated=True)
    assert get_ephemeral_text(await club.ana.slash(club.channel, "match hint", match=2)) == text
    assert (
        get_ephemeral_text(await club.cyn.slash(club.channel, "match hint", match=2))
        == "You're not playing in match 2."
    )
