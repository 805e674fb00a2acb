"""Trying a play: one person alone sees the board after it.

Nothing changes until it is played.
"""

from collections.abc import Callable

import pytest
import simcord

from bot.app import play
from bot.client import Tabula
from engine.events import Played
from engine.match import Match, Phase
from engine.moves import Play
from engine.notation import format_play
from engine.position import Side
from tests.bot.conftest import Club, Seeded
from tests.bot.driver import (
    answer,
    begin,
    button,
    called,
    labels,
    menus,
    newest,
    pictures,
    said,
    seen,
    step,
    text,
)
from tests.bot.test_refusals import throw, version

pytestmark = pytest.mark.asyncio


async def first_play(club: Club, match: int = 1) -> str:
    """A whole play that may be made in a match."""
    now = (await play.load(club.bot.app, match)).match
    return format_play(now.plays[0].moves, now.rules, now.position)


async def tried(
    club: Club, mover: simcord.MemberActor, typed: str, **options: int
) -> simcord.ResponseMessage:
    """What somebody is shown who tries a play."""
    told = answer(await mover.slash(club.channel, "try", play=typed, **options))
    assert told.ephemeral
    return told


async def test_a_whole_play_is_shown_to_one_alone_and_played_by_a_button(club: Club) -> None:
    mover, waiter = await throw(club)
    wanted = await first_play(club)
    before, messages = await version(club), len(seen(club))
    told = await tried(club, mover, wanted)
    lines = text(told.message).splitlines()
    assert lines[0] == "### Preview: match 1, Zeno"
    assert lines[1].startswith(f"This is the board after `{wanted}`")
    assert "-# Nothing is played yet. Only you can see this." in lines
    assert labels(told.message) == ["Play it"]
    (picture,) = pictures(told.message)
    assert picture.description is not None
    assert f"After {wanted}" in picture.description
    assert await version(club) == before
    assert len(seen(club)) == messages
    await mover.click(told.message, label="Play it")
    assert text(told.message) == "Played."
    assert labels(told.message) == []
    assert f"played `{wanted}`" in "\n".join(text(message) for message in seen(club))
    assert called(club) is waiter


async def test_from_another_channel_a_link_leads_to_the_match(club: Club) -> None:
    mover, _ = await throw(club)
    hall = club.guild.create_text_channel("hall")
    told = answer(await mover.slash(hall, "try", play=await first_play(club), match=1))
    await mover.click(told.message, label="Play it")
    there = f"https://discord.com/channels/{club.guild.id}/{club.channel.id}/"
    assert text(told.message).startswith(f"Played. [Match 1 continues here]({there}")


async def test_a_part_of_a_play_is_shown_with_what_is_left(club: Club) -> None:
    mover, _ = await throw(club)
    now = (await play.load(club.bot.app, 1)).match
    move = next(move for move in now.next_moves() if len(now.position.dice) == 3)
    typed = format_play((move,), now.rules, now.position)
    left = list(now.position.dice)
    left.remove(move.number)
    told = await tried(club, mover, typed)
    assert f"This is the board after `{typed}`, with {left[0]}-{left[1]} left to play." in text(
        told.message
    )
    (picture,) = pictures(told.message)
    assert picture.description is not None
    assert f"To play: {left[0]}, {left[1]}." in picture.description


async def reach(club: Club, slug: str, wanted: Callable[[Match, Play], bool]) -> tuple[Match, Play]:
    """Play matches of a game until the next player could make a wanted play.

    Returns the match and that play.
    """
    while True:
        await begin(club, slug)
        number = (await club.store.matches.running_of(club.ana.id))[-1].id
        while (now := (await play.load(club.bot.app, number)).match).outcome is None:
            for each in now.plays:
                if wanted(now, each):
                    return now, each
            assert await step(club)


def leaves_one(now: Match, whole: Play) -> bool:
    """Whether the last move of a play is the only one there is when the others are made."""
    *most, _ = whole.moves
    if not most:
        return False
    after = now.apply(Played(tuple(most)))
    return after.phase is Phase.PLAY and len(after.plays) == 1


@pytest.mark.sweep
async def test_what_follows_by_itself_is_told(club: Club) -> None:
    now, whole = await reach(club, "fallas", leaves_one)
    *most, last = whole.moves
    typed = format_play(tuple(most), now.rules, now.position)
    forced = format_play((last,), now.rules, now.apply(Played(tuple(most))).position)
    told = await tried(club, called(club), typed)
    assert f"This is the board after `{typed}`.\nThe only legal play: `{forced}`." in text(
        told.message
    )
    assert await version(club) == now.version


async def test_it_is_played_only_while_the_match_is_as_it_was(club: Club) -> None:
    mover, _ = await throw(club)
    wanted = await first_play(club)
    told = await tried(club, mover, wanted)
    moves = menus(newest(club))[0]
    await mover.select(newest(club), custom_id=moves.custom_id, values=[moves.options[-1].value])
    before = await version(club)
    assert said(await mover.click(told.message, label="Play it")).startswith(
        "The match has moved on"
    )
    assert await version(club) == before


async def test_only_whoever_is_to_play_tries_and_only_what_is_legal(club: Club) -> None:
    await begin(club, "zeno")
    mover = called(club)
    waiter = club.ben if mover is club.ana else club.ana
    for person in (mover, waiter):
        same = said(await person.slash(club.channel, "move", play="a-b"))
        assert said(await person.slash(club.channel, "try", play="a-b")) == same
    await mover.click(newest(club), label="Roll")
    for typed in ("what?", "a-j", "n-o", " "):
        same = said(await mover.slash(club.channel, "move", play=typed))
        assert said(await mover.slash(club.channel, "try", play=typed)) == same
    wanted = await first_play(club)
    assert said(await waiter.slash(club.channel, "try", play=wanted)).startswith("It's ")
    assert (
        said(await club.cyn.slash(club.channel, "try", play=wanted, match=1))
        == "You're not playing in match 1."
    )


async def test_of_several_matches_one_is_picked_and_autocomplete_is_that_of_move(
    club: Club,
) -> None:
    for _ in range(4):
        await begin(club, "zeno")
        await called(club).click(newest(club), custom_id=button(newest(club), ":roll"))
    sittings = [await play.load(club.bot.app, number) for number in range(1, 5)]
    person, ours = next(
        (person, found)
        for person in (club.ana, club.ben)
        if len(found := [each.id for each in sittings if each.to_act == person.id]) > 1
    )
    wanted = await first_play(club, ours[1])
    offered = [
        await person.autocomplete(club.channel, name, "play", "", match=ours[1])
        for name in ("try", "move")
    ]
    assert offered[0] == offered[1] != []
    question = answer(await person.slash(club.channel, "try", play=wanted))
    menu = menus(question.message)[0]
    assert [option.value for option in menu.options] == [str(number) for number in ours]
    told = answer(
        await person.select(question.message, custom_id=menu.custom_id, values=[str(ours[1])])
    )
    assert text(told.message).startswith(f"### Preview: match {ours[1]}, Zeno")
    await person.click(told.message, label="Play it")
    assert (await play.load(club.bot.app, ours[1])).match.version > sittings[
        ours[1] - 1
    ].match.version


@pytest.mark.sweep
async def test_a_play_that_ends_the_match_says_so(club: Club) -> None:
    now, whole = await reach(
        club, "doblet", lambda now, whole: now.apply(Played(whole.moves)).outcome is not None
    )
    told = await tried(club, called(club), format_play(whole.moves, now.rules, now.position))
    side = "gold" if now.turn is Side.GOLD else "black"
    assert f"**<@{called(club).id}> ({side}) won**" in text(told.message)
    assert await club.store.matches.running_of(club.ana.id) != []


async def test_whoever_wishes_it_is_asked_before_a_turn_ends_by_menu_and_typed(club: Club) -> None:
    mover, waiter = await throw(club)
    told = said(await mover.slash(club.channel, "settings", confirm=True))
    assert "You confirm each turn before it ends." in told
    wanted = await first_play(club)
    before = await version(club)
    moves = menus(newest(club))[0]
    whole = [option.value for option in moves.options]
    by_menu = await mover.select(newest(club), custom_id=moves.custom_id, values=[whole[0]])
    typed = await mover.slash(club.channel, "move", play=wanted)
    for asked in (answer(by_menu), answer(typed)):
        assert asked.ephemeral
        assert text(asked.message).startswith(
            "### End your turn in match 1, Zeno?\nThis is the board after `"
        )
        assert labels(asked.message) == ["Play it", "Not yet"]
        assert len(pictures(asked.message)) == 1
    assert await version(club) == before
    # Nobody else is asked for what they do not wish, and nobody is asked about what is not legal.
    assert said(await waiter.slash(club.channel, "move", play=wanted)).startswith("It's ")
    assert "there's no point j on this board" in said(
        await mover.slash(club.channel, "move", play="a-j")
    )
    await mover.click(answer(by_menu).message, label="Not yet")
    assert f"`/move {whole[0]}`" in text(answer(by_menu).message)
    assert labels(answer(by_menu).message) == []
    assert await version(club) == before
    await mover.click(answer(typed).message, label="Play it")
    assert f"played `{wanted}`" in "\n".join(text(message) for message in seen(club))
    assert called(club) is waiter


async def test_nobody_is_asked_for_a_part_of_a_turn_nor_who_does_not_wish_it(club: Club) -> None:
    mover, waiter = await throw(club)
    await mover.slash(club.channel, "settings", confirm=True)
    now = (await play.load(club.bot.app, 1)).match
    move = now.next_moves()[0]
    before = await version(club)
    await mover.slash(club.channel, "move", play=format_play((move,), now.rules, now.position))
    assert await version(club) == before + 1
    # Restarted, the program still asks.
    club.bot = Tabula(club.store, entropy=Seeded())
    await club.env.restart_bot(club.bot)
    wanted = await first_play(club)
    asked = answer(await mover.slash(club.channel, "move", play=wanted))
    assert labels(asked.message) == ["Play it", "Not yet"]
    assert "You confirm" not in said(await mover.slash(club.channel, "settings", confirm=False))
    await mover.slash(club.channel, "move", play=wanted)
    assert called(club) is waiter
    # What was asked before is no longer to be played.
    assert said(await mover.click(asked.message, label="Play it")).startswith(
        "The match has moved on"
    )
