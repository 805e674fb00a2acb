"""People, notes and ratings, and that they are still there after a restart."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.store import Ended, Look, RatingChange, RatingKey, RatingRow, Store
from tests.store.build import ANA, BEN, CYN, NOW, SIDES, meet, started, step

pytestmark = pytest.mark.asyncio
ANAS, BENS, CYNS = (RatingKey("everywhere", "zeno", person) for person in (ANA, BEN, CYN))
WON = RatingRow(27.5, 7.25, 1, 1, 0, 0, NOW)
LOST = RatingRow(22.5, 7.25, 1, 0, 0, 1, NOW)


def _rate(_: Mapping[RatingKey, RatingRow]) -> dict[RatingKey, RatingRow]:
    return {ANAS: WON, BENS: LOST}


async def test_people_are_known_by_their_last_name(store: Store) -> None:
    await store.people.remember(ANA, "Ana", NOW)
    await store.people.remember(BEN, "Ben 🎲 'quoted'", NOW)
    await store.people.remember(ANA, "Ana the Elder", NOW + 1)
    assert await store.people.names([ANA, BEN, CYN]) == {
        ANA: "Ana the Elder",
        BEN: "Ben 🎲 'quoted'",
    }
    assert await store.people.names([]) == {}


async def test_a_note_replaces_the_one_before(store: Store) -> None:
    assert await store.notes.get("commands") is None
    await store.notes.set("commands", "first")
    await store.notes.set("commands", "second")
    await store.notes.set("other", "")
    assert await store.notes.get("commands") == "second"
    assert await store.notes.get("other") == ""


async def test_ratings_are_stored_with_what_changed(store: Store) -> None:
    match = await started(store)
    done = await store.matches.append(
        match, step(0, "end", ending=Ended("gold", "bearing off", _rate, (ANAS, BENS), sides=SIDES))
    )
    assert done.ratings == (RatingChange(ANAS, None, WON), RatingChange(BENS, None, LOST))
    assert await store.ratings.get([ANAS, BENS, CYNS]) == {ANAS: WON, BENS: LOST}


async def test_the_next_match_rates_from_the_ratings_before(store: Store) -> None:
    better = RatingRow(29.0, 6.5, 2, 2, 0, 0, NOW + 9)

    def rate(before: Mapping[RatingKey, RatingRow]) -> dict[RatingKey, RatingRow]:
        assert before == {ANAS: WON, BENS: LOST}
        return {ANAS: better}

    first, second = await started(store), await started(store)
    keys = (ANAS, BENS)
    await store.matches.append(
        first, step(0, "end", ending=Ended("gold", "bearing off", _rate, keys, sides=SIDES))
    )
    done = await store.matches.append(
        second, step(0, "end", ending=Ended("gold", "bearing off", rate, keys, sides=SIDES))
    )
    assert done.ratings == (RatingChange(ANAS, WON, better),)
    assert await store.ratings.get(keys) == {ANAS: better, BENS: LOST}


async def test_a_board_is_ordered_by_what_is_certain(store: Store) -> None:
    match = await started(store)
    await meet(store, CYN)
    # 26 - 3 * 1 is more than 27.5 - 3 * 7.25: Cyn is surer, though not stronger by the mean.
    sure = RatingRow(26.0, 1.0, 9, 5, 1, 3, NOW)
    rows = {ANAS: WON, BENS: LOST, CYNS: sure, RatingKey("server:1", "zeno", CYN): WON}
    await store.matches.append(
        match, step(0, "end", ending=Ended("gold", "bearing off", lambda _: rows, sides=SIDES))
    )
    assert await store.ratings.board("everywhere", "zeno") == [(CYN, sure), (ANA, WON), (BEN, LOST)]
    assert await store.ratings.board("server:1", "zeno") == [(CYN, WON)]
    assert await store.ratings.board("everywhere", "pyf") == []


async def test_a_person_s_ratings_by_pool_and_their_course_over_time(store: Store) -> None:
    better = RatingRow(29.0, 6.5, 2, 2, 0, 0, NOW + 9)
    overall = RatingKey("everywhere", "all", ANA)
    first, second = await started(store), await started(store)
    for match, row in ((second, WON), (first, better)):
        rows = {ANAS: row, overall: row, BENS: LOST}
        end = Ended(
            "gold",
            "bearing off",
            lambda _, rows=rows: rows,  # type: ignore[misc]
            sides=SIDES,
        )
        await store.matches.append(match, step(0, f"end {match}", ending=end))
    assert sorted(await store.ratings.of("everywhere", ANA)) == [("all", better), ("zeno", better)]
    assert await store.ratings.of("server:1", ANA) == []
    # The matches ended in the same moment, so they stand in the order in which they began.
    assert await store.ratings.course("everywhere", "zeno", ANA) == [
        (29.0, 6.5),
        (WON.mu, WON.sigma),
    ]
    assert await store.ratings.course("everywhere", "pyf", ANA) == []


async def test_a_look_is_kept_for_a_person_and_for_a_server(store: Store) -> None:
    assert await store.looks.get("person", ANA) == Look() == Look(None, "gold", numbered=False)
    await store.looks.set("person", ANA, Look("plain", "mine", numbered=True))
    await store.looks.set("server", ANA, Look("roman"))
    assert await store.looks.get("person", ANA) == Look("plain", "mine", numbered=True)
    await store.looks.set("person", ANA, Look("alfonso", "black"))
    assert await store.looks.get("person", ANA) == Look("alfonso", "black")
    assert await store.looks.get("server", ANA) == Look("roman")


async def test_contents_is_there_after_a_restart(where: str | Path) -> None:
    async with await Store.open(where) as store:
        match = await started(store)
        await store.notes.set("commands", "kept")
        await store.matches.append(
            match, step(0, "roll", 3, ending=Ended("gold", "bearing off", _rate, sides=SIDES))
        )
        row, events = await store.matches.get(match), await store.matches.events(match)
    async with await Store.open(where) as again:
        assert await again.matches.get(match) == row
        assert await again.matches.events(match) == events
        assert await again.notes.get("commands") == "kept"
        assert await again.people.names([ANA]) == {ANA: "Person 11"}
        assert await again.ratings.get([ANAS]) == {ANAS: WON}
