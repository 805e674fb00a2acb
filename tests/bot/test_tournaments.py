"""Tournaments as people meet them: knock-outs, Swisses and round robins, from round to round."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import discord
import pytest
import simcord

from bot.features.contests import seasons
from bot.features.contests.delivery import load_titles
from bot.features.contests.endings import conclude_match
from bot.features.contests.results import compute_knock_out, compute_swiss, list_champions
from bot.features.contests.store import Contests
from bot.features.contests.tables import ContestFormat, ContestState, ContestView, Pairing
from bot.features.matches import service as play
from bot.features.matches.loading import load_session
from bot.features.matches.service import Action, resign_match
from bot.features.matches.store import Matches
from bot.platform.people import CLOCK, DiscordPerson
from engine.clock import DAY
from tests.bot.test_leagues import load_view
from tests.support.club import SimulatedClub
from tests.support.contests import create_contest, join_together, press_old_button, press_standings
from tests.support.driver import (
    add_member,
    extract_text,
    get_ephemeral_text,
    get_response,
    list_button_labels,
    list_pictures,
    list_posts,
    list_public_messages,
)

NAME = "Spring cup"
SIGN_UP = 3 * DAY + 1


def find_card(club: SimulatedClub) -> discord.Message:
    """The message of the tournament."""
    (card,) = list_posts(club, f"### {NAME}")
    return card


async def gather_players(
    club: SimulatedClub, count: int, *, in_order: bool = True, **options: Any
) -> list[simcord.MemberActor]:
    """People who have signed up for a new tournament, in the order of their seeds if asked."""
    options = {"game": "fallas", "pace": "none", **options}
    await create_contest(club.ana, club.channel, "tournament", name=NAME, **options)
    card = find_card(club)
    others = [
        club.guild.add_member(club.env.create_user(f"player{at}", global_name=f"Player {at}"))
        for at in range(4, count + 1)
    ]
    people = [club.ana, club.ben, club.cyn, *others][:count]
    if not in_order:
        await join_together(club, card, people)
        return people
    for person in people:
        # Nobody is rated, so the seeds are in the order of sign-up.
        await person.click(card, label="Join")
    return people


async def start_tournament(club: SimulatedClub, count: int, **options: Any) -> list[int]:
    """The ids of those who play in a tournament that has started, in the order of their seeds."""
    people = await gather_players(club, count, **options)
    await club.advance_clock(SIGN_UP)
    return [person.id for person in people]


async def resign(club: SimulatedClub, pairing: Pairing, loser: int) -> None:
    """Let one of a pairing lose it, and the tournament go on."""
    action = Action(pairing.match, DiscordPerson(loser, str(loser)), f"{loser} resigns")
    await resign_match(club.bot.app, action)
    await club.advance_clock(5_000)


async def play_out(club: SimulatedClub, ranked: Sequence[int]) -> None:
    """Let the better of each pair win until nothing is left to play."""
    while running := (await load_view(club)).list_running():
        loser = max(running[0].first, running[0].second, key=ranked.index)
        await resign(club, running[0], loser)


def list_pairs(view: ContestView, number: int) -> set[frozenset[int]]:
    """Who meets whom in a round."""
    return {frozenset((each.first, each.second)) for each in view.pairings if each.round == number}


@pytest.mark.asyncio
async def test_a_knock_out_goes_on_without_waiting_for_others(club: SimulatedClub) -> None:
    people = await start_tournament(club, 5, third=True)
    one, two, three, four, five = people
    view = await load_view(club)
    # The three best seeds have byes, so the second semi-final starts beside the first round.
    assert list_pairs(view, 1) == {frozenset((four, five))}
    assert list_pairs(view, 2) == {frozenset((two, three))}
    first, second = view.pairings
    await resign(club, second, three)
    view = await load_view(club)
    assert len(view.pairings) == 2
    await resign(club, first, four)
    view = await load_view(club)
    assert list_pairs(view, 2) == {frozenset((two, three)), frozenset((one, five))}
    await play_out(club, people)
    view = await load_view(club)
    # The final, and the match for the third place.
    assert list_pairs(view, 3) == {frozenset((one, two)), frozenset((three, five))}
    assert view.contest.state is ContestState.OVER
    assert list_champions(view) == [one]
    text = extract_text(find_card(club))
    assert f"**<@{one}> won.**" in text
    assert view.contest.secret.hex() in text
    (picture,) = list_pictures(find_card(club))
    assert picture.description is not None
    assert NAME in picture.description
    # Everybody finds their way: a profile names what was won.
    await club.ana.slash(club.channel, "me profile")
    profile = extract_text(list_public_messages(club)[-1])
    assert "**Leagues and tournaments won**" in profile
    assert NAME in profile


@pytest.mark.asyncio
async def test_best_of_three_is_played_until_two_are_won(club: SimulatedClub) -> None:
    people = await start_tournament(club, 4, best=3)
    one, _, _, four = people
    (opening,) = [
        each for each in (await load_view(club)).pairings if one in (each.first, each.second)
    ]
    await resign(club, opening, one)
    for loser in (four, four):
        (running,) = (await load_view(club)).list_running(one)
        await resign(club, running, loser)
    own = (await load_view(club)).list_own(one)
    assert len(own) == 3
    # They begin in turns.
    assert own[0].first == own[1].second == own[2].first
    tie = next(
        tie
        for tie in compute_knock_out(await load_view(club)).rounds[0]
        if one in (tie.first, tie.second)
    )
    assert tie.winner == one


@pytest.mark.asyncio
async def test_the_third_place_is_played_out_after_the_final(club: SimulatedClub) -> None:
    people = await start_tournament(club, 4, best=3, third=True)
    _, two, three, four = people

    async def let_lose(loser: int) -> None:
        view = await load_view(club)
        await resign(club, view.list_running(loser)[0], loser)

    for loser in (four, four, three, three):
        await let_lose(loser)
    ends = (await load_view(club)).contest.ends
    for loser in (two, two, four):
        await let_lose(loser)
    view = await load_view(club)
    # One match of three has been played for the third place.
    assert len(view.list_running(four)) == 1
    assert view.contest.state is ContestState.RUNNING
    assert view.contest.ends == ends
    await let_lose(four)
    view = await load_view(club)
    assert view.contest.state is ContestState.OVER
    third = compute_knock_out(view).third_place
    assert third is not None
    assert third.winner == three
    assert max(third.score) == 2


@pytest.mark.asyncio
async def test_at_a_deadline_the_round_is_decided_and_the_next_begins(
    club: SimulatedClub,
) -> None:
    people = await start_tournament(club, 4, days=2)
    view = await load_view(club)
    assert view.contest.ends == view.contest.began + 2 * DAY if view.contest.began else False
    pairing = next(each for each in view.pairings if people[0] in (each.first, each.second))
    await resign(club, pairing, people[3])
    (other,) = (await load_view(club)).list_running()
    missing = (await load_session(club.bot.app, other.match)).person_to_act
    await club.advance_clock(2 * DAY)
    view = await load_view(club)
    # Nobody has played the other semi-final, and who waited for it goes on.
    first_round = [each for each in view.pairings if each.round == 1]
    assert {each.how for each in first_round} == {"resigned", "forfeited"}
    assert list_pairs(view, 2) == {frozenset((people[0], other.result.get_opponent(missing)))}
    await resign(club, view.list_running()[0], other.result.get_opponent(missing))
    view = await load_view(club)
    assert view.contest.state is ContestState.OVER
    assert list_champions(view) == [people[0]]


@pytest.mark.asyncio
async def test_who_withdraws_leaves_the_place_to_the_opponent(club: SimulatedClub) -> None:
    people = await start_tournament(club, 4)
    message = get_response(
        await press_standings(club.ana, club.channel, "tournament", "leave")
    ).message
    assert "you forfeit 1 match in progress" in extract_text(message)
    await club.ana.click(message, label="Leave and forfeit")
    await club.advance_clock(5_000)
    view = await load_view(club)
    (gone,) = view.list_own(people[0])
    assert (gone.winner, gone.how) == (people[3], "forfeited")
    await play_out(club, people)
    assert list_champions(await load_view(club)) == [people[1]]


@pytest.mark.asyncio
async def test_a_swiss_pairs_each_round_once_and_nobody_twice(club: SimulatedClub) -> None:
    people = await start_tournament(club, 9, format="swiss", rounds=4)
    for number in range(1, 5):
        view = await load_view(club)
        assert view.round == number
        assert len(list_pairs(view, number)) == 4
        # Whoever looks as well, the round is paired once.
        for _ in range(3):
            await seasons.advance_contest(club.bot.app, 1)
        assert (await load_view(club)).pairings == view.pairings
        text = extract_text(find_card(club))
        assert f"Round {number} of 4. Finished matches: 0 of 4." in text
        for pairing in view.list_running():
            await resign(club, pairing, max(pairing.first, pairing.second, key=people.index))
    view = await load_view(club)
    assert view.contest.state is ContestState.OVER
    pairs = Counter(frozenset((each.first, each.second)) for each in view.pairings)
    assert len(pairs) == 16
    byes = [bye.person for bye in view.byes]
    assert len(byes) == len(set(byes)) == 4
    # The best seed has met four, and beaten them all.
    assert list_champions(view) == [people[0]]
    why = get_ephemeral_text(await club.ben.click(find_card(club), label="How the table is made"))
    assert f"**1.** <@{people[0]}>: 4 points, Buchholz" in why


@pytest.mark.asyncio
async def test_a_round_of_a_swiss_ends_at_its_deadline(club: SimulatedClub) -> None:
    # A game that no first throw can end.
    people = await start_tournament(club, 8, game="zeno", format="swiss", rounds=2, days=3)
    (played,) = (await load_view(club)).list_own(people[0])
    await resign(club, played, played.result.get_opponent(people[0]))
    await club.advance_clock(3 * DAY)
    view = await load_view(club)
    assert view.round == 2
    assert {each.how for each in view.pairings if each.round == 1} == {"resigned", "forfeited"}
    assert not list_pairs(view, 1) & list_pairs(view, 2)
    (played,) = view.list_running(people[0])
    await resign(club, played, played.result.get_opponent(people[0]))
    await club.advance_clock(3 * DAY)
    view = await load_view(club)
    assert view.contest.state is ContestState.OVER
    # Whoever waited has as many points as who has played.
    points = {each.person: each.points for each in compute_swiss(view)}
    assert points[people[0]] == 2
    assert sum(points.values()) == len(view.pairings) + len(view.byes)


@pytest.mark.asyncio
async def test_a_swiss_takes_people_in_late_with_half_a_point(club: SimulatedClub) -> None:
    people = await start_tournament(club, 8, format="swiss", rounds=4)
    late = add_member(club, "late")
    assert "Join late" in list_button_labels(find_card(club))
    text = get_ephemeral_text(await late.click(find_card(club), label="Join late"))
    assert "half a point for what you've missed" in text
    view = await load_view(club)
    assert [(bye.round, bye.person, float(bye.points)) for bye in view.byes] == [(1, late.id, 0.5)]
    for pairing in view.list_running():
        await resign(club, pairing, max(pairing.first, pairing.second, key=people.index))
    view = await load_view(club)
    assert view.round == 2
    assert len([each for each in view.list_own(late.id) if each.round == 2]) == 1
    own = get_ephemeral_text(await press_standings(late, club.channel, "tournament", "mine"))
    assert "Round 1: a bye, ½ points" in own
    # In the second half it is too late.
    for pairing in view.list_running():
        await resign(club, pairing, pairing.first)
    assert "Join late" not in list_button_labels(find_card(club))


@pytest.mark.asyncio
async def test_too_few_for_a_swiss_play_a_round_robin(club: SimulatedClub) -> None:
    people = await gather_players(club, 5, format="swiss", rounds=3, days=2)
    assert "With fewer than 8 players it's a round robin instead" in extract_text(find_card(club))
    await club.advance_clock(SIGN_UP)
    view = await load_view(club)
    assert view.contest.format is ContestFormat.ROUND_ROBIN
    assert len(view.pairings) == 10
    assert len(list_pairs(view, 1)) == 10
    assert view.contest.began is not None
    # As long as the three rounds would have taken.
    assert view.contest.ends == view.contest.began + 6 * DAY
    await play_out(club, [person.id for person in people])
    assert list_champions(await load_view(club)) == [people[0].id]


@pytest.mark.asyncio
async def test_in_a_round_robin_each_pair_plays_every_game(club: SimulatedClub) -> None:
    people = await start_tournament(club, 3, format="round-robin", games="pyf, zeno")
    view = await load_view(club)
    assert len(view.pairings) == 9
    games: dict[frozenset[int], Counter[str]] = {}
    for pairing in view.pairings:
        row = await club.store.get(Matches).load_row(pairing.match)
        assert row is not None
        games.setdefault(frozenset((pairing.first, pairing.second)), Counter())[row.game] += 1
    assert len(games) == 3
    assert all(each == {"fallas": 1, "pyf": 1, "zeno": 1} for each in games.values())
    await play_out(club, people)
    assert list_champions(await load_view(club)) == [people[0]]


@pytest.mark.asyncio
async def test_a_family_of_games_is_named_in_one_word(club: SimulatedClub) -> None:
    await gather_players(club, 1, game="zeno", format="round-robin", games="Rumwoldstow")
    games = (await load_view(club)).contest.games
    assert games[0] == "zeno"
    assert set(games) == {"zeno", "pyf", "ludus-anglicorum", "twelve-dogs"}


@pytest.mark.asyncio
async def test_what_cannot_be_a_tournament_is_said(club: SimulatedClub) -> None:
    async def create(**options: Any) -> str:
        return get_ephemeral_text(
            await create_contest(club.ana, club.channel, "tournament", name=NAME, **options)
        )

    text = await create(game="zeno", games="pyf", options="goal=off")
    assert text == (
        "House rules can be chosen for one game only. Leave out either them or the other games."
    )
    assert "nonsense" in await create(game="zeno", games="nonsense")
    assert await club.store.get(Contests).load_latest(club.guild.id, 9) == []


@pytest.mark.asyncio
async def test_leagues_and_tournaments_are_told_apart(club: SimulatedClub) -> None:
    await gather_players(club, 1)
    text = get_ephemeral_text(await press_standings(club.ben, club.channel, "league", "join"))
    assert text == (
        "There's no league in this server now. Its organisers can open one with `/league create`."
    )
    unknown = get_ephemeral_text(
        await press_standings(club.ben, club.channel, "league", "join", league="1")
    )
    assert unknown == (
        "I don't know that league or tournament. Choose one of those that the command offers."
    )
    joined = get_ephemeral_text(await press_standings(club.ben, club.channel, "tournament", "join"))
    assert joined.startswith(f"You've joined {NAME}.")
    assert "`/tournament standings`" in joined


@pytest.mark.asyncio
async def test_byes_count_for_titles_too(club: SimulatedClub) -> None:
    people = await start_tournament(club, 9, format="swiss", rounds=2)
    view = await load_view(club)
    (bye,) = view.byes
    assert bye.person == people[8]
    # Everybody else draws or loses, so that the bye and one win are the most points.
    for number in (1, 2):
        for pairing in (await load_view(club)).list_running():
            if people[8] in (pairing.first, pairing.second):
                await resign(club, pairing, pairing.result.get_opponent(people[8]))
            else:
                action = Action(pairing.match, CLOCK, f"draw {pairing.match}")
                await conclude_match(club.bot.app, action, None, forfeited=False)
                await club.advance_clock(5_000)
        assert (await load_view(club)).round == 2, number
    assert list_champions(await load_view(club)) == [people[8]]
    (title,) = await load_titles(club.bot.app, club.guild.id, people[8])
    assert title.contest.name == NAME


@pytest.mark.asyncio
async def test_no_round_begins_while_a_tournament_is_paused(club: SimulatedClub) -> None:
    people = await start_tournament(club, 8, format="swiss", rounds=2, days=2)
    for action, over in (("pause", True), ("resume", False)):
        panel = await club.ana.slash(club.channel, "tournament manage")
        await club.ana.click(get_response(panel).message, custom_id=f"leaguerule:1:{action}")
        if over:
            for pairing in (await load_view(club)).list_running():
                await resign(club, pairing, max(pairing.first, pairing.second, key=people.index))
            await club.advance_clock(9 * DAY)
            assert (await load_view(club)).round == 1
    await club.advance_clock(5_000)
    view = await load_view(club)
    assert view.round == 2
    assert view.contest.ends is not None
    # The second round has all its time.
    assert view.contest.ends > club.bot.app.clock() + 2 * DAY - 60_000


@pytest.mark.asyncio
async def test_whoever_joins_next_plays_on_in_a_swiss_for_who_is_replaced(
    club: SimulatedClub,
) -> None:
    people = await start_tournament(club, 8, format="swiss", rounds=2, late=False)
    panel = get_response(await club.ana.slash(club.channel, "tournament manage")).message
    form = await club.ana.select(
        panel, custom_id="leagueremove:1:replace:0", values=[str(people[7])]
    )
    await club.ana.submit_modal(form, {"text": "Has moved away"})
    await club.advance_clock(5_000)
    view = await load_view(club)
    (annulled,) = view.list_own(people[7])
    assert annulled.how == "annulled"
    new = add_member(club, "new")
    await press_standings(new, club.channel, "tournament", "join")
    other = add_member(club, "other")
    text = get_ephemeral_text(await press_old_button(club, other, "leaguejoin:1"))
    assert text == f"Sign-up for {NAME} is closed. You can join the next one."
    await play_out(club, [*people, new.id])
    view = await load_view(club)
    assert view.contest.state is ContestState.OVER
    # In the second round all eight are paired again.
    assert len(list_pairs(view, 2)) == 4
    assert len([each for each in view.list_own(new.id) if each.round == 2]) == 1


@pytest.mark.asyncio
async def test_who_waits_for_a_first_turn_that_never_comes_goes_on(club: SimulatedClub) -> None:
    # A round shorter than twice the pace: the deadline comes before any clock runs out.
    people = await gather_players(club, 4, pace="three-days", days=4, signup=1)
    await club.advance_clock(DAY + 1)
    view = await load_view(club)
    waiting: dict[int, int] = {}
    for pairing in view.pairings:
        session = await load_session(club.bot.app, pairing.match)
        waiting[pairing.number] = pairing.result.get_opponent(session.person_to_act)
        actor = next(each for each in people if each.id == session.person_to_act)
        # Their clock stops, but not the deadline.
        await actor.slash(club.channel, "me vacation", days=20)
    await club.advance_clock(4 * DAY)
    await club.advance_clock(5_000)
    after = await load_view(club)
    assert {each.number: each.winner for each in after.pairings if each.round == 1} == waiting
    assert list_pairs(after, 2) == {frozenset(waiting.values())}


@pytest.mark.asyncio
@pytest.mark.usefixtures("own_throws")
async def test_who_has_begun_and_stops_does_not_win_against_who_never_had_a_turn(
    club: SimulatedClub,
) -> None:
    await start_tournament(club, 3, format="round-robin", unfinished="draw", days=9)
    pairing, *_ = (await load_view(club)).pairings
    first = (await load_session(club.bot.app, pairing.match)).person_to_act
    action = Action(pairing.match, DiscordPerson(first, str(first)), "one throw")
    # They throw, and the turn is still theirs when the time is up.
    await play.roll(club.bot.app, action)
    assert (await load_session(club.bot.app, pairing.match)).person_to_act == first
    await club.advance_clock(9 * DAY)
    after = (await load_view(club)).pairings[0]
    assert (after.winner, after.how) == (None, "deadline")
