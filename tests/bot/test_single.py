"""One message a match, where a server wants it.

It is edited in place, with a short mention that goes when it is answered.
"""

import discord
import pytest

from bot.app import play
from tests.bot.conftest import Club
from tests.bot.driver import begin, button, controls, labels, live, menus, said, seen, text

pytestmark = pytest.mark.asyncio
EDIT = ("PATCH", "/channels/*/messages/*")


async def begun(club: Club) -> discord.Message:
    """Let a match have one message, begin one, and return that."""
    told = said(await club.ana.slash(club.channel, "server matches", single=True))
    assert "Each match has a single message" in told
    await begin(club, "zeno")
    return shown(club)


def shown(club: Club) -> discord.Message:
    """The message of the match."""
    (message,) = live(club)
    return message


def calls(club: Club) -> list[discord.Message]:
    """The messages that call somebody to act."""
    return [message for message in seen(club) if "it's your turn in" in text(message)]


async def waits_for(club: Club) -> int:
    """Whom the match waits for."""
    return (await play.load(club.bot.app, 1)).to_act


async def act(club: Club) -> None:
    """Do the next thing that the match asks for."""
    person = club.ana if await waits_for(club) == club.ana.id else club.ben
    message = shown(club)
    if menus(message):
        menu = menus(message)[0]
        await person.select(message, custom_id=menu.custom_id, values=[menu.options[0].value])
    else:
        await person.click(message, custom_id=button(message, ":roll"))
    await club.later(0)


async def test_a_match_has_one_message_and_whoever_is_to_act_is_called_until_they_do(
    club: Club,
) -> None:
    message = await begun(club)
    assert calls(club) == []
    first = await waits_for(club)
    while await waits_for(club) == first:
        assert calls(club) == []
        await act(club)
    assert shown(club).id == message.id
    (call,) = calls(club)
    assert [user.id for user in call.mentions] == [await waits_for(club)] != [first]
    assert f"/{message.id})" in text(call)
    assert " played `" in text(shown(club))
    await act(club)
    assert calls(club) == []
    for _ in range(12):
        await act(club)
        assert shown(club).id == message.id
        assert len(calls(club)) <= 1
    await club.ana.slash(club.channel, "resign")
    await club.later(0)
    assert calls(club) == []
    ends = [each for each in seen(club) if "Rematch" in labels(each)]
    assert [each.id for each in ends] == [message.id]
    assert len(seen(club)) == 2


async def test_a_message_that_takes_no_more_changes_is_replaced(club: Club) -> None:
    message = await begun(club)
    club.env.inject_error(*EDIT, status=400, code=30046)
    await act(club)
    assert shown(club).id != message.id
    assert message.id not in [each.id for each in seen(club)]
    assert controls(shown(club))
    row = await club.store.matches.get(1)
    assert row
    assert row.shown == row.version


async def test_a_reminder_takes_the_place_of_a_call(club: Club) -> None:
    await club.ana.slash(club.channel, "server matches", single=True, pace="day")
    await begin(club, "zeno")
    first = await waits_for(club)
    while await waits_for(club) == first:
        await act(club)
    assert len(calls(club)) == 1
    await club.later(23 * 60 * 60 * 1000)
    assert calls(club) == []
    assert len([each for each in seen(club) if "your time in" in text(each)]) == 1


async def test_alone_against_the_computer_nobody_is_called(club: Club) -> None:
    await club.ana.slash(club.channel, "server matches", single=True)
    await club.ana.slash(club.channel, "play", game="laquet", level="beginner")
    for _ in range(6):
        message = shown(club)
        if menus(message):
            menu = menus(message)[0]
            await club.ana.select(message, custom_id=menu.custom_id, values=[menu.options[0].value])
        else:
            await club.ana.click(message, custom_id=controls(message)[0])
        await club.later(0)
    assert len(seen(club)) == 1
