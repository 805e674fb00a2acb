"""What is refused: one sentence, and nothing has changed."""

import asyncio

import discord
import pytest
import simcord

from bot.app import challenge, play
from bot.app.challenge import Asked
from bot.app.errors import Declined, MovedOn
from bot.app.people import Person
from bot.app.play import Action
from tests.bot.conftest import Club
from tests.bot.driver import begin, called, labels, menus, newest, said, step, text


async def version(club: Club) -> int:
    """How many events match 1 has."""
    row = await club.store.matches.get(1)
    assert row is not None
    return row.version


async def throw(club: Club) -> tuple[simcord.MemberActor, simcord.MemberActor]:
    """Throw in a new game of Zeno; return who plays and who waits.

    At the start of Zeno there is always a choice.
    """
    await begin(club, "zeno")
    mover = called(club)
    await mover.click(newest(club), label="Roll")
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
    club: Club, text: str, answer: str
) -> None:
    mover, _ = await throw(club)
    before = await version(club)
    start = menus(newest(club))[0].options[0].value.partition("-")[0]
    told = said(await mover.slash(club.channel, "move", play=text.format(start=start) or " "))
    assert answer.casefold() in told.casefold()
    assert await version(club) == before


@pytest.mark.asyncio
async def test_a_move_out_of_turn_and_before_the_throw(club: Club) -> None:
    await begin(club, "zeno")
    mover = called(club)
    waiting = club.ben if mover is club.ana else club.ana
    before = await version(club)
    assert "roll first" in said(await mover.slash(club.channel, "move", play="a-b")).casefold()
    assert "turn in match 1" in said(await waiting.slash(club.channel, "roll"))
    assert "You have no match in this channel" in said(await club.cyn.slash(club.channel, "roll"))
    assert "There is no match 99." in said(await mover.slash(club.channel, "roll", match=99))
    assert await version(club) == before


@pytest.mark.asyncio
async def test_a_finished_match_takes_no_more(club: Club) -> None:
    await begin(club, "twelve-dogs")
    while await step(club):
        pass
    before = await version(club)
    assert said(await club.ana.slash(club.channel, "roll", match=1)) == "Match 1 is over."
    assert said(await club.ana.slash(club.channel, "resign", match=1)) == "Match 1 is over."
    assert await version(club) == before


@pytest.mark.asyncio
async def test_a_stale_button_and_a_doubled_one(club: Club) -> None:
    await begin(club, "zeno")
    message, mover = newest(club), called(club)
    roll = "match:1:1:roll"
    await mover.click(message, custom_id=roll)
    before = await version(club)
    assert menus(newest(club))
    with pytest.raises(simcord.SetupError):  # the button is gone, as in Discord's own client
        await mover.click(message, custom_id=roll)
    with pytest.raises(MovedOn):
        await play.roll(
            club.bot.app, Action(1, Person(mover.id, mover.name), "a press that was on its way", 1)
        )
    again = await mover.slash(club.channel, "roll")
    assert "the dice are rolled; play the throw first" in said(again).casefold()
    assert await version(club) == before


@pytest.mark.asyncio
async def test_two_people_accept_an_open_challenge_at_once(club: Club) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno")
    both = (Person(club.ben.id, "Ben"), Person(club.cyn.id, "Cyn"))
    asked = [Asked(club.guild.id, club.channel.id, person, f"cause {person.id}") for person in both]
    answers = await asyncio.gather(
        *(challenge.accept(club.bot.app, 1, each, None) for each in asked), return_exceptions=True
    )
    assert sum(isinstance(answer, Declined) for answer in answers) == 1
    assert len(await club.store.matches.running_of(club.ana.id)) == 1


@pytest.mark.asyncio
async def test_challenges_that_cannot_be(club: Club) -> None:
    gone = club.guild.add_member(club.env.create_user("dan"))
    robot = club.guild.add_member(club.env.create_user("robot", bot=True))
    assert "challenge yourself" in said(
        await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ana)
    )
    assert "is a bot" in said(
        await club.ana.slash(club.channel, "challenge", game="zeno", opponent=robot)
    )
    club.guild.remove_member(gone)
    left = await club.ana.slash(club.channel, "challenge", game="zeno", opponent=gone.user)
    assert "isn't in this server" in said(left)
    assert "no game called chess" in said(
        await club.ana.slash(club.channel, "challenge", game="chess")
    )
    wrong = await club.ana.slash(club.channel, "challenge", game="zeno", options="dice=9")
    assert "Zeno has no option dice; its options are `goal`, `setup` and `unusable`" in said(wrong)
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    assert "for somebody else" in said(await club.cyn.click(newest(club), label="Accept"))
    assert "nobody can play on both sides" in said(
        await club.ana.click(newest(club), label="Accept")
    )
    assert await club.store.matches.get(1) is None


@pytest.mark.asyncio
async def test_a_name_with_markdown_and_mentions_breaks_nothing(club: Club) -> None:
    eve = club.guild.add_member(
        club.env.create_user("eve", global_name="**@everyone** `<@1>` __x__")
    )
    await eve.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    message = newest(club)
    assert "@everyone" not in text(message)
    await club.ben.click(message, label="Accept")
    assert "@everyone" not in text(newest(club))


@pytest.mark.asyncio
async def test_a_missing_permission_is_named_with_its_remedy(club: Club) -> None:
    denied = discord.PermissionOverwrite(attach_files=False)
    hall = club.guild.create_text_channel("hall", overwrites={club.guild.default_role: denied})
    told = said(await club.ana.slash(hall, "challenge", game="zeno"))
    assert told.startswith("I'm missing the permission Attach Files in this channel")
    assert "moderator" in told


@pytest.mark.asyncio
async def test_taking_back_what_cannot_be_taken_back(club: Club) -> None:
    mover, other = await throw(club)
    assert "nothing to take back" in said(await mover.slash(club.channel, "undo"))
    menu = menus(newest(club))[0]
    await mover.select(newest(club), custom_id=menu.custom_id, values=[menu.options[0].value])
    if "Take back" in labels(newest(club)):
        assert "You can't take back now" in said(await other.click(newest(club), label="Take back"))
        before = await version(club)
        await mover.click(newest(club), label="Take back")
        assert await version(club) == before + 1
