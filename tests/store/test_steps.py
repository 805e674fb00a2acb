"""What an action adds to a match: all of it or nothing, once, and only to the state it knew."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.store import Appended, Ending, RatingChange, RatingKey, RatingRow, Stale, Store, StoreError
from tests.store.scene import ANA, BEN, CYN, begin, everything, step

pytestmark = pytest.mark.asyncio
ANAS, BENS, CYNS = (RatingKey("everywhere", "zeno", person) for person in (ANA, BEN, CYN))
WON = RatingRow(27.5, 7.25, 1, 1, 0, 0, 3_000)
LOST = RatingRow(22.5, 7.25, 1, 0, 0, 1, 3_000)


def _rate(_: Mapping[RatingKey, RatingRow]) -> dict[RatingKey, RatingRow]:
    return {ANAS: WON, BENS: LOST}


@pytest.mark.parametrize("version", [0, 1, 3])
async def test_an_action_that_knew_another_state_is_stale(store: Store, path: Path, version: int) -> None:
    match = await begin(store)
    await store.matches.append(match, step(0, "roll", events=2))
    before = everything(path)
    with pytest.raises(Stale):
        await store.matches.append(match, step(version, "late"))
    assert everything(path) == before


@pytest.mark.parametrize("version", [0, 2])
async def test_the_same_cause_is_applied_once(store: Store, path: Path, version: int) -> None:
    match = await begin(store)
    await store.matches.append(match, step(0, "roll", events=2))
    before = everything(path)
    assert await store.matches.append(match, step(version, "roll")) == Appended(False, 2)
    assert everything(path) == before


async def test_two_matches_may_have_the_same_cause(store: Store) -> None:
    for match in (await begin(store), await begin(store)):
        assert await store.matches.append(match, step(0, "roll")) == Appended(True, 1)


async def test_an_ended_match_takes_nothing_more_and_runs_no_longer(store: Store) -> None:
    match = await begin(store)
    await store.matches.append(match, step(0, "resign", ending=Ending("black", "gold resigned")))
    row = await store.matches.get(match)
    assert row is not None
    assert (row.ended, row.winner, row.by) == (3_000, "black", "gold resigned")
    assert await store.matches.running_of(ANA) == []
    with pytest.raises(Stale):
        await store.matches.append(match, step(1, "more"))


async def test_ratings_are_stored_with_what_changed(store: Store) -> None:
    match = await begin(store)
    done = await store.matches.append(match, step(0, "end", ending=Ending("gold", "bearing off", _rate, (ANAS, BENS))))
    assert done.ratings == (RatingChange(ANAS, None, WON), RatingChange(BENS, None, LOST))
    assert await store.ratings.get([ANAS, BENS, CYNS]) == {ANAS: WON, BENS: LOST}


async def test_the_next_match_rates_from_the_ratings_before(store: Store) -> None:
    better = RatingRow(29.0, 6.5, 2, 2, 0, 0, 4_000)

    def rate(before: Mapping[RatingKey, RatingRow]) -> dict[RatingKey, RatingRow]:
        assert before == {ANAS: WON, BENS: LOST}
        return {ANAS: better}

    first, second = await begin(store), await begin(store)
    keys = (ANAS, BENS)
    await store.matches.append(first, step(0, "end", ending=Ending("gold", "bearing off", _rate, keys)))
    done = await store.matches.append(second, step(0, "end", ending=Ending("gold", "bearing off", rate, keys)))
    assert done.ratings == (RatingChange(ANAS, WON, better),)
    assert await store.ratings.get(keys) == {ANAS: better, BENS: LOST}


async def test_a_board_is_ordered_by_what_is_certain(store: Store) -> None:
    match = await begin(store)
    # 26 - 3 * 1 is more than 27.5 - 3 * 7.25: Cyn is surer, though not stronger by the mean.
    sure = RatingRow(26.0, 1.0, 9, 5, 1, 3, 3_000)
    rows = {ANAS: WON, BENS: LOST, CYNS: sure, RatingKey("server:1", "zeno", CYN): WON}
    await store.matches.append(match, step(0, "end", ending=Ending("gold", "bearing off", lambda _: rows)))
    assert await store.ratings.board("everywhere", "zeno") == [(CYN, sure), (ANA, WON), (BEN, LOST)]
    assert await store.ratings.board("server:1", "zeno") == [(CYN, WON)]
    assert await store.ratings.board("everywhere", "pyf") == []


async def test_an_ending_whose_rating_fails_changes_nothing_at_all(store: Store, path: Path) -> None:
    match = await begin(store)
    before = everything(path)

    def rate(_: Mapping[RatingKey, RatingRow]) -> dict[RatingKey, RatingRow]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store.matches.append(match, step(0, "end", ending=Ending("gold", "bearing off", rate, (ANAS,))))
    assert everything(path) == before
    assert await store.matches.append(match, step(0, "end", ending=Ending("gold", "bearing off"))) == Appended(True, 1)


async def test_a_rating_that_cannot_be_stored_undoes_the_one_before_it(store: Store, path: Path) -> None:
    match = await begin(store)
    before = everything(path)
    rows = {ANAS: WON, RatingKey("everywhere", "zeno", 5): LOST}
    with pytest.raises(StoreError, match=r"^the database refused: FOREIGN KEY constraint failed$"):
        await store.matches.append(match, step(0, "end", ending=Ending("gold", "bearing off", lambda _: rows)))
    assert everything(path) == before
