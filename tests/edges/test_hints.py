"""Hints, when people come and go."""

import asyncio

import pytest

from bot.features.analysis.store import HintConsents
from tests.bot.test_privacy import delete_data
from tests.store.test_privacy import dump_values, find_traces
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    find_mentioned_player,
    get_ephemeral_text,
    get_newest_message,
    list_menus,
    list_public_messages,
    start_match,
)
from tests.support.panels import change_settings

pytestmark = pytest.mark.asyncio


async def test_hints_that_are_allowed_twice_at_once_are_announced_once(
    club: SimulatedClub,
) -> None:
    await start_match(club, "backgammon", rated=False)
    while not list_menus(get_newest_message(club)):
        await find_mentioned_player(club).click(get_newest_message(club), label="Roll")
    mover = find_mentioned_player(club)
    other = club.ben if mover is club.ana else club.ana
    await mover.slash(club.channel, "match hint")
    question = get_newest_message(club)
    await asyncio.gather(
        *(other.click(question, label="Allow hints") for _ in range(2)), return_exceptions=True
    )
    await club.advance_clock(0)
    texts = [extract_text(each) for each in list_public_messages(club)]
    assert sum(each.startswith("Hints are now allowed in match 1.") for each in texts) == 1
    assert await club.store.get(HintConsents).load_people(1) == {mover.id, other.id}


async def test_nothing_is_left_of_whoever_asked_for_hints_and_has_their_data_deleted(
    club: SimulatedClub,
) -> None:
    await start_match(club, "backgammon", rated=False)
    await club.ana.slash(club.channel, "match hint")
    question = get_newest_message(club)
    await delete_data(club, club.ana)
    assert find_traces(await dump_values(club.store), str(club.ana.id)) == set()
    # The match is over with that, so nobody is asked for anything more.
    text = get_ephemeral_text(await club.ben.click(question, label="Allow hints"))
    assert "is over" in text
    assert await club.store.get(HintConsents).load_people(1) <= {club.ben.id}


async def test_a_hint_is_in_the_language_of_whoever_asks_and_its_question_in_the_servers(
    club: SimulatedClub,
) -> None:
    await start_match(club, "backgammon", rated=False)
    while not list_menus(get_newest_message(club)):
        await find_mentioned_player(club).click(get_newest_message(club), label="Roll")
    mover = find_mentioned_player(club)
    other = club.ben if mover is club.ana else club.ana
    await change_settings(mover, club.channel, language="de")
    await mover.slash(club.channel, "match hint")
    question = get_newest_message(club)
    assert f"<@{mover.id}> would like hints in match 1" in extract_text(question)
    await other.click(question, label="Allow hints")
    assert "Gewinnchance " in get_ephemeral_text(await mover.slash(club.channel, "match hint"))
