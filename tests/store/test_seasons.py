"""Seasons: when they begin, what they start from, and that they are exact whatever is annulled."""

from datetime import UTC, datetime
from math import sqrt
from random import Random
from typing import Any

import pytest

from bot.features.matches.rows import Leaderboard, RatingKey, SkillValue
from bot.features.ratings.service import (
    MAX_UNCERTAIN,
    Season,
    carry_over,
    compute_strengths,
    find_season,
    get_newcomer,
    is_later_season,
    list_earlier_boards,
    parse_season,
)
from bot.features.ratings.store import Ratings
from bot.features.ratings.tables import Result
from bot.platform.db.store import Store
from engine.clock import DAY, HOUR
from tests.support.rated import annul_match, dump_ratings, finish_match, repair_boards
from tests.support.stored import ANA, BEN, CYN, DAN, register_people
from tests.support.sweeps import mark_sweeps


def find_instant(year: int, month: int, day: int = 1) -> int:
    """The first millisecond of a day in UTC."""
    return round(datetime(year, month, day, tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("month", "quarter"),
    [(1, 1), (3, 1), (4, 2), (6, 2), (7, 3), (9, 3), (10, 4), (12, 4)],
)
def test_a_season_is_a_quarter_in_utc(month: int, quarter: int) -> None:
    assert find_season(find_instant(2027, month)) == Season(2027, quarter)


def test_a_season_ends_with_its_last_millisecond() -> None:
    assert str(find_season(find_instant(2027, 1) - 1)) == "2026-Q4"
    assert str(find_season(find_instant(2027, 1))) == "2027-Q1"


def test_seasons_follow_each_other_through_the_years() -> None:
    assert Season(2026, 4).shift(1) == Season(2027, 1)
    assert Season(2027, 1).shift(-1) == Season(2026, 4)
    assert Season(2027, 2).shift(-9) == Season(2025, 1)


@pytest.mark.parametrize(
    ("text", "season"),
    [
        ("2026-Q4", Season(2026, 4)),
        (" 2026q1 ", Season(2026, 1)),
        *((wrong, None) for wrong in ("", "now", "2026", "2026-Q5", "26-Q1", "2026-Q4x")),
    ],
)
def test_a_season_is_written_as_year_and_quarter(text: str, season: Season | None) -> None:
    assert parse_season(text) == season


def test_only_later_seasons_of_the_same_board_follow_from_it() -> None:
    board = Leaderboard("server:1@2026-Q4", "zeno")
    assert is_later_season(Leaderboard("server:1@2027-Q1", "zeno"), board)
    for other in ("server:1@2026-Q4", "server:1@2026-Q3", "server:1", "server:11@2027-Q1"):
        assert not is_later_season(Leaderboard(other, "zeno"), board)
    assert not is_later_season(Leaderboard("server:1@2027-Q1", "all"), board)
    assert not is_later_season(board, Leaderboard("server:1", "zeno"))


def test_each_season_away_makes_a_rating_less_certain_until_it_is_forgotten() -> None:
    board = Leaderboard("everywhere@2027-Q1", "zeno")
    earlier = list_earlier_boards(board)
    assert [each.scope for each in earlier] == [
        *("everywhere@2026-Q4", "everywhere@2026-Q3", "everywhere@2026-Q2", "everywhere@2026-Q1")
    ]
    settled = SkillValue(30.0, 3.0)
    # The square of the uncertainty grows by (10/3)^2 with each season.
    for before, square in zip(earlier, (181, 281, 381, 481), strict=True):
        carried = carry_over(board, {before: settled})
        assert carried == pytest.approx((30.0, sqrt(square) / 3))
    # The latest counts, and nobody is less certain than a newcomer.
    both = {earlier[0]: settled, earlier[3]: SkillValue(10.0, 1.0)}
    assert carry_over(board, both) == carry_over(board, {earlier[0]: settled})
    assert carry_over(board, {earlier[3]: SkillValue(30.0, 5.0)}) == pytest.approx((30.0, 25 / 3))
    assert carry_over(board, {earlier[0]: SkillValue(30.0, 8.0)}) == (30.0, MAX_UNCERTAIN)
    assert carry_over(board, {}) is None
    assert list_earlier_boards(Leaderboard("everywhere", "zeno")) == ()
    assert get_newcomer().sigma == MAX_UNCERTAIN


@pytest.mark.asyncio
async def test_a_season_starts_from_the_last_one_and_all_time_goes_on(store: Store) -> None:
    await register_people(store, ANA, BEN, CYN)
    spring = find_instant(2027, 4)
    await finish_match(store, ANA, BEN, spring - 1)
    second = await finish_match(store, ANA, BEN, spring, winner="black")
    third = await finish_match(store, ANA, CYN, spring + 1)
    ratings = store.get(Ratings)
    changes = {each.key: each for each in await ratings.load_changes(second.match)}
    key = RatingKey("everywhere@2027-Q2", "zeno", ANA)
    # Ana's first match took her to the mean 27.6354 and the uncertainty 8.0659, as of any two
    # newcomers; wider by a season it would be above that of a newcomer.
    before = changes[key].before
    assert before is not None
    assert (before.mu, before.sigma) == pytest.approx((27.635389, 25 / 3))
    of_all_time = changes[RatingKey("everywhere", "zeno", ANA)].before
    assert of_all_time is not None
    assert (of_all_time.mu, of_all_time.sigma) == pytest.approx((27.635389, 8.065901))
    bens = changes[RatingKey("everywhere@2027-Q2", "zeno", BEN)].before
    assert bens is not None
    assert (bens.mu, bens.sigma) == pytest.approx((22.364611, 25 / 3))
    # What the second match made of it is what the third starts from, and Cyn is new.
    later = {each.key: each for each in await ratings.load_changes(third.match)}
    assert later[key].before == changes[key].after
    assert later[RatingKey("everywhere@2027-Q2", "zeno", CYN)].before is None
    rows = await ratings.load_ratings([key, RatingKey("everywhere@2027-Q1", "zeno", ANA)])
    counts = [(row.games, row.won, row.lost) for row in rows.values()]
    assert counts == [(2, 1, 1), (1, 1, 0)]
    assert rows[key].updated == spring + 1


@pytest.mark.asyncio
async def test_an_annulment_reaches_the_seasons_that_start_from_its_own(store: Store) -> None:
    await register_people(store, ANA, BEN)
    quarters = [find_instant(2027, month) for month in (1, 4, 10)]
    first, second, third = [await finish_match(store, ANA, BEN, at) for at in quarters]
    await annul_match(store, first.match, quarters[2] + DAY)
    annulled = await dump_ratings(store)
    key = RatingKey("everywhere@2027-Q2", "zeno", ANA)
    starts = {each.key: each.before for each in await store.get(Ratings).load_changes(second.match)}
    assert starts[key] is None
    await repair_boards(store, [second, third])
    assert annulled == await dump_ratings(store)


PEOPLE = (ANA, BEN, CYN, DAN)


def draw_matches(chance: Random, count: int) -> list[dict[str, Any]]:
    """Matches at random, over a year in which the same people often meet on the same day."""
    days = [find_instant(2027, month, 28 + at) for month in (3, 6, 12) for at in (0, 2)]
    ends = sorted(chance.choice(days) + chance.randrange(24) * HOUR + at for at in range(count))
    found = []
    for ended in ends:
        gold, black = chance.sample(PEOPLE[: chance.choice((2, 2, 4))], 2)
        found.append(
            {
                "gold": gold,
                "black": black,
                "ended": ended,
                "winner": chance.choice(("gold", "black", "draw")),
                "game": chance.choice(("zeno", "zeno", "zeno", "tabula")),
                "guild": chance.choice((1, 2)),
            }
        )
    return found


async def play_all(store: Store, played: list[dict[str, Any]]) -> list[Result]:
    """Play matches one after the other."""
    return [await finish_match(store, **each) for each in played]


@pytest.mark.asyncio
@pytest.mark.parametrize("seed", mark_sweeps(range(6), {0, 1}.__contains__))
async def test_ratings_after_annulments_are_those_of_the_other_matches(
    store: Store, seed: int
) -> None:
    chance = Random(seed)
    played = draw_matches(chance, 40)
    await register_people(store, *PEOPLE)
    results = await play_all(store, played)
    whole = await dump_ratings(store)
    # Some of them are limited, or this would say nothing of it.
    _, changes = whole
    assert any(row[4:6] == row[6:8] for row in changes)
    assert any("@2027-Q4" in row[1] and row[4] is not None for row in changes)
    await repair_boards(store, results)
    assert await dump_ratings(store) == whole
    gone = set(chance.sample(range(len(played)), 6))
    now = find_instant(2028, 1, 2)
    for at in chance.sample(sorted(gone), len(gone)):
        await annul_match(store, results[at].match, now)
    annulled = await dump_ratings(store)
    rest = [each for at, each in enumerate(results) if at not in gone]
    await repair_boards(store, rest)
    assert await dump_ratings(store) == annulled
    await repair_boards(store, [])
    await play_all(store, [each for at, each in enumerate(played) if at not in gone])
    assert await dump_ratings(store) == annulled


def test_the_hand_values_are_those_of_the_published_formulas() -> None:
    """Weng and Lin's Plackett-Luce for two, with openskill's beta, gamma and tau."""
    mu, sigma, beta, tau = 25.0, 25 / 3, 25 / 6, 25 / 300
    variance = sigma**2 + tau**2
    c = sqrt(2 * (variance + beta**2))
    # Equal strengths have the chance 1/2 each.
    gain = variance / c / 2
    lowered = sqrt(variance * (1 - sqrt(variance) / c * variance / c**2 / 4))
    after = compute_strengths({"gold": [None], "black": [None]}, "gold")
    (won,), (lost,) = after["gold"], after["black"]
    assert (won.mu, won.sigma) == pytest.approx((mu + gain, lowered))
    assert (lost.mu, lost.sigma) == pytest.approx((mu - gain, lowered))
