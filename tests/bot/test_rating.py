"""What `/rating` says of the last change of a rating, held against values worked out by hand."""

import pytest

from tests.bot.conftest import SimulatedClub
from tests.bot.driver import get_ephemeral_text, give_up, start_match

pytestmark = pytest.mark.asyncio


async def ask(club: SimulatedClub, **options: object) -> str:
    """What Ana reads when she asks for a rating; only she sees it."""
    return get_ephemeral_text(await club.ana.slash(club.channel, "rating", **options))


async def test_a_first_match_is_explained_to_either_player(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    await give_up(club, club.ben, club.channel)
    link = f"https://discord.com/channels/{club.guild.id}/{club.channel.id}/"
    told = await ask(club)
    assert told.startswith("### Your last rating change\n<t:")
    assert f":d> [Zeno, match 1]({link}" in told
    assert f": **won** against <@{club.ben.id}> (rating new)\n" in told
    # Newcomers have the mean 25, the uncertainty 25/3, and equal chances. Each match first adds
    # (25/300)^2 to the variance: it is 69.4514. With c^2 = 2 (69.4514 + (25/6)^2) = 173.625, the
    # mean moves by 69.4514 / 13.1767 / 2 = 2.6354, and the variance falls by the part
    # (8.3338 / 13.1767) (69.4514 / 173.625) / 4 = 0.0632, so the uncertainty becomes 8.0659.
    # In points, 1000 + 40 times the mean, and 40 times the uncertainty.
    assert "\nWin chance by the ratings before the match: 50 %\n" in told
    assert "\nRating 1000 → 1138 (+138)\n" in told
    assert "\nEstimated strength 2000 → 2105, uncertainty 333 → 323" in told
    of_ben = await ask(club, player=club.ben, game="zeno")
    assert of_ben.startswith(f"### The last rating change of <@{club.ben.id}>\n")
    assert f": **lost** against <@{club.ana.id}> (rating new)\n" in of_ben
    assert "\nRating 1000 → 927 (-73)\n" in of_ben
    assert "\nEstimated strength 2000 → 1895, uncertainty 333 → 323" in of_ben


async def test_a_later_match_is_explained_by_the_ratings_at_its_beginning(
    club: SimulatedClub,
) -> None:
    for _ in range(2):
        await start_match(club, "zeno")
        await give_up(club, club.ana, club.channel)
    told = await ask(club)
    # (22.3646 - 27.6354) / sqrt(2 (25/6)^2 + 2 * 8.0659^2) = -5.2708 / 12.8390 = -0.4105, below
    # which lies 34.1 % of a normal distribution.
    assert "Win chance by the ratings before the match: 34 %" in told
    assert "Zeno, match 2](" in told
    assert f": **lost** against <@{club.ben.id}> (rating 1138?)\n" in told
    await start_match(club, "doblet")
    await give_up(club, club.ana, club.channel)
    assert "[Doblet, match 3](" in await ask(club)
    assert "[Zeno, match 2](" in await ask(club, game="zeno")


async def test_who_has_no_rating_is_told_so_in_a_sentence(club: SimulatedClub) -> None:
    await start_match(club, "zeno", rated=False)
    await give_up(club, club.ben, club.channel)
    assert await ask(club) == (
        "You haven't finished a rated match in this server yet; `/challenge` starts one."
    )
    assert await ask(club, game="zeno") == (
        "You haven't finished a rated match of Zeno in this server yet; `/challenge` starts one."
    )
    assert await ask(club, player=club.ben) == (
        f"<@{club.ben.id}> hasn't finished a rated match in this server, so there is no rating to "
        "explain yet."
    )
    assert await ask(club, game="zeno", player=club.ben) == (
        f"<@{club.ben.id}> hasn't finished a rated match of Zeno in this server, so there is no "
        "rating to explain yet."
    )
