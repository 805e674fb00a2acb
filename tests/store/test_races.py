"""Several at once, and nobody waiting: what is done is done whole, and once."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.features.challenges.store import Challenges
from bot.features.challenges.tables import JoinResult
from bot.features.matches.rows import EndingUpdate, MatchUpdateResult, RatingKey, RatingRow, Seat
from bot.features.matches.store import Matches
from bot.features.ratings.store import Ratings
from bot.platform.db.errors import StaleVersionError
from bot.platform.db.store import Store
from tests.support.stored import (
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
        challenge = (
            await store.get(Challenges).create(
                build_challenge(), Seat("gold", 0, ANA, "ana's"), LIMITS
            )
        ).challenge
        joined, withdrawn = await asyncio.gather(
            store.get(Challenges).join(
                challenge.id, Seat("black", 0, BEN, "ben's"), 1, NOW, LIMITS
            ),
            rival.get(Challenges).close(challenge.id, "withdrawn", NOW),
            return_exceptions=True,
        )
        assert isinstance(joined, JoinResult) == (withdrawn is None)


@pytest.mark.sweep
async def test_of_fifty_actions_each_version_has_one_winner(store: Store) -> None:
    match = await start_match(store)
    for version in range(5):
        answers = await asyncio.gather(
            *(
                store.get(Matches).apply_update(match, build_step(version, f"{version} by {rival}"))
                for rival in range(50)
            ),
            return_exceptions=True,
        )
        assert answers.count(MatchUpdateResult(True, version + 1)) == 1
        assert sum(isinstance(answer, StaleVersionError) for answer in answers) == 49
    assert [event.version for event in await store.get(Matches).load_events(match)] == [
        1,
        2,
        3,
        4,
        5,
    ]


async def test_what_was_handed_over_is_done_though_nobody_waits_for_it(
    store: Store, where: str | Path
) -> None:
    matches = [await start_match(store) for _ in range(5)]
    waiting = [
        asyncio.create_task(store.get(Matches).apply_update(match, build_step(0, "an action")))
        for match in matches
    ]
    await asyncio.sleep(0)
    for task in waiting:
        task.cancel()
    await store.close()
    async with await Store.open(where) as again:
        assert [len(await again.get(Matches).load_events(match)) for match in matches] == [
            1,
            1,
            1,
            1,
            1,
        ]
        assert await again.find_problems() == []


async def test_reading_sees_a_match_before_or_after_an_action_never_between(store: Store) -> None:
    match = await start_match(store)

    async def play() -> None:
        for version in range(0, 160, 4):
            await store.get(Matches).apply_update(
                match, build_step(version, f"action {version}", 4)
            )

    playing = asyncio.create_task(play())
    seen = set()
    while not playing.done():
        seen.add(len(await store.get(Matches).load_events(match)))
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
        *((store, rival)[match % 2].get(Matches).apply_update(match, end) for match in matches)
    )
    assert (await store.get(Ratings).load_ratings([key]))[key].games == 12
    assert sorted(mu for mu, _ in await store.get(Ratings).load_progress(*key)) == [
        25.0 + games for games in range(1, 13)
    ]
