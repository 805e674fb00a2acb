"""Matches and their events."""

import asyncio
from collections.abc import Mapping

import pytest

from bot.features.matches.rows import (
    EndingUpdate,
    EventRow,
    LiveMessage,
    MatchUpdateResult,
    RatingKey,
    RatingRow,
)
from bot.features.matches.store import Matches
from bot.platform.db.errors import StaleVersionError, StoreError
from bot.platform.db.store import Store
from tests.support.stored import (
    ANA,
    BEN,
    CYN,
    NOW,
    SIDES,
    SNAPSHOT,
    build_step,
    dump_tables,
    start_match,
)

pytestmark = pytest.mark.asyncio
ANAS, CYNS = (RatingKey("everywhere", "zeno", person) for person in (ANA, CYN))


async def test_there_is_no_match_of_that_number(store: Store) -> None:
    assert await store.get(Matches).load_row(99) is None
    assert await store.get(Matches).load_events(99) == []


async def test_events_are_kept_in_order_and_the_first_names_the_cause(store: Store) -> None:
    match = await start_match(store)
    matches = store.get(Matches)
    assert await matches.apply_update(match, build_step(0, "roll", 2)) == MatchUpdateResult(True, 2)
    assert await matches.apply_update(
        match, build_step(2, "move", person=BEN, now=NOW + 6)
    ) == MatchUpdateResult(True, 3)
    assert await matches.load_events(match) == [
        EventRow(1, NOW + 5, ANA, "roll", {"event": "roll", "at": 0}),
        EventRow(2, NOW + 5, ANA, None, {"event": "roll", "at": 1}),
        EventRow(3, NOW + 6, BEN, "move", {"event": "move", "at": 0}),
    ]
    row = await matches.load_row(match)
    assert row is not None
    assert (row.version, row.touched, row.snapshot) == (3, NOW + 6, SNAPSHOT)


@pytest.mark.parametrize("version", [0, 1, 3])
async def test_an_action_that_knew_another_state_is_stale(store: Store, version: int) -> None:
    match = await start_match(store)
    await store.get(Matches).apply_update(match, build_step(0, "roll", 2))
    before = await dump_tables(store)
    with pytest.raises(StaleVersionError):
        await store.get(Matches).apply_update(match, build_step(version, "late"))
    assert await dump_tables(store) == before


@pytest.mark.parametrize("version", [0, 2])
async def test_the_same_cause_is_applied_once(store: Store, version: int) -> None:
    match = await start_match(store)
    await store.get(Matches).apply_update(match, build_step(0, "roll", 2))
    before = await dump_tables(store)
    assert await store.get(Matches).apply_update(
        match, build_step(version, "roll")
    ) == MatchUpdateResult(False, 2)
    assert await dump_tables(store) == before


async def test_two_matches_may_have_the_same_cause(store: Store) -> None:
    for match in (await start_match(store), await start_match(store)):
        assert await store.get(Matches).apply_update(
            match, build_step(0, "roll")
        ) == MatchUpdateResult(True, 1)


async def test_of_thirty_actions_on_the_same_state_one_wins(store: Store, rival: Store) -> None:
    match = await start_match(store)
    answers = await asyncio.gather(
        *(
            (store, rival)[at % 2]
            .get(Matches)
            .apply_update(match, build_step(0, f"action {at}", 2))
            for at in range(30)
        ),
        return_exceptions=True,
    )
    assert [type(answer) for answer in answers].count(StaleVersionError) == 29
    winner = answers.index(MatchUpdateResult(True, 2))
    assert [event.cause for event in await store.get(Matches).load_events(match)] == [
        f"action {winner}",
        None,
    ]


async def test_the_same_interaction_delivered_ten_times_is_applied_once(store: Store) -> None:
    match = await start_match(store)
    answers = await asyncio.gather(
        *(store.get(Matches).apply_update(match, build_step(0, "roll")) for _ in range(10))
    )
    assert sorted(answers, key=lambda answer: answer.applied) == [
        MatchUpdateResult(False, 1)
    ] * 9 + [MatchUpdateResult(True, 1)]


async def test_an_ending_is_kept(store: Store) -> None:
    match = await start_match(store, rated=False)
    await store.get(Matches).apply_update(
        match,
        build_step(0, "resign", ending=EndingUpdate("black", "resigned", parts={"side": "gold"})),
    )
    row = await store.get(Matches).load_row(match)
    assert row is not None
    assert (row.ended, row.winner, row.how, row.rated) == (NOW + 5, "black", "resigned", False)
    assert row.parts == {"side": "gold"}


async def test_an_ending_whose_rating_fails_changes_nothing_at_all(store: Store) -> None:
    match = await start_match(store)
    before = await dump_tables(store)

    def rate(_: Mapping[RatingKey, RatingRow]) -> dict[RatingKey, RatingRow]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store.get(Matches).apply_update(
            match,
            build_step(
                0, "end", ending=EndingUpdate("gold", "bearing off", rate, (ANAS,), sides=SIDES)
            ),
        )
    assert await dump_tables(store) == before
    assert await store.get(Matches).apply_update(
        match, build_step(0, "end", ending=EndingUpdate("gold", "bearing off"))
    ) == MatchUpdateResult(True, 1)


async def test_a_rating_of_a_stranger_undoes_the_one_before_it(store: Store) -> None:
    match = await start_match(store)
    before = await dump_tables(store)
    rows = dict.fromkeys((ANAS, CYNS), RatingRow(25.0, 8.0, 1, 1, 0, 0, NOW))
    with pytest.raises(StoreError, match=r"^the database refused: .*(?i:foreign key)"):
        await store.get(Matches).apply_update(
            match,
            build_step(
                0, "end", ending=EndingUpdate("gold", "bearing off", lambda _: rows, sides=SIDES)
            ),
        )
    assert await dump_tables(store) == before


async def test_a_match_knows_its_live_message(store: Store) -> None:
    match = await start_match(store)
    matches = store.get(Matches)
    row = await matches.load_row(match)
    assert row is not None
    assert (row.message, row.since, row.shown) == (None, 0, 0)
    assert await matches.save_live_message(match, LiveMessage(2**62, 3, 4, 5), None) == ()
    row = await matches.load_row(match)
    assert row is not None
    assert (row.message, row.channel, row.since, row.shown) == (2**62, 3, 4, 5)


async def test_the_running_matches_of_a_channel_and_of_a_person(store: Store) -> None:
    first, ended, elsewhere = [await start_match(store, channel=channel) for channel in (2, 2, 3)]
    matches = store.get(Matches)
    await matches.apply_update(
        ended, build_step(0, "resign", ending=EndingUpdate("draw", "agreed"))
    )
    assert [row.id for row in await matches.load_running_in_channel(2)] == [first]
    assert await matches.load_running_in_channel(4) == []
    assert [row.id for row in await matches.load_running_by_person(BEN)] == [
        first,
        elsewhere,
    ]
    assert await matches.load_running_by_person(CYN) == []
    assert [row.id for row in await matches.load_ended_by_person(ANA, 5)] == [ended]
    assert await matches.load_running_in_channel(3) == [await matches.load_row(elsewhere)]


async def test_the_matches_a_person_has_ended_the_newest_first(store: Store) -> None:
    first, second, third, _ = [await start_match(store) for _ in range(4)]
    matches = store.get(Matches)
    for match, now in ((first, NOW + 30), (second, NOW + 10), (third, NOW + 20)):
        await matches.apply_update(
            match, build_step(0, "resign", now=now, ending=EndingUpdate("gold", "resigned"))
        )
    assert [row.id for row in await matches.load_ended_by_person(BEN, 10)] == [
        first,
        third,
        second,
    ]
    assert await matches.load_ended_by_person(BEN, 1) == [await matches.load_row(first)]
    assert await matches.load_ended_by_person(CYN, 10) == []


async def test_a_game_is_new_until_two_matches_of_it_are_finished(store: Store) -> None:
    matches = store.get(Matches)

    async def play(game: str) -> None:
        match = await start_match(store, game=game)
        await matches.apply_update(match, build_step(0, "end", ending=EndingUpdate("gold", "goal")))

    for game, still in (("zeno", {ANA, BEN}), ("pyf", {ANA, BEN}), ("zeno", set())):
        await play(game)
        assert await matches.find_newcomers((ANA, BEN), "zeno") == still
    assert await matches.find_newcomers((ANA, CYN), "zeno") == {CYN}
    await start_match(store, game="pyf")
    assert await matches.find_newcomers((ANA, BEN), "pyf") == {ANA, BEN}
