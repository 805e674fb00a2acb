"""Matches that their contest ends: what is said of them, and what they do to ratings."""

import pytest

from bot.features.matches.record import build_record, encode_events, verify_record
from bot.features.matches.service import Action, apply_action
from bot.features.ratings.store import Ratings
from bot.platform.people import CLOCK
from engine.events import Concluded
from engine.position import Side
from tests.bot.test_computer import load_session, load_transitions
from tests.support import driver
from tests.support.club import SimulatedClub

pytestmark = pytest.mark.asyncio

GOLD, BLACK = Side


async def conclude_match(club: SimulatedClub, event: Concluded) -> str:
    """End the first match as its contest does; return its last message."""
    await apply_action(club.bot.app, Action(1, CLOCK, "the deadline"), lambda _: event)
    await club.advance_clock(0)
    return driver.extract_text(driver.get_newest_message(club))


@pytest.mark.parametrize(
    ("winner", "text", "status", "checked"),
    [
        (
            GOLD,
            "**<@{gold}> (gold) won**: <@{black}> forfeited. The match isn't rated.",
            " won.",
            "; gold: black forfeited.",
        ),
        pytest.param(
            BLACK,
            "**<@{black}> (black) won**: <@{gold}> forfeited. The match isn't rated.",
            " won.",
            "; black: gold forfeited.",
            marks=pytest.mark.sweep,
        ),
        (
            None,
            "**Closed**: neither side played in time. The match isn't rated.",
            "Closed",
            "; neither side played in time.",
        ),
    ],
)
async def test_a_forfeited_match_changes_no_ratings(
    club: SimulatedClub, winner: Side | None, text: str, status: str, checked: str
) -> None:
    await driver.start_match(club, "zeno")
    await driver.find_mentioned_player(club).slash(club.channel, "roll")
    caption = await conclude_match(club, Concluded(winner, forfeited=True))
    session = await load_session(club)
    gold, black = (session.list_players(side)[0] for side in Side)
    assert text.format(gold=gold, black=black) in caption.splitlines()
    assert "Ratings" not in caption
    assert "Not rated" not in caption
    end = driver.get_newest_message(club)
    assert status in (driver.list_pictures(end)[0].description or "")
    assert (session.row.winner, session.row.how) == (winner or "draw", "forfeited")
    assert await club.store.get(Ratings).load_changes(1) == ()
    assert await club.store.get(Ratings).load_by_person("everywhere", club.ana.id) == []
    found = verify_record(
        build_record(session, encode_events(session, await load_transitions(club)))
    )
    assert (found.wrong, found.end) == (None, session.match)
    verified = driver.get_ephemeral_text(await driver.press_more(club.cyn, end, "Verify"))
    assert f"{checked} The commitment is" in verified


async def test_a_forfeit_of_an_unrated_match_says_so_once(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno", rated=False)
    text = await conclude_match(club, Concluded(GOLD, forfeited=True))
    session = await load_session(club)
    gold, black = (session.list_players(side)[0] for side in Side)
    assert f"**<@{gold}> (gold) won**: <@{black}> forfeited." in text.splitlines()
    assert "Not rated." in text.splitlines()
    assert "isn't rated" not in text


@pytest.mark.parametrize(
    ("winner", "text"),
    [
        (BLACK, "**<@{black}> (black) won**: decided at the deadline."),
        (None, "**Drawn**: decided at the deadline."),
    ],
)
async def test_a_match_that_is_decided_at_the_deadline_is_rated(
    club: SimulatedClub, winner: Side | None, text: str
) -> None:
    await driver.start_match(club, "zeno")
    caption = await conclude_match(club, Concluded(winner, forfeited=False))
    session = await load_session(club)
    assert text.format(black=session.list_players(BLACK)[0]) in caption.splitlines()
    assert "Ratings: " in caption
    assert (session.row.winner, session.row.how) == (winner or "draw", "deadline")
    # Two people on eight boards: of this game and all, here and everywhere, always and now.
    assert len(await club.store.get(Ratings).load_changes(1)) == 16
