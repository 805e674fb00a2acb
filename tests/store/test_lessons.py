"""How far people are in lessons is kept for each of them, and two presses at once count once."""

import asyncio

import pytest

from bot.features.lessons.progress import LessonProgress
from bot.features.lessons.store import BegunLessons
from bot.platform.db.store import Store
from tests.support.stored import ANA, BEN, NOW

pytestmark = pytest.mark.asyncio
START = LessonProgress("zeno")


async def test_progress_is_kept_for_each_person_and_lesson(store: Store) -> None:
    lessons = store.get(BegunLessons)
    assert await lessons.load(ANA, "zeno") is None
    await lessons.begin(ANA, "zeno", NOW)
    await lessons.begin(ANA, "tabula", NOW + 1)
    onward = LessonProgress("zeno", 2, ("g-k*", "6:t-off"))
    assert await lessons.advance(ANA, START, onward, NOW + 2)
    assert await lessons.load(ANA, "zeno") == onward
    # The one that was touched last comes first.
    assert await lessons.load_all(ANA) == [onward, LessonProgress("tabula")]
    assert await lessons.load_all(BEN) == []


async def test_a_lesson_begins_anew_wherever_one_was(store: Store) -> None:
    lessons = store.get(BegunLessons)
    await lessons.begin(ANA, "zeno", NOW)
    assert await lessons.advance(ANA, START, LessonProgress("zeno", 5), NOW)
    await lessons.begin(ANA, "zeno", NOW + 1)
    assert await lessons.load_all(ANA) == [START]


async def test_nothing_advances_from_where_nobody_is(store: Store) -> None:
    after = LessonProgress("zeno", 1)
    lessons = store.get(BegunLessons)
    assert not await lessons.advance(ANA, START, after, NOW)
    await lessons.begin(ANA, "zeno", NOW)
    elsewhere = LessonProgress("zeno", 0, ("a-g",))
    assert not await lessons.advance(ANA, elsewhere, after, NOW)
    assert not await lessons.advance(BEN, START, after, NOW)
    assert await lessons.load(ANA, "zeno") == START


async def test_of_two_presses_at_once_one_counts(store: Store) -> None:
    lessons = store.get(BegunLessons)
    await lessons.begin(ANA, "zeno", NOW)
    ways = [LessonProgress("zeno", 0, (text,)) for text in ("a-d", "a-e", "a-g")]
    taken = await asyncio.gather(*(lessons.advance(ANA, START, each, NOW) for each in ways))
    assert sorted(taken) == [False, False, True]
    assert await lessons.load(ANA, "zeno") == ways[taken.index(True)]
