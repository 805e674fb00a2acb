"""Seats of teams that change hands: asked for, taken or left.

The tests also check what becomes of dice, words and ratings.
"""

import pytest
import simcord

from bot.app.challenge import LIMITS
from bot.app.record import events_of, to_file, verify
from bot.app.sitting import contributions
from engine.clock import DAY, HOUR, MINUTE
from engine.position import Side
from tests.bot.conftest import Club
from tests.bot.driver import answer, begin, controls, labels, live, menus, newest, said, seen, text
from tests.bot.test_computer import happened, sitting_of

pytestmark = pytest.mark.asyncio


async def teams(club: Club, **options: object) -> tuple[simcord.MemberActor, simcord.MemberActor]:
    """Ana and Cyn, who sat down as gold, against Ben and Dan; Eve looks on. Returns Dan and Eve."""
    dan, eve = (
        club.guild.add_member(club.env.create_user(name, global_name=name.title()))
        for name in ("dan", "eve")
    )
    await club.ana.slash(club.channel, "challenge", game="pyf", options="players=2", **options)
    for person, side in ((club.ben, "black"), (club.cyn, "gold"), (dan, "black")):
        await person.click(newest(club), label=f"Join {side}")
    return dan, eve


async def act(club: Club, people: tuple[simcord.MemberActor, ...]) -> None:
    """Whoever is to act does the next thing, by its first menu or button."""
    to_act = (await sitting_of(club)).to_act
    message = live(club)[-1]
    person = next(each for each in people if each.id == to_act)
    if menus(message):
        menu = menus(message)[0]
        await person.select(message, custom_id=menu.custom_id, values=[menu.options[0].value])
    else:
        await person.click(message, custom_id=controls(message)[0])


async def test_a_player_hands_the_seat_over_to_somebody_who_agrees(club: Club) -> None:
    dan, eve = await teams(club)
    before = await sitting_of(club)
    await club.cyn.slash(club.channel, "substitute", player=eve)
    asked = newest(club)
    lines = text(asked).splitlines()
    assert lines[0] == "### A seat in match 1, Pyf"
    assert lines[1].startswith(f"<@{club.cyn.id}> (")
    assert lines[2] == f"<@{eve.id}>, do you want to take over?"
    assert lines[-1] == "-# The result is rated for the players who started the match."
    assert (await sitting_of(club)).row.seats == before.row.seats
    assert (
        said(await dan.click(asked, label="Take the seat"))
        == "That seat is offered to somebody else."
    )
    assert (
        said(await dan.click(asked, label="Leave it")) == "That seat is offered to somebody else."
    )
    await eve.click(asked, label="Take the seat")
    asked = next(message for message in seen(club) if message.id == asked.id)
    assert text(asked) == f"<@{eve.id}> has taken over from <@{club.cyn.id}> in match 1."
    assert labels(asked) == []
    sitting = await sitting_of(club)
    assert {seat.person for seat in sitting.row.seats} == {club.ana.id, club.ben.id, eve.id, dan.id}
    side = before.sides_of(club.cyn.id)[0]
    assert sitting.seated(side) == tuple(
        eve.id if each == club.cyn.id else each for each in before.seated(side)
    )
    assert sitting.began(side) == before.seated(side)
    assert contributions(sitting.row) == contributions(before.row)
    shown = next(message for message in seen(club) if controls(message))
    assert f"<@{eve.id}> took the seat of <@{club.cyn.id}>." in text(shown)
    # Who gave up the seat plays there no more, and who took it does.
    assert [row.id for row in await club.store.matches.running_of(eve.id)] == [1]
    assert await club.store.matches.running_of(club.cyn.id) == []
    assert (
        said(await club.cyn.slash(club.channel, "resign", match=1))
        == "You're not playing in match 1."
    )


async def test_the_match_goes_on_with_the_one_who_took_the_seat_and_its_dice_are_right(
    club: Club,
) -> None:
    dan, eve = await teams(club)
    people = (club.ana, club.ben, club.cyn, dan, eve)
    while not menus(live(club)[-1]):
        await act(club, people)
    turn = live(club)[-1]
    first = (await sitting_of(club)).to_act
    holder = next(person for person in people if person.id == first)
    await holder.slash(club.channel, "substitute", player=eve)
    await eve.click(newest(club), label="Take the seat")
    assert (await sitting_of(club)).to_act == eve.id
    while live(club)[-1].id == turn.id:
        await act(club, people)
    # What was done before is told of those who did it.
    closed = text(next(message for message in seen(club) if message.id == turn.id))
    assert f"<@{holder.id}> rolled " in closed
    assert f"<@{eve.id}> took the seat of <@{holder.id}>." in closed
    assert f"<@{eve.id}> rolled " not in closed
    assert "played" in closed.partition(f"took the seat of <@{holder.id}>.")[2]
    for _ in range(6):
        await act(club, people)
    await eve.slash(club.channel, "resign", match=1)
    sitting = await sitting_of(club)
    assert verify(to_file(sitting, events_of(sitting, await happened(club)))).wrong is None
    dice = said(await club.ana.click(newest(club), label="Dice"))
    for person in (club.ana, club.ben, club.cyn, dan):
        assert f"<@{person.id}> contributed" in dice
    assert f"<@{eve.id}> contributed" not in dice
    # The result is rated for those who began.
    rated = {change.key.person for change in await club.store.ratings.changes(1)}
    assert rated == {club.ana.id, club.ben.id, club.cyn.id, dan.id}
    for side in Side:
        games = [
            dict(await club.store.ratings.of("everywhere", person))["pyf"]
            for person in sitting.began(side)
        ]
        assert {row.lost for row in games} == ({1} if side in sitting.sides_of(eve.id) else {0})


async def test_an_absence_stops_the_clock_of_a_seat_only_while_the_one_who_is_away_sits_there(
    club: Club,
) -> None:
    dan, eve = await teams(club, pace="5d+12h")
    people = (club.ana, club.ben, club.cyn, dan, eve)
    while not menus(live(club)[-1]):
        await act(club, people)
    before = await sitting_of(club)
    holder = next(person for person in people if person.id == before.to_act)
    side = before.match.turn
    # Of five days one passes before the holder is away for two.
    # What then passes is the new holder's, who has been away.
    await eve.slash(club.channel, "vacation", days=1)
    await club.later(DAY)
    await holder.slash(club.channel, "vacation", days=7)
    await club.later(2 * DAY)
    await holder.slash(club.channel, "substitute", player=eve)
    await eve.click(newest(club), label="Take the seat")
    await club.later(DAY)
    turn = (await sitting_of(club)).clock.turn
    while (await sitting_of(club)).clock.turn == turn:
        await act(club, people)
    for _ in range(2):
        banks = (await sitting_of(club)).clock.banks
        left = banks[0] if side is Side.GOLD else banks[1]
        assert abs(left - (3 * DAY + 12 * HOUR)) < MINUTE
        # Reckoned anew from what is stored, the clock says the same.
        club.bot.app._sittings.clear()  # noqa: SLF001
    await club.ana.slash(club.channel, "resign", match=1)
    sitting = await sitting_of(club)
    assert verify(to_file(sitting, events_of(sitting, await happened(club)))).wrong is None


async def test_a_seat_is_left_or_offered_no_more(club: Club) -> None:
    _, eve = await teams(club, rated=False)
    before = await sitting_of(club)
    await club.cyn.slash(club.channel, "substitute", player=eve)
    asked = newest(club)
    assert "ratings" not in text(asked)
    await eve.click(asked, label="Leave it")
    assert (
        text(newest(club)) == f"<@{eve.id}> declined to take over from <@{club.cyn.id}> in match 1."
    )
    await club.cyn.slash(club.channel, "substitute", player=eve)
    await club.cyn.click(newest(club), label="Leave it")
    assert (
        text(newest(club))
        == f"The offer to <@{eve.id}> to take over from <@{club.cyn.id}> in match 1 was withdrawn."
    )
    assert (await sitting_of(club)).row.seats == before.row.seats


async def test_a_moderator_offers_a_seat_which_the_log_tells(club: Club) -> None:
    dan, eve = await teams(club)
    who = {"from": dan, "to": eve}
    told = await club.ana.slash(
        club.channel, "server substitute", match=1, **who, reason="Dan is ill"
    )
    assert said(told).startswith("Done. The person you chose is asked in [match 1](")
    asked = newest(club)
    assert f"<@{club.ana.id}>, a moderator, is looking for somebody to replace <@{dan.id}>" in text(
        asked
    )
    await eve.click(asked, label="Take the seat")
    assert eve.id in {seat.person for seat in (await sitting_of(club)).row.seats}
    log = answer(await club.ana.slash(club.channel, "server log")).message
    assert f"offered <@{eve.id}> the seat of <@{dan.id}>, [match 1](" in text(log)
    assert "“Dan is ill”" in text(log)


async def test_somebody_is_asked_when_the_match_has_a_place_again(club: Club) -> None:
    hall, club.channel = club.channel, club.guild.create_text_channel("room")
    dan, eve = await teams(club)
    club.env.backend.delete_channel(club.channel.id)
    await club.env.settle()
    await club.later(0)
    who = {"from": dan, "to": eve}
    told = said(await club.ana.slash(hall, "server substitute", match=1, **who, reason="ill"))
    assert told.startswith("Done, and recorded in `/server log`. Match 1 can't be shown")
    assert f"/channels/{club.guild.id}" not in told
    await club.later(MINUTE)
    assert await club.store.jobs.given_up() == []
    assert not any("A seat in match 1" in text(message) for message in hall.history())
    await club.cyn.slash(hall, "board", match=1, share=True)
    await club.later(HOUR)
    (asked,) = [each for each in hall.history() if "A seat in match 1" in text(each)]
    await eve.click(asked, label="Take the seat")
    assert eve.id in {seat.person for seat in (await sitting_of(club)).row.seats}


async def test_seats_that_cannot_change_hands(club: Club) -> None:
    dan, eve = await teams(club)
    channel = club.channel
    robot = club.guild.add_member(club.env.create_user("robot", global_name="Robot", bot=True))
    gone = club.guild.add_member(club.env.create_user("gone", global_name="Gone"))
    club.guild.remove_member(gone)
    assert said(await club.cyn.slash(channel, "substitute", player=robot)).startswith(
        "Robot is a bot"
    )
    assert said(await club.cyn.slash(channel, "substitute", player=gone.user)).startswith(
        "Gone isn't in this server"
    )
    table = "Players in match 1 can't take a second seat in it."
    assert said(await club.cyn.slash(channel, "substitute", player=dan)) == table
    assert said(await club.cyn.slash(channel, "substitute", player=club.cyn)) == table
    assert (
        said(await eve.slash(channel, "substitute", player=eve, match=1))
        == "You're not playing in match 1."
    )
    no_seat = "That seat in match 1 can't be handed over."
    who = {"from": eve, "to": robot}
    told = await club.ana.slash(
        channel, "server substitute", match=1, **{**who, "to": gone.user}, reason="x"
    )
    assert said(told).startswith("Gone isn't in this server")
    who["to"] = club.guild.add_member(club.env.create_user("fay", global_name="Fay"))
    assert (
        said(await club.ana.slash(channel, "server substitute", match=1, **who, reason="x"))
        == no_seat
    )
    assert said(
        await club.ana.slash(
            channel, "server substitute", match=1, **{**who, "from": dan}, reason=" "
        )
    ).startswith("Please give a reason.")
    assert await club.store.audit.count(club.guild.id) == 0
    await begin(club, "zeno")
    assert said(await club.ana.slash(channel, "substitute", player=eve, match=2)) == (
        "Only a seat in a team can be handed over. In a match for two you can use `/draw` or "
        "`/resign`."
    )
    # An offer is worth nothing when the match is over, or its maker sits there no more.
    await club.cyn.slash(channel, "substitute", player=eve, match=1)
    asked = newest(club)
    await club.ana.slash(
        channel, "server substitute", match=1, **{"from": club.cyn, "to": eve}, reason="x"
    )
    await eve.click(newest(club), label="Take the seat")
    assert said(await eve.click(asked, label="Take the seat")) == no_seat
    await club.ana.slash(channel, "resign", match=1)
    assert said(await eve.click(asked, label="Take the seat")) == "Match 1 is over."


@pytest.mark.sweep
async def test_nobody_takes_a_seat_with_as_many_matches_as_there_may_be(club: Club) -> None:
    _, eve = await teams(club)
    await club.cyn.slash(club.channel, "substitute", player=eve)
    asked = newest(club)
    for _ in range(LIMITS.running):
        # Nobody begins more than a few a minute.
        club.hands.ahead += MINUTE
        await eve.slash(club.channel, "play", game="twelve-dogs")
    assert said(await eve.click(asked, label="Take the seat")).startswith(
        "Eve has 20 matches in progress"
    )
    assert eve.id not in {seat.person for seat in (await sitting_of(club)).row.seats}
