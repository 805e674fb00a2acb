"""Puzzles of the day and streaks.

A day has one puzzle, and only a person's first answer of a day counts.
"""

import asyncio
from collections.abc import Mapping

import pytest

from bot.features.puzzles.store import PastPuzzle, Puzzles, Streak
from bot.platform.db.store import Store
from tests.support.stored import ANA, BEN

pytestmark = pytest.mark.asyncio

PLACE = ("server", 7)


async def test_a_day_has_one_puzzle(store: Store) -> None:
    puzzles = store.get(Puzzles)
    assert await puzzles.load_daily_puzzle(*PLACE, 100) is None
    assert await puzzles.choose_daily_puzzle(*PLACE, 100, lambda _: "one") == "one"
    assert await puzzles.load_daily_puzzle(*PLACE, 100) == "one"
    for other in (("server", 8, 100), ("person", 7, 100), ("server", 7, 101)):
        assert await puzzles.load_daily_puzzle(*other) is None


async def test_what_was_given_before_is_counted_for_the_choice(store: Store) -> None:
    counts: list[Mapping[str, PastPuzzle]] = []

    def chosen(given: Mapping[str, PastPuzzle]) -> str:
        counts.append(given)
        return "next"

    puzzles = store.get(Puzzles)
    await puzzles.choose_daily_puzzle(*PLACE, 0, lambda _: "one")
    await puzzles.choose_daily_puzzle(*PLACE, 1, lambda _: "two")
    await puzzles.choose_daily_puzzle(*PLACE, 2, lambda _: "one")
    await puzzles.choose_daily_puzzle("server", 8, 1, lambda _: "elsewhere")
    await puzzles.choose_daily_puzzle(*PLACE, 3, chosen)
    # A choice for the day itself does not count: a puzzle that has left the file is replaced.
    await puzzles.choose_daily_puzzle(*PLACE, 3, chosen)
    assert counts == [{"one": PastPuzzle(2, 2), "two": PastPuzzle(1, 1)}] * 2


async def test_all_who_ask_at_once_get_the_same(store: Store, rival: Store) -> None:
    asked = [
        each.get(Puzzles).choose_daily_puzzle(*PLACE, 5, lambda _: "one")
        for each in (store, rival) * 3
    ]
    assert set(await asyncio.gather(*asked)) == {"one"}


async def test_a_streak_grows_day_by_day_and_ends(store: Store) -> None:
    puzzles = store.get(Puzzles)
    assert await puzzles.load_streak(ANA) is None
    days = (
        (10, True, 1),
        (11, True, 2),
        (12, True, 3),
        (13, False, 0),
        (14, True, 1),
        (16, True, 1),
        (17, True, 2),
    )
    for day, solved, length in days:
        assert await puzzles.record_answer(ANA, day, f"puzzle {day}", solved=solved)
        assert await puzzles.load_streak(ANA) == Streak(day, f"puzzle {day}", length)
    assert await puzzles.load_streak(BEN) is None


async def test_one_answer_of_a_day_counts(store: Store) -> None:
    puzzles = store.get(Puzzles)
    assert await puzzles.record_answer(ANA, 10, "one", solved=False)
    assert not await puzzles.record_answer(ANA, 10, "one", solved=True)
    # Nor does one of a day before, which another program of a slower clock may bring.
    assert not await puzzles.record_answer(ANA, 9, "two", solved=True)
    assert await puzzles.load_streak(ANA) == Streak(10, "one", 0)


async def test_of_answers_at_once_one_is_the_first(store: Store, rival: Store) -> None:
    await store.get(Puzzles).record_answer(ANA, 9, "zero", solved=True)
    given = [
        each.get(Puzzles).record_answer(ANA, 10, "one", solved=True) for each in (store, rival) * 4
    ]
    assert sorted(await asyncio.gather(*given)) == [False] * 7 + [True]
    assert await store.get(Puzzles).load_streak(ANA) == Streak(10, "one", 2)
