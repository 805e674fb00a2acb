"""How many statements the hot paths take, and that none of them reads a table from end to end."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event

from bot.store import (
    Ended,
    Job,
    Posted,
    RatingKey,
    RatingRow,
    Ruling,
    Seat,
    Store,
    Strength,
    Takeover,
    Teams,
)
from bot.store.rows import Belief
from bot.store.tables import metadata
from tests.store.build import ANA, BEN, CYN, LIMITS, NOW, SIDES, meet, offer, started, step

pytestmark = pytest.mark.asyncio
KEY = RatingKey("everywhere", "zeno", ANA)
SHOW = Job("show", "match 1", NOW)
END = Ended(
    "gold", "all off", lambda _: {KEY: RatingRow(27.5, 7.25, 1, 1, 0, 0, NOW)}, (KEY,), sides=SIDES
)
ANNULLED = Ended("draw", "annulled", annuls=True)
RULING = Ruling(1, NOW, ANA, "annul", 1, "a slip")
SCANS = tuple(f"SCAN {table}" for table in metadata.tables)
"""How SQLite says that it reads all of a table."""


def same(teams: Teams, _: str) -> Mapping[str, Sequence[Strength]]:
    """Rate everyone alike."""
    return {side: [Belief(25.0, 8.0)] * len(teams[side]) for side in teams}


Said = list[tuple[str, Any]]


@contextmanager
def heard(*engines: Engine | type[Engine]) -> Iterator[Said]:
    """Gather the statements that engines send, or all engines there are, with their parameters."""
    said: Said = []

    def note(_: object, __: object, statement: str, parameters: Any, *___: object) -> None:
        said.append((statement, parameters))

    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    try:
        yield said
    finally:
        for engine in engines:
            event.remove(engine, "before_cursor_execute", note)


def listened(store: Store) -> AbstractContextManager[Said]:
    """Gather the statements that a store sends, with their parameters."""
    database = store._database  # noqa: SLF001
    return heard(database._writer.sync_engine, database._reader.sync_engine)  # noqa: SLF001


def verbs(said: Said) -> list[str]:
    """What each statement does; where a transaction begins is SQLite's own."""
    return [statement.split()[0] for statement, _ in said if not statement.startswith("BEGIN")]


async def test_an_action_takes_two_statements_and_its_jobs_one(store: Store) -> None:
    match = await started(store)
    with listened(store) as said:
        await store.matches.append(match, step(0, "roll", records=4))
    assert verbs(said) == ["UPDATE", "INSERT"]
    with listened(store) as said:
        await store.matches.append(match, step(4, "move", jobs=[SHOW, Job("retire", "77", NOW)]))
    assert verbs(said) == ["UPDATE", "INSERT", "INSERT"]


async def test_what_was_posted_takes_three(store: Store) -> None:
    match = await started(store)
    (job,) = await store.jobs.add(0, [SHOW])
    with listened(store) as said:
        await store.matches.posted(match, Posted(77, 2, 1, 1), job, [Job("retire", "76", NOW)])
    assert verbs(said) == ["UPDATE", "DELETE", "INSERT"]


async def test_a_match_its_players_and_all_of_a_person_s_matches_take_one_each(
    store: Store,
) -> None:
    match, _ = await started(store), await started(store)
    readings: tuple[Callable[[], Awaitable[object]], ...] = (
        lambda: store.matches.get(match),
        lambda: store.people.players([ANA, BEN]),
        lambda: store.matches.running_of(ANA),
    )
    for reading in readings:
        with listened(store) as said:
            await reading()
        assert verbs(said) == ["SELECT"]


def reads(store: Store) -> Mapping[str, Callable[[], Awaitable[object]]]:
    """Everything that is read, or looked for in order to change it."""
    return {
        "a match": lambda: store.matches.get(1),
        "its players": lambda: store.people.players([ANA, BEN]),
        "its events": lambda: store.matches.events(1),
        "their instants": lambda: store.matches.instants(1, [1, 2]),
        "a channel's": lambda: store.matches.running_in(2),
        "a person's": lambda: store.matches.running_of(ANA),
        "a person's ended": lambda: store.matches.ended_of(ANA, 25),
        "an action": lambda: store.matches.append(1, step(0, "roll", jobs=[SHOW])),
        "posted": lambda: store.matches.posted(1, Posted(7, 2, 1, 1), None, [SHOW]),
        "a challenge": lambda: store.challenges.get(1),
        "challenging": lambda: store.challenges.create(offer(), Seat("gold", 0, ANA, "x"), LIMITS),
        "challenging again": lambda: store.challenges.create(
            offer(), Seat("gold", 0, ANA, "x"), LIMITS
        ),
        "joining": lambda: store.challenges.join(2, Seat("black", 0, BEN, "y"), 1, NOW, LIMITS),
        "filling": lambda: store.challenges.fill(
            3, [Seat("black", 0, BEN, "y")], 1, NOW, LIMITS, lambda _, __: [SHOW]
        ),
        "beginning": lambda: store.challenges.begin(
            offer(rematch_of=1),
            [Seat("gold", 0, ANA, "x"), Seat("black", 0, BEN, "y")],
            1,
            LIMITS,
            lambda _, __: [SHOW],
        ),
        "waiting": lambda: store.challenges.waiting(1, BEN, NOW),
        "open challenges of a person": lambda: store.challenges.open_of(ANA, NOW),
        "open challenges of a channel": lambda: store.challenges.open_in(2, NOW),
        "lapsing": lambda: store.challenges.lapse(NOW),
        "jobs due": lambda: store.jobs.due(NOW, 10),
        "the next job": store.jobs.next_due,
        "a rating": lambda: store.ratings.get([KEY]),
        "ratings of a person": lambda: store.ratings.of("everywhere", ANA),
        "a board": lambda: store.ratings.board("everywhere", "zeno"),
        "a course": lambda: store.ratings.course("everywhere", "zeno", ANA),
        "names": lambda: store.people.names([ANA, BEN]),
        "who allows hints": lambda: store.hints.allowed(1),
        "a report": lambda: store.reports.get(1),
        "a look": lambda: store.looks.get("person", ANA),
        "the end": lambda: store.matches.append(1, step(1, "end", ending=END)),
        "another match": lambda: started(store),
        "its end": lambda: store.matches.append(5, step(0, "end", ending=END)),
        "annulling": lambda: store.matches.append(
            1, step(2, "annul", ending=ANNULLED, ruling=RULING)
        ),
        "rating anew": lambda: store.ratings.rate_anew(1, [KEY.board], same, NOW + 999),
        "a log": lambda: store.audit.page(1, 0, 10),
        "how long it is": lambda: store.audit.count(1),
        "what was ruled": lambda: store.audit.about(1),
        "taking a seat over": lambda: store.matches.append(
            2, step(0, "seat", takeover=Takeover("black", 0, CYN, LIMITS))
        ),
    }


async def test_nothing_is_read_from_end_to_end(path: Path) -> None:
    async with await Store.open(path) as store:
        await meet(store, ANA, BEN, CYN)
        await started(store)
        for name, read in reads(store).items():
            with listened(store) as said:
                await read()
            assert verbs(said), name
            for statement, parameters in said:
                plan = await store._database.read(  # noqa: SLF001
                    lambda at, of=(statement, parameters): _plan(at, *of)  # type: ignore[misc]
                )
                assert [line for line in plan if line.startswith(SCANS)] == [], (
                    f"{name}: {statement}"
                )


def _plan(connection: Connection, statement: str, parameters: Any) -> list[str]:
    """How SQLite goes about a statement; nothing for one that reads nothing."""
    if statement.startswith("BEGIN"):
        return []
    one = parameters[0] if isinstance(parameters, list) else parameters
    return [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", one)]
