"""How often the same people move each other's ratings in a day, also when a match is annulled."""

import asyncio

import pytest

from bot.features.matches.rows import Leaderboard, RatingKey
from bot.features.ratings.store import Ratings
from bot.features.ratings.tables import DAILY_MEETINGS, has_reached_limit, has_same_sides
from bot.platform.db.store import Store
from engine.clock import DAY, HOUR, MINUTE
from tests.store.test_statements import capture_store_statements
from tests.support.rated import (
    annul_match,
    begin_match,
    dump_ratings,
    finish_match,
    repair_boards,
    store_result,
)
from tests.support.stored import ANA, BEN, CYN, DAN, NOW, register_people

ZENO, ALL = Leaderboard("everywhere", "zeno"), Leaderboard("everywhere", "all")


def test_the_same_people_are_those_with_and_against_each_other() -> None:
    team = {ANA: "gold", BEN: "gold", CYN: "black", DAN: "black"}
    turned = {ANA: "black", BEN: "black", CYN: "gold", DAN: "gold"}
    mixed = {ANA: "gold", BEN: "black", CYN: "gold", DAN: "black"}
    assert has_same_sides(team, team)
    assert has_same_sides(turned, team)
    assert not has_same_sides(mixed, team)
    # In the team match these two were opponents as well.
    assert has_same_sides(team, {CYN: "gold", ANA: "black"})
    assert not has_same_sides(team, {ANA: "gold", BEN: "black"})
    assert not has_same_sides({ANA: "gold", BEN: "black"}, {ANA: "gold", CYN: "black"})
    assert not has_same_sides({ANA: "gold", BEN: "black"}, team)


def test_the_limit_is_reached_by_so_many_matches() -> None:
    sides = {ANA: "gold", BEN: "black"}
    assert DAILY_MEETINGS == 3
    assert not has_reached_limit([sides] * 2, sides)
    assert has_reached_limit([sides] * 3, sides)
    assert not has_reached_limit([*[sides] * 2, {ANA: "gold", CYN: "black"}], sides)


async def is_still(store: Store, match: int, board: Leaderboard = ZENO) -> bool:
    """Whether a match moved nobody's rating on a board."""
    changes = [
        each for each in await store.get(Ratings).load_changes(match) if each.key.board == board
    ]
    assert len(changes) == 2
    assert len({each.is_still for each in changes}) == 1
    return changes[0].is_still


@pytest.mark.asyncio
async def test_a_fourth_match_counts_as_played_and_moves_nothing(store: Store) -> None:
    await register_people(store, ANA, BEN, CYN)
    # The colours change, and so does the server: it is the people who count.
    for at in range(3):
        pair = (ANA, BEN) if at % 2 else (BEN, ANA)
        match = (await finish_match(store, *pair, NOW + at)).match
        assert not await is_still(store, match)
    key = RatingKey(*ZENO, ANA)
    before = (await store.get(Ratings).load_ratings([key]))[key]
    fourth = (await finish_match(store, ANA, BEN, NOW + 3)).match
    assert await is_still(store, fourth)
    assert await is_still(store, fourth, ALL)
    after = (await store.get(Ratings).load_ratings([key]))[key]
    assert (after.mu, after.sigma) == (before.mu, before.sigma)
    assert (after.games, after.won, after.lost, after.updated) == (4, 2, 2, NOW + 3)
    others = [
        await finish_match(store, ANA, CYN, NOW + 4),
        await finish_match(store, ANA, BEN, NOW + 5, game="tabula"),
        # NOW is at 8 o'clock, so that this is the first millisecond of the next day.
        await finish_match(store, ANA, BEN, NOW + 16 * DAY // 24),
    ]
    pools = ("zeno", "tabula", "zeno")
    for result, pool in zip(others, pools, strict=True):
        assert not await is_still(store, result.match, Leaderboard("everywhere", pool))
        assert not await is_still(store, result.match, ALL)
    last = await finish_match(store, ANA, BEN, NOW + 16 * DAY // 24 - 1)
    assert await is_still(store, last.match)
    assert await store.find_problems() == []


@pytest.mark.asyncio
async def test_each_board_has_a_limit_of_its_own(store: Store) -> None:
    await register_people(store, ANA, BEN)
    for at in range(3):
        await finish_match(store, ANA, BEN, NOW + at)
    match = (await finish_match(store, ANA, BEN, NOW + 9, guild=2)).match
    assert await is_still(store, match)
    assert not await is_still(store, match, Leaderboard("server:2", "zeno"))


@pytest.mark.asyncio
@pytest.mark.parametrize("gone", [0, 2, 3])
async def test_an_annulled_match_lets_a_later_one_count(store: Store, gone: int) -> None:
    await register_people(store, ANA, BEN)
    results = [await finish_match(store, ANA, BEN, NOW + at) for at in range(5)]
    assert [await is_still(store, each.match) for each in results] == [False] * 3 + [True] * 2
    await annul_match(store, results[gone].match, NOW + 9)
    rest = [each for each in results if each is not results[gone]]
    assert [await is_still(store, each.match) for each in rest] == [False] * 3 + [True]
    annulled = await dump_ratings(store)
    await repair_boards(store, rest)
    assert annulled == await dump_ratings(store)


@pytest.mark.asyncio
@pytest.mark.parametrize(("apart", "wrong"), [(1, False), (MINUTE, False), (MINUTE + 1, True)])
async def test_ends_stored_in_the_other_order_are_no_fault_if_they_are_close(
    store: Store, apart: int, wrong: bool
) -> None:
    await register_people(store, ANA, BEN)
    for at in range(2):
        await finish_match(store, ANA, BEN, NOW + at)
    later = await finish_match(store, ANA, BEN, NOW + HOUR + apart)
    earlier = await finish_match(store, ANA, BEN, NOW + HOUR)
    assert [await is_still(store, each.match) for each in (earlier, later)] == [True, False]
    found = await store.get(Ratings).find_wrong_ratings("none", lambda _: ())
    assert found.keys == []
    both = {earlier.match, later.match}
    assert {match for match, _ in found.limits} == (both if wrong else set())
    # Rated again, they count in the order of their ends.
    await annul_match(store, (await finish_match(store, ANA, BEN, NOW)).match, NOW + 2 * HOUR)
    assert [await is_still(store, each.match) for each in (earlier, later)] == [False, True]
    assert (await store.get(Ratings).find_wrong_ratings("none", lambda _: ())).limits == []


@pytest.mark.asyncio
async def test_a_match_that_was_limited_starts_the_next_from_the_same_rating(store: Store) -> None:
    await register_people(store, ANA, BEN, CYN)
    results = [await finish_match(store, ANA, BEN, NOW + at) for at in range(4)]
    other = await finish_match(store, ANA, CYN, NOW + 4)
    ratings = store.get(Ratings)
    # The fourth moves nothing, so its annulment moves nothing either.
    before = await ratings.load_changes(other.match)
    await annul_match(store, results[3].match, NOW + 9)
    assert await ratings.load_changes(other.match) == before
    await annul_match(store, results[0].match, NOW + 9)
    assert await ratings.load_changes(other.match) != before


@pytest.mark.asyncio
async def test_a_rated_end_asks_for_ratings_in_four_statements(store: Store) -> None:
    """Each is a round trip to a server, however many boards, people and earlier seasons."""
    await register_people(store, ANA, BEN)
    await finish_match(store, ANA, BEN, NOW)
    with capture_store_statements(store) as said:
        await finish_match(store, ANA, BEN, NOW + 1)
    texts = [" ".join(statement.split()) for statement, _ in said]
    assert [
        each.split()[0] for each in texts if "rating_changes" in each or " ratings" in each
    ] == [*("SELECT", "SELECT", "INSERT", "INSERT")]


@pytest.mark.asyncio
async def test_of_matches_that_end_at_once_no_more_than_three_count(
    store: Store, rival: Store
) -> None:
    await register_people(store, ANA, BEN)
    results = [await begin_match(store, ANA, BEN, NOW + at) for at in range(8)]
    await asyncio.gather(
        *(store_result((store, rival)[at % 2], result) for at, result in enumerate(results))
    )
    assert [await is_still(store, each.match) for each in results].count(False) == 3
    assert (await store.get(Ratings).find_wrong_ratings("none", lambda _: ())).limits == []
    key = RatingKey(*ZENO, ANA)
    row = (await store.get(Ratings).load_ratings([key]))[key]
    assert (row.games, row.won) == (8, 8)
