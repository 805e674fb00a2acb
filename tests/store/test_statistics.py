"""A server's figures, from matches whose ends are known; each figure is counted by hand."""

from dataclasses import replace
from datetime import UTC
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import Connection, insert

from bot.features.matches.rows import EndingUpdate
from bot.features.matches.store import Matches
from bot.features.matches.tables import events
from bot.features.statistics.rows import ClubFigures, ClubScope, MatchLength, Period, WinningStreak
from bot.features.statistics.service import find_period
from bot.features.statistics.store import Statistics
from bot.platform.db.store import Store
from bot.platform.people import COMPUTERS
from engine.clock import DAY, HOUR
from tests.support.finished import Finished, parse_instant
from tests.support.finished import store_matches as store_matches_in
from tests.support.stored import ANA, BEN, CYN, DAN, build_step, connect_directly, start_match
from tests.support.undoing import return_file_to_version, return_to_version

pytestmark = pytest.mark.asyncio
GUILD, ELSEWHERE = 70, 71
store_matches = partial(store_matches_in, guild=GUILD)
COMPUTER = min(COMPUTERS)
# People's ids are larger than the computer's, as Discord's are.
EVE, FAY, GUS = 10**17 + 1, 10**17 + 2, 10**17 + 3


# A Wednesday in Berlin, three days after the clocks went forward.
NOW = parse_instant("2026-04-01T12:00")
BERLIN = find_period(NOW, ZoneInfo("Europe/Berlin"))


async def load(store: Store, period: Period = BERLIN) -> ClubFigures:
    """The figures of the server."""
    return await store.get(Statistics).load_figures(ClubScope(GUILD, COMPUTERS), period)


async def test_weeks_begin_on_monday_by_the_clocks_of_the_zone() -> None:
    starts = BERLIN.starts
    assert len(starts) == 26
    # In October and in April Berlin is two hours ahead of UTC, in winter one.
    assert starts[0] == parse_instant("2025-10-05T22:00")
    assert starts[3] == parse_instant("2025-10-26T23:00")
    assert starts[-2:] == [parse_instant("2026-03-22T23:00"), parse_instant("2026-03-29T22:00")]
    assert BERLIN.end == parse_instant("2026-04-05T22:00")
    assert BERLIN.recent == starts[22] == parse_instant("2026-03-08T23:00")
    # The clocks went back on 26 October and forward on 29 March, both times on a Sunday.
    lengths_of_weeks = [
        (end - start) // HOUR for start, end in zip(starts, [*starts[1:], BERLIN.end], strict=True)
    ]
    assert lengths_of_weeks == [168, 168, 169, *[168] * 21, 167, 168]


@pytest.mark.parametrize(
    ("now", "monday"),
    [
        ("2026-03-30T00:00", "2026-03-30T00:00"),
        ("2026-04-05T23:59:59.999", "2026-03-30T00:00"),
        ("2026-04-06T00:00", "2026-04-06T00:00"),
    ],
)
async def test_this_week_begins_on_the_last_monday(now: str, monday: str) -> None:
    assert find_period(parse_instant(now), UTC).starts[-1] == parse_instant(monday)


async def test_a_match_belongs_to_the_week_in_which_it_ended(store: Store) -> None:
    instants = (
        ("2025-10-05T21:59:59.999", None),
        ("2025-10-05T22:00", 0),
        ("2026-03-22T22:59:59.999", 23),
        ("2026-03-22T23:00", 24),
        ("2026-03-29T21:59:59.999", 24),
        ("2026-03-29T22:00", 25),
        ("2026-04-01T12:00", 25),
    )
    await store_matches(store, [(parse_instant(at), EVE, FAY, "gold") for at, _ in instants])
    weeks = (await load(store)).weeks
    assert weeks == (1, *[0] * 22, 1, 2, 2)
    assert sum(weeks) == sum(week is not None for _, week in instants)


async def test_only_matches_of_the_server_with_a_result_count(store: Store) -> None:
    ended = parse_instant("2026-03-31T10:00")
    one = [(ended, EVE, FAY, "gold")]
    for how in ("annulled", "aborted", "abandoned", "forfeited"):
        await store_matches(store, one, how=how, turns=[900])
    await store_matches(store, one, how=None)
    await store_matches(store, one, guild=ELSEWHERE, turns=[900])
    nothing = ClubFigures((0,) * 26, 0, 0, (), 0, (), None)
    assert await load(store) == nothing
    for how in ("off", "resigned", "agreed", "timed-out", "adjudicated", "deadline"):
        await store_matches(store, one, how=how)
    figures = await load(store)
    assert figures.weeks == (*[0] * 25, 6)
    assert figures.total == 6


async def test_who_has_played_of_late(store: Store) -> None:
    recently, before = BERLIN.recent, BERLIN.recent - 1
    await store_matches(
        store,
        [
            # Eve and Fay were there of late, Fay twice; Gus only before, and Dan too long ago.
            (recently, EVE, FAY, "gold"),
            (before, FAY, GUS, "draw"),
            (BERLIN.starts[0] - 1, DAN, EVE, "gold"),
            (recently, EVE, COMPUTER, "gold"),
            (recently, CYN, COMPUTER, "gold"),
        ],
    )
    figures = await load(store)
    assert (figures.recently_active, figures.active) == (2, 3)


async def test_games_are_counted_the_most_played_first(store: Store) -> None:
    old = BERLIN.starts[0] - 900 * DAY
    one = (old, EVE, FAY, "gold")
    await store_matches(store, [one] * 2, game="zeno")
    await store_matches(store, [one] * 3, game="tabula")
    await store_matches(store, [one] * 2, game="irish")
    with_computer = [(old, EVE, COMPUTER, "black"), (old, max(COMPUTERS), FAY, "black")]
    await store_matches(store, with_computer * 2, game="irish")
    await store_matches(store, with_computer[:1], game="pyf")
    figures = await load(store)
    assert figures.games == (("tabula", 3), ("irish", 2), ("zeno", 2))
    assert (figures.total, figures.against_computer) == (7, 5)
    assert figures.weeks == (0,) * 26


async def test_a_streak_ends_with_a_match_that_is_not_won(store: Store) -> None:
    # What happened, in order: Eve beats Fay, Gus and Fay, draws with Fay, and beats Gus twice. Gus
    # then beats Fay twice.
    course = [
        (1, EVE, FAY, "gold"),
        (2, GUS, EVE, "black"),
        (3, EVE, FAY, "gold"),
        (4, EVE, FAY, "draw"),
        (5, EVE, GUS, "gold"),
        (6, EVE, GUS, "gold"),
        (7, GUS, FAY, "gold"),
        (8, FAY, GUS, "black"),
    ]
    # The order of their ends counts, and not that in which they began.
    await store_matches(store, course[::-1])
    # None of these lengthens or ends a streak.
    await store_matches(store, [(9, EVE, COMPUTER, "gold"), (10, EVE, COMPUTER, "black")] * 2)
    await store_matches(store, [(11, EVE, GUS, "black"), (2, FAY, EVE, "gold")], how="annulled")
    assert (await load(store)).streaks == (WinningStreak(EVE, 3), WinningStreak(GUS, 2))


async def test_matches_that_end_at_once_are_in_the_order_of_their_numbers(store: Store) -> None:
    # Fay wins between two of Eve's, at the same moment.
    at_once = [(1, EVE, FAY, "gold"), (1, EVE, FAY, "black"), (1, EVE, FAY, "gold")]
    await store_matches(store, [*at_once, (2, EVE, FAY, "gold")])
    assert (await load(store)).streaks == (WinningStreak(EVE, 2),)


async def test_the_longest_streaks_are_of_different_people(store: Store) -> None:
    def win(person: int, first: int, count: int, other: int) -> list[Finished]:
        return [(first + at, person, other, "gold") for at in range(count)]

    course = [
        *win(EVE, 10, 4, DAN),
        *win(GUS, 20, 3, EVE),
        *win(EVE, 30, 5, GUS),
        # As long as Gus's, and later.
        *win(FAY, 40, 3, EVE),
        *win(CYN, 50, 2, FAY),
        # A single win is no streak.
        *win(DAN, 60, 1, CYN),
    ]
    await store_matches(store, course)
    expected = (WinningStreak(EVE, 5), WinningStreak(GUS, 3), WinningStreak(FAY, 3))
    assert (await load(store)).streaks == expected


async def test_the_longest_match_has_the_most_turns(store: Store) -> None:
    await store_matches(
        store,
        [
            (1, EVE, FAY, "gold"),
            (2, EVE, FAY, "gold"),
            (3, EVE, FAY, "gold"),
            (4, COMPUTER, FAY, "gold"),
        ],
        turns=(60, 61, 61, 200),
    )
    # Of equal ones the earlier.
    assert (await load(store)).longest == MatchLength(2, 61)


THROWS = [{"event": event} for event in ("battled", "thrown", "played", "thrown", "passed")]


async def finish_match(store: Store) -> int:
    """A match in which two throws came after the opening roll, and somebody resigned."""
    match = await start_match(store, guild=GUILD)
    begin = replace(build_step(0, "begin"), records=THROWS)
    await store.get(Matches).apply_update(match, begin)
    end = build_step(len(THROWS), "resigned", ending=EndingUpdate("gold", "resigned"))
    await store.get(Matches).apply_update(match, end)
    return match


async def test_turns_are_counted_when_a_match_ends(store: Store) -> None:
    match = await finish_match(store)
    # Both throws of an opening roll are nobody's turn.
    assert (await load(store)).longest == MatchLength(match, 2)
    ending = EndingUpdate("draw", "annulled", annuls=True)
    await store.get(Matches).apply_update(
        match, build_step(len(THROWS) + 1, "annul", ending=ending)
    )
    assert (await load(store)).longest is None


async def test_turns_of_what_was_over_before_are_counted(path: Path) -> None:
    async with await Store.open(path) as store:
        match = await finish_match(store)
        await start_match(store, guild=GUILD)
    return_file_to_version(path, 19)
    async with await Store.open(path) as store:
        assert (await load(store)).longest == MatchLength(match, 2)
    with connect_directly(path) as connection:
        assert connection.execute("SELECT * FROM match_lengths").fetchall() == [(match, GUILD, 2)]


HIGH, LOW = [6, 6], [1, 1]
ROLLED_HIGH = {"event": "battled", "gold": HIGH, "black": LOW}
ROLLED_LOW = {"event": "battled", "gold": LOW, "black": HIGH}
ROLLED_EQUAL = {"event": "battled", "gold": HIGH, "black": HIGH}
THROWN = {"event": "thrown", "dice": [6, 1]}
BACK = {"event": "takenback", "whole": False}
RESIGNED = {"event": "resigned", "side": "gold"}


def choose(side: str) -> dict[str, Any]:
    """The record of the side that the winner of an opening roll has chosen."""
    return {"event": "chosen", "what": "side", "value": side, "forced": False}


OPENINGS: list[tuple[str, list[dict[str, Any]], bool]] = [
    # In these two whoever wins the opening roll takes gold.
    ("baralie", [ROLLED_HIGH, THROWN], False),
    ("baralie", [ROLLED_LOW, THROWN], True),
    ("seis-dos-e-as", [ROLLED_EQUAL, ROLLED_LOW, THROWN], True),
    ("baralie", [ROLLED_LOW, THROWN, BACK, RESIGNED], True),
    ("baralie", [ROLLED_LOW, RESIGNED], True),
    ("baralie", [RESIGNED], False),
    # In these three whoever wins it chooses, and may think again until the first throw.
    ("laquet", [ROLLED_HIGH, choose("gold"), THROWN], False),
    ("laquet", [ROLLED_HIGH, choose("black"), THROWN], True),
    ("cab-e-quinal", [ROLLED_LOW, choose("black"), THROWN], False),
    ("cab-e-quinal-fixed", [ROLLED_EQUAL, ROLLED_LOW, choose("gold"), THROWN], True),
    ("laquet", [ROLLED_HIGH, choose("black"), BACK, choose("gold"), THROWN], False),
    ("laquet", [ROLLED_HIGH, choose("black"), BACK, RESIGNED], False),
    ("laquet", [ROLLED_HIGH, choose("black"), THROWN, BACK, RESIGNED], True),
    # Elsewhere everybody keeps their side.
    ("zeno", [ROLLED_LOW, THROWN], False),
]
"""A game, how a match of it went, and whether people had changed sides when it was over."""


def _insert_events(rows: list[dict[str, Any]], connection: Connection) -> None:
    connection.execute(insert(events), rows)


async def test_swaps_of_what_was_over_before_are_found(empty: str | Path) -> None:
    async with await Store.open(empty) as store:
        for at, (game, records, _) in enumerate(OPENINGS):
            await store_matches(store, [(at, EVE, FAY, "gold")], game=game)
            happened = [
                {"match": at + 1, "version": version, "at": 0, "record": record}
                for version, record in enumerate(records, 1)
            ]
            await store._database.write(partial(_insert_events, happened))  # noqa: SLF001
        # This one goes on, and is judged when it ends.
        running = await start_match(store, guild=GUILD, game="baralie")
        begin = replace(build_step(0, "begin"), records=[ROLLED_LOW])
        await store.get(Matches).apply_update(running, begin)
        await store._database.write(partial(return_to_version, version=22))  # noqa: SLF001
    async with await Store.open(empty) as store:
        rows = await store.get(Matches).load_rows(range(1, len(OPENINGS) + 2))
        assert [row.swapped for row in rows] == [*(swapped for *_, swapped in OPENINGS), False]
        assert [row.ended is None for row in rows] == [*[False] * len(OPENINGS), True]
        # Gold has won all: Fay where people had changed sides, as in the second to the fifth.
        assert (await load(store)).streaks == (WinningStreak(FAY, 4), WinningStreak(EVE, 2))


async def test_swapped_sides_are_kept_when_a_match_ends_and_is_annulled(store: Store) -> None:
    match = await start_match(store, guild=GUILD)
    won = EndingUpdate("gold", "off", sides={ANA: "black", BEN: "gold"}, swapped=True)
    matches = store.get(Matches)
    await matches.apply_update(match, build_step(0, "off", ending=won))
    row = await matches.load_row(match)
    assert row is not None
    assert row.swapped
    annulled = EndingUpdate("draw", "annulled", swapped=True, annuls=True)
    await matches.apply_update(match, build_step(1, "annul", ending=annulled))
    row = await matches.load_row(match)
    assert row is not None
    assert (row.how, row.swapped) == ("annulled", True)
