"""Seats of teams that change hands: asked for, taken or left.

The tests also check what becomes of dice, words and ratings.
"""

from dataclasses import replace

import pytest
import simcord

from bot.features.challenges.service import LIMITS
from bot.features.matches.clock import compute_stops
from bot.features.matches.loading import build_initial_match
from bot.features.matches.record import build_record, encode_events, verify_record
from bot.features.matches.rows import FormerHolder
from bot.features.matches.session import SessionCache, list_contributions
from bot.features.matches.store import Matches
from bot.features.moderation.store import AuditLog
from bot.features.ratings.store import Ratings
from bot.platform.db.rows import Pause
from engine.clock import DAY, HOUR, MINUTE, ClockStop
from engine.position import Side
from tests.bot.test_computer import load_session, load_transitions
from tests.support.club import SimulatedClub
from tests.support.driver import (
    add_member,
    extract_text,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    give_up,
    list_button_labels,
    list_control_ids,
    list_live_messages,
    list_menus,
    list_public_messages,
    press_more,
    start_match,
    use_first_control,
)
from tests.support.stored import load_given_up

pytestmark = pytest.mark.asyncio


async def start_team_match(
    club: SimulatedClub, **options: object
) -> tuple[simcord.MemberActor, simcord.MemberActor]:
    """Ana and Cyn, who sat down as gold, against Ben and Dan; Eve looks on. Returns Dan and Eve."""
    dan, eve = (add_member(club, name) for name in ("dan", "eve"))
    await club.ana.slash(club.channel, "challenge", game="pyf", options="players=2", **options)
    for person, side in ((club.ben, "black"), (club.cyn, "gold"), (dan, "black")):
        await person.click(get_newest_message(club), label=f"Join {side}")
    return dan, eve


async def press_next_control(club: SimulatedClub, people: tuple[simcord.MemberActor, ...]) -> None:
    """Whoever is to act does the next thing, by its first menu or button."""
    to_act = (await load_session(club)).person_to_act
    message = list_live_messages(club)[-1]
    person = next(each for each in people if each.id == to_act)
    await use_first_control(person, message)


async def test_a_player_hands_the_seat_over_to_somebody_who_agrees(club: SimulatedClub) -> None:
    dan, eve = await start_team_match(club)
    before = await load_session(club)
    await club.cyn.slash(club.channel, "match substitute", player=eve)
    asked = get_newest_message(club)
    lines = extract_text(asked).splitlines()
    assert lines[0] == "### A seat in match 1, Pyf"
    assert lines[1].startswith(f"<@{club.cyn.id}> (")
    assert lines[2] == f"<@{eve.id}>, do you want to take over?"
    assert lines[-1] == "-# The result is rated for the players who started the match."
    assert (await load_session(club)).row.seats == before.row.seats
    assert (
        get_ephemeral_text(await dan.click(asked, label="Take the seat"))
        == "That seat is offered to somebody else."
    )
    assert (
        get_ephemeral_text(await dan.click(asked, label="Leave it"))
        == "That seat is offered to somebody else."
    )
    await eve.click(asked, label="Take the seat")
    asked = next(message for message in list_public_messages(club) if message.id == asked.id)
    assert extract_text(asked) == f"<@{eve.id}> has taken over from <@{club.cyn.id}> in match 1."
    assert list_button_labels(asked) == []
    session = await load_session(club)
    assert {seat.person for seat in session.row.seats} == {club.ana.id, club.ben.id, eve.id, dan.id}
    side = before.find_sides(club.cyn.id)[0]
    assert session.list_players(side) == tuple(
        eve.id if each == club.cyn.id else each for each in before.list_players(side)
    )
    assert session.list_original_players(side) == before.list_players(side)
    assert list_contributions(session.row) == list_contributions(before.row)
    shown = next(message for message in list_public_messages(club) if list_control_ids(message))
    assert f"<@{eve.id}> took the seat of <@{club.cyn.id}>." in extract_text(shown)
    # Who gave up the seat plays there no more, and who took it does.
    assert [row.id for row in await club.store.get(Matches).load_running_by_person(eve.id)] == [1]
    assert await club.store.get(Matches).load_running_by_person(club.cyn.id) == []
    assert (
        get_ephemeral_text(await club.cyn.slash(club.channel, "match resign", match=1))
        == "You're not playing in match 1."
    )


@pytest.mark.sweep
@pytest.mark.usefixtures("own_throws")
async def test_the_match_goes_on_with_the_one_who_took_the_seat_and_its_dice_are_right(
    club: SimulatedClub,
) -> None:
    dan, eve = await start_team_match(club)
    people = (club.ana, club.ben, club.cyn, dan, eve)
    while not list_menus(list_live_messages(club)[-1]):
        await press_next_control(club, people)
    turn = list_live_messages(club)[-1]
    first = (await load_session(club)).person_to_act
    holder = next(person for person in people if person.id == first)
    await holder.slash(club.channel, "match substitute", player=eve)
    await eve.click(get_newest_message(club), label="Take the seat")
    assert (await load_session(club)).person_to_act == eve.id
    while list_live_messages(club)[-1].id == turn.id:
        await press_next_control(club, people)
    # What was done before is told of those who did it.
    closed = extract_text(
        next(message for message in list_public_messages(club) if message.id == turn.id)
    )
    assert f"<@{holder.id}> rolled " in closed
    assert f"<@{eve.id}> took the seat of <@{holder.id}>." in closed
    assert f"<@{eve.id}> rolled " not in closed
    assert "played" in closed.partition(f"took the seat of <@{holder.id}>.")[2]
    for _ in range(6):
        await press_next_control(club, people)
    await give_up(club, eve, club.channel, match=1)
    session = await load_session(club)
    assert (
        verify_record(
            build_record(session, encode_events(session, await load_transitions(club)))
        ).wrong
        is None
    )
    dice = get_ephemeral_text(await press_more(club.ana, get_newest_message(club), "Fair dice"))
    for person in (club.ana, club.ben, club.cyn, dan):
        assert f"<@{person.id}> contributed" in dice
    assert f"<@{eve.id}> contributed" not in dice
    # The result is rated for those who began.
    rated = {change.key.person for change in await club.store.get(Ratings).load_changes(1)}
    assert rated == {club.ana.id, club.ben.id, club.cyn.id, dan.id}
    for side in Side:
        games = [
            dict(await club.store.get(Ratings).load_by_person("everywhere", person))["pyf"]
            for person in session.list_original_players(side)
        ]
        assert {row.lost for row in games} == ({1} if side in session.find_sides(eve.id) else {0})


async def test_an_absence_stops_the_clock_of_a_seat_only_while_the_one_who_is_away_sits_there(
    club: SimulatedClub,
) -> None:
    dan, eve = await start_team_match(club, pace="5d+12h")
    people = (club.ana, club.ben, club.cyn, dan, eve)
    while not list_menus(list_live_messages(club)[-1]):
        await press_next_control(club, people)
    before = await load_session(club)
    holder = next(person for person in people if person.id == before.person_to_act)
    side = before.match.turn
    # Of five days one passes before the holder is away for two.
    # What then passes is the new holder's, who has been away.
    await eve.slash(club.channel, "me vacation", days=1)
    await club.advance_clock(DAY)
    await holder.slash(club.channel, "me vacation", days=7)
    await club.advance_clock(2 * DAY)
    await holder.slash(club.channel, "match substitute", player=eve)
    await eve.click(get_newest_message(club), label="Take the seat")
    await club.advance_clock(DAY)
    turn = (await load_session(club)).clock.turn
    while (await load_session(club)).clock.turn == turn:
        await press_next_control(club, people)
    for _ in range(2):
        banks = (await load_session(club)).clock.banks
        left = banks[0] if side is Side.GOLD else banks[1]
        assert abs(left - (3 * DAY + 12 * HOUR)) < MINUTE
        # Reckoned again from what is stored, the clock says the same.
        club.bot.app.get_part(SessionCache).clear()
    await give_up(club, eve, club.channel, match=1)
    session = await load_session(club)
    assert (
        verify_record(
            build_record(session, encode_events(session, await load_transitions(club)))
        ).wrong
        is None
    )


async def test_a_seat_is_left_or_offered_no_more(club: SimulatedClub) -> None:
    _, eve = await start_team_match(club, rated=False)
    before = await load_session(club)
    await club.cyn.slash(club.channel, "match substitute", player=eve)
    message = get_newest_message(club)
    assert "ratings" not in extract_text(message)
    await eve.click(message, label="Leave it")
    assert (
        extract_text(get_newest_message(club))
        == f"<@{eve.id}> declined to take over from <@{club.cyn.id}> in match 1."
    )
    await club.cyn.slash(club.channel, "match substitute", player=eve)
    await club.cyn.click(get_newest_message(club), label="Leave it")
    assert (
        extract_text(get_newest_message(club))
        == f"The offer to <@{eve.id}> to take over from <@{club.cyn.id}> in match 1 was withdrawn."
    )
    assert (await load_session(club)).row.seats == before.row.seats


async def test_a_moderator_offers_a_seat_which_the_log_tells(club: SimulatedClub) -> None:
    dan, eve = await start_team_match(club)
    who = {"from": dan, "to": eve}
    answer = await club.ana.slash(
        club.channel, "server substitute", match=1, **who, reason="Dan is ill"
    )
    assert get_ephemeral_text(answer).startswith(
        "Done. The person you chose is asked in [match 1]("
    )
    message = get_newest_message(club)
    assert (
        f"<@{club.ana.id}>, a moderator, is looking for somebody to replace <@{dan.id}>"
        in extract_text(message)
    )
    await eve.click(message, label="Take the seat")
    assert eve.id in {seat.person for seat in (await load_session(club)).row.seats}
    log = get_response(await club.ana.slash(club.channel, "server log")).message
    assert f"offered <@{eve.id}> the seat of <@{dan.id}>, [match 1](" in extract_text(log)
    assert "“Dan is ill”" in extract_text(log)


async def test_somebody_is_asked_when_the_match_has_a_place_again(club: SimulatedClub) -> None:
    hall, club.channel = club.channel, club.guild.create_text_channel("room")
    dan, eve = await start_team_match(club)
    club.env.backend.delete_channel(club.channel.id)
    await club.env.settle()
    await club.advance_clock(0)
    who = {"from": dan, "to": eve}
    text = get_ephemeral_text(
        await club.ana.slash(hall, "server substitute", match=1, **who, reason="ill")
    )
    assert text.startswith("Done, and recorded in `/server log`. Match 1 can't be shown")
    assert f"/channels/{club.guild.id}" not in text
    await club.advance_clock(MINUTE)
    assert await load_given_up(club.store.jobs) == []
    assert not any("A seat in match 1" in extract_text(message) for message in hall.history())
    await club.cyn.slash(hall, "match board", match=1, share=True)
    await club.advance_clock(HOUR)
    (asked,) = [each for each in hall.history() if "A seat in match 1" in extract_text(each)]
    await eve.click(asked, label="Take the seat")
    assert eve.id in {seat.person for seat in (await load_session(club)).row.seats}


@pytest.mark.sweep
async def test_seats_that_cannot_change_hands(club: SimulatedClub) -> None:
    dan, eve = await start_team_match(club)
    channel = club.channel
    robot = club.guild.add_member(club.env.create_user("robot", global_name="Robot", bot=True))
    gone = add_member(club, "gone")
    club.guild.remove_member(gone)
    assert get_ephemeral_text(
        await club.cyn.slash(channel, "match substitute", player=robot)
    ).startswith("Robot is a bot")
    assert get_ephemeral_text(
        await club.cyn.slash(channel, "match substitute", player=gone.user)
    ).startswith("Gone isn't in this server")
    table = "Players in match 1 can't take a second seat in it."
    assert (
        get_ephemeral_text(await club.cyn.slash(channel, "match substitute", player=dan)) == table
    )
    assert (
        get_ephemeral_text(await club.cyn.slash(channel, "match substitute", player=club.cyn))
        == table
    )
    assert (
        get_ephemeral_text(await eve.slash(channel, "match substitute", player=eve, match=1))
        == "You're not playing in match 1."
    )
    no_seat = "That seat in match 1 can't be handed over."
    who = {"from": eve, "to": robot}
    answer = await club.ana.slash(
        channel, "server substitute", match=1, **{**who, "to": gone.user}, reason="x"
    )
    assert get_ephemeral_text(answer).startswith("Gone isn't in this server")
    who["to"] = add_member(club, "fay")
    assert (
        get_ephemeral_text(
            await club.ana.slash(channel, "server substitute", match=1, **who, reason="x")
        )
        == no_seat
    )
    assert get_ephemeral_text(
        await club.ana.slash(
            channel, "server substitute", match=1, **{**who, "from": dan}, reason=" "
        )
    ).startswith("Please give a reason.")
    assert await club.store.get(AuditLog).count_rulings(club.guild.id) == 0
    await start_match(club, "zeno")
    assert get_ephemeral_text(
        await club.ana.slash(channel, "match substitute", player=eve, match=2)
    ) == (
        "Only a seat in a team can be handed over. In a match for two you can use `/match draw` or "
        "`/match resign`."
    )
    # An offer is worth nothing when the match is over, or its maker sits there no more.
    await club.cyn.slash(channel, "match substitute", player=eve, match=1)
    message = get_newest_message(club)
    # After a day the seat can be offered again.
    await club.advance_clock(DAY)
    await club.ana.slash(
        channel, "server substitute", match=1, **{"from": club.cyn, "to": eve}, reason="x"
    )
    await eve.click(get_newest_message(club), label="Take the seat")
    assert get_ephemeral_text(await eve.click(message, label="Take the seat")) == no_seat
    await give_up(club, club.ana, channel, match=1)
    assert get_ephemeral_text(await eve.click(message, label="Take the seat")) == "Match 1 is over."


@pytest.mark.sweep
async def test_nobody_takes_a_seat_with_as_many_matches_as_there_may_be(
    club: SimulatedClub,
) -> None:
    _, eve = await start_team_match(club)
    await club.cyn.slash(club.channel, "match substitute", player=eve)
    message = get_newest_message(club)
    for _ in range(LIMITS.running):
        # Nobody begins more than a few a minute.
        club.hands.ahead += MINUTE
        await eve.slash(club.channel, "play", game="twelve-dogs")
    assert get_ephemeral_text(await eve.click(message, label="Take the seat")).startswith(
        "Eve has 20 matches in progress"
    )
    assert eve.id not in {seat.person for seat in (await load_session(club)).row.seats}


@pytest.mark.asyncio
async def test_an_absence_stops_the_clock_of_the_seat_that_was_held_then(
    club: SimulatedClub,
) -> None:
    await start_match(club, "zeno", pace="week")
    begun = await club.store.get(Matches).load_row(1)
    assert begun is not None
    since, away = begun.created, club.cyn.id
    for side in Side:
        # Cyn sat there for the first hour, and is away for two.
        row = replace(begun, former=(FormerHolder(side.value, 0, away, until=3),))
        pauses = [Pause(away, since, since + 2 * HOUR)]
        stops = compute_stops(row, build_initial_match(row), {3: since + HOUR}, pauses)
        assert stops == (ClockStop(since, since + HOUR, side),)


@pytest.mark.asyncio
async def test_days_away_stop_a_clock_no_longer_than_the_match_allows(club: SimulatedClub) -> None:
    await start_match(club, "zeno", pace="week")
    begun = await club.store.get(Matches).load_row(1)
    assert begun is not None
    since, ana, ben = begun.created, club.ana.id, club.ben.id
    row = replace(begun, away_days=3)
    side_of = {seat.person: Side(seat.side) for seat in row.seats}
    pauses = [
        # What was before the match began doesn't count, nor does an outage, which stops all.
        Pause(ana, since - DAY, since + DAY),
        Pause(None, since + DAY, since + 9 * DAY),
        Pause(ben, since + DAY, since + 2 * DAY),
        Pause(ana, since + 10 * DAY, since + 20 * DAY),
        Pause(ana, since + 30 * DAY, since + 31 * DAY),
    ]
    stops = compute_stops(row, build_initial_match(row), {}, pauses)
    assert stops == (
        ClockStop(since, since + DAY, side_of[ana]),
        ClockStop(since + DAY, since + 9 * DAY),
        ClockStop(since + DAY, since + 2 * DAY, side_of[ben]),
        ClockStop(since + 10 * DAY, since + 12 * DAY, side_of[ana]),
    )
    none = compute_stops(replace(row, away_days=0), build_initial_match(row), {}, pauses)
    assert none == (ClockStop(since + DAY, since + 9 * DAY),)
