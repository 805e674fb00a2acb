"""Draws: offered, accepted, declined, lapsed; among people, in teams and against the computer."""

from dataclasses import replace

import pytest
import simcord

from bot.app import play, tasks
from bot.app.clocks import UNTOUCHED
from bot.app.computers_turn import play_on
from bot.app.people import Person
from bot.app.play import Action
from bot.app.record import events_of, to_file, verify
from bot.client import Tabula
from engine.events import DrawAgreed, DrawDeclined, DrawOffered
from engine.match import Phase
from engine.players.drawing import accepts
from engine.position_text import parse_position
from tests.bot.conftest import Club, Seeded
from tests.bot.driver import (
    begin,
    button,
    called,
    labels,
    live,
    menus,
    newest,
    said,
    seen,
    step,
    text,
)
from tests.bot.test_computer import Tired, happened, press, sitting_of
from tests.bot.test_refusals import throw

pytestmark = pytest.mark.asyncio


async def test_an_offer_stands_on_the_live_message_and_is_accepted_there(club: Club) -> None:
    mover, waiter = await throw(club)
    before = len(seen(club))
    await waiter.slash(club.channel, "draw")
    message = newest(club)
    assert len(seen(club)) == before
    told = f"<@{waiter.id}> offered a draw. <@{mover.id}> can accept or decline it"
    assert told in text(message)
    # The offer is told once, though it is also what happened last.
    assert text(message).count("offered a draw") == 1
    assert labels(message) == ["Accept the draw", "Decline the draw", "Dice"]
    assert called(club) is mover
    await mover.click(message, label="Accept the draw")
    end = newest(club)
    assert "**Drawn**: both sides agreed." in text(end)
    assert f"<@{mover.id}> accepted the draw." in text(end)
    assert "Ratings: " in text(end)
    row = await club.store.matches.get(1)
    assert row is not None
    assert (row.winner, row.how) == ("draw", "agreed")
    for person in (club.ana, club.ben):
        ratings = dict(await club.store.ratings.of("everywhere", person.id))
        assert (ratings["zeno"].games, ratings["zeno"].drawn, ratings["zeno"].won) == (1, 1, 0)


async def test_the_command_accepts_what_stands(club: Club) -> None:
    mover, waiter = await throw(club)
    await mover.slash(club.channel, "draw")
    await waiter.slash(club.channel, "draw")
    assert (await sitting_of(club)).match.outcome is not None
    sitting, everything = await sitting_of(club), await happened(club)
    found = verify(to_file(sitting, events_of(sitting, everything)))
    assert found.wrong is None
    told = await club.cyn.click(newest(club), label="Verify")
    assert said(told).endswith("; drawn: both sides agreed.")


async def test_an_offer_is_declined_by_button_or_command(club: Club) -> None:
    mover, waiter = await throw(club)
    await waiter.slash(club.channel, "draw")
    await mover.click(newest(club), label="Decline the draw")
    assert f"<@{mover.id}> declined the draw." in text(newest(club))
    assert "Accept the draw" not in labels(newest(club))
    await mover.slash(club.channel, "draw")
    await waiter.slash(club.channel, "draw", what="decline")
    assert f"<@{waiter.id}> declined the draw." in text(newest(club))
    assert called(club) is mover
    assert [type(each.event) for each in await happened(club)][-4:] == [
        DrawOffered,
        DrawDeclined,
    ] * 2


async def test_refusals_of_draws(club: Club) -> None:
    await begin(club, "zeno")
    early = said(await club.ana.slash(club.channel, "draw"))
    assert early == "A draw can be offered only after the first throw."
    mover = called(club)
    waiter = club.ben if mover is club.ana else club.ana
    await mover.slash(club.channel, "roll")
    assert said(await mover.slash(club.channel, "draw", what="decline")).startswith(
        "You haven't been offered a draw"
    )
    await mover.slash(club.channel, "draw")
    assert "you can offer one again after your next throw." in said(
        await mover.slash(club.channel, "draw")
    )
    message = newest(club)
    assert said(await mover.click(message, label="Accept the draw")).startswith(
        "You haven't been offered a draw"
    )
    assert (
        said(await club.cyn.click(message, label="Accept the draw"))
        == "You're not playing in match 1."
    )
    assert (
        said(await club.cyn.slash(club.channel, "draw", match=1))
        == "You're not playing in match 1."
    )
    version = (await sitting_of(club)).match.version
    await waiter.slash(club.channel, "resign")
    assert said(await waiter.slash(club.channel, "draw", match=1)) == "Match 1 is over."
    assert (await sitting_of(club)).match.version == version + 1


async def test_an_offer_made_with_a_play_is_on_the_next_message_and_lapses_with_the_throw(
    club: Club,
) -> None:
    mover, waiter = await throw(club)
    await mover.slash(club.channel, "draw")
    menu = menus(newest(club))[0]
    before = newest(club)
    await mover.select(before, custom_id=menu.custom_id, values=[menu.options[0].value])
    while newest(club).id == before.id:
        assert await step(club)
    message = newest(club)
    assert called(club) is waiter
    assert f"<@{mover.id}> offered a draw. <@{waiter.id}> can" in text(message)
    assert "Accept the draw" in labels(message)
    assert len(live(club)) == 1
    agree = button(message, ":agree")
    await waiter.slash(club.channel, "roll")
    assert "Accept the draw" not in labels(newest(club))
    with pytest.raises(simcord.SetupError):
        await waiter.click(message, custom_id=agree)
    assert (await sitting_of(club)).match.drawing is None


async def test_an_offer_survives_taking_back_and_a_restart(club: Club) -> None:
    mover, waiter = await throw(club)
    sitting = await sitting_of(club)
    names = sitting.match.rules.board.names
    single = sitting.match.next_moves()[0]
    await mover.slash(club.channel, "move", play=f"{names[single.source]}-{names[single.target]}")
    await waiter.slash(club.channel, "draw")
    await mover.slash(club.channel, "undo")
    assert f"<@{waiter.id}> offered a draw." in text(newest(club))
    club.bot.app._sittings.clear()  # noqa: SLF001 - as after a restart
    assert (await sitting_of(club)).match.drawing is not None
    await mover.slash(club.channel, "draw")
    assert (await sitting_of(club)).match.phase is Phase.OVER


async def test_anyone_of_a_team_offers_and_anyone_of_the_other_accepts(club: Club) -> None:
    dan = club.guild.add_member(club.env.create_user("dan", global_name="Dan"))
    await club.ana.slash(club.channel, "challenge", game="pyf", options="players=2")
    await club.ben.click(newest(club), label="Join black")
    await club.cyn.click(newest(club), label="Join gold")
    await dan.click(newest(club), label="Join black")
    first = (await sitting_of(club)).to_act
    people = (club.ana, club.ben, club.cyn, dan)
    mover = next(person for person in people if person.id == first)
    await mover.slash(club.channel, "roll")
    sitting = await sitting_of(club)
    side = sitting.match.turn
    gold = [person for person in people if person.id in sitting.seated(side)]
    black = [person for person in people if person.id in sitting.seated(side.other)]
    await gold[1].slash(club.channel, "draw")
    assert f"<@{black[0].id}> and <@{black[1].id}> can accept or decline it" in text(newest(club))
    refused = said(await gold[0].click(newest(club), label="Accept the draw"))
    assert refused.startswith("You haven't been offered a draw")
    await black[1].click(newest(club), label="Accept the draw")
    assert "**Drawn**" in text(newest(club))


async def test_the_computer_answers_by_its_own_judgement(club: Club) -> None:
    await club.ana.slash(club.channel, "play", game="backgammon")
    while not menus(newest(club)):
        await press(club)
    before = len(seen(club))
    sitting = await sitting_of(club)
    takes = accepts(sitting.match, sitting.sides_of(club.ana.id)[0].other)
    await club.ana.slash(club.channel, "draw")
    answered = (await happened(club))[-1].event
    if takes:
        assert isinstance(answered, DrawAgreed)
        assert "**Drawn**" in text(newest(club))
    else:
        assert isinstance(answered, DrawDeclined)
        assert len(seen(club)) == before
        assert f"<@{club.ana.id}> offered a draw.\nTabula declined the draw." in text(newest(club))
        assert menus(newest(club))
        await press(club)
        assert len(live(club)) == 1


@pytest.mark.parametrize(
    ("position", "taken"),
    [
        # Both sides have two men on their last point, and Ana (gold) throws first: any throw wins.
        ("z2,off13 a2,off13 gold -", True),
        # Any throw of black's wins whatever Ana throws now.
        ("t14,off1 a2,off13 gold -", False),
    ],
)
async def test_the_computer_takes_no_draw_that_it_should_refuse(
    club: Club, position: str, taken: bool
) -> None:
    await club.ana.slash(club.channel, "play", game="backgammon")
    sitting = await sitting_of(club)
    match = sitting.match
    at = parse_position(position, match.rules)
    match = replace(
        match, position=at, phase=Phase.THROW, thrown=(), moves=(), before=None, swapped=False
    )
    club.bot.app.keep(replace(sitting, match=match))
    await club.bot.runner.stop(5)
    action = Action(1, Person(club.ana.id, "Ana"), "an offer")
    report = await play.draw(club.bot.app, action)
    assert report.sitting.computer_acts
    assert report.sitting.computer_answers is match.turn.other
    await play_on(club.bot.app, 1)
    events = await club.store.matches.events(1)
    assert events[-1].record["event"] == ("drawagreed" if taken else "drawdeclined")
    assert events[-1].person == report.sitting.at(match.turn.other, 0)


async def test_a_computer_without_time_gives_nothing_away(club: Club) -> None:
    await club.ana.slash(club.channel, "play", game="laquet")
    while not menus(newest(club)):
        await press(club)
    await club.bot.runner.stop(5)
    await play.draw(club.bot.app, Action(1, Person(club.ana.id, "Ana"), "an offer"))
    club.bot.app.minds.close()
    club.bot.app.minds = Tired(1)
    await play_on(club.bot.app, 1)
    assert isinstance((await happened(club))[-1].event, DrawDeclined)


@pytest.mark.sweep
async def test_a_draw_is_answered_after_a_kill(club: Club) -> None:
    await club.ana.slash(club.channel, "play", game="laquet")
    while not menus(newest(club)):
        await press(club)
    await club.bot.runner.stop(5)
    await club.ana.slash(club.channel, "draw")
    assert (await sitting_of(club)).computer_acts
    bot = Tabula(club.store, entropy=Seeded())
    await club.env.restart_bot(bot)
    await club.env.settle()
    after = await play.load(bot.app, 1)
    assert isinstance((await play.history(bot.app, after.row))[-1].event, DrawAgreed | DrawDeclined)
    # Nothing is left to be done but to look after the match when nobody has touched it for long.
    waiting_jobs = await club.store.jobs.due(after.row.touched + UNTOUCHED, 9)
    assert [job.kind for job in waiting_jobs] == [tasks.WATCH]
    await bot.close()
