"""Ratings as if an annulled match had not been played, also beside others that end."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import pytest

from bot.features.matches.rows import (
    EndingUpdate,
    FormerHolder,
    Leaderboard,
    Limits,
    MatchUpdateResult,
    RatingKey,
    RatingRow,
    Ruling,
    SeatTakeover,
    SkillEstimate,
    SkillValue,
)
from bot.features.matches.store import Matches
from bot.features.moderation.store import AuditLog
from bot.features.ratings.store import Ratings
from bot.features.ratings.store import rerating as rerating_pages
from bot.features.ratings.tables import Teams
from bot.platform.db.errors import LimitExceededError, StaleVersionError
from bot.platform.db.store import Store
from tests.store.test_statements import capture_store_statements
from tests.support.stored import (
    ANA,
    BEN,
    CYN,
    DAN,
    LIMITS,
    NOW,
    build_step,
    dump_tables,
    register_people,
    start_match,
)
from tests.support.sweeps import mark_sweeps

pytestmark = pytest.mark.asyncio

BOARDS = (Leaderboard("everywhere", "all"), Leaderboard("server:1", "zeno"))
RULING = Ruling(1, NOW, CYN, "annul", 1, "a slip")


def rate_by_hand(teams: Teams, winner: str) -> dict[str, Sequence[SkillEstimate]]:
    """Return ratings that are easily worked out by hand.

    The winner takes a tenth of what the others have; a draw evens out. A newcomer has a mean of
    100, and every match makes it surer by one.
    """
    before = {
        side: [strength or SkillValue(100.0, 50.0) for strength in team]
        for side, team in teams.items()
    }
    gold, black = (sum(strength.mu for strength in before[side]) / 10 for side in ("gold", "black"))
    to_gold = {"gold": black, "black": -gold, "draw": black - gold}[winner]
    to_black = {"gold": -black, "black": gold, "draw": gold - black}[winner]
    gained = {"gold": to_gold, "black": to_black}
    return {
        side: [SkillValue(strength.mu + gained[side], strength.sigma - 1) for strength in team]
        for side, team in before.items()
    }


def build_ending(sides: Mapping[int, str], winner: str, now: int) -> EndingUpdate:
    """An ending that is rated so on every board."""
    keys = tuple(RatingKey(*board, person) for board in BOARDS for person in sides)

    def rate(before: Mapping[RatingKey, RatingRow]) -> dict[RatingKey, RatingRow]:
        after = {}
        for board in BOARDS:
            people = {
                side: [person for person in sides if sides[person] == side]
                for side in ("gold", "black")
            }
            teams = {
                side: [before.get(RatingKey(*board, each)) for each in team]
                for side, team in people.items()
            }
            for side, news in rate_by_hand(teams, winner).items():
                for person, new in zip(people[side], news, strict=True):
                    key = RatingKey(*board, person)
                    row = before.get(key) or RatingRow(100.0, 50.0, 0, 0, 0, 0, now)
                    won, drawn = int(winner == side), int(winner == "draw")
                    results = (
                        row.games + 1,
                        row.won + won,
                        row.drawn + drawn,
                        row.lost + 1 - won - drawn,
                    )
                    after[key] = RatingRow(new.mu, new.sigma, *results, max(row.updated, now))
        return after

    return EndingUpdate(winner, "off", rate, keys, sides=sides)


ANNULLED = EndingUpdate("draw", "annulled", annuls=True)
SETTLED = NOW + 50
"""All that ended by then was stored long ago."""

Played = tuple[int, int, str]
SEASON: Sequence[Played] = (
    (ANA, BEN, "gold"),
    (BEN, CYN, "black"),
    (CYN, DAN, "gold"),
    (ANA, CYN, "draw"),
    (DAN, BEN, "gold"),
    (ANA, DAN, "black"),
)


async def play_season(store: Store, season: Sequence[Played], at: Sequence[int] = ()) -> list[int]:
    """Play matches, each ending an instant after the one before, or then; returns their numbers."""
    await register_people(store, ANA, BEN, CYN, DAN)
    numbers = []
    for place, (gold, black, winner) in enumerate(season):
        match = await start_match(store)
        now = NOW + (at[place] if at else place)
        await store.get(Matches).apply_update(
            match,
            build_step(
                0, "end", now=now, ending=build_ending({gold: "gold", black: "black"}, winner, now)
            ),
        )
        numbers.append(match)
    return numbers


async def annul_match(store: Store, match: int) -> MatchUpdateResult:
    """Annul a match that is over, and rate again what came after it."""
    done = await store.get(Matches).apply_update(
        match, build_step(1, "annul", ending=ANNULLED, ruling=RULING)
    )
    await store.get(Ratings).rerate_after(match, BOARDS, rate_by_hand, SETTLED)
    return done


async def dump_ratings(store: Store) -> dict[str, Any]:
    """All that the ratings say, but for the numbers of the matches."""
    found: dict[str, Any] = {}
    for scope, pool in BOARDS:
        found[f"{scope} {pool}"] = sorted(await store.get(Ratings).load_board(scope, pool))
        for person in (ANA, BEN, CYN, DAN):
            found[f"{scope} {pool} {person}"] = await store.get(Ratings).load_progress(
                scope, pool, person
            )
    return found


async def delete_ratings(store: Store) -> None:
    """Forget all ratings."""

    def work(connection: Any) -> None:
        connection.exec_driver_sql("DELETE FROM rating_changes")
        connection.exec_driver_sql("DELETE FROM ratings")

    await store._database.write(work)  # noqa: SLF001


@pytest.mark.parametrize("gone", mark_sweeps(range(len(SEASON)), {1}.__contains__))
@pytest.mark.parametrize("page", mark_sweeps([1, 2, rerating_pages.PAGE], {2}.__contains__))
async def test_the_ratings_are_those_of_the_other_matches(
    store: Store, gone: int, page: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rerating_pages, "PAGE", page)
    numbers = await play_season(store, SEASON)
    await annul_match(store, numbers[gone])
    annulled = await dump_ratings(store)
    await delete_ratings(store)
    others = [(place, match) for place, match in enumerate(SEASON) if place != gone]
    await play_season(store, [match for _, match in others], [place for place, _ in others])
    assert annulled == await dump_ratings(store)
    assert await store.get(Ratings).load_changes(numbers[gone]) == ()
    assert await store.find_problems() == []


@pytest.mark.sweep
async def test_several_are_annulled_in_any_order(store: Store) -> None:
    numbers = await play_season(store, SEASON)
    for gone in (4, 0, 2):
        await annul_match(store, numbers[gone])
    annulled = await dump_ratings(store)
    await delete_ratings(store)
    await play_season(store, [SEASON[1], SEASON[3], SEASON[5]], [1, 3, 5])
    assert annulled == await dump_ratings(store)


class PowerCutError(Exception):
    """Somebody pulls the plug."""


@contextmanager
def disturb_writes(
    store: Store,
    at: int,
    meanwhile: Callable[[], Awaitable[object]],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[list[Any]]:
    """Let something happen before one of the following changes (the first is 1); record them."""
    write = store._database.write  # noqa: SLF001
    writes: list[Any] = []

    async def noted(work: Any) -> Any:
        writes.append(work)
        if len(writes) == at:
            monkeypatch.setattr(store._database, "write", write)  # noqa: SLF001
            await meanwhile()
            monkeypatch.setattr(store._database, "write", noted)  # noqa: SLF001
        return await write(work)

    monkeypatch.setattr(store._database, "write", noted)  # noqa: SLF001
    try:
        yield writes
    finally:
        monkeypatch.setattr(store._database, "write", write)  # noqa: SLF001


@pytest.mark.parametrize("last", mark_sweeps([0, 1, 5, 7], {5}.__contains__))
@pytest.mark.sweep
async def test_it_may_be_broken_off_anywhere_and_begun_again(
    store: Store, last: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rerating_pages, "PAGE", 1)
    numbers = await play_season(store, SEASON)
    await store.get(Matches).apply_update(numbers[0], build_step(1, "annul", ending=ANNULLED))

    async def broken() -> None:
        raise PowerCutError

    with disturb_writes(store, last + 1, broken, monkeypatch), pytest.raises(PowerCutError):
        await store.get(Ratings).rerate_after(numbers[0], BOARDS, rate_by_hand, SETTLED)
    await store.get(Ratings).rerate_after(numbers[0], BOARDS, rate_by_hand, SETTLED)
    annulled = await dump_ratings(store)
    await delete_ratings(store)
    await play_season(store, SEASON[1:], [1, 2, 3, 4, 5])
    assert annulled == await dump_ratings(store)


@pytest.mark.parametrize("at", mark_sweeps([1, 2, 4, 9], {2, 9}.__contains__))
@pytest.mark.sweep
async def test_one_that_is_overtaken_by_another_annulment_reckons_again(
    store: Store, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rerating_pages, "PAGE", 1)
    numbers = await play_season(store, SEASON)
    await store.get(Matches).apply_update(numbers[2], build_step(1, "annul", ending=ANNULLED))
    with disturb_writes(store, at, lambda: annul_match(store, numbers[0]), monkeypatch) as writes:
        await store.get(Ratings).rerate_after(numbers[2], BOARDS, rate_by_hand, SETTLED)
    if len(writes) < at:
        await annul_match(store, numbers[0])
    annulled = await dump_ratings(store)
    await delete_ratings(store)
    await play_season(store, [SEASON[1], *SEASON[3:]], [1, 3, 4, 5])
    assert annulled == await dump_ratings(store)


async def test_nobody_waits_for_more_than_a_few_matches(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rerating_pages, "PAGE", 2)
    numbers = await play_season(store, SEASON)
    with capture_store_statements(store) as said:
        await store.get(Matches).apply_update(numbers[0], build_step(1, "annul", ending=ANNULLED))
        annulling = len(said)
        await store.get(Ratings).rerate_after(numbers[0], BOARDS, rate_by_hand, SETTLED)
    rated_anew = [rows for statement, rows in said if statement.startswith("UPDATE rating_changes")]
    assert not [
        statement
        for statement, _ in said[:annulling]
        if statement.startswith("UPDATE rating_changes")
    ]
    # On each of two boards three times, of five matches two, two and one with two people each.
    assert [len(rows) for rows in rated_anew] == [4, 4, 2, 4, 4, 2]
    ends = [
        place
        for place, (statement, _) in enumerate(said)
        if statement.startswith(("COMMIT", "BEGIN"))
    ]
    between = [said[one:other] for one, other in pairwise([*ends, len(said)])]
    for transaction in between:
        assert (
            sum(statement.startswith("UPDATE rating_changes") for statement, _ in transaction) <= 1
        )


async def test_what_ended_lately_is_rated_with_the_leaderboard_at_once(store: Store) -> None:
    numbers = await play_season(store, SEASON, [0, 1, 60, 61, 62, 63])
    await annul_match(store, numbers[0])
    annulled = await dump_ratings(store)
    await delete_ratings(store)
    await play_season(store, SEASON[1:], [1, 60, 61, 62, 63])
    assert annulled == await dump_ratings(store)


async def test_what_nobody_of_it_played_afterwards_stays_as_it_is(store: Store) -> None:
    numbers = await play_season(
        store, [(ANA, BEN, "gold"), (CYN, DAN, "gold"), (ANA, BEN, "black")]
    )
    ratings = store.get(Ratings)
    before = await ratings.load_changes(numbers[1])
    await annul_match(store, numbers[0])
    assert await ratings.load_changes(numbers[1]) == before
    # A hundred each, and black takes a tenth of the other's.
    row = dict(await ratings.load_board(*BOARDS[0]))[BEN]
    assert (row.mu, row.sigma, row.games, row.won, row.lost, row.updated) == (
        110.0,
        49.0,
        1,
        1,
        0,
        NOW + 2,
    )


async def test_a_team_is_rated_anew_as_a_team(store: Store) -> None:
    await register_people(store, ANA, BEN, CYN, DAN)
    sides = {ANA: "gold", CYN: "gold", BEN: "black", DAN: "black"}
    first, second = [await start_match(store), await start_match(store)]
    await store.get(Matches).apply_update(
        first, build_step(0, "end", ending=build_ending(sides, "black", NOW))
    )
    await store.get(Matches).apply_update(
        second, build_step(0, "end", now=NOW + 9, ending=build_ending(sides, "gold", NOW + 9))
    )
    await annul_match(store, first)
    rows = dict(await store.get(Ratings).load_board(*BOARDS[1]))
    # Two newcomers' tenths are twenty.
    assert {person: row.mu for person, row in rows.items()} == {
        ANA: 120.0,
        CYN: 120.0,
        BEN: 80.0,
        DAN: 80.0,
    }


async def test_a_running_match_is_annulled_with_nothing_to_undo(store: Store) -> None:
    numbers = await play_season(store, SEASON[:2])
    before = await dump_ratings(store)
    match = await start_match(store)
    done = await store.get(Matches).apply_update(
        match, build_step(0, "annul", ending=ANNULLED, ruling=RULING)
    )
    assert done.applied
    assert await dump_ratings(store) == before
    row = await store.get(Matches).load_row(match)
    assert row is not None
    assert (row.winner, row.how, row.ended) == ("draw", "annulled", NOW + 5)
    assert await store.get(AuditLog).load_by_match(1) == [RULING]
    assert numbers


async def test_only_what_is_annulled_changes_a_match_that_is_over(store: Store) -> None:
    (match,) = await play_season(store, SEASON[:1])
    before = await dump_tables(store)
    for ending in (EndingUpdate("black", "resigned"), None):
        with pytest.raises(StaleVersionError):
            await store.get(Matches).apply_update(
                match, build_step(1, "more", ending=ending, ruling=RULING)
            )
    with pytest.raises(StaleVersionError):
        await store.get(Matches).apply_update(
            match, build_step(0, "late", ending=ANNULLED, ruling=RULING)
        )
    assert await dump_tables(store) == before


async def test_the_same_annulment_delivered_ten_times_is_applied_once(
    store: Store, rival: Store
) -> None:
    (match, other) = await play_season(store, SEASON[:2])
    annul = build_step(1, "annul", ending=ANNULLED, ruling=RULING)
    answers = await asyncio.gather(
        *((store, rival)[at % 2].get(Matches).apply_update(match, annul) for at in range(10))
    )
    assert sum(answer.applied for answer in answers) == 1
    assert await store.get(AuditLog).count_rulings(1) == 1
    assert len(await store.get(Ratings).load_changes(other)) == 4


async def test_ratings_that_cannot_be_reckoned_anew_stay_as_they_are(store: Store) -> None:
    numbers = await play_season(store, SEASON)

    def fail(_: Teams, __: str) -> dict[str, Sequence[SkillEstimate]]:
        raise ZeroDivisionError

    await store.get(Matches).apply_update(
        numbers[0], build_step(1, "annul", ending=ANNULLED, ruling=RULING)
    )
    before = await dump_tables(store)
    with pytest.raises(ZeroDivisionError):
        await store.get(Ratings).rerate_after(numbers[0], BOARDS, fail, SETTLED)
    assert await dump_tables(store) == before


@pytest.mark.sweep
async def test_matches_that_end_while_others_are_annulled_all_count(
    store: Store, rival: Store
) -> None:
    await register_people(store, ANA, BEN, CYN, DAN)
    old = await play_season(store, SEASON)
    running = [await start_match(store) for _ in range(8)]
    sides = [
        {ANA: "gold", BEN: "black"},
        {CYN: "gold", ANA: "black"},
        {BEN: "gold", DAN: "black"},
        {DAN: "gold", CYN: "black"},
    ]
    ends = [
        (store, rival)[at % 2]
        .get(Matches)
        .apply_update(
            match,
            build_step(
                0,
                "end",
                now=NOW + 100 + at,
                ending=build_ending(sides[at % 4], "gold", NOW + 100 + at),
            ),
        )
        for at, match in enumerate(running)
    ]
    annulments = [annul_match((rival, store)[at % 2], match) for at, match in enumerate(old[::2])]
    mixed = [
        each
        for pair in zip(ends, [*annulments, *[None] * 5], strict=True)
        for each in pair
        if each is not None
    ]
    answers = await asyncio.gather(*mixed)
    assert all(answer.applied for answer in answers)
    rows = dict(await store.get(Ratings).load_board(*BOARDS[0]))
    games: dict[int, int] = {}
    for gold, black, _ in SEASON[1::2]:
        for person in (gold, black):
            games[person] = games.get(person, 0) + 1
    for at in range(8):
        for person in sides[at % 4]:
            games[person] = games.get(person, 0) + 1
    assert {person: row.games for person, row in rows.items()} == games
    # In whatever order they came, each further annulment restores the order of their ends.
    extra = await play_season(store, [(ANA, BEN, "gold")], [0])
    await annul_match(store, extra[0])
    annulled = await dump_ratings(store)
    await delete_ratings(store)
    season = [SEASON[at] for at in (1, 3, 5)]
    pairs = [tuple(sides[at % 4]) for at in range(8)]
    await play_season(
        store,
        [*season, *((gold, black, "gold") for gold, black in pairs)],
        [1, 3, 5, *(100 + at for at in range(8))],
    )
    assert annulled == await dump_ratings(store)


async def test_a_seat_is_taken_over_and_who_sat_there_is_remembered(store: Store) -> None:
    await register_people(store, ANA, BEN, CYN, DAN)
    match = await start_match(store)
    matches = store.get(Matches)
    for at, person in enumerate((CYN, DAN)):
        await matches.apply_update(
            match, build_step(at, f"seat {at}", takeover=SeatTakeover("black", 0, person, LIMITS))
        )
    row = await matches.load_row(match)
    assert row is not None
    assert [(seat.person, seat.contribution) for seat in row.seats] == [
        (ANA, "ana's"),
        (DAN, "ben's"),
    ]
    assert row.former == (FormerHolder("black", 0, BEN, 1), FormerHolder("black", 0, CYN, 2))
    assert [[seat.person for seat in row.seats_at(version)] for version in range(4)] == [
        [ANA, BEN],
        [ANA, CYN],
        [ANA, DAN],
        [ANA, DAN],
    ]
    assert await matches.load_running_by_person(BEN) == []
    assert [each.id for each in await matches.load_running_by_person(DAN)] == [match]


async def test_a_seat_is_not_taken_over_by_who_has_no_room(store: Store) -> None:
    await register_people(store, ANA, BEN, CYN)
    match, _ = await start_match(store), await start_match(store)
    before = await dump_tables(store)
    taking = build_step(0, "seat", takeover=SeatTakeover("black", 0, ANA, Limits(2, 9)))
    with pytest.raises(LimitExceededError):
        await store.get(Matches).apply_update(match, taking)
    assert await dump_tables(store) == before


async def test_a_log_is_kept_for_each_server(store: Store) -> None:
    await register_people(store, CYN)
    match = await start_match(store)
    rulings = [
        Ruling(guild, NOW + at, CYN, "draw", match, f"reason {at}")
        for at, guild in enumerate((1, 2, 1, 1))
    ]
    for at, ruling in enumerate(rulings):
        await store.get(Matches).apply_update(match, build_step(at, f"rule {at}", ruling=ruling))
    audit = store.get(AuditLog)
    assert await audit.load_page(1, 0, 2) == [rulings[3], rulings[2]]
    assert await audit.load_page(1, 2, 2) == [rulings[0]]
    assert (
        await audit.count_rulings(1),
        await audit.count_rulings(2),
        await audit.count_rulings(3),
    ) == (
        3,
        1,
        0,
    )
    assert await audit.load_by_match(match) == rulings[::-1]
