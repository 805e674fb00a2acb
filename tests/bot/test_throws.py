"""Dice that are thrown for people, and the seconds in which the turn before can be taken back."""

from collections.abc import Iterator

import pytest
import simcord

from bot.features.matches import session
from engine.clock import DAY, MINUTE, NEVER
from engine.match import Phase
from tests.bot.test_computer import load_session
from tests.support import driver
from tests.support.club import SimulatedClub
from tests.support.panels import change_settings
from tests.support.stored import load_due

pytestmark = [pytest.mark.asyncio, pytest.mark.usefixtures("long_delay")]


@pytest.fixture
def long_delay(club: SimulatedClub) -> Iterator[None]:
    """Let a turn be taken back for a minute, as the simulator sits out a few seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "THROW_DELAY_MS", MINUTE)
        yield


async def finish_turn(club: SimulatedClub) -> simcord.MemberActor:
    """Begin a match and play its first turn; return who did."""
    await driver.start_match(club, "zeno")
    mover = driver.find_mentioned_player(club)
    while driver.find_mentioned_player(club) is mover:
        assert await driver.take_next_action(club)
    return mover


async def test_dice_are_thrown_once_the_turn_before_is_settled(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno")
    before = await load_session(club)
    # The first throw ends nothing that could be taken back, so it comes at once.
    assert before.match.moves == () != before.match.thrown
    while before.match.phase is not Phase.THROW:
        assert await driver.take_next_action(club)
        before = await load_session(club)
    message = driver.get_newest_message(club)
    assert f"<@{before.person_to_act}> (" in driver.extract_text(message)
    assert "I'll roll for you in a moment." in driver.extract_text(message)
    assert driver.list_button_labels(message) == ["Take back", "How to play", "More…"]
    await club.advance_clock(MINUTE // 2)
    assert (await load_session(club)).match.version == before.match.version
    await club.advance_clock(MINUTE // 2 + 1)
    assert (await load_session(club)).match.phase is not Phase.THROW
    assert driver.get_newest_message(club).id == message.id


async def test_dice_are_not_thrown_after_a_turn_that_was_taken_back(
    club: SimulatedClub,
) -> None:
    mover = await finish_turn(club)
    await mover.click(driver.get_newest_message(club), label="Take back")
    version = (await load_session(club)).match.version
    await club.advance_clock(2 * MINUTE)
    assert (await load_session(club)).match.version == version
    assert driver.find_mentioned_player(club) is mover


async def test_dice_are_thrown_at_once_after_a_turn_that_was_confirmed(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno")
    mover = driver.find_mentioned_player(club)
    await change_settings(mover, club.channel, confirms=True)
    menu = driver.list_menus(driver.get_newest_message(club))[0]
    asked = await mover.select(
        driver.get_newest_message(club), custom_id=menu.custom_id, values=[menu.options[0].value]
    )
    await mover.click(driver.get_response(asked).message, label="Play it")
    assert driver.find_mentioned_player(club) is not mover
    assert (await load_session(club)).match.phase is Phase.PLAY


async def test_who_goes_on_vacation_before_their_throw_has_all_their_time(
    club: SimulatedClub,
) -> None:
    await finish_turn(club)
    waiter = driver.find_mentioned_player(club)
    await waiter.slash(club.channel, "me vacation", days=7)
    await club.advance_clock(2 * MINUTE)
    # Nothing is decided by a throw, and the clock stands.
    assert (await load_session(club)).match.phase is Phase.PLAY
    await club.advance_clock(6 * DAY)
    assert (await load_session(club)).match.phase is Phase.PLAY
    assert driver.find_mentioned_player(club) is waiter


async def test_who_turns_automatic_rolls_off_meanwhile_can_roll(
    club: SimulatedClub,
) -> None:
    await finish_turn(club)
    await change_settings(driver.find_mentioned_player(club), club.channel, throws=False)
    await club.advance_clock(2 * MINUTE)
    await driver.find_mentioned_player(club).click(driver.get_newest_message(club), label="Roll")
    assert (await load_session(club)).match.phase is Phase.PLAY


async def test_a_throw_that_did_not_come_can_be_made_where_the_match_is_shown_anew(
    club: SimulatedClub,
) -> None:
    await finish_turn(club)
    (job,) = [each for each in await load_due(club.store.jobs, NEVER, 99) if each.kind == "throw"]
    await club.store.jobs.finish(job)
    await club.advance_clock(2 * MINUTE)
    waiter = driver.find_mentioned_player(club)
    await waiter.slash(club.channel, "match board", share=True)
    await waiter.click(driver.get_newest_message(club), label="Roll")
    assert (await load_session(club)).match.phase is Phase.PLAY
