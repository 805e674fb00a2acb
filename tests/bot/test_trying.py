"""Trying a play: one person alone sees the board after it.

Nothing changes until it is played.
"""

from collections.abc import Callable

import pytest
import simcord

from bot.features.matches import loading
from bot.features.matches.store import Matches
from engine.clock import MINUTE
from engine.events import Played
from engine.match import Match, Phase
from engine.notation import format_play
from engine.plays import Play
from engine.position import Side
from tests.bot.test_delivery import load_version
from tests.bot.test_refusals import throw_dice
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    find_button,
    find_mentioned_player,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    list_button_labels,
    list_menus,
    list_pictures,
    list_public_messages,
    start_match,
    take_next_action,
)
from tests.support.panels import change_settings

pytestmark = pytest.mark.asyncio


async def format_first_play(club: SimulatedClub, match: int = 1) -> str:
    """A whole play that may be made in a match."""
    now = (await loading.load_session(club.bot.app, match)).match
    return format_play(now.plays[0].moves, now.rules, now.position)


async def try_play(
    club: SimulatedClub, mover: simcord.MemberActor, typed: str, **options: int
) -> simcord.ResponseMessage:
    """What somebody is shown who tries a play."""
    answer = get_response(await mover.slash(club.channel, "match try", play=typed, **options))
    assert answer.ephemeral
    return answer


async def test_a_whole_play_is_shown_to_one_alone_and_played_by_a_button(
    club: SimulatedClub,
) -> None:
    mover, waiter = await throw_dice(club)
    wanted = await format_first_play(club)
    before, messages = await load_version(club), len(list_public_messages(club))
    answer = await try_play(club, mover, wanted)
    lines = extract_text(answer.message).splitlines()
    assert lines[0] == "### Preview: match 1, Zeno"
    assert lines[1].startswith(f"This is the board after `{wanted}`")
    assert "-# Nothing is played yet. Only you can see this." in lines
    assert list_button_labels(answer.message) == ["Play it"]
    (picture,) = list_pictures(answer.message)
    assert picture.description is not None
    assert f"After {wanted}" in picture.description
    assert await load_version(club) == before
    assert len(list_public_messages(club)) == messages
    await mover.click(answer.message, label="Play it")
    assert extract_text(answer.message) == "Played."
    assert list_button_labels(answer.message) == []
    assert f"played `{wanted}`" in "\n".join(
        extract_text(message) for message in list_public_messages(club)
    )
    assert find_mentioned_player(club) is waiter


async def test_from_another_channel_a_link_leads_to_the_match(club: SimulatedClub) -> None:
    mover, _ = await throw_dice(club)
    hall = club.guild.create_text_channel("hall")
    answer = get_response(
        await mover.slash(hall, "match try", play=await format_first_play(club), match=1)
    )
    await mover.click(answer.message, label="Play it")
    there = f"https://discord.com/channels/{club.guild.id}/{club.channel.id}/"
    assert extract_text(answer.message).startswith(f"Played. [Match 1 continues here]({there}")


async def test_a_part_of_a_play_is_shown_with_what_is_left(club: SimulatedClub) -> None:
    mover, _ = await throw_dice(club)
    now = (await loading.load_session(club.bot.app, 1)).match
    move = next(move for move in now.list_next_moves() if len(now.position.dice) == 3)
    typed = format_play((move,), now.rules, now.position)
    left = list(now.position.dice)
    left.remove(move.number)
    answer = await try_play(club, mover, typed)
    assert (
        f"This is the board after `{typed}`, with {left[0]}-{left[1]} left to play."
        in extract_text(answer.message)
    )
    (picture,) = list_pictures(answer.message)
    assert picture.description is not None
    assert f"To play: {left[0]}, {left[1]}." in picture.description


async def play_until(
    club: SimulatedClub, slug: str, wanted: Callable[[Match, Play], bool]
) -> tuple[Match, Play]:
    """Play matches of a game until the next player could make a wanted play.

    Returns the match and that play.
    """
    while True:
        # Nobody may challenge more than so often within a minute.
        club.hands.ahead += MINUTE
        await start_match(club, slug)
        number = (await club.store.get(Matches).load_running_by_person(club.ana.id))[-1].id
        while (now := (await loading.load_session(club.bot.app, number)).match).outcome is None:
            for each in now.plays:
                if wanted(now, each):
                    return now, each
            assert await take_next_action(club)


def is_last_move_forced(now: Match, whole: Play) -> bool:
    """Whether the last move of a play is the only one there is when the others are made."""
    *most, _ = whole.moves
    if not most:
        return False
    after = now.apply(Played(tuple(most)))
    return after.phase is Phase.PLAY and len(after.plays) == 1


@pytest.mark.sweep
async def test_what_follows_by_itself_is_told(club: SimulatedClub) -> None:
    now, whole = await play_until(club, "fallas", is_last_move_forced)
    *most, last = whole.moves
    typed = format_play(tuple(most), now.rules, now.position)
    forced = format_play((last,), now.rules, now.apply(Played(tuple(most))).position)
    answer = await try_play(club, find_mentioned_player(club), typed)
    assert f"This is the board after `{typed}`.\nThe only legal play: `{forced}`." in extract_text(
        answer.message
    )
    assert await load_version(club) == now.version


async def test_it_is_played_only_while_the_match_is_as_it_was(club: SimulatedClub) -> None:
    mover, _ = await throw_dice(club)
    wanted = await format_first_play(club)
    answer = await try_play(club, mover, wanted)
    moves = list_menus(get_newest_message(club))[0]
    await mover.select(
        get_newest_message(club), custom_id=moves.custom_id, values=[moves.options[-1].value]
    )
    before = await load_version(club)
    assert get_ephemeral_text(await mover.click(answer.message, label="Play it")).startswith(
        "The match has moved on"
    )
    assert await load_version(club) == before


@pytest.mark.usefixtures("own_throws")
async def test_only_whoever_is_to_play_tries_and_only_what_is_legal(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    mover = find_mentioned_player(club)
    waiter = club.ben if mover is club.ana else club.ana
    for person in (mover, waiter):
        same = get_ephemeral_text(await person.slash(club.channel, "move", play="a-b"))
        assert get_ephemeral_text(await person.slash(club.channel, "match try", play="a-b")) == same
    await mover.click(get_newest_message(club), label="Roll")
    for typed in ("what?", "a-j", "n-o", " "):
        same = get_ephemeral_text(await mover.slash(club.channel, "move", play=typed))
        assert get_ephemeral_text(await mover.slash(club.channel, "match try", play=typed)) == same
    wanted = await format_first_play(club)
    assert get_ephemeral_text(
        await waiter.slash(club.channel, "match try", play=wanted)
    ).startswith("It's ")
    assert (
        get_ephemeral_text(await club.cyn.slash(club.channel, "match try", play=wanted, match=1))
        == "You're not playing in match 1."
    )


@pytest.mark.usefixtures("own_throws")
async def test_of_several_matches_one_is_picked_and_autocomplete_is_that_of_move(
    club: SimulatedClub,
) -> None:
    for _ in range(4):
        await start_match(club, "zeno")
        await find_mentioned_player(club).click(
            get_newest_message(club), custom_id=find_button(get_newest_message(club), ":roll")
        )
    sessions = [await loading.load_session(club.bot.app, number) for number in range(1, 5)]
    person, ours = next(
        (person, found)
        for person in (club.ana, club.ben)
        if len(found := [each.id for each in sessions if each.person_to_act == person.id]) > 1
    )
    wanted = await format_first_play(club, ours[1])
    offered = [
        await person.autocomplete(club.channel, name, "play", "", match=ours[1])
        for name in ("match try", "move")
    ]
    assert offered[0] == offered[1] != []
    question = get_response(await person.slash(club.channel, "match try", play=wanted))
    menu = list_menus(question.message)[0]
    assert [option.value for option in menu.options] == [str(number) for number in ours]
    answer = get_response(
        await person.select(question.message, custom_id=menu.custom_id, values=[str(ours[1])])
    )
    assert extract_text(answer.message).startswith(f"### Preview: match {ours[1]}, Zeno")
    await person.click(answer.message, label="Play it")
    assert (await loading.load_session(club.bot.app, ours[1])).match.version > sessions[
        ours[1] - 1
    ].match.version


@pytest.mark.sweep
async def test_a_play_that_ends_the_match_says_so(club: SimulatedClub) -> None:
    now, whole = await play_until(
        club, "doblet", lambda now, whole: now.apply(Played(whole.moves)).outcome is not None
    )
    answer = await try_play(
        club, find_mentioned_player(club), format_play(whole.moves, now.rules, now.position)
    )
    side = "gold" if now.turn is Side.GOLD else "black"
    assert f"**<@{find_mentioned_player(club).id}> ({side}) won**" in extract_text(answer.message)
    assert await club.store.get(Matches).load_running_by_person(club.ana.id) != []


async def test_whoever_wishes_it_is_asked_before_a_turn_ends_by_menu_and_typed(
    club: SimulatedClub,
) -> None:
    mover, waiter = await throw_dice(club)
    text = get_ephemeral_text(await change_settings(mover, club.channel, confirms=True))
    assert "You confirm each turn before it ends." in text
    wanted = await format_first_play(club)
    before = await load_version(club)
    moves = list_menus(get_newest_message(club))[0]
    whole = [option.value for option in moves.options]
    by_menu = await mover.select(
        get_newest_message(club), custom_id=moves.custom_id, values=[whole[0]]
    )
    typed = await mover.slash(club.channel, "move", play=wanted)
    for answer in (get_response(by_menu), get_response(typed)):
        assert answer.ephemeral
        assert extract_text(answer.message).startswith(
            "### End your turn in match 1, Zeno?\nThis is the board after `"
        )
        assert list_button_labels(answer.message) == ["Play it", "Not yet"]
        assert len(list_pictures(answer.message)) == 1
    assert await load_version(club) == before
    # Nobody else is asked for what they do not wish, and nobody is asked about what is not legal.
    assert get_ephemeral_text(await waiter.slash(club.channel, "move", play=wanted)).startswith(
        "It's "
    )
    assert "there's no point j on this board" in get_ephemeral_text(
        await mover.slash(club.channel, "move", play="a-j")
    )
    await mover.click(get_response(by_menu).message, label="Not yet")
    assert f"`/move {whole[0]}`" in extract_text(get_response(by_menu).message)
    assert list_button_labels(get_response(by_menu).message) == []
    assert await load_version(club) == before
    await mover.click(get_response(typed).message, label="Play it")
    assert f"played `{wanted}`" in "\n".join(
        extract_text(message) for message in list_public_messages(club)
    )
    assert find_mentioned_player(club) is waiter


async def test_nobody_is_asked_for_a_part_of_a_turn_nor_who_does_not_wish_it(
    club: SimulatedClub,
) -> None:
    mover, waiter = await throw_dice(club)
    await change_settings(mover, club.channel, confirms=True)
    now = (await loading.load_session(club.bot.app, 1)).match
    move = now.list_next_moves()[0]
    before = await load_version(club)
    await mover.slash(club.channel, "move", play=format_play((move,), now.rules, now.position))
    assert await load_version(club) == before + 1
    # Restarted, the program still asks.
    club.bot = await club.restart_bot()
    wanted = await format_first_play(club)
    answer = get_response(await mover.slash(club.channel, "move", play=wanted))
    assert list_button_labels(answer.message) == ["Play it", "Not yet"]
    assert "You confirm" not in get_ephemeral_text(
        await change_settings(mover, club.channel, confirms=False)
    )
    await mover.slash(club.channel, "move", play=wanted)
    assert find_mentioned_player(club) is waiter
    # What was asked before has been played since, so nothing is left to press.
    pressed = get_response(await mover.click(answer.message, label="Play it")).message
    assert extract_text(pressed) == "Done."
    assert not list_button_labels(pressed)
