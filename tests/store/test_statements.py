"""How many statements the hot paths take, and that none of them reads a table from end to end."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event

from bot.features.analysis.store import HintConsents
from bot.features.challenges.store import Challenges
from bot.features.matches.rows import (
    EndingUpdate,
    LiveMessage,
    RatingKey,
    RatingRow,
    Ruling,
    Seat,
    SeatTakeover,
    SkillEstimate,
    SkillValue,
)
from bot.features.matches.store import Matches
from bot.features.moderation.store import AuditLog
from bot.features.ratings.store import Ratings
from bot.features.ratings.tables import Teams
from bot.features.reports.store import Reports
from bot.platform.db.rows import Job
from bot.platform.db.store import Store
from bot.platform.db.tables import load_metadata
from tests.support.stored import (
    ANA,
    BEN,
    CYN,
    LIMITS,
    NOW,
    SIDES,
    build_challenge,
    build_step,
    register_people,
    start_match,
)

pytestmark = pytest.mark.asyncio
KEY = RatingKey("everywhere", "zeno", ANA)
SHOW = Job("show", "match 1", NOW)
END = EndingUpdate(
    "gold", "all off", lambda _: {KEY: RatingRow(27.5, 7.25, 1, 1, 0, 0, NOW)}, (KEY,), sides=SIDES
)
ANNULLED = EndingUpdate("draw", "annulled", annuls=True)
RULING = Ruling(1, NOW, ANA, "annul", 1, "a slip")
SCANS = tuple(f"SCAN {table}" for table in load_metadata().tables)
"""How SQLite says that it reads all of a table."""


def rate_equally(teams: Teams, _: str) -> Mapping[str, Sequence[SkillEstimate]]:
    """Rate everyone alike."""
    return {side: [SkillValue(25.0, 8.0)] * len(teams[side]) for side in teams}


Statements = list[tuple[str, Any]]


@contextmanager
def capture_statements(*engines: Engine | type[Engine]) -> Iterator[Statements]:
    """Gather the statements that engines send, or all engines there are, with their parameters."""
    said: Statements = []

    def note(_: object, __: object, statement: str, parameters: Any, *___: object) -> None:
        said.append((statement, parameters))

    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    try:
        yield said
    finally:
        for engine in engines:
            event.remove(engine, "before_cursor_execute", note)


def capture_store_statements(store: Store) -> AbstractContextManager[Statements]:
    """Gather the statements that a store sends, with their parameters."""
    database = store._database  # noqa: SLF001
    return capture_statements(database._writer.sync_engine, database._reader.sync_engine)  # noqa: SLF001


def list_verbs(said: Statements) -> list[str]:
    """What each statement does; where a transaction begins is SQLite's own."""
    return [statement.split()[0] for statement, _ in said if not statement.startswith("BEGIN")]


async def test_an_action_takes_two_statements_and_its_jobs_one(store: Store) -> None:
    match = await start_match(store)
    with capture_store_statements(store) as said:
        await store.get(Matches).apply_update(match, build_step(0, "roll", records=4))
    assert list_verbs(said) == ["UPDATE", "INSERT"]
    with capture_store_statements(store) as said:
        await store.get(Matches).apply_update(
            match, build_step(4, "move", jobs=[SHOW, Job("retire", "77", NOW)])
        )
    assert list_verbs(said) == ["UPDATE", "INSERT", "INSERT"]


async def test_what_was_posted_takes_three(store: Store) -> None:
    match = await start_match(store)
    (job,) = await store.jobs.enqueue(0, [SHOW])
    with capture_store_statements(store) as said:
        await store.get(Matches).save_live_message(
            match, LiveMessage(77, 2, 1, 1), job, [Job("retire", "76", NOW)]
        )
    assert list_verbs(said) == ["UPDATE", "DELETE", "INSERT"]


async def test_a_match_its_players_and_all_of_a_person_s_matches_take_one_each(
    store: Store,
) -> None:
    match, _ = await start_match(store), await start_match(store)
    readings: tuple[Callable[[], Awaitable[object]], ...] = (
        lambda: store.get(Matches).load_row(match),
        lambda: store.preferences.load_with_names([ANA, BEN]),
        lambda: store.get(Matches).load_running_by_person(ANA),
    )
    for reading in readings:
        with capture_store_statements(store) as said:
            await reading()
        assert list_verbs(said) == ["SELECT"]


def list_operations(store: Store) -> Mapping[str, Callable[[], Awaitable[object]]]:
    """Everything that is read, or looked for in order to change it."""
    matches = store.get(Matches)
    challenges = store.get(Challenges)
    ratings = store.get(Ratings)
    audit = store.get(AuditLog)
    return {
        "a match": lambda: matches.load_row(1),
        "its players": lambda: store.preferences.load_with_names([ANA, BEN]),
        "its events": lambda: matches.load_events(1),
        "their instants": lambda: matches.load_instants(1, [1, 2]),
        "a channel's": lambda: matches.load_running_in_channel(2),
        "a person's": lambda: matches.load_running_by_person(ANA),
        "to whom a game is new": lambda: matches.find_newcomers((ANA, BEN), "zeno"),
        "a person's ended": lambda: matches.load_ended_by_person(ANA, 25),
        "an action": lambda: matches.apply_update(1, build_step(0, "roll", jobs=[SHOW])),
        "posted": lambda: matches.save_live_message(1, LiveMessage(7, 2, 1, 1), None, [SHOW]),
        "a challenge": lambda: challenges.load_challenge(1),
        "challenging": lambda: challenges.create(
            build_challenge(), Seat("gold", 0, ANA, "x"), LIMITS
        ),
        "challenging again": lambda: challenges.create(
            build_challenge(), Seat("gold", 0, ANA, "x"), LIMITS
        ),
        "joining": lambda: challenges.join(2, Seat("black", 0, BEN, "y"), 1, NOW, LIMITS),
        "filling": lambda: challenges.fill_seats(
            3, [Seat("black", 0, BEN, "y")], 1, NOW, LIMITS, lambda _, __: [SHOW]
        ),
        "beginning": lambda: challenges.create_and_start(
            build_challenge(rematch_of=1),
            [Seat("gold", 0, ANA, "x"), Seat("black", 0, BEN, "y")],
            1,
            LIMITS,
            lambda _, __: [SHOW],
        ),
        "waiting": lambda: challenges.find_acceptable(1, BEN, NOW),
        "open challenges of a person": lambda: challenges.load_open_by_person(ANA, NOW),
        "open challenges of a channel": lambda: challenges.load_open_in_channel(2, NOW),
        "closing": lambda: challenges.close(4, "lapsed", NOW),
        "the next job": store.jobs.find_next_due,
        "a rating": lambda: ratings.load_ratings([KEY]),
        "ratings of a person": lambda: ratings.load_by_person("everywhere", ANA),
        "a board": lambda: ratings.load_board("everywhere", "zeno"),
        "a course": lambda: ratings.load_progress("everywhere", "zeno", ANA),
        "names": lambda: store.people.load_names([ANA, BEN]),
        "who allows hints": lambda: store.get(HintConsents).load_people(1),
        "a report": lambda: store.get(Reports).load_report(1),
        "a look": lambda: store.board_styles.load_style("person", ANA),
        "the end": lambda: matches.apply_update(1, build_step(1, "end", ending=END)),
        "another match": lambda: start_match(store),
        "its end": lambda: matches.apply_update(5, build_step(0, "end", ending=END)),
        "annulling": lambda: matches.apply_update(
            1, build_step(2, "annul", ending=ANNULLED, ruling=RULING)
        ),
        "rating again": lambda: ratings.rerate_after(1, [KEY.board], rate_equally, NOW + 999),
        "a log": lambda: audit.load_page(1, 0, 10),
        "how long it is": lambda: audit.count_rulings(1),
        "what was ruled": lambda: audit.load_by_match(1),
        "taking a seat over": lambda: matches.apply_update(
            2, build_step(0, "seat", takeover=SeatTakeover("black", 0, CYN, LIMITS))
        ),
    }


async def test_nothing_is_read_from_end_to_end(path: Path) -> None:
    async with await Store.open(path) as store:
        await register_people(store, ANA, BEN, CYN)
        await start_match(store)
        for name, read in list_operations(store).items():
            with capture_store_statements(store) as said:
                await read()
            assert list_verbs(said), name
            for statement, parameters in said:
                plan = await store._database.read(  # noqa: SLF001
                    lambda at, of=(statement, parameters): _explain_statement(at, *of)  # type: ignore[misc]
                )
                assert [line for line in plan if line.startswith(SCANS)] == [], (
                    f"{name}: {statement}"
                )


def _explain_statement(connection: Connection, statement: str, parameters: Any) -> list[str]:
    """How SQLite goes about a statement; nothing for one that reads nothing."""
    if statement.startswith("BEGIN"):
        return []
    one = parameters[0] if isinstance(parameters, list) else parameters
    return [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", one)]
