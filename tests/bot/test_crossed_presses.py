"""A press that asks for what has just happened is taken in silence; any other is told so."""

from typing import Any

import pytest
import simcord

from bot.features.matches import session
from engine.clock import MINUTE
from engine.events import DrawOffered, Played, TakenBack, Thrown
from engine.match import Phase
from tests.bot.test_computer import load_session, load_transitions
from tests.bot.test_presses import EPHEMERAL, play_until, record_requests
from tests.bot.test_throws import finish_turn
from tests.support import driver
from tests.support.club import SimulatedClub

pytestmark = pytest.mark.asyncio


async def cross(
    club: SimulatedClub,
    person: simcord.MemberActor,
    custom_id: str,
    **picked: Any,
) -> bool:
    """Press what was shown before; return whether that was taken in silence.

    It changes nothing in any case.
    """
    message = driver.get_newest_message(club)
    before = (await load_session(club)).match.version
    with record_requests(club) as sent:
        result = await driver.forge_press(club, person, message, custom_id, **picked)
    await club.advance_clock(0)
    assert (await load_session(club)).match.version == before
    if EPHEMERAL not in sent:
        return True
    assert "moved on" in driver.get_ephemeral_text(result)
    return False


async def test_a_roll_that_the_automatic_one_has_overtaken(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "THROW_DELAY_MS", MINUTE)
    waiter = await finish_turn(club)
    mover = driver.find_mentioned_player(club)
    version = (await load_session(club)).match.version
    await club.advance_clock(2 * MINUTE)
    assert isinstance((await load_transitions(club))[version].event, Thrown)
    assert await cross(club, mover, f"match:1:{version}:roll")
    # Whose dice they were not has not done it.
    assert not await cross(club, waiter, f"match:1:{version}:roll")
    assert driver.list_control_ids(driver.get_newest_message(club))
    assert "out of date" not in driver.extract_text(driver.get_newest_message(club))


@pytest.mark.usefixtures("own_throws")
async def test_a_control_that_is_used_twice(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    used: set[str] = set()
    while used != {"roll", "plays", "back"}:
        message, mover = driver.get_newest_message(club), driver.find_mentioned_player(club)
        controls = driver.list_control_ids(message)
        picked: dict[str, Any] = {}
        back = [each for each in controls if each.endswith(":back")]
        if menus := driver.list_menus(message):
            control = menus[0].custom_id or ""
            picked = {"value": menus[0].options[0].value}
            await mover.select(message, custom_id=control, values=[picked["value"]])
            used.add("plays")
        elif back and "back" not in used:
            control = back[0]
            mover = club.ana if mover is club.ben else club.ben
            await mover.click(message, custom_id=control)
            used.add("back")
        else:
            control = next(each for each in controls if each not in back)
            await mover.click(message, custom_id=control)
            used.add(control.rpartition(":")[2])
        assert await cross(club, mover, control, **picked)


@pytest.mark.usefixtures("own_throws")
async def test_another_move_or_one_that_was_taken_back_is_told(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    while (await load_session(club)).match.phase is not Phase.PLAY:
        await driver.take_next_action(club)
    message, mover = driver.get_newest_message(club), driver.find_mentioned_player(club)
    menu = driver.list_menus(message)[0]
    control, (first, second, *_) = menu.custom_id or "", [each.value for each in menu.options]
    await mover.select(message, custom_id=control, values=[first])
    assert await cross(club, mover, control, value=first)
    assert not await cross(club, mover, control, value=second)
    await mover.slash(club.channel, "undo")
    played = [type(each.event) for each in await load_transitions(club)]
    assert played[-2:] == [Played, TakenBack]
    assert not await cross(club, mover, control, value=first)


async def test_what_ends_a_match_or_offers_a_draw_twice(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    await play_until(club, "Take back")
    version = (await load_session(club)).match.version
    await club.ana.slash(club.channel, "match draw", match=1)
    assert await cross(club, club.ana, f"match:1:{version}:offer")
    offers = [each.event for each in await load_transitions(club)]
    assert sum(isinstance(each, DrawOffered) for each in offers) == 1
    offered = driver.get_newest_message(club)
    agree = driver.find_button(offered, ":agree")
    await club.ben.click(offered, custom_id=agree)
    assert (await load_session(club)).match.phase is Phase.OVER
    assert await cross(club, club.ben, agree)
    # Who offered it has not accepted it.
    assert not await cross(club, club.ana, agree)
    assert await cross(club, club.ana, f"match:1:{version}:offer")
    await driver.start_match(club, "zeno")
    await driver.give_up(club, club.ana, club.channel, 2)
    begun = driver.get_newest_message(club)
    with record_requests(club) as sent:
        await driver.forge_press(club, club.ana, begun, "match:2:0:resign")
    assert EPHEMERAL not in sent
    with record_requests(club) as sent:
        told = await driver.forge_press(club, club.ben, begun, "match:2:0:resign")
    assert "is over" in driver.get_ephemeral_text(told)


async def test_a_claim_that_crosses_another(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno", pace="day")
    await driver.take_next_action(club)
    while (await load_session(club)).match.version < 8:
        await driver.take_next_action(club)
    late = driver.find_mentioned_player(club)
    other = club.ana if late is club.ben else club.ben
    await club.advance_clock(25 * 60 * MINUTE)
    message = driver.get_newest_message(club)
    claim = driver.find_button(message, ":claim")
    await other.click(message, custom_id=claim)
    assert (await load_session(club)).match.phase is Phase.OVER
    assert await cross(club, other, claim)
    assert not await cross(club, late, claim)
