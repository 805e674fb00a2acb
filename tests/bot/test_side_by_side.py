"""Where everyone meets everyone in many games: what is said beforehand, and what begins when."""

from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from sqlalchemy import Connection, null, update

from bot.features.contests.results import find_uncounted, list_tables
from bot.features.contests.tables import ContestState, ContestView, Pairing, contests
from bot.features.matches.store import Matches
from engine import dice
from engine.clock import DAY, HOUR
from tests.bot.test_leagues import create_league, find_league, load_view, resign, rule, start_league
from tests.bot.test_tournaments import find_card, gather_players
from tests.support.club import SimulatedClub
from tests.support.contests import press_standings
from tests.support.driver import (
    add_member,
    choose_own_throws,
    extract_text,
    get_ephemeral_text,
    get_response,
    list_public_messages,
)

pytestmark = pytest.mark.asyncio

EIGHT = "zeno, pyf, ludus-anglicorum, twelve-dogs, irish, todas-tablas, laquet"
"""The games of a contest besides Fallas, of eight."""


async def start_now(club: SimulatedClub) -> ContestView:
    """Let sign-up for a tournament end."""
    await club.advance_clock(3 * DAY + 1)
    return await load_view(club)


async def give_up(club: SimulatedClub, pairing: Pairing) -> None:
    """Let the one with the higher id give up a match, and what follows be done."""
    await resign(club, max(pairing.first, pairing.second), pairing.match)
    await club.advance_clock(5_000)


def count_running(view: ContestView) -> Counter[int]:
    """How many matches of everybody's go on."""
    return Counter(person for each in view.list_running() for person in (each.first, each.second))


def check_meetings(view: ContestView) -> None:
    """Check that each pair meets once in each game, under numbers without a gap."""
    people = [each.person for each in view.entrants]
    met = Counter((frozenset((each.first, each.second)), each.game) for each in view.pairings)
    wanted = {
        (frozenset(pair), game) for pair in combinations(people, 2) for game in view.contest.games
    }
    assert met == dict.fromkeys(wanted, 1)
    assert [each.number for each in view.pairings] == list(range(1, len(wanted) + 1))


async def test_how_many_matches_there_are_is_said_before_anybody_plays_them(
    club: SimulatedClub,
) -> None:
    options = {"name": "Cup", "game": f"fallas, {EIGHT}", "format": "round-robin"}
    form = await club.ana.slash(club.channel, "tournament create", **options)
    assert "6 players: 40 matches each, 120 in all." in get_ephemeral_text(form)
    # The first throw of Fallas, which the bot makes, may end a match at once.
    people = await gather_players(club, 5, game="backgammon", format="round-robin", games=EIGHT)
    text = extract_text(find_card(club))
    assert "5 players: 32 matches each, 80 in all." in text
    assert (
        "- Each player has up to 10 matches side by side; the others begin as these end."
    ) in text
    sixth = add_member(club, "sixth")
    joined = get_ephemeral_text(await sixth.click(find_card(club), label="Join"))
    assert "6 players: 40 matches each, 120 in all." in joined
    view = await start_now(club)
    assert count_running(view) == dict.fromkeys([*(each.id for each in people), sixth.id], 10)
    text = extract_text(find_card(club))
    assert "Finished matches: 0 of 120. 90 matches begin as others end." in text
    own = get_ephemeral_text(await press_standings(sixth, club.channel, "tournament", "mine"))
    assert own.count("match ") == 10
    assert "30 matches begin as others end." in own


async def test_my_matches_tell_what_has_not_begun(club: SimulatedClub) -> None:
    first, *_ = await gather_players(club, 4, game="zeno", format="round-robin", limit=2)
    coming = get_ephemeral_text(await first.slash(club.channel, "matches"))
    assert "### Your leagues and tournaments" in coming
    assert ": 4 players have joined. Sign-up closes " in coming
    await start_now(club)
    listed = get_ephemeral_text(await first.slash(club.channel, "matches"))
    assert ": 1 match begins as others end." in listed
    assert listed.index("### Your matches") < listed.index("### Your leagues and tournaments")
    outside = get_ephemeral_text(await add_member(club, "fifth").slash(club.channel, "matches"))
    assert "leagues and tournaments" not in outside


async def test_a_family_of_games_counts_as_all_its_games(club: SimulatedClub) -> None:
    form = await club.ana.slash(
        club.channel, "league create", name="Autumn", game="Rumwoldstow, Irish"
    )
    assert "6 players: 25 matches each, 75 in all." in get_ephemeral_text(form)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"format": "swiss", "rounds": 4}, "9 players: 4 rounds, 28 days in all at most."),
        ({"format": "knock-out", "days": 3}, "9 players: 4 rounds, 12 days in all at most."),
        ({"format": "round-robin"}, "9 players: 8 matches each, 36 in all."),
    ],
)
async def test_every_format_says_how_much_it_is(
    club: SimulatedClub, options: dict[str, Any], text: str
) -> None:
    await gather_players(club, 9, **options)
    caption = extract_text(find_card(club))
    assert text.replace("28 days", "4 weeks") in caption


async def test_divisions_of_unlike_sizes_are_said_so(club: SimulatedClub) -> None:
    card = await create_league(club, games="zeno")
    assert "4 players: 6 matches each, 12 in all." in extract_text(card)
    for at in range(9):
        await add_member(club, f"player{at}").click(card, label="Join")
    # A division of five and one of four, in two games: 2 x 10 and 2 x 6.
    assert "9 players: up to 8 matches each, 32 in all." in extract_text(find_league(club))


async def test_as_matches_end_the_others_begin_until_all_are_played(club: SimulatedClub) -> None:
    await gather_players(club, 4, format="round-robin", games="zeno, pyf", limit=2)
    view = await start_now(club)
    while running := view.list_running():
        counts = count_running(view)
        assert max(counts.values()) <= 2
        # Nobody waits for somebody who could begin too.
        free = [each.person for each in view.entrants if counts[each.person] < 2]
        begun = {(frozenset((each.first, each.second)), each.game) for each in view.pairings}
        assert not [
            (pair, game)
            for pair in combinations(free, 2)
            for game in view.contest.games
            if (frozenset(pair), game) not in begun
        ]
        await give_up(club, running[-1])
        view = await load_view(club)
    check_meetings(view)
    assert view.contest.state is ContestState.OVER
    assert "Finished matches: 18 of 18." in extract_text(find_card(club))
    for pairing in view.pairings:
        row = await club.store.get(Matches).load_row(pairing.match)
        assert row is not None
        assert (row.game, row.version > 0) == (pairing.game, True)
        assert row.secret == dice.derive_match_secret(view.contest.secret, pairing.number)


async def test_the_number_of_a_pairing_does_not_depend_on_who_ends_first(
    club: SimulatedClub,
) -> None:
    gathered = await gather_players(club, 3, format="round-robin", games="zeno", limit=1)
    # In Fallas a first throw may lose at once.
    await choose_own_throws(club, *gathered)
    people = [each.id for each in gathered]
    view = await start_now(club)
    while running := view.list_running():
        await give_up(club, running[-1])
        view = await load_view(club)
    # By the Berger table for four without the fourth: 2-3, 1-2, 3-1, each in two games.
    one, two, three = people
    wanted = [(two, three), (three, two), (one, two), (two, one), (three, one), (one, three)]
    assert [(each.first, each.second) for each in view.pairings] == wanted
    assert [each.game for each in view.pairings] == ["fallas", "zeno"] * 3
    # Everyone meets everyone in the first game before anybody does in the second.
    in_order = sorted(view.pairings, key=lambda each: each.match)
    assert [each.game for each in in_order] == ["fallas"] * 3 + ["zeno"] * 3


async def test_nobody_loses_a_match_that_they_could_not_begin(club: SimulatedClub) -> None:
    await start_league(club, limit=1, weeks=2, pace="none")
    view = await load_view(club)
    assert len(view.pairings) == 2
    await club.advance_clock(14 * DAY + 5_000)
    await club.advance_clock(5_000)
    after = await load_view(club)
    assert after.contest.state is ContestState.OVER
    assert len(after.pairings) == 2
    (table,) = list_tables(after)
    assert [each.played for each in table] == [1] * 4
    text = extract_text(find_league(club))
    assert "Finished matches: 2 of 6. 4 matches never began, and count for nobody." in text


async def test_no_match_begins_that_could_not_be_played_any_more(club: SimulatedClub) -> None:
    await start_league(club, limit=1, weeks=2, pace="day")
    first, second = (await load_view(club)).pairings
    # As both sides of the first have a day for a turn.
    await club.advance_clock(HOUR)
    await rule(club, "pause")
    await club.advance_clock(20 * DAY)
    await rule(club, "resume")
    await give_up(club, first)
    await give_up(club, second)
    view = await load_view(club)
    # Time that was paused is none that is missing.
    assert len(view.pairings) == 4
    await rule(club, "pause")
    await club.advance_clock(20 * DAY)
    for pairing in view.list_running():
        await give_up(club, pairing)
    view = await load_view(club)
    assert (len(view.pairings), view.contest.state) == (4, ContestState.RUNNING)
    await rule(club, "resume")
    await club.advance_clock(5_000)
    assert len((await load_view(club)).pairings) == 6


async def test_near_the_deadline_nothing_begins_and_it_is_over(club: SimulatedClub) -> None:
    await start_league(club, limit=1, weeks=2, pace="none")
    # Two days are needed where no clock runs.
    await club.advance_clock(12 * DAY + HOUR)
    for pairing in (await load_view(club)).pairings:
        await give_up(club, pairing)
    view = await load_view(club)
    assert (len(view.pairings), view.contest.state) == (2, ContestState.OVER)
    assert "4 matches never began" in extract_text(find_league(club))


async def test_with_a_week_more_there_is_time_for_others_again(club: SimulatedClub) -> None:
    await start_league(club, limit=1, weeks=2, pace="none")
    first, second = (await load_view(club)).pairings
    await club.advance_clock(12 * DAY + HOUR)
    await give_up(club, first)
    await rule(club, "extend")
    await give_up(club, second)
    assert len((await load_view(club)).list_running()) == 2


async def test_in_a_day_others_begin_in_its_first_half(club: SimulatedClub) -> None:
    await gather_players(club, 4, format="round-robin", limit=1, days=1, pace="day")
    view = await start_now(club)
    await club.advance_clock(11 * HOUR)
    for pairing in view.pairings:
        await give_up(club, pairing)
    view = await load_view(club)
    assert len(view.pairings) == 4
    await club.advance_clock(HOUR)
    for pairing in view.list_running():
        await give_up(club, pairing)
    assert len((await load_view(club)).pairings) == 4


async def count_leavers(club: SimulatedClub) -> None:
    """Let a league count the results of those who leave early, as leagues once did.

    So it shows who wins what had not begun.
    """

    def change(connection: Connection) -> None:
        connection.execute(update(contests).values(edition=1))

    await club.store._database.write(change)  # noqa: SLF001


async def test_what_had_not_begun_counts_as_not_played(club: SimulatedClub) -> None:
    await start_league(club, limit=1, pace="none")
    view = await load_view(club)
    (own,) = view.list_own(club.ben.id)
    await give_up(club, own)
    message = get_response(await press_standings(club.ben, club.channel, "league", "leave")).message
    await club.ben.click(message, label="Leave and forfeit")
    await club.advance_clock(5_000)
    view = await load_view(club)
    # One of three matches is less than half of them, though no other of his had begun.
    assert find_uncounted(view)[club.ben.id].due == 3
    (table,) = list_tables(view)
    assert {each.points for each in table} == {0}


async def test_who_leaves_loses_what_had_not_begun_too(club: SimulatedClub) -> None:
    await start_league(club, limit=1, pace="none")
    await count_leavers(club)
    message = get_response(await press_standings(club.ben, club.channel, "league", "leave")).message
    await club.ben.click(message, label="Leave and forfeit")
    await club.advance_clock(5_000)
    view = await load_view(club)
    (table,) = list_tables(view)
    # One won a match in progress, and two those that were to come.
    assert {each.person: each.points for each in table} == {
        each.person: int(each.person != club.ben.id) for each in table
    }
    assert [each for each in view.list_own(club.ben.id) if not each.is_over] == []
    while running := view.list_running():
        await give_up(club, running[0])
        view = await load_view(club)
    assert view.contest.state is ContestState.OVER
    assert len(view.pairings) == 4
    assert "never began" not in extract_text(find_league(club))


async def test_who_leaves_later_has_won_against_who_left_before(club: SimulatedClub) -> None:
    _, people = await start_league(club, limit=1, pace="none")
    await count_leavers(club)
    first, second = (await load_view(club)).pairings
    # These two have not begun, so nothing but the order tells who won.
    for person in (first.first, second.first):
        actor = next(each for each in people if each.id == person)
        message = get_response(
            await press_standings(actor, club.channel, "league", "leave")
        ).message
        await actor.click(message, label="Leave and forfeit")
        await club.advance_clock(60_000)
    view = await load_view(club)
    (table,) = list_tables(view)
    points = {each.person: int(each.points) for each in table}
    assert points[first.first] == 0
    assert points[second.first] == 1
    assert (points[first.second], points[second.second]) == (2, 2)


async def test_in_a_place_that_waits_for_another_nothing_is_lost(club: SimulatedClub) -> None:
    await start_league(club, limit=1, pace="none")
    await rule(club, "replace", "Has moved away", person=club.ben.id)
    await club.advance_clock(5_000)
    (table,) = list_tables(await load_view(club))
    assert {int(each.points) for each in table} == {0}


async def test_who_comes_late_begins_as_many_as_the_others(club: SimulatedClub) -> None:
    await start_league(club, limit=2, games="zeno", pace="none")
    eve = add_member(club, "eve")
    text = get_ephemeral_text(await press_standings(eve, club.channel, "league", "join"))
    assert "You have 8 matches, which start automatically." in text
    assert "8 matches begin as others end." in text
    view = await load_view(club)
    last = max(each.number for each in view.pairings)
    while running := view.list_running():
        assert max(count_running(view).values()) <= 2
        await give_up(club, running[0])
        view = await load_view(club)
    check_meetings(view)
    assert last <= 12
    # Those of the start keep the numbers up to twelve; hers come after them.
    assert {each.number for each in view.list_own(eve.id)} == set(range(13, 21))
    assert sum(each.first == eve.id for each in view.list_own(eve.id)) == 4


async def test_in_somebodys_place_only_what_is_missing_is_played(club: SimulatedClub) -> None:
    _, people = await start_league(club, games="zeno", pace="none", late=False)
    view = await load_view(club)
    played = view.list_own(club.ben.id)[0]
    await give_up(club, played)
    await rule(club, "replace", "Has moved away", person=club.ben.id)
    await club.advance_clock(5_000)
    eve = add_member(club, "eve")
    await press_standings(eve, club.channel, "league", "join")
    view = await load_view(club)
    other = played.result.get_opponent(club.ben.id)
    met = {(each.result.get_opponent(eve.id), each.game) for each in view.list_own(eve.id)}
    wanted = {
        (each.id, game)
        for each in people
        for game in ("fallas", "zeno")
        if each is not club.ben and (each.id, game) != (other, played.game)
    }
    assert met == wanted
    assert len(view.list_own(eve.id)) == 5


async def test_a_league_from_before_goes_on_as_it_began(club: SimulatedClub) -> None:
    card, people = await start_league(club, pace="none")
    await count_leavers(club)

    def forget(connection: Connection) -> None:
        # As a version stored it that began all matches at once.
        connection.execute(update(contests).values(starters=null()))

    await club.store._database.write(forget)  # noqa: SLF001
    assert (await load_view(club)).contest.starters is None
    message = get_response(await press_standings(club.ben, club.channel, "league", "leave")).message
    await club.ben.click(message, label="Leave and forfeit")
    eve = add_member(club, "eve")
    await eve.click(card, label="Join late")
    view = await load_view(club)
    assert [each.number for each in view.list_own(eve.id)] == [7, 8, 9]
    (table,) = list_tables(view)
    # She never was to meet who had left before.
    assert {each.person: each.points for each in table if each.points} == {
        each.id: 1 for each in people if each is not club.ben
    }
    while running := view.list_running():
        await give_up(club, running[0])
        view = await load_view(club)
    assert (view.contest.state, len(view.pairings)) == (ContestState.OVER, 9)


@pytest.mark.sweep
async def test_six_players_play_eight_games_ten_matches_at_a_time(club: SimulatedClub) -> None:
    await gather_players(club, 6, format="round-robin", games=EIGHT, days=60)
    view = await start_now(club)
    while running := view.list_running():
        assert max(count_running(view).values()) <= 10
        for pairing in running[::3]:
            await resign(club, max(pairing.first, pairing.second), pairing.match)
        await club.advance_clock(5_000)
        view = await load_view(club)
    check_meetings(view)
    assert view.contest.state is ContestState.OVER
    assert "Finished matches: 120 of 120." in extract_text(find_card(club))
    assert len(list_public_messages(club)) > 0
