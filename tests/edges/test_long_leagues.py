"""A league of 24 over three seasons, in which people leave, come back, or never come."""

import random
from collections import Counter
from dataclasses import dataclass, field

import pytest
import simcord

from bot.features.contests.delivery import load_titles
from bot.features.contests.results import list_champions, list_tables
from bot.features.contests.store import ServerItems
from bot.features.contests.tables import CHAMPION, ContestState, ContestView
from engine.clock import DAY, HOUR
from tests.bot.test_leagues import load_view
from tests.edges.test_contests import (
    NAME,
    add_people,
    find_cards,
    find_closings,
    find_to_act,
    list_mentioned,
    resign,
)
from tests.support.club import SimulatedClub
from tests.support.contests import create_contest, press_standings
from tests.support.driver import extract_text, get_response
from tests.support.season import record_presence, stop_bot_for

pytestmark = pytest.mark.asyncio

PLAYERS = 24
SEASONS = 3
ABSENT = 2
"""Players of a season who never come."""


@dataclass
class LeagueOfSeasons:
    """Those who play, who of them is in the server, and who has signed up for the season."""

    club: SimulatedClub
    people: list[simcord.MemberActor]
    chance: random.Random
    away: set[int] = field(default_factory=set)
    joined: set[int] = field(default_factory=set)

    def find_person(self, person: int) -> simcord.MemberActor:
        """Somebody by their id."""
        return next(each for each in self.people if each.id == person)

    def leave_server(self, person: int) -> None:
        """Let somebody leave the server, of which the bot hears nothing."""
        self.club.guild.remove_member(self.find_person(person))
        self.away.add(person)

    def return_to_server(self, person: int) -> None:
        """Let somebody come back."""
        member = self.club.guild.add_member(self.find_person(person).user)
        self.people = [member if each.id == person else each for each in self.people]
        self.away.discard(person)

    async def join(self, number: int, person: int) -> None:
        """Sign somebody up."""
        actor = self.find_person(person)
        await press_standings(actor, self.club.channel, "league", "join", league=str(number))
        self.joined.add(person)

    async def wait(self, milliseconds: int) -> None:
        """Let time go by with the bot there."""
        self.club.hands.ahead += milliseconds
        await record_presence(self.club)
        await self.club.advance_clock(0)
        await self.club.advance_clock(5_000)


@pytest.mark.sweep
async def test_three_seasons_of_a_league_of_24(club: SimulatedClub) -> None:
    terms = {"game": "fallas", "pace": "none", "signup": 3, "weeks": 2}
    await create_contest(
        club.ana, club.channel, "league", name=NAME, seasons=True, roles=True, **terms
    )
    league = LeagueOfSeasons(club, add_people(club, PLAYERS), random.Random(11))
    champions: Counter[int] = Counter()
    for number in range(1, SEASONS + 1):
        await _sign_up(league, number)
        await _check_start(league, number)
        absent, winners = await _play(league, number)
        champions.update(await _check_end(league, number, absent, winners))
        # Who had left comes back before the next season.
        for person in sorted(league.away):
            league.return_to_server(person)
    assert sum(champions.values()) >= SEASONS
    for person, count in champions.items():
        assert len(await load_titles(club.bot.app, club.guild.id, person)) == count
    assert await club.store.find_problems() == []
    assert [each.error for each in await club.store.jobs.load_all() if each.error] == []


async def _sign_up(league: LeagueOfSeasons, number: int) -> None:
    """Let people sign up, some only after a week, and some leave the server since."""
    league.joined = set()
    ids = [person.id for person in league.people]
    league.chance.shuffle(ids)
    if number == 2:
        # Too few in the first week.
        for person in ids[:3]:
            await league.join(number, person)
        await league.wait(7 * DAY)
        contest = (await load_view(league.club, number)).contest
        assert (contest.state, contest.shortfalls) == (ContestState.OPEN, 1)
    for person in ids:
        if person not in league.joined:
            await league.join(number, person)
    await stop_bot_for(league.club, HOUR)
    for person in ids[5:7]:
        league.leave_server(person)
    # One leaves and is back in time.
    league.leave_server(ids[8])
    league.return_to_server(ids[8])
    await league.wait(8 * DAY)


async def _check_start(league: LeagueOfSeasons, number: int) -> None:
    """Check that exactly those play who are there, everyone of a division with everyone else."""
    view = await load_view(league.club, number)
    assert view.contest.state is ContestState.RUNNING
    playing = {each.person for each in view.present}
    assert playing == league.joined - league.away
    assert {each.person for each in view.entrants if each.departure} == league.away
    pairs = Counter(frozenset((each.first, each.second)) for each in view.pairings)
    expected = {
        frozenset((one.person, other.person))
        for them in view.list_divisions()
        for one in them
        for other in them
        if one is not other
    }
    assert pairs == dict.fromkeys(expected, 1)
    assert set().union(*expected) == playing
    (card,) = [
        each for each in find_cards(league.club) if _is_of_season(extract_text(each), number)
    ]
    assert all(f"<@{person}>" in extract_text(card) for person in league.away)


def _is_of_season(text: str, number: int) -> bool:
    heading = NAME if number == 1 else f"{NAME}, season {number}"
    return text.splitlines()[0] == f"### {heading}"


async def _play(league: LeagueOfSeasons, number: int) -> tuple[set[int], dict[int, int]]:
    """Let people play for the two weeks; return who never came, and who is to win which match."""
    club, chance = league.club, league.chance
    view = await load_view(club, number)
    playing = sorted(each.person for each in view.present)
    absent = set(chance.sample(playing, ABSENT))
    winners: dict[int, int] = {}
    matches = [*view.pairings]
    chance.shuffle(matches)
    for at, pairing in enumerate(matches):
        if at == len(matches) // 2:
            await stop_bot_for(club, 6 * HOUR)
            # One who has played leaves the server: their matches are lost by time alone.
            league.leave_server(next(each for each in playing if each not in absent))
        both = {pairing.first, pairing.second}
        begun = (await load_view(club, number)).find_pairing(pairing.match)
        if begun is not None and begun.winner is not None and begun.how == "ad-fallum":
            # The first throw of a match may end it.
            winners[pairing.number] = begun.winner
        elif both & (absent | league.away):
            # Whose turn it is does not come, though it may be the other who is missing.
            winners[pairing.number] = pairing.result.get_opponent(await find_to_act(club, pairing))
        else:
            winners[pairing.number] = min(both)
            await resign(club, pairing, max(both))
    leaver = next(each for each in reversed(playing) if each not in absent | league.away)
    running = {each.number: each for each in (await load_view(club, number)).list_running(leaver)}
    actor = league.find_person(leaver)
    answer = await press_standings(actor, club.channel, "league", "leave", league=str(number))
    await actor.click(get_response(answer).message, label="Leave and forfeit")
    for each in running.values():
        winners[each.number] = each.result.get_opponent(leaver)
    await league.wait(HOUR)
    await stop_bot_for(club, DAY)
    await league.wait(15 * DAY)
    return absent, winners


async def _check_end(
    league: LeagueOfSeasons, number: int, absent: set[int], winners: dict[int, int]
) -> list[int]:
    """Check results, champion, role and what follows; return who has won."""
    club = league.club
    view = await load_view(club, number)
    assert view.contest.state is ContestState.OVER
    assert {each.number: each.winner for each in view.pairings} == winners
    _check_points(view, winners)
    champions = list_champions(view)
    left = {each.person for each in view.entrants if each.left is not None}
    assert champions
    assert not set(champions) & left
    roles = {each.place: each for each in await club.store.get(ServerItems).load_roles(1)}
    assert set(roles[CHAMPION].holders) == {each for each in champions if each not in league.away}
    assert (await load_view(club, number + 1)).contest.state is ContestState.OPEN
    assert len(find_closings(club)) == number
    called = list_mentioned(club, f"Sign-up for {NAME}, season {number + 1} is open")
    assert called == sorted({*called} - left)
    assert {*champions} <= {*called}
    return champions


def _check_points(view: ContestView, winners: dict[int, int]) -> None:
    won = Counter(winners.values())
    for table in list_tables(view):
        assert {each.person: int(each.points) for each in table} == {
            each.person: won[each.person] for each in table
        }
