"""A Swiss of sixty-four from sign-up to its champion, by simulated time, with restarts."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from bot.features.contests.formats import get_format
from bot.features.contests.results import compute_swiss, list_champions
from bot.features.contests.tables import ContestState, ContestView
from bot.features.matches.store import Matches
from engine.clock import DAY, HOUR
from tests.bot import test_leagues as league
from tests.bot.test_leagues import load_view
from tests.bot.test_tournaments import SIGN_UP, find_card, gather_players
from tests.support.club import SimulatedClub
from tests.support.contests import press_standings
from tests.support.driver import extract_text, get_response
from tests.support.season import stop_bot_for
from tests.support.stored import load_due

pytestmark = pytest.mark.asyncio
ROUNDS = 6
"""As many as leave one of 64 unbeaten."""
ABSENT = 3
"""The seed that never comes."""


def check_round(view: ContestView, number: int) -> None:
    """Check that everybody is in a round once, and meets nobody again."""
    there = [each for each in view.pairings if each.round == number]
    free = [bye.person for bye in view.byes if bye.round == number]
    seen = Counter([*free, *(person for each in there for person in (each.first, each.second))])
    assert max(seen.values()) == 1
    missing = {each.person for each in get_format(view.contest).list_no_shows(view)}
    assert {each.person for each in view.present} - missing <= seen.keys()
    met = Counter(frozenset((each.first, each.second)) for each in view.pairings)
    assert max(met.values()) == 1
    assert len(free) <= 1
    assert [each.number for each in view.pairings] == list(range(1, len(view.pairings) + 1))


@pytest.mark.sweep
async def test_a_swiss_of_sixty_four(club: SimulatedClub) -> None:
    chance = Random(42)
    people = await gather_players(club, 64, format="swiss", days=3, event=True)
    ids = [each.id for each in people]
    await club.advance_clock(SIGN_UP)
    for number in range(1, ROUNDS + 1):
        view = await load_view(club)
        assert (view.round, view.contest.rounds) == (number, ROUNDS)
        check_round(view, number)
        if number == 3:
            # One of the best withdraws, and it goes on without them.
            message = get_response(
                await press_standings(people[1], club.channel, "tournament", "leave")
            ).message
            await people[1].click(message, label="Leave and forfeit")
        running = (await load_view(club)).list_running()
        chance.shuffle(running)
        for at, pairing in enumerate(running):
            if ids[ABSENT] in (pairing.first, pairing.second):
                # The other plays, and waits until the round's time is over.
                await play_alone(club, pairing.match, ids[ABSENT])
                continue
            loser = max(pairing.first, pairing.second, key=ids.index)
            await league.resign(club, loser, pairing.match)
            if at == len(running) // 2:
                await stop_bot_for(club, HOUR if number % 2 else 0)
        await club.advance_clock(5_000)
        view = await load_view(club)
        # Who never came sits out from then on, so that no later round waits for its deadline.
        assert (view.round == number) == (number in (1, ROUNDS))
        if view.list_running() and view.round == number:
            ends = view.contest.ends
            assert ends is not None
            await stop_bot_for(club, 2 * DAY)
            moved = (await load_view(club)).contest.ends
            assert moved is not None
            # The two days in which nobody could play are given back.
            assert 0 <= moved - ends - 2 * DAY < HOUR
            await club.advance_clock(moved - club.hands() + 1)
            await club.advance_clock(5_000)
    view = await load_view(club)
    assert view.contest.state is ContestState.OVER
    table = compute_swiss(view)
    assert len(table) == 64
    # The best seed wins every match.
    assert (table[0].person, table[0].points) == (ids[0], Fraction(ROUNDS))
    assert list_champions(view) == [ids[0]]
    assert f"**<@{ids[0]}> won.**" in extract_text(find_card(club))
    points = sum((each.points for each in table), Fraction(0))
    nothing = sum(each.result.is_double_forfeit for each in view.pairings)
    byes = sum((each.points for each in view.byes), Fraction(0))
    assert points == len(view.pairings) - nothing + byes
    assert await club.store.find_problems() == []
    kinds = {job.kind for job in await load_due(club.store.jobs, club.hands(), 9)}
    assert kinds == set()


async def play_alone(club: SimulatedClub, match: int, absent: int) -> None:
    """Let somebody play a turn if it is theirs, and not that of who is absent."""
    await league.play_until_other(
        club, match, next(each for each in await list_people(club, match) if each != absent)
    )


async def list_people(club: SimulatedClub, match: int) -> list[int]:
    """Who plays a match."""
    row = await club.store.get(Matches).load_row(match)
    assert row is not None
    return [seat.person for seat in row.seats]
