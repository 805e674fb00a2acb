"""Draws: offered, accepted, declined, lapsed; among people, in teams and against the computer."""

from dataclasses import replace

import pytest
import simcord

from bot.features.computer.jobs import play_turn
from bot.features.computer.pool import PlayerPool
from bot.features.matches import loading
from bot.features.matches.clock import IDLE_LIMIT_MS
from bot.features.matches.jobs import WatchClock
from bot.features.matches.record import build_record, encode_events, verify_record
from bot.features.matches.service import Action, offer_draw
from bot.features.matches.session import SessionCache, cache_session
from bot.features.matches.store import Matches
from bot.features.ratings.store import Ratings
from bot.platform.people import DiscordPerson
from engine.events import DrawAgreed, DrawDeclined, DrawOffered
from engine.match import Phase
from engine.players.decide import is_draw_acceptable
from engine.position_text import parse_position
from tests.bot.test_computer import (
    SlowPlayerPool,
    list_allowed_mentions,
    load_session,
    load_transitions,
    press_next_control,
)
from tests.bot.test_refusals import throw_dice
from tests.support import driver
from tests.support.club import SimulatedClub
from tests.support.stored import load_due

pytestmark = pytest.mark.asyncio


async def test_an_offer_stands_on_the_live_message_and_is_accepted_there(
    club: SimulatedClub,
) -> None:
    mover, waiter = await throw_dice(club)
    before = len(driver.list_public_messages(club))
    await waiter.slash(club.channel, "match draw")
    message = driver.get_newest_message(club)
    # A new message, since an edit would notify nobody.
    assert len(driver.list_public_messages(club)) == before + 1
    assert len(driver.list_live_messages(club)) == 1
    assert list_allowed_mentions(club)[-1]["users"] == [mover.id]
    text = f"<@{waiter.id}> offered a draw. <@{mover.id}> can accept or decline it"
    assert text in driver.extract_text(message)
    # The offer is told once, though it is also what happened last.
    assert driver.extract_text(message).count("offered a draw") == 1
    assert driver.list_button_labels(message)[-4:-2] == ["Accept the draw", "Decline the draw"]
    assert driver.find_mentioned_player(club) is mover
    await mover.click(message, label="Accept the draw")
    end = driver.get_newest_message(club)
    assert "**Drawn**: both sides agreed." in driver.extract_text(end)
    assert f"<@{mover.id}> accepted the draw." in driver.extract_text(end)
    assert "Ratings: " in driver.extract_text(end)
    row = await club.store.get(Matches).load_row(1)
    assert row is not None
    assert (row.winner, row.how) == ("draw", "agreed")
    for person in (club.ana, club.ben):
        ratings = dict(await club.store.get(Ratings).load_by_person("everywhere", person.id))
        assert (ratings["zeno"].games, ratings["zeno"].drawn, ratings["zeno"].won) == (1, 1, 0)


async def test_the_command_accepts_what_stands(club: SimulatedClub) -> None:
    mover, waiter = await throw_dice(club)
    await mover.slash(club.channel, "match draw")
    # The one who moves has offered it, so the other is called.
    assert list_allowed_mentions(club)[-1]["users"] == [waiter.id]
    await waiter.slash(club.channel, "match draw")
    assert (await load_session(club)).match.outcome is not None
    session, everything = await load_session(club), await load_transitions(club)
    found = verify_record(build_record(session, encode_events(session, everything)))
    assert found.wrong is None
    answer = await driver.press_more(club.cyn, driver.get_newest_message(club), "Verify")
    assert "; drawn: both sides agreed. The commitment is" in driver.get_ephemeral_text(answer)


async def test_an_offer_is_declined_by_button_or_command(club: SimulatedClub) -> None:
    mover, waiter = await throw_dice(club)
    await waiter.slash(club.channel, "match draw")
    await mover.click(driver.get_newest_message(club), label="Decline the draw")
    assert f"<@{mover.id}> declined the draw." in driver.extract_text(
        driver.get_newest_message(club)
    )
    assert "Accept the draw" not in driver.list_button_labels(driver.get_newest_message(club))
    await mover.slash(club.channel, "match draw")
    await waiter.slash(club.channel, "match draw", what="decline")
    assert f"<@{waiter.id}> declined the draw." in driver.extract_text(
        driver.get_newest_message(club)
    )
    assert driver.find_mentioned_player(club) is mover
    assert [type(each.event) for each in await load_transitions(club)][-4:] == [
        DrawOffered,
        DrawDeclined,
    ] * 2


@pytest.mark.sweep
@pytest.mark.usefixtures("own_throws")
async def test_refusals_of_draws(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    early = driver.get_ephemeral_text(await club.ana.slash(club.channel, "match draw"))
    assert early == "A draw can be offered only after the first throw."
    mover = driver.find_mentioned_player(club)
    waiter = club.ben if mover is club.ana else club.ana
    await mover.slash(club.channel, "roll")
    assert driver.get_ephemeral_text(
        await mover.slash(club.channel, "match draw", what="decline")
    ).startswith("You haven't been offered a draw")
    await mover.slash(club.channel, "match draw")
    assert "you can offer one again after your next throw." in driver.get_ephemeral_text(
        await mover.slash(club.channel, "match draw")
    )
    message = driver.get_newest_message(club)
    assert driver.get_ephemeral_text(
        await mover.click(message, label="Accept the draw")
    ).startswith("You haven't been offered a draw")
    assert (
        driver.get_ephemeral_text(await club.cyn.click(message, label="Accept the draw"))
        == "You're not playing in match 1."
    )
    assert (
        driver.get_ephemeral_text(await club.cyn.slash(club.channel, "match draw", match=1))
        == "You're not playing in match 1."
    )
    version = (await load_session(club)).match.version
    await driver.give_up(club, waiter, club.channel)
    assert (
        driver.get_ephemeral_text(await waiter.slash(club.channel, "match draw", match=1))
        == "Match 1 is over."
    )
    assert (await load_session(club)).match.version == version + 1


@pytest.mark.sweep
async def test_an_offer_made_with_a_play_is_on_the_next_message_and_lapses_with_the_throw(
    club: SimulatedClub,
) -> None:
    mover, waiter = await throw_dice(club)
    await mover.slash(club.channel, "match draw")
    before = driver.get_newest_message(club)
    await driver.use_first_control(mover, before)
    while driver.get_newest_message(club).id == before.id:
        assert await driver.take_next_action(club)
    message = driver.get_newest_message(club)
    assert driver.find_mentioned_player(club) is waiter
    assert f"<@{mover.id}> offered a draw. <@{waiter.id}> can" in driver.extract_text(message)
    assert "Accept the draw" in driver.list_button_labels(message)
    assert len(driver.list_live_messages(club)) == 1
    agree = driver.find_button(message, ":agree")
    await waiter.slash(club.channel, "roll")
    assert "Accept the draw" not in driver.list_button_labels(driver.get_newest_message(club))
    with pytest.raises(simcord.SetupError):
        await waiter.click(message, custom_id=agree)
    assert (await load_session(club)).match.drawing is None


@pytest.mark.sweep
async def test_an_offer_survives_taking_back_and_a_restart(club: SimulatedClub) -> None:
    mover, waiter = await throw_dice(club)
    session = await load_session(club)
    names = session.match.rules.board.place_names
    single = session.match.list_next_moves()[0]
    await mover.slash(club.channel, "move", play=f"{names[single.source]}-{names[single.target]}")
    await waiter.slash(club.channel, "match draw")
    await mover.slash(club.channel, "undo")
    assert f"<@{waiter.id}> offered a draw." in driver.extract_text(driver.get_newest_message(club))
    club.bot.app.get_part(SessionCache).clear()
    assert (await load_session(club)).match.drawing is not None
    await mover.slash(club.channel, "match draw")
    assert (await load_session(club)).match.phase is Phase.OVER


@pytest.mark.sweep
async def test_anyone_of_a_team_offers_and_anyone_of_the_other_accepts(club: SimulatedClub) -> None:
    dan = driver.add_member(club, "dan")
    await club.ana.slash(club.channel, "challenge", game="pyf", options="players=2")
    await club.ben.click(driver.get_newest_message(club), label="Join black")
    await club.cyn.click(driver.get_newest_message(club), label="Join gold")
    await dan.click(driver.get_newest_message(club), label="Join black")
    first = (await load_session(club)).person_to_act
    people = (club.ana, club.ben, club.cyn, dan)
    mover = next(person for person in people if person.id == first)
    await mover.slash(club.channel, "roll")
    session = await load_session(club)
    side = session.match.turn
    gold = [person for person in people if person.id in session.list_players(side)]
    black = [person for person in people if person.id in session.list_players(side.other)]
    await gold[1].slash(club.channel, "match draw")
    assert f"<@{black[0].id}> and <@{black[1].id}> can accept or decline it" in driver.extract_text(
        driver.get_newest_message(club)
    )
    refusal = driver.get_ephemeral_text(
        await gold[0].click(driver.get_newest_message(club), label="Accept the draw")
    )
    assert refusal.startswith("You haven't been offered a draw")
    await black[1].click(driver.get_newest_message(club), label="Accept the draw")
    assert "**Drawn**" in driver.extract_text(driver.get_newest_message(club))


@pytest.mark.sweep
async def test_the_computer_answers_by_its_own_judgement(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "play", game="backgammon")
    while not driver.list_menus(driver.get_newest_message(club)):
        await press_next_control(club)
    before = len(driver.list_public_messages(club))
    session = await load_session(club)
    takes = is_draw_acceptable(session.match, session.find_sides(club.ana.id)[0].other)
    await club.ana.slash(club.channel, "match draw")
    answered = (await load_transitions(club))[-1].event
    if takes:
        assert isinstance(answered, DrawAgreed)
        assert "**Drawn**" in driver.extract_text(driver.get_newest_message(club))
    else:
        assert isinstance(answered, DrawDeclined)
        assert len(driver.list_public_messages(club)) == before
        assert (
            f"<@{club.ana.id}> offered a draw.\nComputer declined the draw."
            in driver.extract_text(driver.get_newest_message(club))
        )
        assert driver.list_menus(driver.get_newest_message(club))
        await press_next_control(club)
        assert len(driver.list_live_messages(club)) == 1


@pytest.mark.parametrize(
    ("position", "taken"),
    [
        # Both sides have two men on their last point, and Ana (gold) throws first: any throw wins.
        ("z2,off13 a2,off13 gold -", True),
        # Any throw of black's wins whatever Ana throws now.
        ("t14,off1 a2,off13 gold -", False),
    ],
)
@pytest.mark.sweep
async def test_the_computer_takes_no_draw_that_it_should_refuse(
    club: SimulatedClub, position: str, taken: bool
) -> None:
    await club.ana.slash(club.channel, "play", game="backgammon")
    session = await load_session(club)
    match = session.match
    at = parse_position(position, match.rules)
    match = replace(
        match, position=at, phase=Phase.THROW, thrown=(), moves=(), before=None, swapped=False
    )
    cache_session(club.bot.app, replace(session, match=match))
    await club.bot.runner.stop(5)
    action = Action(1, DiscordPerson(club.ana.id, "Ana"), "an offer")
    report = await offer_draw(club.bot.app, action)
    assert report.session.is_computer_acting
    assert report.session.computer_draw_side is match.turn.other
    await play_turn(club.bot.app, 1)
    events = await club.store.get(Matches).load_events(1)
    # Where the game goes on, Ana's dice are thrown at once.
    answer = [each for each in events if each.record["event"].startswith("draw")][-1]
    assert answer.record["event"] == ("drawagreed" if taken else "drawdeclined")
    assert answer.person == report.session.get_player(match.turn.other, 0)


@pytest.mark.sweep
async def test_a_computer_without_time_gives_nothing_away(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "play", game="laquet")
    while not driver.list_menus(driver.get_newest_message(club)):
        await press_next_control(club)
    await club.bot.runner.stop(5)
    await offer_draw(club.bot.app, Action(1, DiscordPerson(club.ana.id, "Ana"), "an offer"))
    club.bot.app.get_part(PlayerPool).close()
    club.bot.app.set_part(PlayerPool, SlowPlayerPool(1))
    await play_turn(club.bot.app, 1)
    assert isinstance((await load_transitions(club))[-1].event, DrawDeclined)


@pytest.mark.sweep
async def test_a_draw_is_answered_after_a_kill(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "play", game="laquet")
    while not driver.list_menus(driver.get_newest_message(club)):
        await press_next_control(club)
    await club.bot.runner.stop(5)
    await club.ana.slash(club.channel, "match draw")
    assert (await load_session(club)).is_computer_acting
    bot = await club.restart_bot()
    await club.env.settle()
    after = await loading.load_session(bot.app, 1)
    assert isinstance(
        (await loading.load_history(bot.app, after.row))[-1].event, DrawAgreed | DrawDeclined
    )
    # Nothing is left to be done but to look after the match when nobody has touched it for long.
    waiting_jobs = await load_due(club.store.jobs, after.row.touched + IDLE_LIMIT_MS, 9)
    assert [job.kind for job in waiting_jobs] == [WatchClock.kind]
    await bot.close()
