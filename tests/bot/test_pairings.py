"""Who is paired with whom in leagues and tournaments, where people leave or have blocked others."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest
import simcord

from bot.features.contests.results import compute_swiss, list_champions, list_tables
from bot.features.contests.service import leave_contest
from bot.features.contests.tables import ContestState, ContestView
from engine.clock import DAY
from tests.bot.test_leagues import create_league, find_league, load_view, play_turn
from tests.bot.test_tournaments import (
    find_card,
    gather_players,
    list_pairs,
    play_out,
    resign,
    start_tournament,
)
from tests.support.club import SimulatedClub
from tests.support.contests import join_together, press_standings
from tests.support.driver import (
    add_member,
    extract_text,
    get_ephemeral_text,
    get_response,
    list_button_labels,
    list_direct_texts,
    list_pictures,
)

pytestmark = pytest.mark.asyncio
SIGN_UP = 3 * DAY + 1


async def finish_round(club: SimulatedClub, ranked: Sequence[int], *leaving: int) -> None:
    """Let the better of each pair win, and some leave before the match of the best ends."""
    running = (await load_view(club)).list_running()
    running.sort(key=lambda each: ranked[0] in each.pair)
    for pairing in running:
        if pairing is running[-1]:
            await leave(club, *leaving)
        await resign(club, pairing, max(pairing.first, pairing.second, key=ranked.index))


async def leave(club: SimulatedClub, *people: int) -> None:
    """Let people withdraw."""
    for person in people:
        await leave_contest(club.bot.app, 1, person)
    await club.advance_clock(5_000)


async def block(
    club: SimulatedClub, person: simcord.MemberActor, *others: simcord.MemberActor
) -> None:
    """Let somebody block others."""
    for other in others:
        await person.slash(club.channel, "me block", person=other)


async def test_a_swiss_plays_its_declared_rounds_whoever_leaves(club: SimulatedClub) -> None:
    people = await start_tournament(club, 8, format="swiss", rounds=4)
    met: set[frozenset[int]] = set()
    for number in range(1, 5):
        view = await load_view(club)
        assert view.round == number
        there = sorted(each.person for each in view.present)
        byes = [bye.person for bye in view.byes if bye.round == number]
        own = [each for each in view.pairings if each.round == number]
        playing = [person for each in own for person in (each.first, each.second)]
        assert sorted([*playing, *byes]) == there
        # With so many left nobody has to meet anybody again.
        assert not met & {each.pair for each in own}
        met |= {each.pair for each in own}
        # One leaves in each round.
        gone = [own[-1].first] if number < 4 else []
        await finish_round(club, people, *gone)
    view = await load_view(club)
    assert view.contest.state is ContestState.OVER
    assert view.round == view.contest.rounds == 4


async def test_two_who_are_left_meet_again_and_everybody_is_told(club: SimulatedClub) -> None:
    people = await start_tournament(club, 8, format="swiss", rounds=2)
    (again,) = (await load_view(club)).list_own(people[0])
    await finish_round(club, people, *set(people) - again.pair)
    view = await load_view(club)
    assert view.round == 2
    assert list_pairs(view, 2) == {again.pair}
    (last,) = view.list_running()
    text = extract_text(find_card(club))
    assert (
        f"<@{last.first}> and <@{last.second}> play each other again, as nobody new was left for "
        "them." in text
    )
    # The one who had the first side last does not have it again.
    assert last.first == again.second
    await finish_round(club, people)
    view = await load_view(club)
    assert view.contest.state is ContestState.OVER
    assert list_champions(view) == [people[0]]
    assert "play each other again" not in extract_text(find_card(club))


async def test_who_won_without_playing_has_no_bye(club: SimulatedClub) -> None:
    people = await start_tournament(club, 9, format="swiss", rounds=2)
    best, lucky, free = people[0], people[7], people[8]
    assert f"<@{free}> has a bye." in extract_text(find_card(club))
    (unplayed,) = (await load_view(club)).list_own(lucky)
    # Number 8 wins without playing; of three who stay, one has to have the bye.
    await leave(club, unplayed.result.get_opponent(lucky))
    view = await load_view(club)
    (own,) = view.list_own(best)
    for pairing in view.list_running():
        if pairing.match != own.match:
            await resign(club, pairing, pairing.first)
    # All at once, so that the next round is paired without any of them.
    for person in {each.person for each in view.present} - {best, lucky, free}:
        club.env.backend.remove_member(club.guild.id, person)
    await resign(club, own, own.result.get_opponent(best))
    await club.advance_clock(5_000)
    view = await load_view(club)
    assert [bye.person for bye in view.byes if bye.round == 2] == [best]
    assert list_pairs(view, 2) == {frozenset((lucky, free))}


async def start_long_league(club: SimulatedClub) -> list[simcord.MemberActor]:
    """A league of one division of five, each of whom has four matches; its people by seed."""
    card = await create_league(club)
    people = [club.ana, club.ben, club.cyn, add_member(club, "dan"), add_member(club, "eve")]
    for person in people:
        await person.click(card, label="Join")
    await club.advance_clock(7 * DAY + 1)
    return people


async def let_win(
    club: SimulatedClub, winner: simcord.MemberActor, loser: simcord.MemberActor
) -> None:
    """Let somebody beat somebody."""
    view = await load_view(club)
    (pairing,) = [each for each in view.list_own(winner.id) if loser.id in each.pair]
    await resign(club, pairing, loser.id)


def list_points(view: ContestView) -> dict[int, float]:
    """The points in the first division."""
    return {each.person: float(each.points) for each in list_tables(view)[0]}


async def explain_table(club: SimulatedClub) -> str:
    """How the table of the league is said to be made."""
    return get_ephemeral_text(
        await club.ben.click(find_league(club), label="How the table is made")
    )


async def test_who_leaves_before_half_decides_nothing(club: SimulatedClub) -> None:
    ana, ben, cyn, _, eve = await start_long_league(club)
    rule = "If somebody leaves before they've played half of their matches, their results count"
    assert rule in await explain_table(club)
    await let_win(club, eve, ana)
    await let_win(club, ana, ben)
    message = get_response(await press_standings(eve, club.channel, "league", "leave")).message
    assert (
        "you forfeit 3 matches in progress. As you've played fewer than half of your matches, your "
        "results then count for nobody." in extract_text(message)
    )
    left = await eve.click(message, label="Leave and forfeit")
    await club.advance_clock(5_000)
    assert left.response is not None
    view = await load_view(club)
    # Neither the win over Ana nor the forfeits count: Ana has beaten Ben, and nobody else has won.
    assert list_points(view) == {each.person: each.person == ana.id for each in view.entrants}
    text = await explain_table(club)
    assert f"<@{eve.id}> left after 1 of 4 matches, so their results count for nobody." in text
    # The match itself stays as it was.
    own = get_ephemeral_text(await ana.click(find_league(club), label="My matches"))
    assert f"<@{eve.id}>, " in own
    await let_win(club, cyn, ana)
    assert list_points(await load_view(club))[cyn.id] == 1


async def test_who_leaves_after_half_loses_the_rest(club: SimulatedClub) -> None:
    ana, ben, cyn, dan, eve = await start_long_league(club)
    await let_win(club, eve, ana)
    await let_win(club, ben, eve)
    message = get_response(await press_standings(eve, club.channel, "league", "leave")).message
    assert "Your results stay." in extract_text(message)
    await eve.click(message, label="Leave and forfeit")
    await club.advance_clock(5_000)
    expected = {ana.id: 0, ben.id: 1, cyn.id: 1, dan.id: 1, eve.id: 1}
    assert list_points(await load_view(club)) == expected
    assert "count for nobody." in await explain_table(club)
    assert "left after" not in await explain_table(club)


async def test_a_league_that_had_begun_keeps_its_rule(club: SimulatedClub, tmp_path: Path) -> None:
    ana, *_, eve = await start_long_league(club)
    # As a version left it that did not know the rule.
    with closing(sqlite3.connect(tmp_path / "club.sqlite3")) as database, database:
        database.execute("UPDATE contests SET edition = 1")
    await let_win(club, eve, ana)
    await leave(club, eve.id)
    points = list_points(await load_view(club))
    assert points == {each: each != ana.id for each in points}
    assert "played half" not in await explain_table(club)


async def test_who_blocked_somebody_does_not_meet_them_in_a_swiss(club: SimulatedClub) -> None:
    people = await gather_players(club, 8, format="swiss", rounds=4)
    ids = [person.id for person in people]
    # Without blocks 1 meets 5, and 2 meets 6.
    await block(club, people[0], people[4], people[1])
    await block(club, people[5], people[1])
    await club.advance_clock(SIGN_UP)
    for _ in range(4):
        await finish_round(club, ids)
    view = await load_view(club)
    assert view.contest.state is ContestState.OVER
    assert view.round == 4
    met = {each.pair for each in view.pairings}
    assert len(met) == 16
    barred = {(0, 4), (0, 1), (5, 1)}
    assert not met & {frozenset((ids[one], ids[other])) for one, other in barred}
    assert all("rather not" not in text for person in people for text in list_direct_texts(person))


async def test_where_it_cannot_be_avoided_both_are_told_and_either_may_take_it_as_unplayed(
    club: SimulatedClub,
) -> None:
    people = await gather_players(club, 8, format="swiss", rounds=2)
    await block(club, people[0], *people[1:])
    await club.advance_clock(SIGN_UP)
    view = await load_view(club)
    (own,) = view.list_own(people[0].id)
    other = next(person for person in people if person.id == own.result.get_opponent(people[0].id))
    for person, opponent in ((people[0], other), (other, people[0])):
        (sentence,) = [text for text in list_direct_texts(person) if "rather not" in text]
        assert f"You're paired with <@{opponent.id}> in Spring cup" in sentence
        assert "Each of you then gets half a point." in sentence
        # Nobody is told that they are blocked.
        assert "block" not in sentence.lower()
    # Nobody else is told anything.
    assert all(
        "rather not" not in text
        for person in people[1:]
        for text in list_direct_texts(person)
        if person is not other
    )
    message = other.user.dm_channel.last_message
    pressed = await other.user.click(message, label=f"Take match {own.match} as unplayed")
    assert "Each of you gets half a point." in extract_text(get_response(pressed).message)
    await club.advance_clock(5_000)
    view = await load_view(club)
    (own,) = view.list_own(people[0].id)
    assert own.how == "annulled"
    points = {each.person: each.points for each in compute_swiss(view)}
    assert points[people[0].id] == points[other.id] == Fraction(1, 2)
    again = await other.user.click(message, label=f"Take match {own.match} as unplayed")
    assert f"Match {own.match} is over." in extract_text(get_response(again).message)
    mine = get_ephemeral_text(await people[0].click(find_card(club), label="My matches"))
    assert "not played" in mine
    # The next round is paired all the same, and these two do not meet again.
    await finish_round(club, [person.id for person in people])
    view = await load_view(club)
    assert view.round == 2
    assert own.pair not in list_pairs(view, 2)


async def test_my_matches_say_it_where_direct_messages_are_closed(club: SimulatedClub) -> None:
    people = await gather_players(club, 4, format="round-robin")
    await block(club, people[0], people[1])
    for _ in range(2):
        club.env.inject_error("POST", "/channels/*/messages", status=403, code=50007)
    club.env.inject_error("POST", "/users/@me/channels", status=403, code=50007)
    await club.advance_clock(SIGN_UP)
    view = await load_view(club)
    (own,) = [each for each in view.list_own(people[0].id) if people[1].id in each.pair]
    assert own.optional
    assert [each.match for each in view.pairings if each.optional] == [own.match]
    message = get_response(await people[1].click(find_card(club), label="My matches")).message
    assert "you can take it as unplayed until you've both played in it." in extract_text(message)
    label = f"Take match {own.match} as unplayed"
    assert label in list_button_labels(message)
    # Once both have played, it has to be decided.
    acted: set[int] = set()
    while len(acted) < 2:
        acted.add(await play_turn(club, own.match))
    refusal = get_ephemeral_text(await people[1].click(message, label=label))
    assert refusal == (
        f"You've both played in match {own.match} already, so it can't be taken as unplayed. You "
        "can still resign it or offer a draw."
    )
    assert own.how is None


async def test_an_unplayed_match_counts_for_nobody_in_a_table(club: SimulatedClub) -> None:
    people = await gather_players(club, 4, format="round-robin")
    await block(club, people[3], people[0])
    await club.advance_clock(SIGN_UP)
    view = await load_view(club)
    (own,) = [each for each in view.list_own(people[0].id) if people[3].id in each.pair]
    message = get_response(await people[3].click(find_card(club), label="My matches")).message
    answer = await people[3].click(message, label=f"Take match {own.match} as unplayed")
    assert f"Match {own.match} isn't played, and counts for nobody." in extract_text(
        get_response(answer).message
    )
    await club.advance_clock(5_000)
    await play_out(club, [person.id for person in people])
    view = await load_view(club)
    assert view.contest.state is ContestState.OVER
    lines = {each.person: each for each in list_tables(view)[0]}
    assert [lines[person.id].played for person in people] == [2, 3, 3, 2]


async def test_in_a_knock_out_both_are_told_and_somebody_goes_on(club: SimulatedClub) -> None:
    people = await gather_players(club, 4)
    await block(club, people[0], people[3])
    await club.advance_clock(SIGN_UP)
    for person in (people[0], people[3]):
        message = person.user.dm_channel.last_message
        assert "If you'd rather not play, resign it" in extract_text(message)
        assert list_button_labels(message) == []


async def test_who_blocked_somebody_is_in_another_division(club: SimulatedClub) -> None:
    card = await create_league(club)
    people = [club.ana, club.ben, club.cyn, *(add_member(club, f"player{n}") for n in range(6))]
    for person in people:
        await person.click(card, label="Join")
    await block(club, people[0], people[1])
    await club.advance_clock(7 * DAY + 1)
    view = await load_view(club)
    first, second = [{each.person for each in them} for them in view.list_divisions()]
    assert (len(first), len(second)) == (5, 4)
    assert (people[0].id in first) != (people[1].id in first)
    # As few as possible have moved.
    assert len(first & {person.id for person in people[:5]}) == 4
    assert not any(each.optional for each in view.pairings)


async def test_who_comes_late_is_put_with_nobody_whom_they_blocked(club: SimulatedClub) -> None:
    card = await create_league(club)
    people = [club.ana, club.ben, club.cyn, *(add_member(club, f"player{n}") for n in range(6))]
    await join_together(club, card, people)
    await club.advance_clock(7 * DAY + 1)
    first, second = (await load_view(club)).list_divisions()
    lowest = next(person for person in people if person.id == second[-1].person)
    late, later = add_member(club, "late"), add_member(club, "later")
    await block(club, late, lowest)
    await late.click(find_league(club), label="Join late")
    # Nobody is in the way of the other, who plays in the lowest division as ever.
    await later.click(find_league(club), label="Join late")
    view = await load_view(club)
    divisions = [{each.person for each in them} for them in view.list_divisions()]
    assert late.id in divisions[0]
    assert later.id in divisions[1]
    assert len(view.list_own(late.id)) == len(first)


async def test_the_picture_of_a_division_says_who_left_only_where_they_are(
    club: SimulatedClub,
) -> None:
    card = await create_league(club)
    people = [club.ana, club.ben, club.cyn, *(add_member(club, f"player{n}") for n in range(6))]
    await join_together(club, card, people)
    await club.advance_clock(7 * DAY + 1)
    first, second = (await load_view(club)).list_divisions()
    await leave(club, first[-1].person)
    in_first, in_second = [
        next(person for person in people if person.id == division[0].person)
        for division in (first, second)
    ]
    said = []
    for person in (in_first, in_second):
        answer = await person.click(find_league(club), label="How the table is made")
        (picture,) = list_pictures(get_response(answer).message)
        said.append(picture.description or "")
    assert "has left" in said[0]
    assert "has left" not in said[1]
