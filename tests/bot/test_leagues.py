"""Leagues as people meet them: sign-up, matches that start by themselves, tables, and rulings."""

import re
from collections import Counter
from contextlib import suppress
from typing import Any

import discord
import pytest
import simcord

from bot.features.contests import service
from bot.features.contests.results import list_tables
from bot.features.contests.store import Contests
from bot.features.contests.tables import ContestState, ContestView, Pairing, UnfinishedRule
from bot.features.matches import service as play
from bot.features.matches.clock import IDLE_LIMIT_MS
from bot.features.matches.loading import load_session
from bot.features.matches.service import Action, resign_match
from bot.features.matches.session import MatchOverError
from bot.features.matches.store import Matches
from bot.features.ratings.store import Ratings
from bot.platform.people import DiscordPerson
from engine import dice
from engine.clock import DAY, HOUR
from engine.match import Phase
from engine.notation import format_play
from engine.position import Side
from tests.support.club import SimulatedClub
from tests.support.contests import (
    create_contest,
    join_together,
    press_old_button,
    press_ruling,
    press_standings,
)
from tests.support.driver import (
    add_member,
    choose_own_throws,
    extract_text,
    get_ephemeral_text,
    get_response,
    give_up,
    list_button_labels,
    list_control_ids,
    list_pictures,
    list_posts,
)

WEEK = 7 * DAY
NAME = "Autumn league"


async def create_league(
    club: SimulatedClub, name: str = NAME, game: str = "fallas", **options: Any
) -> discord.Message:
    """The message of a league that Ana organises."""
    await create_contest(club.ana, club.channel, "league", name=name, game=game, **options)
    return find_league(club)


def find_league(club: SimulatedClub) -> discord.Message:
    """The message of the league, wherever matches went on since."""
    (card,) = list_posts(club, "### Autumn league")
    return card


async def load_view(club: SimulatedClub, number: int = 1) -> ContestView:
    """A league as it is stored."""
    view = await club.store.get(Contests).load_view(number)
    assert view is not None
    return view


async def start_league(
    club: SimulatedClub, **options: Any
) -> tuple[discord.Message, list[simcord.MemberActor]]:
    """A league of four that has started: its message, and its people by their ids."""
    card = await create_league(club, **options)
    people = [club.ana, club.ben, club.cyn, add_member(club, "dan")]
    await join_together(club, card, people)
    await club.advance_clock(7 * DAY + 1)
    return find_league(club), people


@pytest.mark.asyncio
async def test_people_join_and_leave_until_it_starts(club: SimulatedClub) -> None:
    card = await create_league(club, game="Fallas", weeks=3)
    text = extract_text(card)
    assert "- Game: Fallas" in text
    assert "- Time to play: 3 weeks" in text
    assert "Nobody has joined yet; there's room for 64." in text
    assert list_button_labels(card) == ["Join", "Withdraw"]
    view = await load_view(club)
    assert f"\n-# Dice commitment: `{view.contest.commitment}`" in text
    assert view.contest.commitment == dice.compute_commitment(view.contest.secret)
    joined = get_ephemeral_text(await club.ben.click(card, label="Join"))
    assert joined.startswith("You've joined Autumn league.")
    await press_standings(club.cyn, club.channel, "league", "join")
    assert f"**2 players of 64**: <@{club.ben.id}> and <@{club.cyn.id}>" in extract_text(
        find_league(club)
    )
    again = get_ephemeral_text(await club.ben.click(card, label="Join"))
    assert again == "You've already joined Autumn league."
    await club.ben.click(card, label="Withdraw")
    assert f"**1 player of 64**: <@{club.cyn.id}>" in extract_text(find_league(club))
    stranger = get_ephemeral_text(await club.ben.click(card, label="Withdraw"))
    assert stranger == "You don't take part in Autumn league."
    # Who comes back gives to the dice anew.
    await club.ben.click(card, label="Join")
    entrant = (await load_view(club)).find_entrant(club.ben.id)
    assert entrant is not None
    assert entrant.left is None


@pytest.mark.asyncio
async def test_matches_of_a_league_start_by_themselves(club: SimulatedClub) -> None:
    card, people = await start_league(club)
    view = await load_view(club)
    assert view.contest.state is ContestState.RUNNING
    pairs = {frozenset((each.first, each.second)) for each in view.pairings}
    ids = [person.id for person in people]
    assert pairs == {frozenset((one, other)) for one in ids for other in ids if one != other}
    assert len(view.pairings) == 6
    for pairing in view.pairings:
        row = await club.store.get(Matches).load_row(pairing.match)
        assert row is not None
        assert row.version >= 1
        assert row.message is not None
        assert row.thread == row.channel
        assert row.secret == dice.derive_match_secret(view.contest.secret, pairing.number)
        given = {each.person: each.contribution for each in view.entrants}
        assert {seat.person: seat.contribution for seat in row.seats} == {
            person: given[person] for person in (pairing.first, pairing.second)
        }
    assert "Finished matches: 0 of 6." in extract_text(card)
    (picture,) = list_pictures(card)
    assert picture.description is not None
    assert "Autumn league" in picture.description
    labels = ["My matches", "How the table is made", "Matches", "Join late"]
    assert list_button_labels(card) == labels
    own = get_ephemeral_text(await club.ben.click(card, label="My matches"))
    assert len(re.findall(r"(\*\*your turn\*\*|their turn), time runs out <t:", own)) == 3


@pytest.mark.asyncio
async def test_everybody_sees_all_matches_page_by_page(club: SimulatedClub) -> None:
    await start_league(club, games="irish", pace="none")
    view = await load_view(club)
    first, second, *_ = view.pairings
    await resign(club, first.second, first.match)
    await club.advance_clock(5_000)
    eve = add_member(club, "eve")
    shown = get_response(await eve.click(find_league(club), label="Matches"))
    assert shown.ephemeral
    text = extract_text(shown.message)
    # Those in progress come first, each with a link.
    assert text.count("in progress") == 10
    assert f"<@{second.first}> against <@{second.second}>, [match {second.match}](https://" in text
    assert "Page 1 of 2." in text
    assert list_button_labels(shown.message) == ["Next"]
    later = get_response(await eve.click(shown.message, label="Next")).message
    assert f"<@{first.first}> against <@{first.second}>, [match {first.match}](https://" in (
        extract_text(later)
    )
    assert f"<@{first.first}> won" in extract_text(later)
    assert list_button_labels(later) == ["Back"]


@pytest.mark.asyncio
async def test_nobody_is_offered_to_join_late_in_the_second_half(club: SimulatedClub) -> None:
    await start_league(club, weeks=4, pace="none")
    await club.advance_clock(2 * WEEK - HOUR)
    assert "Join late" in list_button_labels(find_league(club))
    await club.advance_clock(2 * HOUR)
    assert "Join late" not in list_button_labels(find_league(club))


@pytest.mark.asyncio
async def test_a_list_of_matches_names_the_league(club: SimulatedClub) -> None:
    await start_league(club)
    text = get_ephemeral_text(await club.ben.slash(club.channel, "matches"))
    assert text.splitlines().count("-# Autumn league") == 3


@pytest.mark.asyncio
async def test_resigned_matches_make_the_table(club: SimulatedClub) -> None:
    _, people = await start_league(club)
    # The earlier in the order of ids wins each match, so the points are 3, 2, 1 and 0.
    order = sorted(person.id for person in people)
    for pairing in (await load_view(club)).pairings:
        loser = max(pairing.first, pairing.second)
        await resign(club, loser, pairing.match)
    await club.advance_clock(5_000)
    view = await load_view(club)
    (table,) = list_tables(view)
    assert [(each.person, int(each.points)) for each in table] == list(
        zip(order, (3, 2, 1, 0), strict=True)
    )
    assert view.contest.state is ContestState.OVER
    text = extract_text(find_league(club))
    assert f"**<@{order[0]}> won.**" in text
    assert "Finished matches: 6 of 6." in text
    assert view.contest.secret.hex() in text


async def resign(club: SimulatedClub, person: int, match: int) -> None:
    """Let somebody give up a match."""
    action = Action(match, DiscordPerson(person, str(person)), f"{person} resigns")
    await resign_match(club.bot.app, action)


async def play_turn(club: SimulatedClub, match: int) -> int:
    """Let the one whose turn it is roll and play, by the rules; return who that was."""
    app = club.bot.app
    person = (await load_session(app, match)).person_to_act
    while True:
        session = await load_session(app, match)
        if session.match.phase is Phase.OVER or session.person_to_act != person:
            return person
        cause = f"{match} {session.match.version}"
        action = Action(match, DiscordPerson(person, str(person)), cause)
        if session.match.phase is Phase.THROW:
            await play.roll(app, action)
            continue
        moves = session.match.plays[0].moves
        text = format_play(moves, session.match.rules, session.match.position)
        await play.play_moves(app, action, text)


def find_pairing(view: ContestView, one: int, other: int) -> Pairing:
    """The pairing of two people."""
    return next(each for each in view.pairings if {each.first, each.second} == {one, other})


async def rule(
    club: SimulatedClub, action: str, reason: str = "It's time", person: int | None = None
) -> str:
    """What Ana reads after a ruling of hers on the first league."""
    panel = get_response(await club.ana.slash(club.channel, "league manage", league="1")).message
    result = await press_ruling(club.ana, panel, 1, action, reason, person or 0)
    return extract_text(get_response(result).message)


@pytest.mark.asyncio
async def test_at_the_deadline_absence_loses_and_nothing_is_rated(club: SimulatedClub) -> None:
    _, people = await start_league(club, pace="none", rated=True)
    ana, ben, cyn, dan = (person.id for person in people)
    view = await load_view(club)
    # Whoever begins these two plays, and is not answered; the other matches nobody begins.
    played = {
        find_pairing(view, one, other).match: await play_turn(
            club, find_pairing(view, one, other).match
        )
        for one, other in ((ana, cyn), (ben, dan))
    }
    expected: dict[int, tuple[int | None, str | None]] = {}
    for pairing in view.pairings:
        to_act = (await load_session(club.bot.app, pairing.match)).person_to_act
        # Who waits wins, whether or not there was anything for them to do before.
        expected[pairing.number] = (pairing.result.get_opponent(to_act), "forfeited")
        assert played.get(pairing.match) in (None, expected[pairing.number][0])
    await club.advance_clock(4 * WEEK)
    after = await load_view(club)
    assert {each.number: (each.winner, each.how) for each in after.pairings} == expected
    assert after.contest.state is ContestState.OVER
    for pairing in after.pairings:
        assert await club.store.get(Ratings).load_changes(pairing.match) == ()
    (table,) = list_tables(after)
    points = Counter(winner for winner, _ in expected.values())
    assert {each.person: int(each.points) for each in table} == {
        person: points[person] for person in (ana, ben, cyn, dan)
    }


@pytest.mark.asyncio
async def test_who_waits_for_two_months_does_not_lose_either(club: SimulatedClub) -> None:
    await start_league(club, pace="none", weeks=12)
    pairing = (await load_view(club)).pairings[0]
    first = (await load_session(club.bot.app, pairing.match)).person_to_act
    await club.advance_clock(IDLE_LIMIT_MS + HOUR)
    after = (await load_view(club)).pairings[0]
    assert (after.winner, after.how) == (pairing.result.get_opponent(first), "forfeited")


@pytest.mark.asyncio
async def test_what_both_have_played_in_is_drawn_where_the_terms_say_so(
    club: SimulatedClub,
) -> None:
    _, people = await start_league(club, pace="none", unfinished="draw", rated=True)
    pairing = find_pairing(await load_view(club), people[0].id, people[1].id)
    assert await play_turn(club, pairing.match) != await play_turn(club, pairing.match)
    await club.advance_clock(4 * WEEK)
    after = find_pairing(await load_view(club), people[0].id, people[1].id)
    assert (after.winner, after.how) == (None, "deadline")
    # Unlike a forfeit it was played, and counts.
    assert await club.store.get(Ratings).load_changes(pairing.match) != ()


@pytest.mark.asyncio
async def test_a_round_is_decided_at_once_though_somebody_plays_at_that_moment(
    club: SimulatedClub,
) -> None:
    await start_league(club, pace="none", unfinished="draw")
    pairings = (await load_view(club)).pairings
    for pairing in pairings:
        assert await play_turn(club, pairing.match) != await play_turn(club, pairing.match)
    app = club.bot.app
    await app.enqueue(club.guild.id, [service.DecideRound(1, 1).build_job(app.clock())])
    for pairing in pairings[3:]:
        with suppress(MatchOverError):
            await play_turn(club, pairing.match)
    await club.advance_clock(0)
    assert {each.how for each in (await load_view(club)).pairings} == {"deadline"}


@pytest.mark.asyncio
async def test_whose_turn_it_is_loses_where_the_terms_say_so(club: SimulatedClub) -> None:
    card = await create_league(club, pace="none", unfinished="clock", rated=True)
    terms = "Other matches in progress are then lost by the one whose turn it is."
    assert terms in extract_text(card)
    await join_together(club, card, (club.ana, club.ben, club.cyn, add_member(club, "dan")))
    await club.advance_clock(7 * DAY + 1)
    view = await load_view(club)
    assert view.contest.unfinished is UnfinishedRule.CLOCK
    waited_for, started = view.pairings[:2]
    await play_turn(club, waited_for.match)
    await play_turn(club, waited_for.match)
    late = (await load_session(club.bot.app, waited_for.match)).person_to_act
    assert late is not None
    await play_turn(club, started.match)
    await club.advance_clock(4 * WEEK)
    after = {each.number: each for each in (await load_view(club)).pairings}
    over = after[waited_for.number]
    assert (over.winner, over.how) == (waited_for.result.get_opponent(late), "deadline")
    assert await club.store.get(Ratings).load_changes(waited_for.match) != ()
    # Where one has never come it is a forfeit all the same.
    assert after[started.number].how == "forfeited"


async def play_until_nearly_won(club: SimulatedClub, match: int) -> Side | None:
    """Play a match until a side has two men left, and the other six, or four against ten.

    Nobody can doubt who would win then. None where it ended otherwise.
    """
    while True:
        await play_turn(club, match)
        now = (await load_session(club.bot.app, match)).match
        if now.phase is Phase.OVER:
            return None
        left = {side: 15 - now.position.men(side)[now.rules.board.off] for side in Side}
        for side in Side:
            if left[side] <= 4 and left[side.other] >= 2 * max(left[side], 2) + 2:
                return side


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("unfinished", "rule"),
    [
        (UnfinishedRule.EVALUATION, "then go to the side with a win chance of 80% or more"),
        (UnfinishedRule.DRAW, "are then drawn."),
    ],
)
async def test_standings_say_what_is_decided_at_the_deadline(
    club: SimulatedClub, unfinished: UnfinishedRule, rule: str
) -> None:
    await start_league(club, pace="none", unfinished=unfinished)
    assert rule not in extract_text(find_league(club))
    standings = get_ephemeral_text(await club.ben.slash(club.channel, "league standings"))
    assert rule in standings


@pytest.mark.asyncio
async def test_what_is_clear_at_the_deadline_is_given_to_a_side(club: SimulatedClub) -> None:
    await start_league(club, game="backgammon", games="irish", pace="none")
    even, *others = (await load_view(club)).pairings
    await play_turn(club, even.match)
    await play_turn(club, even.match)
    for pairing in others:
        ahead = await play_until_nearly_won(club, pairing.match)
        if ahead:
            break
    else:
        pytest.fail("no match was nearly won")
    session = await load_session(club.bot.app, pairing.match)
    (leader,) = session.list_players(ahead)
    await club.advance_clock(4 * WEEK)
    after = {each.number: each for each in (await load_view(club)).pairings}
    # After one turn each nobody is clearly ahead.
    assert (after[even.number].winner, after[even.number].how) == (None, "deadline")
    assert (after[pairing.number].winner, after[pairing.number].how) == (leader, "deadline")


@pytest.mark.asyncio
async def test_who_never_comes_forfeits_by_the_clock_unrated(club: SimulatedClub) -> None:
    _, people = await start_league(club, pace="day", rated=True)
    pairing = find_pairing(await load_view(club), people[0].id, people[1].id)
    session = await load_session(club.bot.app, pairing.match)
    absent = session.person_to_act
    await club.advance_clock(4 * DAY)
    after = find_pairing(await load_view(club), people[0].id, people[1].id)
    assert after.how == "forfeited"
    assert after.winner == ({people[0].id, people[1].id} - {absent}).pop()
    assert await club.store.get(Ratings).load_changes(pairing.match) == ()


@pytest.mark.asyncio
async def test_a_match_of_a_league_cannot_be_left_as_if_it_had_not_been(
    club: SimulatedClub,
) -> None:
    _, people = await start_league(club)
    pairing = (await load_view(club)).pairings[0]
    loser = next(person for person in people if person.id == pairing.first)
    message = get_response(
        await loser.slash(club.channel, "match resign", match=pairing.match)
    ).message
    assert list_button_labels(message) == ["Resign", "Play on"]
    await loser.click(message, label="Resign")
    after = (await load_view(club)).pairings[0]
    assert (after.winner, after.how) == (pairing.second, "resigned")


@pytest.mark.asyncio
async def test_who_withdraws_keeps_results_and_forfeits_the_rest(club: SimulatedClub) -> None:
    _, people = await start_league(club, pace="none")
    ana, ben, cyn, dan = (person.id for person in people)
    view = await load_view(club)
    won = find_pairing(view, ben, cyn)
    await give_up(club, club.cyn, club.channel, won.match)
    message = get_response(await press_standings(club.ben, club.channel, "league", "leave")).message
    assert "you forfeit 2 matches in progress" in extract_text(message)
    await club.ben.click(message, label="Leave and forfeit")
    await club.advance_clock(5_000)
    after = await load_view(club)
    assert (find_pairing(after, ben, cyn).winner, find_pairing(after, ben, cyn).how) == (
        ben,
        "resigned",
    )
    for other in (ana, dan):
        pairing = find_pairing(after, ben, other)
        assert (pairing.winner, pairing.how) == (other, "forfeited")
    # A second of those who meet leaves: they get nothing from the one who left before.
    await rule(club, "remove", "Never answers", person=dan)
    await club.advance_clock(5_000)
    after = await load_view(club)
    assert find_pairing(after, ben, dan).winner == dan
    assert find_pairing(after, ana, dan).winner == ana
    text = extract_text(get_response(await club.ana.slash(club.channel, "league manage")).message)
    assert f"<@{ana}> removed <@{dan}>. “Never answers”" in text
    refusal = get_ephemeral_text(await press_old_button(club, club.ben, "leagueleave:1"))
    assert refusal == "You don't take part in Autumn league."


@pytest.mark.asyncio
async def test_an_annulled_match_changes_the_table_at_once(club: SimulatedClub) -> None:
    _, people = await start_league(club)
    pairing = (await load_view(club)).pairings[0]
    loser = next(person for person in people if person.id == pairing.second)
    await give_up(club, loser, club.channel, pairing.match)
    (table,) = list_tables(await load_view(club))
    assert {each.person: int(each.points) for each in table}[pairing.first] == 1
    await club.ana.slash(
        club.channel, "server end", match=pairing.match, how="annul", reason="a slip"
    )
    (table,) = list_tables(await load_view(club))
    assert {int(each.points) for each in table} == {0}
    assert {each.played for each in table} == {0}


@pytest.mark.asyncio
async def test_what_organisers_rule(club: SimulatedClub) -> None:
    card = await create_league(club, pace="none")
    refusal = get_ephemeral_text(await club.ben.slash(club.channel, "league manage"))
    assert refusal == (
        "Only people with the permission Manage Events or Manage Server can do that."
    )
    refusal = get_ephemeral_text(
        await create_contest(club.ben, club.channel, "league", name="Mine", game="zeno")
    )
    assert refusal.startswith("Only people with the permission Manage Events")
    assert "It needs 4 players to start, and 0 have joined." in await rule(club, "start")
    before = (await load_view(club)).contest.starts
    assert "gave one more week" in await rule(club, "extend", "A few more may come")
    assert (await load_view(club)).contest.starts == before + WEEK
    await join_together(club, card, (club.ana, club.ben, club.cyn, add_member(club, "dan")))
    await rule(club, "start", "Everyone is here")
    view = await load_view(club)
    assert view.contest.state is ContestState.RUNNING
    ends = view.contest.ends
    assert ends is not None
    await rule(club, "extend", "Christmas")
    await club.advance_clock(4 * WEEK)
    assert (await load_view(club)).contest.state is ContestState.RUNNING
    await rule(club, "cancel", "The club closes")
    await club.advance_clock(5_000)
    after = await load_view(club)
    assert after.contest.state is ContestState.CANCELLED
    assert {each.how for each in after.pairings} == {"annulled"}
    text = extract_text(find_league(club))
    assert f"<@{club.ana.id}> called it off: “The club closes”" in text
    assert list_button_labels(find_league(club)) == []
    late = get_ephemeral_text(await press_old_button(club, club.ben, "leaguejoin:1"))
    assert late == "Sign-up for Autumn league is closed. You can join the next one."


@pytest.mark.asyncio
async def test_too_few_people_call_a_league_off(club: SimulatedClub) -> None:
    card = await create_league(club, signup=1)
    await join_together(club, card, (club.ana, club.ben, club.cyn))
    await club.advance_clock(DAY + 1)
    assert (await load_view(club)).contest.state is ContestState.CANCELLED
    text = extract_text(find_league(club))
    assert "It was called off, as too few people had joined." in text


@pytest.mark.asyncio
async def test_a_league_waits_for_a_server_that_is_lost(club: SimulatedClub) -> None:
    card = await create_league(club)
    await join_together(club, card, (club.ana, club.ben, club.cyn, add_member(club, "dan")))
    app = club.bot.app
    # As noted when a server cannot be reached.
    app.lost.add(club.guild.id)
    app.noted.add(club.guild.id)
    await club.advance_clock(10 * DAY)
    assert (await load_view(club)).contest.state is ContestState.OPEN
    app.lost.clear()
    app.noted.clear()
    await club.advance_clock(2 * HOUR)
    assert (await load_view(club)).contest.state is ContestState.RUNNING


@pytest.mark.asyncio
async def test_a_league_ends_whose_server_never_comes_back(club: SimulatedClub) -> None:
    card = await create_league(club)
    await join_together(club, card, (club.ana, club.ben, club.cyn, add_member(club, "dan")))
    club.bot.app.lost.add(club.guild.id)
    club.bot.app.noted.add(club.guild.id)
    await club.advance_clock(7 * DAY + IDLE_LIMIT_MS + 2 * HOUR)
    view = await load_view(club)
    assert view.contest.state is ContestState.CANCELLED
    assert view.pairings == ()


@pytest.mark.asyncio
async def test_the_next_season_is_divided_by_the_tables_of_the_last(club: SimulatedClub) -> None:
    card = await create_league(club, seasons=True, pace="none")
    people = [add_member(club, f"player{at}") for at in range(9)]
    # In Fallas a first throw may lose at once.
    await choose_own_throws(club, *people)
    for person in people:
        await person.click(card, label="Join")
    await rule(club, "start")
    view = await load_view(club)
    # Nobody is rated, so the order is that of sign-up, in a division of five and one of four.
    first, second = ([each.person for each in division] for division in view.list_divisions())
    ids = [person.id for person in people]
    assert (first, second) == (ids[:5], ids[5:])
    for pairing in view.pairings:
        # The one who signed up earlier wins, but in the second division the later one does.
        later, earlier = max(pairing.first, pairing.second), min(pairing.first, pairing.second)
        loser = later if pairing.division == 0 else earlier
        await resign(club, loser, pairing.match)
    await club.advance_clock(5_000)
    assert (await load_view(club)).contest.state is ContestState.OVER
    following = await load_view(club, 2)
    assert (following.contest.season, following.contest.previous) == (2, 1)
    assert following.contest.secret != view.contest.secret
    (card,) = list_posts(club, "### Autumn league, season 2")
    # The winner of the second division and the last of the first change places; a newcomer is last.
    newcomer = add_member(club, "newcomer")
    await join_together(club, card, (newcomer, *people))
    await club.advance_clock(WEEK + 1)
    started = await load_view(club, 2)
    top, bottom = ([each.person for each in each_one] for each_one in started.list_divisions())
    assert top == [*ids[:4], ids[8]]
    assert bottom == [ids[4], ids[7], ids[6], ids[5], newcomer.id]


@pytest.mark.asyncio
async def test_who_comes_late_meets_everyone_who_is_left(club: SimulatedClub) -> None:
    card, people = await start_league(club, pace="none")
    assert list_button_labels(card)[-1] == "Join late"
    leaving = get_response(await press_standings(club.cyn, club.channel, "league", "leave")).message
    await club.cyn.click(leaving, label="Leave and forfeit")
    eve = add_member(club, "eve")
    text = get_ephemeral_text(await eve.click(card, label="Join late"))
    assert text == (
        "You've joined Autumn league in Division A. You have 3 matches, which start automatically."
    )
    view = await load_view(club)
    new = view.pairings[6:]
    assert [each.number for each in new] == [7, 8, 9]
    present = {person.id for person in people} - {club.cyn.id}
    assert {({each.first, each.second} - {eve.id}).pop() for each in new} == present
    # She begins on either side as often as can be.
    assert sum(each.first == eve.id for each in new) == 2
    for pairing in new:
        row = await club.store.get(Matches).load_row(pairing.match)
        assert row is not None
        assert row.version >= 1
        assert row.secret == dice.derive_match_secret(view.contest.secret, pairing.number)
    again = get_ephemeral_text(await club.cyn.click(card, label="Join late"))
    assert again.startswith("You've left Autumn league, so you can't join it again.")
    twice = get_ephemeral_text(await eve.click(card, label="Join late"))
    assert twice == "You've already joined Autumn league."
    # At half of the four weeks it is too late.
    await club.advance_clock(2 * WEEK)
    fay = add_member(club, "fay")
    late = get_ephemeral_text(await press_old_button(club, fay, "leaguejoin:1"))
    assert late == "Sign-up for Autumn league is closed. You can join the next one."


@pytest.mark.asyncio
async def test_there_is_no_late_place_in_full_divisions(club: SimulatedClub) -> None:
    card = await create_league(club, pace="none")
    people = [add_member(club, f"player{at}") for at in range(8)]
    await join_together(club, card, people)
    await rule(club, "start")
    card = find_league(club)
    full = get_ephemeral_text(await club.ana.click(card, label="Join late"))
    assert full.startswith("All 8 places are taken.")
    # A place that somebody leaves can be taken.
    await rule(club, "remove", "Never answers", person=people[0].id)
    text = get_ephemeral_text(await club.ana.click(card, label="Join late"))
    assert "You have 7 matches" in text


@pytest.mark.asyncio
async def test_a_deleted_message_is_posted_again(club: SimulatedClub) -> None:
    card = await create_league(club)
    await card.delete()
    await press_standings(club.ben, club.channel, "league", "join")
    again = find_league(club)
    assert again.id != card.id
    assert f"**1 player of 64**: <@{club.ben.id}>" in extract_text(again)
    assert (await load_view(club)).contest.message == again.id


@pytest.mark.asyncio
async def test_which_league_is_meant(club: SimulatedClub) -> None:
    none = get_ephemeral_text(await club.ben.slash(club.channel, "league standings"))
    assert none.startswith("There's no league in this server now.")
    await create_league(club)
    await create_contest(club.ana, club.channel, "league", name="Winter", game="zeno")
    several = get_ephemeral_text(await press_standings(club.ben, club.channel, "league", "join"))
    assert several.startswith("There are several leagues here.")
    joined = get_ephemeral_text(
        await press_standings(club.ben, club.channel, "league", "join", league="winter")
    )
    assert joined.startswith("You've joined Winter.")
    # Of several the one in which somebody takes part is theirs.
    mine = get_ephemeral_text(await press_standings(club.ben, club.channel, "league", "mine"))
    assert mine.startswith("### Winter")
    unknown = get_ephemeral_text(
        await press_standings(club.ben, club.channel, "league", "join", league="99")
    )
    assert unknown.startswith("I don't know that league or tournament.")


@pytest.mark.sweep
@pytest.mark.asyncio
async def test_a_season_of_three_divisions(club: SimulatedClub) -> None:
    """Of 24 two never come, one withdraws, one is removed and one replaced; the others play."""
    # In the usual game one of so many matches may be lost by a first throw, which the bot rolls.
    card = await create_league(club, game="irish", pace="none", weeks=2, rated=True, seasons=True)
    people = [add_member(club, f"player{at:02}") for at in range(24)]
    for person in people:
        await person.click(card, label="Join")
    await rule(club, "start")
    view = await load_view(club)
    ids = [person.id for person in people]
    assert [[each.person for each in them] for them in view.list_divisions()] == [
        ids[:8],
        ids[8:16],
        ids[16:],
    ]
    vanished, withdrawn, removed = {ids[3], ids[20]}, ids[9], ids[17]
    asked = get_response(await press_standings(people[9], club.channel, "league", "leave")).message
    await people[9].click(asked, label="Leave and forfeit")
    await rule(club, "remove", "Shares the account of another", person=removed)
    replaced, newcomer = ids[12], add_member(club, "newcomer")
    await rule(club, "replace", "Has moved away", person=replaced)
    await club.advance_clock(5_000)
    await press_standings(newcomer, club.channel, "league", "join")
    ids.append(newcomer.id)
    view = await load_view(club)
    won: Counter[int] = Counter()
    for pairing in view.pairings:
        if pairing.how == "annulled":
            continue
        both = {pairing.first, pairing.second}
        here = both - {withdrawn, removed}
        # Those who have left forfeit, and else the one who signed up earlier wins.
        winner = min(here - vanished or here or both)
        # Results of those who left before half of their matches count for nobody.
        won[winner] += len(here) == 2
        if len(here) == 2 and here.isdisjoint(vanished):
            await resign(club, max(here), pairing.match)
        elif len(here) == 2:
            # Whoever can play does so at once, and then waits for the one who never comes.
            await play_until_other(club, pairing.match, winner)
    await club.advance_clock(2 * WEEK)
    after = await load_view(club)
    assert after.contest.state is ContestState.OVER
    pairs = Counter(frozenset((each.first, each.second)) for each in after.pairings)
    # The newcomer meets the six who are left in the second division.
    assert len(pairs) == 3 * 28 + 6
    assert sum(each.how == "annulled" for each in after.pairings) == 6
    assert set(pairs.values()) == {1}
    points = {each.person: int(each.points) for table in list_tables(after) for each in table}
    # Also where the one who never came had to begin, and nobody has played.
    assert points == {person: won[person] for person in ids}
    forfeited = {each.match for each in after.pairings if each.how == "forfeited"}
    for match in forfeited:
        assert await club.store.get(Ratings).load_changes(match) == ()
    answers = list_posts(club, "### Autumn league\n")
    assert len(answers) == 1
    assert f"**<@{ids[0]}> won.**" in extract_text(answers[0])
    rows = [await club.store.get(Matches).load_row(each.match) for each in after.pairings]
    assert len({row.thread for row in rows if row}) == len(rows)
    assert (await load_view(club, 2)).contest.season == 2


async def play_until_other(club: SimulatedClub, match: int, person: int) -> None:
    """Play a turn if it is somebody's."""
    if (await load_session(club.bot.app, match)).person_to_act == person:
        await play_turn(club, match)


@pytest.mark.asyncio
async def test_no_time_runs_in_a_league_that_is_paused(club: SimulatedClub) -> None:
    _, people = await start_league(club, pace="day", weeks=1)
    before = await load_view(club)
    pairing = before.pairings[0]
    ends = before.contest.ends
    assert ends is not None
    assert "paused it." in await rule(club, "pause")
    assert "Paused: clocks are stopped" in extract_text(find_league(club))
    await club.advance_clock(30 * DAY)
    # Longer than the league's time and the time of every turn.
    assert not any(each.is_over for each in (await load_view(club)).pairings)
    assert "let it go on." in await rule(club, "resume")
    after = await load_view(club)
    assert after.contest.paused is None
    assert after.contest.ends is not None
    assert 30 * DAY <= after.contest.ends - ends < 30 * DAY + HOUR
    session = await load_session(club.bot.app, pairing.match)
    assert not session.late
    await play_turn(club, pairing.match)
    # From now on time runs out as always.
    await club.advance_clock(7 * DAY)
    # A throw that the bot made for somebody may have come between: then it's decided once more.
    await club.advance_clock(5_000)
    view = await load_view(club)
    assert view.contest.state is ContestState.OVER
    assert {each.how for each in view.pairings} <= {"forfeited", "timeout"}
    assert len(people) == 4


@pytest.mark.asyncio
async def test_whoever_joins_next_plays_for_somebody_who_was_replaced(
    club: SimulatedClub,
) -> None:
    _, people = await start_league(club, pace="none")
    ana, ben, cyn, dan = (person.id for person in people)
    # Dan has lost to Ana; in the second half of the league he is replaced.
    await resign(club, dan, find_pairing(await load_view(club), ana, dan).match)
    await club.advance_clock(5_000)
    await club.advance_clock(15 * DAY)
    eve = add_member(club, "eve")
    closed = "Sign-up for Autumn league is closed. You can join the next one."
    assert get_ephemeral_text(await press_old_button(club, eve, "leaguejoin:1")) == closed
    text = await rule(club, "replace", person=dan)
    assert f"gave the place of <@{dan}> to somebody else" in text
    await club.advance_clock(5_000)
    view = await load_view(club)
    assert [each.how for each in view.list_own(dan)].count("annulled") == 2
    joined = get_ephemeral_text(await eve.click(find_league(club), label="Join late"))
    assert joined.startswith("You've joined Autumn league in Division A. You have 2 matches")
    view = await load_view(club)
    # Ana has her point, and does not play for it again.
    assert {each.result.get_opponent(eve.id) for each in view.list_own(eve.id)} == {ben, cyn}
    entrant = view.find_entrant(eve.id)
    assert entrant is not None
    assert entrant.replaces == dan
    fay = add_member(club, "fay")
    assert get_ephemeral_text(await press_old_button(club, fay, "leaguejoin:1")) == closed


@pytest.mark.asyncio
async def test_a_league_can_be_for_members_with_a_role_and_of_a_size(
    club: SimulatedClub,
) -> None:
    role = club.guild.create_role("Players")
    await create_league(club, role=role, size=4, late=False)
    card = find_league(club)
    assert f"For members with the role <@&{role.id}>" in extract_text(card)
    assert "there's room for 4" in extract_text(card)
    refusal = get_ephemeral_text(await club.ben.click(card, label="Join"))
    assert refusal == f"Only members with the role <@&{role.id}> can join Autumn league."
    for at in range(4):
        person = add_member(club, f"player{at}")
        club.env.backend.add_member_role(club.guild.id, person.id, role.id)
        await person.click(card, label="Join")
    late = add_member(club, "late")
    club.env.backend.add_member_role(club.guild.id, late.id, role.id)
    full = get_ephemeral_text(await late.click(card, label="Join"))
    assert full == "All 4 places are taken. If somebody withdraws, you can join."
    await club.advance_clock(7 * DAY + 1)
    assert "Join late" not in list_button_labels(find_league(club))


@pytest.mark.asyncio
async def test_a_vacation_stops_clocks_as_long_as_the_terms_allow(club: SimulatedClub) -> None:
    _, people = await start_league(club, pace="week", vacation=2, weeks=8)
    view = await load_view(club)
    match = view.pairings[0].match
    session = await load_session(club.bot.app, match)
    away = session.person_to_act
    assert away is not None
    actor = next(person for person in people if person.id == away)
    due = session.clock.since + 7 * DAY
    await actor.slash(club.channel, "me vacation", days=20)
    await club.advance_clock(due + 2 * DAY - HOUR - club.bot.app.clock())
    assert not (await load_session(club.bot.app, match)).late
    await club.advance_clock(2 * HOUR)
    assert (await load_session(club.bot.app, match)).late


@pytest.mark.parametrize(
    ("days", "text"),
    [(None, "stops your clocks, but"), (0, "stops neither"), (1, "1 day at most"), (3, "3 days")],
)
@pytest.mark.asyncio
async def test_the_terms_say_how_long_a_vacation_stops_clocks(
    club: SimulatedClub, days: int | None, text: str
) -> None:
    options: dict[str, Any] = {} if days is None else {"vacation": days}
    card = await create_league(club, pace="week", **options)
    assert text in extract_text(card)


@pytest.mark.asyncio
async def test_who_was_removed_can_be_let_back_in(club: SimulatedClub) -> None:
    card, people = await start_league(club, pace="none", limit=1)
    dan = people[3]
    assert "Let a player back in" not in await rule(club, "extend")
    await rule(club, "remove", person=dan.id)
    await club.advance_clock(5_000)
    refused = get_ephemeral_text(await dan.click(card, label="Join late"))
    assert refused.startswith("You've left Autumn league")
    text = await rule(club, "readmit", person=dan.id)
    assert f"<@{club.ana.id}> let <@{dan.id}> back in.\n" in text
    entrant = (await load_view(club)).find_entrant(dan.id)
    assert entrant is not None
    assert (entrant.left, entrant.back_after) == (None, 1)
    # What was forfeited stays so, and what had not begun is played.
    for _ in range(6):
        for pairing in (await load_view(club)).list_running():
            await resign(club, min(pairing.first, pairing.second), pairing.match)
        await club.advance_clock(5_000)
    own = (await load_view(club)).list_own(dan.id)
    assert Counter(each.how for each in own) == {"forfeited": 1, "resigned": 2}


@pytest.mark.asyncio
async def test_before_the_start_who_was_removed_is_let_back_in(club: SimulatedClub) -> None:
    card = await create_league(club)
    await club.ben.click(card, label="Join")
    await rule(club, "remove", "By mistake", club.ben.id)
    refused = get_ephemeral_text(await club.ben.click(card, label="Join"))
    assert refused.startswith("You were removed from Autumn league")
    await rule(club, "readmit", person=club.ben.id)
    assert [each.person for each in (await load_view(club)).present] == [club.ben.id]
    # Nothing keeps them out any more.
    await club.ben.click(card, label="Withdraw")
    await club.ben.click(card, label="Join")
    assert [each.person for each in (await load_view(club)).present] == [club.ben.id]


@pytest.mark.asyncio
async def test_nobody_comes_back_into_a_knock_out(club: SimulatedClub) -> None:
    await create_contest(
        club.ana, club.channel, "tournament", name=NAME, game="fallas", format="knock-out"
    )
    card = find_league(club)
    people = [club.ana, club.ben, club.cyn, add_member(club, "dan")]
    await join_together(club, card, people)
    await club.advance_clock(7 * DAY + 1)
    panel = get_response(await club.ana.slash(club.channel, "tournament manage")).message
    await press_ruling(club.ana, panel, 1, "remove", "Cheated", people[3].id)
    panel = get_response(await club.ana.slash(club.channel, "tournament manage")).message
    assert "leagueremove:1:readmit:0" not in list_control_ids(panel)
