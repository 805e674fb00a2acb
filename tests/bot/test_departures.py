"""A player of a league and of a ladder has their data deleted: everybody else plays on."""

from pathlib import Path

import pytest

from bot.features.contests.tables import ContestState
from bot.features.matches.loading import load_session
from engine.clock import DAY
from engine.match import Phase
from tests.bot import test_ladders as ladders
from tests.bot import test_leagues as leagues
from tests.bot.test_privacy import delete_data
from tests.store.test_privacy import dump_values, find_traces
from tests.support.club import SimulatedClub
from tests.support.driver import extract_text
from tests.upkeep.test_doctor import call_doctor

pytestmark = pytest.mark.asyncio


async def list_failures(club: SimulatedClub) -> list[str | None]:
    """Why jobs failed or were given up."""
    return [job.error for job in await club.store.jobs.load_all() if job.error]


async def test_a_league_goes_on_without_one_of_its_players(
    club: SimulatedClub, tmp_path: Path
) -> None:
    _, people = await leagues.start_league(club, roles=True, event=True)
    cyn = people[2]
    await delete_data(club, cyn)
    await club.advance_clock(DAY)
    view = await leagues.load_view(club)
    assert view.contest.state is ContestState.RUNNING
    theirs = [each for each in view.pairings if -1 in (each.first, each.second)]
    assert len(theirs) == 3
    for pairing in theirs:
        other = pairing.first if pairing.second == -1 else pairing.second
        assert pairing.winner == other
    assert view.find_entrant(cyn.id) is None
    gone = view.find_entrant(-1)
    assert gone is not None
    assert gone.left is not None
    assert find_traces(await dump_values(club.store), str(cyn.id)) == set()
    assert str(cyn.id) not in extract_text(leagues.find_league(club))
    # The organiser goes as well: a league needs none to be played to its end.
    await delete_data(club, club.ana)
    await club.advance_clock(60 * DAY)
    view = await leagues.load_view(club)
    assert view.contest.state is ContestState.OVER
    assert "<@-" not in extract_text(leagues.find_league(club))
    assert await list_failures(club) == []
    assert find_traces(await dump_values(club.store), str(club.ana.id)) == set()
    await club.bot.close()
    await club.store.close()
    assert await call_doctor(str(tmp_path / "club.sqlite3")) == (True, ["Nothing is wrong."])


async def test_a_ladder_goes_on_without_one_of_its_players(
    club: SimulatedClub, tmp_path: Path
) -> None:
    people = await ladders.open_ladder(club)
    match = await ladders.begin(club, people[2], people[1])
    await ladders.challenge(club, people[4], people[1])
    await delete_data(club, people[1])
    await club.advance_clock(DAY)
    view = await ladders.load_view(club)
    # Who was challenged and resigned has lost their rung, and then left.
    assert view.rungs == ladders.list_ids(people, 1, 3, 4, 5)
    session = await load_session(club.bot.app, match)
    assert session.match.phase is Phase.OVER
    assert find_traces(await dump_values(club.store), str(people[1].id)) == set()
    assert "<@-" not in extract_text(ladders.find_card(club))
    assert await list_failures(club) == []
    await club.bot.close()
    await club.store.close()
    assert await call_doctor(str(tmp_path / "club.sqlite3")) == (True, ["Nothing is wrong."])
