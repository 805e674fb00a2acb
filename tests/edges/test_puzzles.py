"""Puzzles of somebody who goes and comes back, or reads another language."""

import pytest

from tests.bot.test_privacy import delete_data
from tests.bot.test_puzzles import (
    EVERY,
    FIRST_DAY,
    NOON,
    load_streak,
    open_puzzle,
    set_puzzle,
    solve_puzzle,
)
from tests.support.club import SimulatedClub
from tests.support.driver import extract_text, get_newest_message
from tests.support.panels import change_server, change_settings

pytestmark = pytest.mark.asyncio


async def test_who_deletes_their_data_has_no_streak_and_may_begin_another(
    club: SimulatedClub,
) -> None:
    await solve_puzzle(club, club.ben)
    streak = await load_streak(club, club.ben)
    assert streak is not None
    await delete_data(club, club.ben)
    assert await load_streak(club, club.ben) is None
    await solve_puzzle(club, club.ben)
    again = await load_streak(club, club.ben)
    assert again is not None
    assert again == streak


async def test_who_changes_their_language_reads_the_same_puzzle_in_it(club: SimulatedClub) -> None:
    before = extract_text(await open_puzzle(club, club.ben))
    await change_settings(club.ben, club.channel, language="de")
    after = extract_text(await open_puzzle(club, club.ben))
    assert before != after
    assert "Aufgabe des Tages" in after


async def test_a_server_in_another_language_reads_the_rules_of_an_exact_puzzle_in_it(
    club: SimulatedClub,
) -> None:
    club.bot.app.clock = lambda: NOON
    await set_puzzle(club, FIRST_DAY, EVERY[-1].id)
    await change_server(club.ana, club.channel, language="de")
    await club.ben.slash(club.channel, "puzzle", share=True)
    shared = extract_text(get_newest_message(club))
    assert "Hausregeln: Ziehen die Steine?" in shared
    assert "House rules" not in shared
    # Ana still reads English, in her own card of the same puzzle.
    await change_settings(club.ana, club.channel, language="en")
    assert "House rules: Do men move?" in extract_text(await open_puzzle(club, club.ana))
