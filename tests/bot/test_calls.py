"""Whom somebody can have notified by a message, how often, and never across a block.

`test_servers.py` shows it of challenges and rematches, `test_ladders.py` of challenges on a ladder,
`test_notify.py` of those who look for a game.
"""

import pytest
import simcord

from bot.features.analysis.store import HintConsents
from bot.features.moderation.store import AuditLog
from engine.clock import DAY, MINUTE
from engine.match import Phase
from engine.notation import format_play
from tests.bot.test_computer import list_allowed_mentions, load_session
from tests.bot.test_substitution import start_team_match
from tests.support.club import SimulatedClub
from tests.support.driver import (
    add_member,
    extract_text,
    find_mentioned_player,
    get_ephemeral_text,
    get_newest_message,
    list_menus,
    list_public_messages,
    start_match,
)

pytestmark = pytest.mark.asyncio

NO_SEAT = "Eve can't be asked to take this seat. Choose somebody else."
OFFERED = (
    "This seat is already offered to Eve. It can be offered again once somebody presses "
    "**Leave it** there, or after a day."
)


def count_calls(club: SimulatedClub, person: simcord.MemberActor) -> int:
    """How many messages have notified somebody until now."""
    return sum(person.id in each.get("users", ()) for each in list_allowed_mentions(club))


async def offer_seat(
    club: SimulatedClub, person: simcord.MemberActor, taker: simcord.MemberActor
) -> str:
    """Somebody offers their seat in the match; what they are told, if they are told something."""
    answer = await person.slash(club.channel, "match substitute", player=taker)
    return get_ephemeral_text(answer) if answer.followups or answer.response else ""


async def rule_seat(
    club: SimulatedClub, holder: simcord.MemberActor, taker: simcord.MemberActor
) -> str:
    """Ana, who manages the server, offers somebody's seat; what she is told."""
    who = {"from": holder, "to": taker}
    answer = await club.ana.slash(club.channel, "server substitute", match=1, **who, reason="ill")
    return get_ephemeral_text(answer)


async def test_a_seat_is_offered_once_until_it_is_left(club: SimulatedClub) -> None:
    dan, eve = await start_team_match(club)
    await offer_seat(club, club.cyn, eve)
    message = get_newest_message(club)
    for _ in range(7):
        assert await offer_seat(club, club.cyn, eve) == OFFERED
    # Nor to another, nor by somebody else, who finds the same seat offered.
    fay = add_member(club, "fay")
    assert await offer_seat(club, club.cyn, fay) == OFFERED
    assert await rule_seat(club, club.cyn, eve) == OFFERED
    assert await club.store.get(AuditLog).count_rulings(club.guild.id) == 0
    assert (count_calls(club, eve), count_calls(club, fay)) == (1, 0)
    # Another seat is another offer.
    assert (await rule_seat(club, dan, eve)).startswith("Done.")
    assert count_calls(club, eve) == 2
    await eve.click(message, label="Leave it")
    await offer_seat(club, club.cyn, fay)
    assert count_calls(club, fay) == 1
    await fay.click(get_newest_message(club), label="Take the seat")
    assert fay.id in {seat.person for seat in (await load_session(club)).row.seats}
    # Who has the seat now may hand it on.
    await offer_seat(club, fay, club.cyn)
    assert "do you want to take over?" in extract_text(get_newest_message(club))


async def test_so_many_seats_are_offered_in_a_minute(club: SimulatedClub) -> None:
    _, eve = await start_team_match(club)
    for _ in range(3):
        await offer_seat(club, club.cyn, eve)
        await club.cyn.click(get_newest_message(club), label="Leave it")
    refusal = "You've offered 3 seats within a minute. Please wait a little."
    assert await offer_seat(club, club.cyn, eve) == refusal
    assert count_calls(club, eve) == 3
    await club.advance_clock(MINUTE)
    assert await offer_seat(club, club.cyn, eve) != refusal
    assert count_calls(club, eve) == 4


async def test_after_a_day_a_seat_is_offered_anew_and_the_old_button_is_too_late(
    club: SimulatedClub,
) -> None:
    _, eve = await start_team_match(club)
    await offer_seat(club, club.cyn, eve)
    old = get_newest_message(club)
    await club.advance_clock(DAY)
    fay = add_member(club, "fay")
    await offer_seat(club, club.cyn, fay)
    assert count_calls(club, fay) == 1
    late = get_ephemeral_text(await eve.click(old, label="Take the seat"))
    assert late == "That seat in match 1 can't be handed over."
    await fay.click(get_newest_message(club), label="Take the seat")
    assert fay.id in {seat.person for seat in (await load_session(club)).row.seats}


async def test_nobody_is_asked_to_sit_with_those_they_have_blocked(club: SimulatedClub) -> None:
    dan, eve = await start_team_match(club)
    # Whoever it is of those who play, or offers the seat, and whichever of them has blocked.
    for one, other in ((eve, club.cyn), (club.cyn, eve), (eve, dan), (club.ben, eve)):
        await one.slash(club.channel, "me block", person=other)
        before = len(list_public_messages(club))
        own = "You've blocked Eve. You can unblock them with `/me block`."
        text = await offer_seat(club, club.cyn, eve)
        assert text == (own if one is club.cyn else NO_SEAT)
        if club.cyn not in (one, other):
            assert await rule_seat(club, club.cyn, eve) == NO_SEAT
        assert len(list_public_messages(club)) == before
        await one.slash(club.channel, "me block", person=other, lift=True)
    assert count_calls(club, eve) == 0
    # A moderator's own block counts too, and so does one of them.
    await eve.slash(club.channel, "me block", person=club.ana)
    assert await rule_seat(club, club.cyn, eve) == NO_SEAT
    assert await club.store.get(AuditLog).count_rulings(club.guild.id) == 0


async def test_a_block_that_comes_after_the_offer_counts(club: SimulatedClub) -> None:
    dan, eve = await start_team_match(club)
    await offer_seat(club, club.cyn, eve)
    message = get_newest_message(club)
    await dan.slash(club.channel, "me block", person=eve)
    text = get_ephemeral_text(await eve.click(message, label="Take the seat"))
    assert text == "That seat in match 1 can't be handed over."
    await dan.slash(club.channel, "me block", person=eve, lift=True)
    await eve.click(message, label="Take the seat")
    assert eve.id in {seat.person for seat in (await load_session(club)).row.seats}


async def test_nobody_is_asked_for_hints_across_a_block(club: SimulatedClub) -> None:
    await start_match(club, "backgammon", rated=False)
    await club.ben.slash(club.channel, "me block", person=club.ana)
    before, called = len(list_public_messages(club)), count_calls(club, club.ben)
    for person in (club.ana, club.ben):
        assert get_ephemeral_text(await person.slash(club.channel, "match hint")) == (
            "Hints aren't available in match 1, since not everybody in it can be asked."
        )
    assert len(list_public_messages(club)) == before
    assert count_calls(club, club.ben) == called
    assert await club.store.get(HintConsents).load_people(1) == frozenset()
    await club.ben.slash(club.channel, "me block", person=club.ana, lift=True)
    # Asked once, and not again however often hints are wanted.
    for _ in range(3):
        await club.ana.slash(club.channel, "match hint")
    assert count_calls(club, club.ben) == called + 1


async def test_a_board_that_is_shown_anew_calls_nobody_once_more(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    mover = find_mentioned_player(club)
    waiter = club.ben if mover is club.ana else club.ana
    called = count_calls(club, mover)
    hall = club.guild.create_text_channel("hall")
    for channel in (club.channel, hall, club.channel, hall):
        await waiter.slash(channel, "match board", match=1, share=True)
    assert (await load_session(club)).row.channel == hall.id
    assert count_calls(club, mover) == called


@pytest.mark.usefixtures("own_throws")
async def test_whoever_takes_a_turn_back_and_plays_it_calls_so_often(club: SimulatedClub) -> None:
    await start_match(club, "backgammon")
    while not list_menus(get_newest_message(club)):
        await find_mentioned_player(club).click(get_newest_message(club), label="Roll")
    session = await load_session(club)
    mover = club.ana if session.person_to_act == club.ana.id else club.ben
    waiter = club.ben if mover is club.ana else club.ana
    called = count_calls(club, waiter)
    play = format_play(session.match.plays[0].moves, session.match.rules, session.match.position)
    for times in range(1, 7):
        await mover.slash(club.channel, "move", play=play)
        assert (await load_session(club)).match.phase is Phase.THROW
        assert count_calls(club, waiter) - called == min(times, 3)
        await mover.slash(club.channel, "undo", what="turn")
        assert (await load_session(club)).person_to_act == mover.id
    await mover.slash(club.channel, "move", play=play)
    await waiter.click(get_newest_message(club), label="Roll")
    # In the next turn it is as before.
    session = await load_session(club)
    called = count_calls(club, mover)
    assert session.person_to_act == waiter.id
    play = format_play(session.match.plays[0].moves, session.match.rules, session.match.position)
    await waiter.slash(club.channel, "move", play=play)
    assert count_calls(club, mover) == called + 1


async def test_nobody_is_challenged_again_and_again_in_vain(club: SimulatedClub) -> None:
    for number in range(1, 6):
        await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
        challenge = get_newest_message(club)
        await club.ana.click(challenge, custom_id=f"challenge:{number}:decline")
    before = list_public_messages(club)
    answer = await club.ana.slash(club.channel, "challenge", game="pyf", opponent=club.ben)
    assert get_ephemeral_text(answer) == (
        "You've challenged Ben 5 times within an hour without a match. Please wait for an answer, "
        "or an hour."
    )
    assert [each.id for each in list_public_messages(club)] == [each.id for each in before]
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.cyn)
    assert len(list_public_messages(club)) == len(before) + 1
