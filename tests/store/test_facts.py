"""People, notes and ratings, and that they are still there after a restart."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.features.matches.rows import EndingUpdate, RatingChange, RatingKey, RatingRow, SkillValue
from bot.features.matches.store import Matches
from bot.features.ratings.store import Ratings
from bot.platform.db.preferences import BoardStyle
from bot.platform.db.store import Store
from tests.support.stored import (
    ANA,
    BEN,
    CYN,
    NOW,
    SIDES,
    build_step,
    load_display_names,
    register_people,
    start_match,
)

pytestmark = pytest.mark.asyncio
ANAS, BENS, CYNS = (RatingKey("everywhere", "zeno", person) for person in (ANA, BEN, CYN))
WON = RatingRow(27.5, 7.25, 1, 1, 0, 0, NOW)
LOST = RatingRow(22.5, 7.25, 1, 0, 0, 1, NOW)


def _rate_match(_: Mapping[RatingKey, RatingRow]) -> dict[RatingKey, RatingRow]:
    return {ANAS: WON, BENS: LOST}


async def test_people_are_known_by_their_last_name(store: Store) -> None:
    await store.people.save_name(ANA, "Ana", NOW)
    await store.people.save_name(BEN, "Ben 🎲 'quoted'", NOW)
    await store.people.save_name(ANA, "Ana the Elder", NOW + 1)
    assert await load_display_names(store.people, [ANA, BEN, CYN]) == {
        ANA: "Ana the Elder",
        BEN: "Ben 🎲 'quoted'",
    }
    assert await load_display_names(store.people, []) == {}


async def test_a_note_replaces_the_one_before(store: Store) -> None:
    assert await store.metadata.load_value("commands") is None
    await store.metadata.save("commands", "first")
    await store.metadata.save("commands", "second")
    await store.metadata.save("other", "")
    assert await store.metadata.load_value("commands") == "second"
    assert await store.metadata.load_value("other") == ""


def _get_skill(row: RatingRow) -> SkillValue:
    return SkillValue(row.mu, row.sigma)


async def test_ratings_are_stored_with_what_changed(store: Store) -> None:
    match = await start_match(store)
    await store.get(Matches).apply_update(
        match,
        build_step(
            0,
            "end",
            ending=EndingUpdate("gold", "bearing off", _rate_match, (ANAS, BENS), sides=SIDES),
        ),
    )
    assert await store.get(Ratings).load_changes(match) == (
        RatingChange(ANAS, None, _get_skill(WON)),
        RatingChange(BENS, None, _get_skill(LOST)),
    )
    assert await store.get(Ratings).load_ratings([ANAS, BENS, CYNS]) == {ANAS: WON, BENS: LOST}


async def test_the_next_match_rates_from_the_ratings_before(store: Store) -> None:
    better = RatingRow(29.0, 6.5, 2, 2, 0, 0, NOW + 9)

    def rate(before: Mapping[RatingKey, RatingRow]) -> dict[RatingKey, RatingRow]:
        assert before == {ANAS: WON, BENS: LOST}
        return {ANAS: better}

    first, second = await start_match(store), await start_match(store)
    keys = (ANAS, BENS)
    await store.get(Matches).apply_update(
        first,
        build_step(
            0, "end", ending=EndingUpdate("gold", "bearing off", _rate_match, keys, sides=SIDES)
        ),
    )
    await store.get(Matches).apply_update(
        second,
        build_step(0, "end", ending=EndingUpdate("gold", "bearing off", rate, keys, sides=SIDES)),
    )
    assert await store.get(Ratings).load_changes(second) == (
        RatingChange(ANAS, _get_skill(WON), _get_skill(better)),
    )
    assert await store.get(Ratings).load_ratings(keys) == {ANAS: better, BENS: LOST}


async def test_a_board_is_ordered_by_what_is_certain(store: Store) -> None:
    match = await start_match(store)
    await register_people(store, CYN)
    # 26 - 3 * 1 is more than 27.5 - 3 * 7.25: Cyn is surer, though not stronger by the mean.
    sure = RatingRow(26.0, 1.0, 9, 5, 1, 3, NOW)
    rows = {ANAS: WON, BENS: LOST, CYNS: sure, RatingKey("server:1", "zeno", CYN): WON}
    await store.get(Matches).apply_update(
        match,
        build_step(
            0, "end", ending=EndingUpdate("gold", "bearing off", lambda _: rows, sides=SIDES)
        ),
    )
    ratings = store.get(Ratings)
    assert await ratings.load_board("everywhere", "zeno") == [
        (CYN, sure),
        (ANA, WON),
        (BEN, LOST),
    ]
    assert await ratings.load_board("server:1", "zeno") == [(CYN, WON)]
    assert await ratings.load_board("everywhere", "pyf") == []


async def test_a_person_s_ratings_by_pool_and_their_course_over_time(store: Store) -> None:
    better = RatingRow(29.0, 6.5, 2, 2, 0, 0, NOW + 9)
    overall = RatingKey("everywhere", "all", ANA)
    first, second = await start_match(store), await start_match(store)
    for match, row in ((second, WON), (first, better)):
        rows = {ANAS: row, overall: row, BENS: LOST}
        end = EndingUpdate(
            "gold",
            "bearing off",
            lambda _, rows=rows: rows,  # type: ignore[misc]
            sides=SIDES,
        )
        await store.get(Matches).apply_update(match, build_step(0, f"end {match}", ending=end))
    ratings = store.get(Ratings)
    assert sorted(await ratings.load_by_person("everywhere", ANA)) == [
        ("all", better),
        ("zeno", better),
    ]
    assert await ratings.load_by_person("server:1", ANA) == []
    # The matches ended in the same moment, so they stand in the order in which they began.
    assert await ratings.load_progress("everywhere", "zeno", ANA) == [
        (29.0, 6.5),
        (WON.mu, WON.sigma),
    ]
    assert await ratings.load_progress("everywhere", "pyf", ANA) == []


async def test_a_look_is_kept_for_a_person_and_for_a_server(store: Store) -> None:
    assert await store.board_styles.load_style("person", ANA) == BoardStyle(
        None, "mine", numbered=False
    )
    assert await store.board_styles.load_style("server", ANA) == BoardStyle(
        None, "gold", numbered=False
    )
    await store.board_styles.save("person", ANA, BoardStyle("plain", "mine", numbered=True))
    await store.board_styles.save("server", ANA, BoardStyle("roman"))
    assert await store.board_styles.load_style("person", ANA) == BoardStyle(
        "plain", "mine", numbered=True
    )
    await store.board_styles.save("person", ANA, BoardStyle("alfonso", "black"))
    assert await store.board_styles.load_style("person", ANA) == BoardStyle("alfonso", "black")
    assert await store.board_styles.load_style("server", ANA) == BoardStyle("roman")


async def test_contents_is_there_after_a_restart(where: str | Path) -> None:
    async with await Store.open(where) as store:
        match = await start_match(store)
        await store.metadata.save("commands", "kept")
        matches = store.get(Matches)
        await matches.apply_update(
            match,
            build_step(
                0, "roll", 3, ending=EndingUpdate("gold", "bearing off", _rate_match, sides=SIDES)
            ),
        )
        row, events = (
            await matches.load_row(match),
            await matches.load_events(match),
        )
    async with await Store.open(where) as again:
        assert await again.get(Matches).load_row(match) == row
        assert await again.get(Matches).load_events(match) == events
        assert await again.metadata.load_value("commands") == "kept"
        assert await load_display_names(again.people, [ANA]) == {ANA: "Person 11"}
        assert await again.get(Ratings).load_ratings([ANAS]) == {ANAS: WON}
