"""Migrations bring older files up to date, whole or not at all.

The tables are then those that are declared.
"""

import json
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, Engine, event

from bot.features.challenges.store import Challenges
from bot.features.contests.store import Contests
from bot.features.ladders.rungs import compute_rungs
from bot.features.ladders.store import Ladders
from bot.features.matches.clock import IDLE_LIMIT_MS
from bot.features.matches.jobs import WatchClock
from bot.features.matches.rows import EventRow, Limits, RatingKey, RatingRow, Seat
from bot.features.matches.store import Matches
from bot.features.moderation.store import AuditLog
from bot.features.ratings.store import Ratings
from bot.platform.db import migration as migrating
from bot.platform.db.errors import SeatTakenError, StoreError
from bot.platform.db.migration import VERSION_TABLE, find_newest_version
from bot.platform.db.preferences import BoardStyle
from bot.platform.db.rows import Job, Outage, Pause
from bot.platform.db.store import Store
from bot.platform.db.tables import load_metadata
from bot.platform.i18n.common import format_ending
from bot.platform.i18n.reader import Reader
from engine.clock import DAY
from engine.games import GAMES
from engine.outcome import GameOutcome
from engine.position import Side
from tests.store.versions import ADDED, VERSIONS, create_old_database, dump_database
from tests.support.forks import fork_process
from tests.support.old_ladders import PEOPLE, create_old_ladder
from tests.support.postgresql import PostgreSQLServer
from tests.support.programs import CUT_SHORT, crash_while_opening
from tests.support.stored import (
    ANA,
    BEN,
    CYN,
    LIMITS,
    NOW,
    SNAPSHOT,
    build_challenge,
    build_step,
    connect_directly,
    dump_file,
    dump_tables,
    load_display_names,
    load_due,
    register_people,
    start_match,
)
from tests.support.sweeps import mark_sweeps
from tests.support.undoing import return_file_to_version

pytestmark = pytest.mark.asyncio
CORE_VERSIONS = (1, max(VERSIONS))
"""The first, from which every step is taken, the newest, and two between."""
ONE_COLUMN = 13
"""From this version on, one column is all that is added."""
SEATS = (Seat("gold", 0, ANA, "ana's"), Seat("black", 0, BEN, "ben's"))


@pytest.fixture
def where(empty: str | Path) -> str | Path:
    """Where a database of an earlier version can be made, of each kind."""
    return empty


@pytest_asyncio.fixture(params=mark_sweeps(VERSIONS, CORE_VERSIONS.__contains__))
async def sample(request: pytest.FixtureRequest, path: Path) -> int:
    """Lay a file of an earlier version there, and return the version."""
    version: int = request.param
    await create_old_database(version, path)
    return version


@pytest_asyncio.fixture(params=mark_sweeps(VERSIONS, CORE_VERSIONS.__contains__))
async def earlier(request: pytest.FixtureRequest, where: str | Path) -> int:
    """Make a database of an earlier version, of each kind, and return the version."""
    version: int = request.param
    await create_old_database(version, where)
    return version


def load_file_version(path: Path) -> int:
    """The version in the file's head, where an older program looks."""
    with connect_directly(path) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


async def test_all_that_an_earlier_file_held_is_there(sample: int, path: Path) -> None:
    async with await Store.open(path) as store:
        assert await store.find_problems() == []
        matches = store.get(Matches)
        ended, running = await matches.load_row(1), await matches.load_row(2)
        assert ended is not None
        assert running is not None
        assert (ended.game, ended.edition, ended.options, ended.rated) == (
            "zeno",
            1,
            {"dice": "two"},
            True,
        )
        assert (ended.winner, ended.ended, ended.version) == ("gold", NOW + 9, 3)
        assert (ended.how, ended.parts) == ("other", {"text": "bearing off"})
        assert (running.how, running.parts) == (None, {})
        assert (ended.former, running.former) == ((), ())
        assert await store.get(AuditLog).count_rulings(1) == int(sample >= 8)
        assert (ended.secret, ended.commitment, ended.seats) == (bytes(range(32)), "c0ffee", SEATS)
        assert (running.message, running.options, running.rated, running.snapshot) == (
            77,
            {},
            False,
            SNAPSHOT,
        )
        for match in (ended, running):
            assert (match.since, match.shown, match.dice) == (0, 0, 1)
        assert await matches.load_events(1) == [
            EventRow(1, NOW + 5, ANA, "roll", {"event": "roll", "at": 0}),
            EventRow(2, NOW + 5, ANA, None, {"event": "roll", "at": 1}),
            EventRow(3, NOW + 9, ANA, "last", {"event": "last", "at": 0}),
        ]
        accepted, waiting = (
            await store.get(Challenges).load_challenge(1),
            await store.get(Challenges).load_challenge(3),
        )
        assert accepted is not None
        assert waiting is not None
        assert (accepted.state, accepted.match, accepted.seats, accepted.rematch_of) == (
            "accepted",
            1,
            SEATS,
            None,
        )
        assert (waiting.state, waiting.message, waiting.opponent, waiting.seats) == (
            "open",
            78,
            CYN,
            SEATS[:1],
        )
        assert await load_display_names(store.people, [ANA, BEN, CYN]) == {
            ANA: "Person 11",
            BEN: "Person 12",
            CYN: "Person 13",
        }
        key = RatingKey("everywhere", "zeno", ANA)
        assert await store.get(Ratings).load_ratings([key]) == {
            key: RatingRow(27.5, 7.25, 1, 1, 0, 0, NOW + 9)
        }
        assert await store.get(Ratings).load_progress(*key) == [(27.5, 7.25)]
        assert await store.metadata.load_value("commands") == "digest"
        look = BoardStyle("roman", "mine", numbered=True) if sample > 1 else BoardStyle(seat="mine")
        assert await store.board_styles.load_style("person", ANA) == look


async def test_quiet_hours_that_were_ahead_of_utc_are_in_a_zone_that_is_so(path: Path) -> None:
    await create_old_database(12, path)
    with connect_directly(path) as connection:
        connection.execute(
            "INSERT INTO servers (guild, pace, quiet) VALUES (3, 'day', '[1320, 420, -210]')"
        )
        connection.execute(
            "INSERT INTO servers (guild, pace, quiet) VALUES (2, 'day', '[1320, 420, 0]')"
        )
    async with await Store.open(path) as store:
        west, utc = await store.servers.load_settings(3), await store.servers.load_settings(2)
        assert (west.quiet, west.zone) == ((1320, 420), "-03:30")
        assert (utc.quiet, utc.zone) == ((1320, 420), "UTC")
        assert (await store.preferences.load_preferences(ANA)).zone is None


REWORDED = {
    "a tie: neither side can enter its men": "neither side can enter its men",
    "every man in the last table": "all men in the last table",
    "every man borne off": "all men borne off",
    "every man borne off: a gammon": "a gammon (all men borne off)",
    "every man borne off: a backgammon": "a backgammon (all men borne off)",
    "every man borne off, and the losers' palms are owed 1 slap": (
        "all men borne off, and the losers' palms are owed 1 slap"
    ),
    "ad fallum, gold could not play the whole throw": ("ad fallum: gold couldn't play the throw"),
    "barata: four men hit from behind six points in a row": (
        "barata: four men hit while holding six points in a row"
    ),
}
"""What is said today in place of a sentence that an earlier version stored."""


OLD_ENDINGS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("pyf", "every man borne off", "off", {}),
    ("zeno", "every man in the last table", "goal", {}),
    ("twelve-dogs", "4 points to 2", "full", {"most": 4, "least": 2}),
    ("twelve-dogs", "three points each", "even", {}),
    ("zeno", "black resigned", "resigned", {"side": "black"}),
    ("fallas", "ad fallum, gold could not play the whole throw", "ad-fallum", {"side": "gold"}),
    ("pyf", "no throw could ever move either side", "stuck", {}),
    ("emperador", "barata: four men hit from behind six points in a row", "barata", {}),
    ("emperador", "barata: six points in a row", "barata-at-once", {}),
    ("medio-emperador", "a tie: neither side can enter its men", "tie", {}),
    (
        "verquere",
        "jan: black has more men to enter than its table has room for",
        "jan",
        {"side": "black"},
    ),
    ("swedish-tables", "all fifteen on the last point", "fifteen", {}),
    ("swedish-tables", "seven, five and three", "seven-five-three", {}),
    ("swedish-tables", "three fives", "three-fives", {}),
    ("swedish-tables", "five threes", "five-threes", {}),
    ("ludus-anglicorum", "gold is lympolded", "lympolded", {"side": "gold"}),
    (
        "ludus-anglicorum",
        "black is lympolded for ever",
        "lympolded-for-ever",
        {"side": "black"},
    ),
    ("ludus-anglicorum", "gold is lurched", "lurched", {"side": "gold"}),
    ("backgammon", "every man borne off: a gammon", "off", {"worth": "gammon"}),
    ("backgammon", "every man borne off: a backgammon", "off", {"worth": "backgammon"}),
    (
        "paume-carie-two",
        "every man borne off, and the losers' palms are owed 1 slap",
        "off",
        {"worth": "slaps", "n": 1},
    ),
    (
        "paume-carie-one",
        "gold resigned, and the losers' palms are owed 12 slaps",
        "resigned",
        {"side": "gold", "worth": "slaps", "n": 12},
    ),
    ("zeno", "black resigned, it is said", "other", {"text": "black resigned, it is said"}),
    ("zeno", "", "other", {"text": ""}),
]
"""A game, the sentence that was stored of how a match ended, and what it is stored as now."""


async def test_how_a_match_ended_is_still_told(path: Path) -> None:
    await create_old_database(2, path)
    with connect_directly(path) as connection:
        connection.execute("CREATE TEMP TABLE sample AS SELECT * FROM matches WHERE id = 1")
        connection.execute("CREATE TEMP TABLE seated AS SELECT * FROM seats WHERE match = 1")
        for number, (game, sentence, _, _) in enumerate(OLD_ENDINGS, 1000):
            connection.execute(
                'UPDATE sample SET id = ?, game = ?, "by" = ?', (number, game, sentence)
            )
            connection.execute("UPDATE seated SET match = ?", (number,))
            connection.execute("INSERT INTO matches SELECT * FROM sample")
            connection.execute("INSERT INTO seats SELECT * FROM seated")
    async with await Store.open(path) as store:
        for number, (game, sentence, how, parts) in enumerate(OLD_ENDINGS, 1000):
            row = await store.get(Matches).load_row(number)
            assert row is not None
            assert row.how is not None
            assert (row.how, row.parts) == (how, parts)
            text = format_ending(
                Reader.ENGLISH, GAMES[game], GameOutcome(Side.GOLD, row.how, row.parts)
            )
            assert text == REWORDED.get(sentence, sentence)


async def test_what_was_shown_of_a_commitment_is_known_of_all_that_was_posted(path: Path) -> None:
    await create_old_database(31, path)
    contest = """
        INSERT INTO contests (id, guild, channel, message, name, organiser, game, options, rated,
            pace, days, unfinished, repeats, season, secret, commitment, created, starts)
        VALUES (?, 1, 2, ?, 'Autumn league', 11, 'zeno', '{}', 1, 'day', 28, 'draw', 0, 1, x'00',
            'c0ffee', 5, 6)
    """
    with connect_directly(path) as connection:
        connection.execute("UPDATE challenges SET message = 76 WHERE match = 1")
        # As it begins against the computer, without a message.
        connection.execute("UPDATE challenges SET message = NULL WHERE match = 2")
        connection.execute(contest, (1, 79))
        connection.execute(contest, (2, None))
        connection.execute(contest, (3, 80))
        connection.execute("UPDATE contests SET state = 'over' WHERE id = 3")
    async with await Store.open(path) as store:
        matches = store.get(Matches)
        shown, unshown = await matches.load_row(1), await matches.load_row(2)
        assert shown is not None
        assert unshown is not None
        assert (shown.posted_digits, unshown.posted_digits) == (20, 0)
        waiting = await store.get(Challenges).load_challenge(3)
        assert waiting is not None
        assert (waiting.state, waiting.message, waiting.posted_digits) == ("open", 78, 20)
        # What begins from it now keeps the weaker mark.
        result = await store.get(Challenges).join(3, Seat("black", 0, CYN, "cyn's"), 1, NOW, LIMITS)
        begun = await matches.load_row(result.match or 0)
        assert begun is not None
        assert begun.posted_digits == 20
        first, second = (
            await store.get(Contests).load_view(1),
            await store.get(Contests).load_view(2),
        )
        assert first is not None
        assert second is not None
        assert (first.contest.posted_digits, second.contest.posted_digits) == (20, 0)
        # Its message is to show all digits, but for that of a league that is over.
        due = {(job.kind, job.key, job.guild) for job in await load_due(store.jobs, NOW * 2, 20)}
        anew = {each for each in due if each[0].startswith("show c")}
        assert anew == {("show challenge", "3", 1), ("show contest", "1", 1)}


@pytest.mark.parametrize(
    ("winner", "anas", "bens"),
    [
        # Ana sat down as gold and gained, so that she played for whichever side has won.
        ("gold", "gold", "black"),
        ("black", "black", "gold"),
        ("draw", "gold", "black"),
    ],
)
async def test_on_which_side_somebody_was_rated_is_found_out(
    path: Path, winner: str, anas: str, bens: str
) -> None:
    await create_old_database(5, path)
    with connect_directly(path) as connection:
        connection.execute("UPDATE matches SET winner = ? WHERE id = 1", (winner,))
    async with await Store.open(path):
        pass
    with connect_directly(path) as connection:
        assert connection.execute(
            "SELECT person, side FROM rating_changes ORDER BY person"
        ).fetchall() == [
            (ANA, anas),
            (BEN, bens),
        ]


async def test_an_earlier_file_is_played_on(sample: int, path: Path) -> None:
    async with await Store.open(path) as store:
        assert (await store.get(Matches).apply_update(2, build_step(3, "move"))).version == 4
        challenges = store.get(Challenges)
        result = await challenges.join(3, Seat("black", 0, CYN, "cyn's"), 1, NOW, LIMITS)
        row = await store.get(Matches).load_row(result.match or 0)
        assert row is not None
        assert row.dice == 2
        with pytest.raises(SeatTakenError):
            await challenges.join(1, Seat("black", 0, CYN, "cyn's"), 1, NOW, Limits(9, 9))
        again = await challenges.create(build_challenge(rematch_of=1), SEATS[0], LIMITS)
        assert again.challenge.id == 4


async def test_matches_that_were_running_are_looked_after(sample: int, path: Path) -> None:
    async with await Store.open(path) as store:
        running = await store.get(Matches).load_row(2)
        assert running is not None
        (watch,) = [
            job
            for job in await load_due(store.jobs, running.touched + 61 * DAY, 9)
            if job.kind == WatchClock.kind
        ]
        assert (watch.key, watch.due, watch.detail) == ("2", running.touched + IDLE_LIMIT_MS, {})


async def test_each_job_finds_the_server_that_it_is_of(sample: int, path: Path) -> None:
    """Match 2 is of server 1 in the samples; so is challenge 3."""
    with connect_directly(path) as connection:
        theirs = "SELECT guild FROM matches WHERE id = 2"
        assert connection.execute(theirs).fetchone() == (1,)
    async with await Store.open(path) as store:
        kinds = {(job.kind, job.key): job.guild for job in await load_due(store.jobs, NOW * 2, 20)}
    assert kinds[WatchClock.kind, "2"] == 1
    assert set(kinds.values()) == {1}


async def test_open_challenges_of_earlier_versions_are_shown_anew(sample: int, path: Path) -> None:
    """The buttons of the first two mean nothing now, and all others showed too few digits."""
    async with await Store.open(path) as store:
        due = [(job.kind, job.key) for job in await load_due(store.jobs, NOW * 2, 20)]
    assert due.count(("show challenge", "3")) == 1


async def test_a_ladder_from_before_its_order_was_kept_stands_as_it_did(path: Path) -> None:
    """Its order is kept at the first look, and an open challenge is reminded of a day before."""
    async with await Store.open(path) as store:
        await create_old_ladder(store, 30)
        asked = build_challenge(
            challenger=PEOPLE[-1], opponent=PEOPLE[-2], ladder=1, expires=NOW + 2 * DAY
        )
        made = await store.get(Challenges).create(
            asked, Seat("gold", 0, PEOPLE[-1], "x"), LIMITS, lambda _: []
        )
        await store.jobs.enqueue(1, [Job("lapse", str(made.challenge.id), asked.expires)])
        history = await store.get(Ladders).load_history(1)
    return_file_to_version(path, 37)
    async with await Store.open(path) as store:
        for is_kept in (False, True):
            view = await store.get(Ladders).load_view(1)
            assert view is not None
            assert (view.ladder.last_event is not None) is is_kept
            assert view.order == compute_rungs(history.events, history.challenges)
            assert [each.id for each in view.running] == [made.challenge.id]
            await store.get(Ladders).keep_order(1)
        assert await store.get(Ladders).find_wrong_orders() == []
        (job,) = await load_due(store.jobs, NOW + DAY, 9)
        assert (job.kind, job.due) == ("lapse", NOW + DAY)


async def test_jobs_and_outages_of_one_process_are_dealt_out(path: Path) -> None:
    """What version 10 kept for all belongs to each match's server and to the only shard."""
    async with await Store.open(path) as store:
        await register_people(store, ANA, BEN)
        match = await start_match(store, guild=70)
        await store.get(Matches).save_thread(match, 900)
    wishes = {
        ("show match", "1"): ({}, 70),
        ("tell follower", "1 12"): ({}, 70),
        ("tell news", "1 begun"): ({}, 70),
        ("offer seat", "1:11:13:12"): ({}, 70),
        ("close turn", "555"): ({"match": 1}, 70),
        ("remove", "556"): ({"match": 1}, 70),
        ("archive", "900"): ({}, 70),
        ("greet", "80"): ({}, 80),
        ("show challenge", "1"): ({}, 70),
        ("show match", "404"): ({}, 0),
        ("unheard of", "odd"): ({}, 0),
    }
    return_file_to_version(path, 10)
    with connect_directly(path) as connection:
        connection.execute("INSERT INTO outages VALUES (5, 9)")
        connection.execute("INSERT INTO notes VALUES ('alive', '77')")
        for (kind, key), (detail, _) in wishes.items():
            row = (kind, key, json.dumps(detail))
            connection.execute(
                "INSERT INTO jobs (kind, key, detail, due, created) VALUES (?, ?, ?, 0, 0)", row
            )
    async with await Store.open(path) as store:
        found = {(job.kind, job.key): job.guild for job in await load_due(store.jobs, NOW * 2, 20)}
        assert found == {wish: guild for wish, (_, guild) in wishes.items()}
        assert await store.pauses.load_last_served() == {(0, 1): 77}
        assert await store.pauses.load_relevant([], 0, 70) == [Pause(None, 5, 9)]
        assert await store.metadata.load_value("alive") is None


async def test_the_file_before_lies_beside_it(sample: int, path: Path) -> None:
    before = dump_file(path)
    async with await Store.open(path):
        pass
    file = path.with_name(f"{path.name}.v{sample}.bak")
    assert dump_file(file) == before
    assert (load_file_version(file), load_file_version(path)) == (sample, find_newest_version())
    assert file.stat().st_mode & 0o777 == 0o600


async def count_statements(where: str | Path) -> int:
    """How many statements it takes to open a database."""
    made = 0

    def count(*_: object) -> None:
        nonlocal made
        made += 1

    event.listen(Engine, "before_cursor_execute", count)
    async with await Store.open(where):
        pass
    event.remove(Engine, "before_cursor_execute", count)
    return made


@pytest.mark.sweep
@pytest.mark.wire
# One transaction holds all steps, so versions some way apart are cut short at the steps between.
@pytest.mark.parametrize("earlier", sorted({*VERSIONS[::4], *VERSIONS[-2:]}), indirect=True)
async def test_a_migration_killed_between_its_statements_changes_nothing_and_is_done_the_next_time(
    earlier: int, where: str | Path, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    before = await dump_database(where)
    elsewhere: str | Path = tmp_path / "twin.db"
    if isinstance(where, str):
        server: PostgreSQLServer = request.getfixturevalue("server")
        elsewhere = server.create_database()
    await create_old_database(earlier, elsewhere)
    every = await count_statements(elsewhere)
    # Far from the first version only the last steps are new; from there each step has its turn.
    pieces = 8 if earlier == 1 else 2
    if earlier >= ONE_COLUMN:
        pieces = 1
    for piece in range(1, pieces + 1):
        at = every * piece // (pieces + 1)
        async with fork_process(crash_while_opening, where, at) as program:
            assert await program.wait() == CUT_SHORT
        assert await dump_database(where) == before
    async with await Store.open(where) as store:
        assert await store.find_problems() == []
    assert drop_job_numbers(await dump_database(where)) == drop_job_numbers(
        await dump_database(elsewhere)
    )


def drop_job_numbers(tables: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return tables without the numbers of jobs.

    A server does not reuse a number that was given in vain.
    """
    return {**tables, "jobs": sorted(job.partition(", ")[2] for job in tables["jobs"])}


async def test_every_earlier_version_comes_to_the_same_tables_on_either_database(
    earlier: int, where: str | Path
) -> None:
    async with await Store.open(where) as store:
        kept = await dump_tables(store)
    names = {name for name, rows in kept.items() if rows}
    assert {
        "people",
        "matches",
        "seats",
        "challenges",
        "events",
        "ratings",
        "rating_changes",
        "jobs",
    } <= names
    for version, written in ADDED.items():
        new = {statement.split()[2] for statement in written}
        assert new <= names if version <= earlier else not new & names


async def test_a_full_disk_in_the_middle_changes_nothing(
    sample: int, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sample >= ONE_COLUMN:
        pytest.skip("a column that is empty takes no room")
    before = dump_file(path)
    migrate = migrating.migrate

    def cramped(connection: Connection, where: str) -> None:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        migrate(connection, where)

    monkeypatch.setattr("bot.platform.db.store.migrate", cramped)
    with pytest.raises(StoreError, match=r"has no room left on its disk$"):
        await Store.open(path)
    assert (dump_file(path), load_file_version(path)) == (before, sample)


async def test_the_tables_are_those_that_are_declared(store: Store) -> None:
    def differences(connection: Connection) -> list[Any]:
        opts = {"version_table": VERSION_TABLE, "include_object": _is_reflected_verbatim}
        return list(
            compare_metadata(MigrationContext.configure(connection, opts=opts), load_metadata())
        )

    assert await store._database.read(differences) == []  # noqa: SLF001


def _is_reflected_verbatim(_: object, name: str | None, *__: object) -> bool:
    """Return whether a database shows an object as it was written.

    A database puts an expression in words of its own.
    """
    return name != "rating_standings"


async def test_a_new_file_has_the_tables_of_one_brought_up(
    sample: int, path: Path, tmp_path: Path
) -> None:
    other = tmp_path / "new.db"
    for each in (path, other):
        async with await Store.open(each):
            pass
    assert list_columns(path) == list_columns(other)


def list_columns(path: Path) -> list[tuple[Any, ...]]:
    """Every column of every table, and which tables are strict and without row numbers."""
    with connect_directly(path) as connection:
        # A key is never NULL, whether that is written or not.
        question = """
            SELECT m.name, c.name, c.type, c.pk, c."notnull" OR c.pk, c.dflt_value
            FROM sqlite_master m, pragma_table_info(m.name) c
            WHERE m.type = 'table' ORDER BY m.name, c.cid
        """
        kinds = "SELECT name, strict, wr FROM pragma_table_list WHERE schema = 'main' ORDER BY name"
        return [*connection.execute(question), *connection.execute(kinds)]


async def test_no_key_is_interrupted_by_other_columns(path: Path) -> None:
    """SQLite 3.40 reports a sound table without rowids as damaged if a key is interrupted.

    Such a file is not opened.
    """
    async with await Store.open(path):
        pass
    with connect_directly(path) as connection:
        tables = connection.execute(
            "SELECT name FROM pragma_table_list WHERE wr AND schema = 'main'"
        ).fetchall()
        assert tables
        for (table,) in tables:
            keys = [key for *_, key in connection.execute(f"PRAGMA table_info({table})")]
            assert sorted(keys, key=lambda key: key == 0) == keys, table


async def test_a_file_with_an_outage_is_whole(store: Store, path: Path) -> None:
    await store.pauses.record_presence([0], 1, NOW + 5, [Outage(0, 1, NOW, NOW + 5)])
    assert await store.find_problems() == []
