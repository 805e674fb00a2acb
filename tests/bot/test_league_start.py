"""A league with more matches than are created at once: what people see and can do meanwhile."""

import pytest

from bot.features.contests import seasons
from bot.features.contests.planning import MATCHES_AT_ONCE
from bot.features.contests.results import list_tables
from bot.features.contests.tables import ContestState
from bot.features.matches.store import Matches
from engine.clock import DAY
from tests.bot.test_leagues import create_league, find_league, load_view, rule
from tests.support.club import SimulatedClub
from tests.support.contests import join_together, press_standings
from tests.support.driver import add_member, extract_text, get_ephemeral_text, get_response
from tests.support.panels import ask_deletion

pytestmark = pytest.mark.asyncio

GAMES = "fallas, irish, todas-tablas, backgammon, emperador, ludus-anglicorum, laquet"
EVERYTHING = 6 * 8
"""The matches of four people in eight games."""
WAIT = "The matches of Autumn league are being prepared. Please try again in a minute."


async def test_while_its_matches_are_created_nobody_comes_or_goes_and_then_all_begin(
    club: SimulatedClub,
) -> None:
    card = await create_league(club, game="zeno", games=GAMES, pace="none", limit=50)
    people = [club.ana, club.ben, club.cyn, add_member(club, "dan")]
    await join_together(club, card, people)
    app = club.bot.app
    # As where the program dies after the first part.
    await seasons._start_part(app, (await load_view(club)).contest)  # noqa: SLF001
    before = await load_view(club)
    assert (before.contest.is_starting, len(before.pairings)) == (True, MATCHES_AT_ONCE)
    eve = add_member(club, "eve")
    for answer in (
        await eve.click(card, label="Join"),
        await club.ben.click(card, label="Withdraw"),
        await press_standings(club.ben, club.channel, "league", "leave", league="1"),
        await press_standings(eve, club.channel, "league", "join", league="1"),
    ):
        assert get_ephemeral_text(answer) == WAIT
    for action in ("start", "extend"):
        assert WAIT in await rule(club, action)
    assert await load_view(club) == before
    # Matches that are there already have no opening roll, and nothing shows them.
    rows = await app.store.get(Matches).load_rows([each.match for each in before.pairings])
    assert {(row.version, row.message) for row in rows} == {(0, None)}
    await club.advance_clock(21_000)
    after = await load_view(club)
    assert (after.contest.state, len(after.pairings)) == (ContestState.RUNNING, EVERYTHING)
    assert set(before.pairings) < set(after.pairings)
    await club.advance_clock(5_000)
    rows = await app.store.get(Matches).load_rows([each.match for each in after.pairings])
    assert all(row.version for row in rows)
    assert all(row.message for row in rows)
    assert "Finished matches: 0 of 48." in extract_text(find_league(club))
    # Now they may leave, with what follows from it.
    message = get_response(
        await press_standings(club.ben, club.channel, "league", "leave", league="1")
    ).message
    await club.ben.click(message, label="Leave and forfeit")
    await club.advance_clock(1_000)
    assert (await load_view(club)).list_running(club.ben.id) == []


async def test_data_that_is_deleted_while_matches_are_created_leaves_none_of_them_waiting(
    club: SimulatedClub,
) -> None:
    card = await create_league(club, game="zeno", games=GAMES, pace="none", limit=50)
    people = [club.ana, club.ben, club.cyn, add_member(club, "dan")]
    await join_together(club, card, people)
    await seasons._start_part(club.bot.app, (await load_view(club)).contest)  # noqa: SLF001
    message = await ask_deletion(club.ben, club.channel)
    await club.ben.click(message, label="Delete my data")
    await club.advance_clock(21_000)
    assert (await load_view(club)).contest.state is ContestState.RUNNING
    await club.advance_clock(DAY // 24)
    view = await load_view(club)
    assert view.find_entrant(club.ben.id) is None
    (gone,) = [each for each in view.entrants if each.left is not None]
    assert view.list_running(gone.person) == []
    assert len(view.list_running()) == 3 * 8
    # The others have won all eight, those that were still to be created too.
    (table,) = list_tables(view)
    assert {each.person: each.points for each in table if each.points} == {
        person.id: 8 for person in people if person is not club.ben
    }
