"""`/server stats`: a picture and its words, in the server's time; a sentence for too little."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.features.matches.loading import load_session
from bot.features.matches.store import Matches
from bot.features.statistics.commands import statistics_card
from bot.features.statistics.rows import ClubFigures, MatchLength, WinningStreak
from bot.features.statistics.service import ClubReport, load_report
from bot.platform.i18n.reader import Reader
from bot.platform.ui.layout import fit_card
from engine.clock import HOUR
from engine.games import GAMES
from render.bars import Bars
from tests.support import driver
from tests.support.club import SimulatedClub
from tests.support.finished import store_matches
from tests.support.panels import change_server


def find_noon(club: SimulatedClub, weeks: int, weekday: int, zone: str = "UTC") -> int:
    """Noon of a day, 0 for Monday, so many weeks before this one, by a zone's clocks."""
    now = datetime.fromtimestamp(club.hands() / 1000, ZoneInfo(zone))
    monday = now.date() - timedelta(days=now.weekday())
    day = monday + timedelta(days=weekday, weeks=-weeks)
    return round(
        datetime(day.year, day.month, day.day, 12, tzinfo=ZoneInfo(zone)).timestamp() * 1000
    )


async def store_season(club: SimulatedClub) -> None:
    """Ana has beaten Ben thrice last week, and Ben beat Cyn twice twenty weeks ago."""
    ana, ben, cyn = club.ana.id, club.ben.id, club.cyn.id
    last, old = find_noon(club, 1, 2), find_noon(club, 20, 6)
    won = [(last + at, ana, ben, "gold") for at in range(3)]
    lost = [(old + at, cyn, ben, "black") for at in range(2)]
    await store_matches(
        club.store,
        won,
        guild=club.guild.id,
        channel=club.channel.id,
        game="tabula",
        turns=(58, 60, 59),
    )
    await store_matches(club.store, lost, guild=club.guild.id, channel=club.channel.id, turns=(40,))


@pytest.mark.asyncio
async def test_what_a_club_plays_in_a_picture_and_in_words(club: SimulatedClub) -> None:
    await store_season(club)
    ana, ben = club.ana.id, club.ben.id
    with_computer = [(find_noon(club, 1, 0), ana, 200, "black")] * 4
    await store_matches(
        club.store, with_computer, guild=club.guild.id, channel=club.channel.id, turns=(99,)
    )
    answer = await club.ana.slash(club.channel, "server stats")
    text = driver.get_ephemeral_text(answer)
    there = f"https://discord.com/channels/{club.guild.id}/{club.channel.id}"
    assert text.splitlines()[:4] == [
        "### What this server plays",
        f"**Longest winning streaks**: <@{ana}> (3) and <@{ben}> (2)",
        f"**Longest match**: [match 2]({there}), Tabula, <@{ana}> against <@{ben}>, 60 turns",
        "**Since the beginning**: matches between people 5, against the computer 4",
    ]
    assert "Weeks begin on Monday (UTC)" in text
    (picture,) = driver.list_pictures(driver.get_response(answer).message)
    weeks = [0] * 26
    weeks[24], weeks[5] = 3, 2
    assert picture.description == (
        "Matches finished a week. Active players: 2 in 4 weeks, 3 in 26. "
        f"25 weeks ago – this week: {', '.join(map(str, weeks))}. "
        "Most played games, all time: Tabula 3, Zeno 2."
    )


@pytest.mark.asyncio
async def test_weeks_are_those_of_the_server_s_zone(club: SimulatedClub) -> None:
    # There the week begins fourteen hours before it does by UTC.
    await change_server(club.ana, club.channel, quiet="22-7", zone="Pacific/Kiritimati")
    monday = find_noon(club, 2, 0, "Pacific/Kiritimati") - 12 * HOUR
    matches = [(monday + at, club.ana.id, club.ben.id, "gold") for at in (-1, 0, 1, 2, 3)]
    await store_matches(club.store, matches, guild=club.guild.id, channel=club.channel.id)
    answer = await club.ana.slash(club.channel, "server stats")
    (picture,) = driver.list_pictures(driver.get_response(answer).message)
    assert picture.description is not None
    assert "0, 1, 4, 0, 0. Most played" in picture.description
    assert "Weeks begin on Monday (Pacific/Kiritimati)" in driver.get_ephemeral_text(answer)


@pytest.mark.asyncio
async def test_a_server_with_few_matches_gets_a_sentence(club: SimulatedClub) -> None:
    ended = [(find_noon(club, 1, 0) + at, club.ana.id, club.ben.id, "gold") for at in range(4)]
    for played, expected in (
        ([], "0 matches between people have been finished here so far."),
        (ended[:1], "1 match between people has been finished here so far."),
        (ended[1:], "4 matches between people have been finished here so far."),
    ):
        await store_matches(club.store, played, guild=club.guild.id, channel=club.channel.id)
        answer = await club.ana.slash(club.channel, "server stats")
        assert f"{expected} Statistics start with 5." in driver.get_ephemeral_text(answer)
        assert not driver.list_pictures(driver.get_response(answer).message)


@pytest.mark.asyncio
async def test_it_is_shared_with_everyone_only_if_asked(club: SimulatedClub) -> None:
    await store_season(club)
    await club.ana.slash(club.channel, "server stats", share=True)
    shared = driver.get_newest_message(club)
    assert driver.extract_text(shared).startswith("### What this server plays")
    assert len(driver.list_pictures(shared)) == 1
    assert not shared.flags.ephemeral


@pytest.mark.asyncio
async def test_the_turns_of_a_match_that_was_played_are_counted(club: SimulatedClub) -> None:
    old = [(find_noon(club, 1, 0) + at, club.ana.id, club.ben.id, "gold") for at in range(5)]
    await store_matches(club.store, old, guild=club.guild.id, channel=club.channel.id)
    await driver.start_match(club, "zeno", rated=False)
    while True:
        history = await club.store.get(Matches).load_events(6)
        if sum(each.record["event"] == "thrown" for each in history) == 4:
            break
        assert await driver.take_next_action(club)
    await driver.give_up(club, club.ana, club.channel, 6)
    text = driver.get_ephemeral_text(await club.ana.slash(club.channel, "server stats"))
    assert "**Longest match**: [match 6](https://discord.com/" in text
    assert f"Zeno, <@{club.ana.id}> against <@{club.ben.id}>, 4 turns" in text


def build_report(**changes: object) -> ClubReport:
    """The figures of a club with the longest of everything."""
    people = tuple(WinningStreak(2**63 - at, 10**6) for at in range(1, 4))
    games = tuple((slug, 1000 - at) for at, slug in enumerate(GAMES))
    usual = {
        "weeks": (10**6,) * 26,
        "active": 10**6,
        "recently_active": 10**6,
        "games": games,
        "against_computer": 10**9,
        "streaks": people,
        "longest": MatchLength(1, 10**4),
    }
    return ClubReport(ClubFigures(**{**usual, **changes}), "Europe/Berlin", None)  # type: ignore[arg-type]


def test_at_most_eight_games_are_drawn() -> None:
    card = statistics_card(Reader.ENGLISH, build_report(), None)
    assert card.picture is not None
    assert isinstance(card.picture.shows, Bars)
    assert [row.count for row in card.picture.shows.rows] == list(range(1000, 992, -1))
    assert fit_card(card).texts == card.texts


def test_what_is_not_known_is_not_said() -> None:
    card = statistics_card(Reader.ENGLISH, build_report(streaks=(), longest=None), None)
    heading, text = driver.list_card_texts(card)
    assert heading == "### What this server plays"
    assert len(text.splitlines()) == 1
    assert text.startswith("**Since the beginning**")


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "game", ["baralie", "seis-dos-e-as", "laquet", "cab-e-quinal", "cab-e-quinal-fixed"]
)
async def test_a_streak_is_of_who_won_also_when_sides_have_swapped(
    club: SimulatedClub, game: str
) -> None:
    """Ana gives up every match, on whichever side the opening roll has put her."""
    swapped: list[bool] = []
    while len(set(swapped)) < 2 and len(swapped) < 20:
        await driver.start_match(club, game)
        number = len(swapped) + 1
        while (await load_session(club.bot.app, number)).match.drawn < 3:
            assert await driver.take_next_action(club)
        await driver.give_up(club, club.ana, club.channel, number)
        swapped.append((await load_session(club.bot.app, number)).match.swapped)
    assert set(swapped) == {True, False}
    # One match of another game, so that the streak has at least three.
    await driver.start_match(club, "zeno")
    await driver.give_up(club, club.ana, club.channel, len(swapped) + 1)
    report = await load_report(club.bot.app, club.guild.id)
    assert report.figures.streaks == (WinningStreak(club.ben.id, len(swapped) + 1),)
