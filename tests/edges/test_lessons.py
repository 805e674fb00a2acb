"""A lesson in the middle of which its learner changes something, or goes and comes back."""

import pytest

from bot.features.lessons.store import BegunLessons
from bot.platform.i18n.common import keep_together
from tests.bot.test_lessons import open_lesson
from tests.bot.test_privacy import delete_data
from tests.support.club import SimulatedClub
from tests.support.driver import extract_text, get_response
from tests.support.panels import change_settings

pytestmark = pytest.mark.asyncio


async def test_who_deletes_their_data_begins_anew(club: SimulatedClub) -> None:
    card = await open_lesson(club, club.ben, "tabula")
    await club.ben.click(card, label=keep_together("hand-d"))
    assert await club.store.get(BegunLessons).load(club.ben.id, "tabula")
    await delete_data(club, club.ben)
    assert not await club.store.get(BegunLessons).load(club.ben.id, "tabula")
    again = extract_text(await open_lesson(club, club.ben, "tabula"))
    assert "Enter two men with the 4s" in again


async def test_who_changes_their_language_reads_on_in_it(club: SimulatedClub) -> None:
    card = await open_lesson(club, club.ben, "tabula")
    assert "Enter two men with the 4s" in extract_text(card)
    await change_settings(club.ben, club.channel, language="de")
    answer = get_response(await club.ben.slash(club.channel, "learn", lesson="tabula"))
    assert "Enter two men" not in extract_text(answer.message)
    assert "Teil 1 von 5" in extract_text(answer.message)
