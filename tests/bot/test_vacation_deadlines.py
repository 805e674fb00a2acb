"""What goes on while somebody is on vacation is said to them at once, with its date."""

import pytest

from bot.features.challenges.store import Challenges
from engine.clock import DAY
from tests.bot.test_ladders import challenge, open_ladder
from tests.bot.test_leagues import create_league, load_view, rule, start_league
from tests.bot.test_tournaments import gather_players
from tests.support.club import SimulatedClub
from tests.support.driver import get_ephemeral_text

pytestmark = pytest.mark.asyncio
GOES_ON = "**These deadlines go on while you're on vacation:**"


async def go_away(club: SimulatedClub, days: int | None = 7) -> str:
    """What Ben reads when he goes on vacation for some days, or asks about it."""
    chosen = {} if days is None else {"days": days}
    return get_ephemeral_text(await club.ben.slash(club.channel, "me vacation", **chosen))


async def load_end(club: SimulatedClub) -> str:
    """The deadline of the first contest as Discord shows its date."""
    ends = (await load_view(club)).contest.ends
    assert ends is not None
    return f"<t:{ends // 1000}:f>"


async def test_the_deadline_of_a_round_goes_on(club: SimulatedClub) -> None:
    await gather_players(club, 8, format="swiss", rounds=2, days=5, pace="day")
    await club.advance_clock(3 * DAY + 1)
    text = await go_away(club)
    assert GOES_ON in text
    assert f"- Spring cup: this round's deadline is {await load_end(club)}." in text
    # Also when he looks again.
    assert f"this round's deadline is {await load_end(club)}." in await go_away(club, None)
    assert "deadline" not in await go_away(club, 0)


async def test_the_deadline_of_a_league_goes_on(club: SimulatedClub) -> None:
    await start_league(club, weeks=2, pace="day", vacation=3)
    text = await go_away(club)
    assert (
        f"- Autumn league: the deadline is {await load_end(club)}. There your vacation stops your "
        "clock for 3 days in each match at most."
    ) in text
    # While it is paused nothing goes on.
    await rule(club, "pause")
    assert GOES_ON not in await go_away(club, None)


async def test_what_starts_in_a_vacation_is_said(club: SimulatedClub) -> None:
    card = await create_league(club, name="Autumn league *A*", signup=10)
    await club.ben.click(card, label="Join")
    starts = (await load_view(club)).contest.starts
    assert f"- Autumn league \\*A\\* starts on <t:{starts // 1000}:f>." in await go_away(club, 12)
    await go_away(club, 0)
    # He is back before that.
    assert GOES_ON not in await go_away(club, 7)


async def test_a_challenge_expires_unless_it_is_on_a_ladder(club: SimulatedClub) -> None:
    people = await open_ladder(club)
    await challenge(club, people[2], people[1])
    assert GOES_ON not in await go_away(club)
    await go_away(club, 0)
    await club.cyn.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    (asked,) = [
        each
        for each in await club.store.get(Challenges).load_open_by_person(club.ben.id, club.hands())
        if each.ladder is None
    ]
    assert f"- The challenge of Cyn expires on <t:{asked.expires // 1000}:f>." in await go_away(
        club
    )


async def test_without_a_deadline_nothing_more_is_said(club: SimulatedClub) -> None:
    assert GOES_ON not in await go_away(club)
