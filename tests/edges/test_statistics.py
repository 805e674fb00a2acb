"""A server's figures, when people come and go and results are undone."""

import pytest

from tests.bot.test_privacy import delete_data
from tests.bot.test_statistics import store_season
from tests.support.club import SimulatedClub
from tests.support.driver import get_ephemeral_text

pytestmark = pytest.mark.asyncio


async def see_figures(club: SimulatedClub) -> list[str]:
    """The lines that Ana reads below the picture."""
    text = get_ephemeral_text(await club.ana.slash(club.channel, "server stats"))
    return [line for line in text.splitlines() if line.startswith("**")]


async def test_the_figures_stay_when_somebody_has_their_data_deleted(club: SimulatedClub) -> None:
    await store_season(club)
    before = await see_figures(club)
    await delete_data(club, club.ben)
    gone = f"<@{club.ben.id}>", "deleted player"
    assert await see_figures(club) == [line.replace(*gone) for line in before]
    # Who comes back begins anew, and takes no streak over.
    await club.ben.slash(club.channel, "match note", match=1, text="mine once")
    assert await see_figures(club) == [line.replace(*gone) for line in before]


async def test_an_annulled_match_is_in_no_figure(club: SimulatedClub) -> None:
    await store_season(club)
    assert f"**Longest winning streaks**: <@{club.ana.id}> (3)" in (await see_figures(club))[0]
    await club.ana.slash(club.channel, "server end", match=2, how="annul", reason="a slip")
    text = get_ephemeral_text(await club.ana.slash(club.channel, "server stats"))
    assert "4 matches between people have been finished here so far." in text
