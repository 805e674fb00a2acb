"""What is refused: one sentence, and nothing has changed."""

import asyncio
import re

import discord
import pytest
import simcord

from bot.features.challenges import service as challenge
from bot.features.challenges.service import SeatTakenByOtherError
from bot.features.challenges.terms import MatchRequest
from bot.features.matches import service as play
from bot.features.matches.service import Action
from bot.features.matches.store import Matches
from bot.platform.i18n.reader import StaleMatchError
from bot.platform.people import DiscordPerson
from tests.bot.test_delivery import load_version
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    find_mentioned_player,
    get_ephemeral_text,
    get_newest_message,
    list_control_ids,
    list_menus,
    start_match,
    take_next_action,
)


async def throw_dice(club: SimulatedClub) -> tuple[simcord.MemberActor, simcord.MemberActor]:
    """Begin a game of Zeno with its first throw; return who plays and who waits.

    At the start of Zeno there is always a choice.
    """
    await start_match(club, "zeno")
    mover = find_mentioned_player(club)
    return mover, club.ben if mover is club.ana else club.ana


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("what?", "`what?` isn't a move"),
        ("a-j", "there's no point j on this board"),
        ("n-o", "you have no man on n"),
        ("", "type a move, such as"),
        ("{start}-{start}", "don't lead there"),
    ],
)
async def test_a_move_that_means_nothing_or_is_not_legal(
    club: SimulatedClub, text: str, answer: str
) -> None:
    mover, _ = await throw_dice(club)
    before = await load_version(club)
    start = list_menus(get_newest_message(club))[0].options[0].value.partition("-")[0]
    sentence = get_ephemeral_text(
        await mover.slash(club.channel, "move", play=text.format(start=start) or " ")
    )
    assert answer.casefold() in sentence.casefold()
    assert await load_version(club) == before


@pytest.mark.asyncio
@pytest.mark.usefixtures("own_throws")
async def test_a_move_out_of_turn_and_before_the_throw(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    mover = find_mentioned_player(club)
    waiting = club.ben if mover is club.ana else club.ana
    before = await load_version(club)
    assert (
        "roll first"
        in get_ephemeral_text(await mover.slash(club.channel, "move", play="a-b")).casefold()
    )
    assert "turn in match 1" in get_ephemeral_text(await waiting.slash(club.channel, "roll"))
    assert "You have no match in this channel" in get_ephemeral_text(
        await club.cyn.slash(club.channel, "roll")
    )
    assert "There is no match 99." in get_ephemeral_text(
        await mover.slash(club.channel, "roll", match=99)
    )
    assert await load_version(club) == before


@pytest.mark.asyncio
@pytest.mark.sweep
async def test_a_finished_match_takes_no_more(club: SimulatedClub) -> None:
    await start_match(club, "twelve-dogs")
    while await take_next_action(club):
        pass
    before = await load_version(club)
    assert (
        get_ephemeral_text(await club.ana.slash(club.channel, "roll", match=1))
        == "Match 1 is over."
    )
    assert (
        get_ephemeral_text(await club.ana.slash(club.channel, "match resign", match=1))
        == "Match 1 is over."
    )
    assert await load_version(club) == before


@pytest.mark.asyncio
@pytest.mark.usefixtures("own_throws")
async def test_a_stale_button_and_a_doubled_one(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    message, mover = get_newest_message(club), find_mentioned_player(club)
    roll = "match:1:1:roll"
    await mover.click(message, custom_id=roll)
    before = await load_version(club)
    assert list_menus(get_newest_message(club))
    with pytest.raises(simcord.SetupError):  # the button is gone, as in Discord's own client
        await mover.click(message, custom_id=roll)
    with pytest.raises(StaleMatchError):
        await play.roll(
            club.bot.app,
            Action(1, DiscordPerson(mover.id, mover.name), "a press that was on its way", 1),
        )
    again = await mover.slash(club.channel, "roll")
    assert "the dice are rolled; play the throw first" in get_ephemeral_text(again).casefold()
    assert await load_version(club) == before


@pytest.mark.asyncio
async def test_two_people_accept_an_open_challenge_at_once(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno")
    both = (DiscordPerson(club.ben.id, "Ben"), DiscordPerson(club.cyn.id, "Cyn"))
    asked = [
        MatchRequest(club.guild.id, club.channel.id, person, f"cause {person.id}")
        for person in both
    ]
    answers = await asyncio.gather(
        *(challenge.accept_challenge(club.bot.app, 1, each, None) for each in asked),
        return_exceptions=True,
    )
    assert sum(isinstance(answer, SeatTakenByOtherError) for answer in answers) == 1
    assert len(await club.store.get(Matches).load_running_by_person(club.ana.id)) == 1


@pytest.mark.asyncio
async def test_challenges_that_cannot_be(club: SimulatedClub) -> None:
    gone = club.guild.add_member(club.env.create_user("dan"))
    robot = club.guild.add_member(club.env.create_user("robot", bot=True))
    assert "challenge yourself" in get_ephemeral_text(
        await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ana)
    )
    assert "is a bot" in get_ephemeral_text(
        await club.ana.slash(club.channel, "challenge", game="zeno", opponent=robot)
    )
    club.guild.remove_member(gone)
    left = await club.ana.slash(club.channel, "challenge", game="zeno", opponent=gone.user)
    assert "isn't in this server" in get_ephemeral_text(left)
    assert "no game called chess" in get_ephemeral_text(
        await club.ana.slash(club.channel, "challenge", game="chess")
    )
    wrong = await club.ana.slash(club.channel, "challenge", game="zeno", options="dice=9")
    assert (
        "Zeno has no option dice; its options are `goal`, `setup` and `unusable`"
        in get_ephemeral_text(wrong)
    )
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    assert "for somebody else" in get_ephemeral_text(
        await club.cyn.click(get_newest_message(club), label="Accept")
    )
    assert "nobody can play on both sides" in get_ephemeral_text(
        await club.ana.click(get_newest_message(club), label="Accept")
    )
    assert await club.store.get(Matches).load_row(1) is None


@pytest.mark.asyncio
async def test_a_name_with_markdown_and_mentions_breaks_nothing(club: SimulatedClub) -> None:
    eve = club.guild.add_member(
        club.env.create_user("eve", global_name="**@everyone** `<@1>` __x__")
    )
    await eve.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    message = get_newest_message(club)
    assert "@everyone" not in extract_text(message)
    await club.ben.click(message, label="Accept")
    assert "@everyone" not in extract_text(get_newest_message(club))


@pytest.mark.asyncio
async def test_a_missing_permission_is_named_with_its_remedy(club: SimulatedClub) -> None:
    denied = discord.PermissionOverwrite(attach_files=False)
    hall = club.guild.create_text_channel("hall", overwrites={club.guild.default_role: denied})
    text = get_ephemeral_text(await club.ana.slash(hall, "challenge", game="zeno"))
    assert text.startswith("I'm missing the permission Attach Files in this channel")
    assert "moderator" in text


@pytest.mark.asyncio
async def test_taking_back_what_cannot_be_taken_back(club: SimulatedClub) -> None:
    mover, other = await throw_dice(club)
    assert "nothing to take back" in get_ephemeral_text(await mover.slash(club.channel, "undo"))
    custom_ids = list_control_ids(get_newest_message(club))
    move = next(each for each in custom_ids if re.search(":move:[^ ]-[^- ]$", each))
    await mover.click(get_newest_message(club), custom_id=move)
    assert "You can't take back now" in get_ephemeral_text(
        await other.click(get_newest_message(club), label="Take back")
    )
    before = await load_version(club)
    await mover.click(get_newest_message(club), label="Take back")
    assert await load_version(club) == before + 1
