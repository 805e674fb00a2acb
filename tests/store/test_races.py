"""Several at once, and nobody waiting: what is done is done whole, and once."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.store import (
    EndingUpdate,
    JoinResult,
    MatchUpdateResult,
    RatingKey,
    RatingRow,
    Seat,
    StaleVersionError,
    Store,
)
from tests.store.build import (
    ANA,
    BEN,
    LIMITS,
    NOW,
    SIDES,
    build_challenge,
    build_step,
    register_people,
    start_match,
)

pytestmark = pytest.mark.asyncio


async def test_accepting_and_withdrawing_at_once_do_not_both_happen(
    store: Store, rival: Store
) -> None:
    await register_people(store, ANA, BEN)
    for _ in range(10):
        made = (
            await store.challenges.create(build_challenge(), Seat("gold", 0, ANA, "ana's"), LIMITS)
        ).challenge
        joined, withdrawn = await asyncio.gather(
            store.challenges.join(made.id, Seat("black", 0, BEN, "ben's"), 1, NOW, LIMITS),
            rival.challenges.close(made.id, "withdrawn", NOW),
            return_exceptions=True,
        )
        assert isinstance(joined, JoinResult) == (withdrawn is None)


@pytest.mark.sweep
async def test_of_fifty_actions_each_version_has_one_winner(store: Store) -> None:
    match = await start_match(store)
    for version in range(5):
        answers = await asyncio.gather(
            *(
                store.matches.apply_update(match, build_step(version, f"{version} by {rival}"))
                for rival in range(50)
            ),
            return_exceptions=True,
        )
        assert answers.count(MatchUpdateResult(True, version + 1)) == 1
        assert sum(isinstance(answer, StaleVersionError) for answer in answers) == 49
    assert [event.version for event in await store.matches.load_events(match)] == [1, 2, 3, 4, 5]


async def test_what_was_handed_over_is_done_though_nobody_waits_for_it(
    store: Store, where: str | Path
) -> None:
    matches = [await start_match(store) for _ in range(5)]
    waiting = [
        asyncio.create_task(store.matches.apply_update(match, build_step(0, "an action")))
        for match in matches
    ]
    await asyncio.sleep(0)
    for task in waiting:
        task.cancel()
    await store.close()
    async with await Store.open(where) as again:
        assert [len(await again.matches.load_events(match)) for match in matches] == [1, 1, 1, 1, 1]
        assert await again.find_problems() == []


async def test_reading_sees_a_match_before_or_after_an_action_never_between(store: Store) -> None:
    match = await start_match(store)

    async def play() -> None:
        for version in range(0, 160, 4):
            await store.matches.apply_update(match, build_step(version, f"action {version}", 4))

    playing = asyncio.create_task(play())
    seen = set()
    while not playing.done():
        seen.add(len(await store.matches.load_events(match)))
    await playing
    assert len(seen) > 2
    assert all(count % 4 == 0 for count in seen)


async def test_matches_that_end_at_once_all_count_in_a_rating(store: Store, rival: Store) -> None:
    key = RatingKey("everywhere", "zeno", ANA)

    def rate(before: Mapping[RatingKey, RatingRow]) -> dict[RatingKey, RatingRow]:
        games = before[key].games + 1 if key in before else 1
        return {key: RatingRow(25.0 + games, 8.0, games, games, 0, 0, NOW)}

    matches = [await start_match(store) for _ in range(12)]
    end = build_step(
        0, "end", ending=EndingUpdate("gold", "bearing off", rate, (key,), sides=SIDES)
    )
    await asyncio.gather(
        *((store, rival)[match % 2].matches.apply_update(match, end) for match in matches)
    )
    assert (await store.ratings.get([key]))[key].games == 12
    assert sorted(mu for mu, _ in await store.ratings.load_progress(*key)) == [
        25.0 + games for games in range(1, 13)
    ]
