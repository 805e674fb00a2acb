"""What `/rating` says of the last change of a rating, held against values worked out by hand."""

import pytest

from bot.client import now_ms
from bot.features.ratings import standings
from bot.features.ratings.seasons import find_season
from engine.clock import DAY
from tests.bot.conftest import SimulatedClub
from tests.bot.driver import (
    extract_text,
    find_button,
    get_ephemeral_text,
    get_newest_message,
    give_up,
    start_match,
)

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
    assert "\nRating 1000 → 927 (−73)\n" in of_ben
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


LIMIT = (
    "Ratings unchanged: only the first 3 rated matches of the same players in one game and day "
    "(UTC) move them."
)


def wait_for_morning(club: SimulatedClub) -> None:
    """Set the clock to the beginning of the next day in UTC, so that no day ends in a test."""
    club.hands.ahead += DAY - (now_ms() + club.hands.ahead) % DAY


async def test_a_fourth_match_of_the_day_moves_no_rating_and_says_so(club: SimulatedClub) -> None:
    wait_for_morning(club)
    for _ in range(3):
        await start_match(club, "zeno")
        await give_up(club, club.ben, club.channel)
        assert "Ratings: " in extract_text(get_newest_message(club))
    before = await ask(club)
    await start_match(club, "zeno")
    await give_up(club, club.ben, club.channel)
    end = extract_text(get_newest_message(club))
    assert LIMIT in end
    assert "Ratings: " not in end
    told = await ask(club)
    assert "[Zeno, match 4](" in told
    # After the first win, by the same formulas: chances 0.6012 and 0.6776 before the next two, so
    # the mean gains 65.0657 / 12.8395 * 0.3988 = 2.0209 and 61.2044 / 12.5352 * 0.3224 = 1.5740.
    # It is 31.2303, and the uncertainty 7.8229 and then 7.6128.
    assert f"\nRating 1336\n{LIMIT}\n" in told
    assert "4 won, 0 lost" in told
    # An earlier match is annulled: now the fourth counts as the third.
    await club.ana.slash(club.channel, "server end", match=1, how="annul", reason="a slip")
    await club.advance_clock(0)
    again = await ask(club)
    assert "[Zeno, match 4](" in again
    assert LIMIT not in again
    change = next(line for line in before.splitlines() if line.startswith("Rating "))
    assert change in again.splitlines()


async def show_leaderboard(club: SimulatedClub, **options: object) -> str:
    """What a leaderboard of this server says."""
    await club.cyn.slash(club.channel, "leaderboard", **options)
    return extract_text(get_newest_message(club))


async def test_a_season_has_a_leaderboard_and_a_winner_when_it_is_over(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_for_morning(club)
    season = find_season(now_ms() + club.hands.ahead)
    for day in range(5):
        await start_match(club, "zeno")
        await give_up(club, club.ben, club.channel)
        if day == 0:
            assert f"Season {season} so far: 1138? · 1 won, 0 lost, 1 of the 5 games" in await ask(
                club
            )
        if find_season(now_ms() + club.hands.ahead + DAY) == season:
            wait_for_morning(club)
    told = await show_leaderboard(club, season="now", game="zeno")
    assert told.startswith(f"### Leaderboard of {season}: Zeno, this server\n**1.** Ana ")
    assert "won the season" not in told
    assert f"Season {season} so far: " in await ask(club)
    of_all_time = await show_leaderboard(club, game="zeno")
    assert of_all_time.startswith("### Leaderboard: Zeno, this server\n**1.** Ana ")
    following = season.shift(1)
    while find_season(now_ms() + club.hands.ahead) != following:
        wait_for_morning(club)
    told = await show_leaderboard(club, season=str(season))
    assert told.startswith(
        f"### Leaderboard of {season}: all games, this server\n**Ana** won the season.\n**1.** Ana "
    )
    assert await show_leaderboard(club, season="now") == (
        f"### Leaderboard of {following}: all games, this server\n"
        f"Nobody has finished a rated match in {following}."
    )
    assert "so far" not in await ask(club)
    offered = await club.cyn.autocomplete(club.channel, "leaderboard", "season", "")
    assert [each["value"] for each in offered] == ["now", str(season)]
    typed = await club.cyn.autocomplete(club.channel, "leaderboard", "season", f"{season}"[:6])
    assert str(season) in [each["value"] for each in typed]
    monkeypatch.setattr(standings, "PAGE", 1)
    await club.cyn.slash(club.channel, "leaderboard", season=str(season), game="zeno")
    page = get_newest_message(club)
    await club.cyn.click(page, custom_id=find_button(page, f":1:{season}"))
    turned = extract_text(get_newest_message(club))
    assert turned.startswith(f"### Leaderboard of {season}: Zeno, this server\n**2.** Ben ")
    refused = await club.cyn.slash(club.channel, "leaderboard", season="spring")
    assert get_ephemeral_text(refused) == (
        f"A season is a quarter of a year: type it as `{following}`, or `now` for this one."
    )
