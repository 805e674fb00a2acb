"""What a profile says of the last change of a rating, against values worked out by hand."""

import pytest

from bot.features.ratings import leaderboards as standings
from bot.features.ratings.service import find_season
from bot.platform.db.tables import now_ms
from engine.clock import DAY
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    find_button,
    get_ephemeral_text,
    get_newest_message,
    give_up,
    list_button_labels,
    list_pictures,
    start_match,
)
from tests.support.panels import ask_last_change, get_chosen, list_values

pytestmark = pytest.mark.asyncio


async def ask(club: SimulatedClub, **options: object) -> str:
    """What Ana reads when she asks for a rating; only she sees it."""
    return get_ephemeral_text(await ask_last_change(club.ana, club.channel, **options))


async def test_a_first_match_is_explained_to_either_player(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    await give_up(club, club.ben, club.channel)
    link = f"https://discord.com/channels/{club.guild.id}/{club.channel.id}/"
    text = await ask(club)
    assert text.startswith("### Your last rating change\n<t:")
    assert f":d> [Zeno, match 1]({link}" in text
    assert f": **won** against <@{club.ben.id}> (no rating yet)\n" in text
    # Newcomers have the mean 25, the uncertainty 25/3, and equal chances. Each match first adds
    # (25/300)^2 to the variance: it is 69.4514. With c^2 = 2 (69.4514 + (25/6)^2) = 173.625, the
    # mean moves by 69.4514 / 13.1767 / 2 = 2.6354, and the variance falls by the part
    # (8.3338 / 13.1767) (69.4514 / 173.625) / 4 = 0.0632, so the uncertainty becomes 8.0659.
    # In points, 1000 + 40 times the mean, and 40 times the uncertainty.
    assert "\nWin chance by the ratings before the match: 50%\n" in text
    assert "\nRating 1000 → 1138 (+138)\n" in text
    assert "\nEstimated strength 2000 → 2105, uncertainty 333 → 323" in text
    of_ben = await ask(club, player=club.ben, game="zeno")
    assert of_ben.startswith(f"### The last rating change of <@{club.ben.id}>\n")
    assert f": **lost** against <@{club.ana.id}> (no rating yet)\n" in of_ben
    assert "\nRating 1000 → 927 (−73)\n" in of_ben
    assert "\nEstimated strength 2000 → 1895, uncertainty 333 → 323" in of_ben


async def test_a_later_match_is_explained_by_the_ratings_at_its_beginning(
    club: SimulatedClub,
) -> None:
    for _ in range(2):
        await start_match(club, "zeno")
        await give_up(club, club.ana, club.channel)
    text = await ask(club)
    # (22.3646 - 27.6354) / sqrt(2 (25/6)^2 + 2 * 8.0659^2) = -5.2708 / 12.8390 = -0.4105, below
    # which lies 34.1% of a normal distribution.
    assert "Win chance by the ratings before the match: 34%" in text
    assert "Zeno, match 2](" in text
    assert f": **lost** against <@{club.ben.id}> (rating 1138?)\n" in text
    await start_match(club, "doblet")
    await give_up(club, club.ana, club.channel)
    assert "[Doblet, match 3](" in await ask(club)
    assert "[Zeno, match 2](" in await ask(club, game="zeno")


QUESTION_MARK = "A ? marks a rating that is still uncertain and may change a lot."


async def test_what_a_question_mark_means_is_said_wherever_one_is_shown(
    club: SimulatedClub,
) -> None:
    assert QUESTION_MARK not in await show_profile(club)
    assert QUESTION_MARK not in await show_leaderboard(club)
    await start_match(club, "zeno")
    await give_up(club, club.ben, club.channel)
    ratings = f"Ratings: <@{club.ana.id}> new → 1138?, <@{club.ben.id}> new → 927?"
    assert f"{ratings}\n-# {QUESTION_MARK}" in extract_text(get_newest_message(club))
    for text in (
        await show_profile(club),
        await show_leaderboard(club),
        await ask(club),
    ):
        assert "1138?" in text
        assert text.count(QUESTION_MARK) == 1


async def test_without_a_rating_there_is_nothing_to_explain(club: SimulatedClub) -> None:
    await start_match(club, "zeno", rated=False)
    await give_up(club, club.ben, club.channel)
    await club.ana.slash(club.channel, "me profile")
    assert "No rated match has been finished yet." in extract_text(get_newest_message(club))
    assert list_button_labels(get_newest_message(club)) == []
    await start_match(club, "zeno")
    await give_up(club, club.ben, club.channel)
    await club.ana.slash(club.channel, "me profile")
    profile = get_newest_message(club)
    assert list_button_labels(profile) == ["Last rating change"]
    # The match is annulled while the profile stands there.
    await club.ana.slash(club.channel, "server end", match=2, how="annul", reason="a slip")
    await club.advance_clock(0)
    answer = await club.ben.click(profile, label="Last rating change")
    assert get_ephemeral_text(answer) == ("No rated match that you can see explains this rating.")


async def test_the_menu_of_a_profile_shows_another_game_s_curve(club: SimulatedClub) -> None:
    for game in ("zeno", "zeno", "doblet"):
        await start_match(club, game)
        await give_up(club, club.ben, club.channel)
    await club.ana.slash(club.channel, "me profile")
    profile = get_newest_message(club)
    menu = f"ratingcurve:server:{club.ana.id}"
    assert list_values(profile, menu) == ["all", "zeno", "doblet"]
    assert get_chosen(profile, menu) == ["all"]
    assert (list_pictures(profile)[0].description or "").startswith("Ana. Rating, all games")
    # Whoever reads it may choose; it is the profile of the same person.
    await club.cyn.select(profile, custom_id=menu, values=["zeno"])
    shown = get_newest_message(club)
    assert shown.id == profile.id
    assert get_chosen(shown, menu) == ["zeno"]
    assert (list_pictures(shown)[0].description or "").startswith("Ana. Rating, Zeno")
    answer = await club.cyn.click(shown, label="Last rating change")
    assert get_ephemeral_text(answer).startswith(
        f"### The last rating change of <@{club.ana.id}>\n"
    )
    assert "[Zeno, match 2](" in get_ephemeral_text(answer)
    await club.cyn.select(shown, custom_id=menu, values=["doblet"])
    # One match makes no curve.
    assert list_pictures(get_newest_message(club)) == []
    assert "after the first rated match." in extract_text(get_newest_message(club))


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
    text = await ask(club)
    assert "[Zeno, match 4](" in text
    # After the first win, by the same formulas: chances 0.6012 and 0.6776 before the next two, so
    # the mean gains 65.0657 / 12.8395 * 0.3988 = 2.0209 and 61.2044 / 12.5352 * 0.3224 = 1.5740.
    # It is 31.2303, and the uncertainty 7.8229 and then 7.6128.
    assert f"\nRating 1336\n{LIMIT}\n" in text
    assert "4 won, 0 lost" in text
    # An earlier match is annulled: now the fourth counts as the third.
    await club.ana.slash(club.channel, "server end", match=1, how="annul", reason="a slip")
    await club.advance_clock(0)
    again = await ask(club)
    assert "[Zeno, match 4](" in again
    assert LIMIT not in again
    change = next(line for line in before.splitlines() if line.startswith("Rating "))
    assert change in again.splitlines()


async def show_profile(club: SimulatedClub) -> str:
    """What Ana's profile says."""
    await club.ana.slash(club.channel, "me profile")
    return extract_text(get_newest_message(club))


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
            so_far = f"Season {season} so far: 1138? · 1 won, 0 lost, 1 of the 5 rated matches"
            assert so_far in await ask(club)
        if find_season(now_ms() + club.hands.ahead + DAY) == season:
            wait_for_morning(club)
    text = await show_leaderboard(club, season="now", game="zeno")
    assert text.startswith(f"### Leaderboard of {season}: Zeno, this server\n**1.** Ana ")
    assert "won the season" not in text
    assert f"Season {season} so far: " in await ask(club)
    of_all_time = await show_leaderboard(club, game="zeno")
    assert of_all_time.startswith("### Leaderboard: Zeno, this server\n**1.** Ana ")
    following = season.shift(1)
    while find_season(now_ms() + club.hands.ahead) != following:
        wait_for_morning(club)
    text = await show_leaderboard(club, season=str(season))
    assert text.startswith(
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
    answer = await club.cyn.slash(club.channel, "leaderboard", season="spring")
    assert get_ephemeral_text(answer) == (
        f"A season is a quarter of a year: type it as `{following}`, or `now` for this one."
    )
