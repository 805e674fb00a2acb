"""What the doctor finds, one line each, and what is left when it has mended what can be."""

import errno
import gzip
import os
import re
import shutil
import sqlite3
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import Connection, event, text
from sqlalchemy.pool import Pool

from bot.features.matches.service import resign_match
from bot.features.matches.store import Matches
from bot.features.pages.folder import MARK
from bot.ops import replay_checks
from bot.ops.doctor import DoctorOptions, RepairMode, examine_and_repair
from bot.platform.db import schema, shards
from bot.platform.db.errors import StoreError
from bot.platform.db.migration import find_newest_version
from bot.platform.db.opening import find_change
from bot.platform.db.store import Store
from bot.platform.db.tables import now_ms
from engine.clock import DAY, HOUR
from engine.players.files import TABLES, WEIGHTS
from tests.support.match_season import ANA, BEGAN, BEN, CYN, MatchSeason
from tests.support.postgresql import PostgreSQLServer
from tests.support.programs import hold_database
from tests.support.stored import (
    connect_directly,
    corrupt_table,
    dump_file,
    dump_tables,
    load_given_up,
)
from tests.support.sweeps import mark_sweeps

pytestmark = [pytest.mark.asyncio, pytest.mark.usefixtures("no_nets")]

LATE = BEGAN + 3 * DAY + HOUR
"""An instant after the season, at which nothing is due."""
PAGE_BYTES = 4096
"""A page of a file of SQLite's."""


@pytest.fixture
def no_nets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program without nets: to look whether all are sound takes longer than to look at a season.

    Tests of the whole program, and of the nets, have them.
    """
    monkeypatch.setattr("bot.ops.doctor.WEIGHTS", tmp_path / "none")


async def change_database(where: str, *statements: str) -> None:
    """Change a database behind the bot's back; a server holds references whatever one does."""
    if "://" not in where:
        with connect_directly(Path(where)) as connection:
            connection.execute("PRAGMA foreign_keys = OFF")
            connection.execute("PRAGMA ignore_check_constraints = ON")
            for statement in statements:
                connection.execute(statement)
        # Otherwise the doctor would say that somebody did.
        Path(f"{where}.sum").unlink(missing_ok=True)
        return

    def work(connection: Connection) -> None:
        for statement in statements:
            connection.execute(text(statement.replace(":", "\\:")))

    async with await Store.open(where) as store:
        await store._database.write(work)  # noqa: SLF001


async def format_missing_event(where: str) -> str:
    """Return the report on match 8 with one event missing.

    The computer plays that match as it has learnt to.
    """
    async with await Store.open_read_only(where) as store:
        there = len(await store.get(Matches).load_events(8))
    return f"match 8 should have the events 1 to {there}, but has {there - 1}"


async def dump_database(where: str) -> dict[str, list[str]]:
    """All that a database says."""
    async with await Store.open_read_only(where) as store:
        found = await dump_tables(store)
    # A job that waits again has been renewed.
    found["jobs"] = [re.sub(r"datetime\S+", "", job) for job in found["jobs"]]
    return found


async def call_doctor(
    where: str,
    repair: RepairMode = RepairMode.NOT,
    answer: bool = True,
    now: int = LATE,
    copies: Path | None = None,
    tables: Path | None = None,
) -> tuple[bool, list[str]]:
    """Whether nothing is wrong, and what the doctor says but for how fast it was."""
    texts: list[str] = []
    clean = await examine_and_repair(
        DoctorOptions(where, None, lambda: now, (), repair, copies=copies, tables=tables),
        texts.append,
        lambda _: answer,
    )
    return clean, [line for line in texts if " replayed in " not in line]


MENDS = "; `tabula doctor --repair` mends what it can, and tells before what it will do"


async def test_nothing_is_wrong_after_a_season(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.ops.doctor.WEIGHTS", WEIGHTS)
    before = await dump_database(where)
    texts: list[str] = []
    assert await examine_and_repair(
        DoctorOptions(where, None, lambda: LATE), texts.append, lambda _: False
    )
    assert len(texts) == 2
    assert re.fullmatch(
        r"8 matches with \d+ events replayed in \d+\.\d s, \d+ matches a second\.", texts[0]
    )
    assert texts[1] == "Nothing is wrong."
    assert await dump_database(where) == before


async def test_a_folder_for_pages_that_cannot_be_used(
    new: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Without matches, which take the doctor longest.
    folder = tmp_path / "pages"

    async def find_problem() -> str:
        texts: list[str] = []
        options = DoctorOptions(str(new), None, lambda: LATE, pages=folder)
        clean = await examine_and_repair(options, texts.append, lambda _: False)
        assert clean is (len(texts) == 2)
        return texts[0] if len(texts) > 2 else ""

    assert (
        await find_problem() == f"no pages are written, since their folder {folder} doesn't exist"
    )
    folder.mkdir()
    assert await find_problem() == ""
    (folder / "index.html").touch()
    assert await find_problem() == (
        f"no pages are written, since their folder {folder} has other files in it; TABULA_PAGES "
        "needs a folder of its own"
    )
    (folder / MARK).touch()
    assert await find_problem() == ""
    usage = shutil.disk_usage(folder)._replace(free=1_999_999)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert await find_problem() == (
        f"the disk of the pages' folder {folder} is full: 1 MB are free"
    )


@pytest.mark.sweep
async def test_a_damaged_net_is_told(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "zeno.npz").write_bytes(b"no net")
    monkeypatch.setattr("bot.ops.doctor.WEIGHTS", tmp_path)
    clean, texts = await call_doctor(where)
    assert not clean
    assert texts[0].startswith("zeno.npz is damaged: ")
    assert texts[0].endswith("; the computer cannot play by it, so reinstall Tabula")


@pytest.mark.sweep
async def test_a_damaged_or_missing_table_is_told(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped, own = tmp_path / "shipped", tmp_path / "own"
    shutil.copytree(TABLES, shipped)
    own.mkdir()
    monkeypatch.setattr("bot.ops.doctor.TABLES", shipped)
    (shipped / "twelve-dogs.npz").unlink()
    (shipped / "doblet.npz").write_bytes(b"no table")
    (own / "doblet.unusable=lost.npz").write_bytes(b"no table")
    # What `make solve` is writing at this moment.
    for suffix in (".npz", ".npy"):
        (own / f"paume-carie-one.part{suffix}").write_bytes(b"no table yet")
    clean, texts = await call_doctor(where, tables=own)
    assert not clean
    judged = "; its game is judged by a net, so"
    assert texts[0] == f"twelve-dogs.npz is missing{judged} reinstall Tabula"
    own_text, text = sorted(texts[1:3], reverse=True)
    assert own_text.startswith("doblet.unusable=lost.npz is damaged: ")
    assert own_text.endswith(f"{judged} write it again")
    assert text.startswith("doblet.npz is damaged: ")
    assert text.endswith(f"{judged} reinstall Tabula")
    assert not any(".part." in text for text in texts)
    _, texts = await call_doctor(where, tables=tmp_path / "nowhere")
    assert f"TABULA_TABLES names {tmp_path / 'nowhere'}, which is no folder" in texts
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    _, texts = await call_doctor(where, tables=loop)
    assert any(
        text.startswith(f"TABULA_TABLES names {loop}, which can't be read: ") for text in texts
    )


ROW = "its row does not say what its events come to"


CYNS = f"scope = 'server:1' AND pool = 'all' AND person = {CYN.id}"


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("spoilt", "texts"),
    [
        ("UPDATE matches SET snapshot = '{}' WHERE id = 8", [f"match 8: {ROW}"]),
        ("UPDATE matches SET touched = touched + 1 WHERE id = 8", [f"match 8: {ROW}"]),
        ("UPDATE matches SET ended = ended + 1 WHERE id = 3", [f"match 3: {ROW}"]),
        (
            "UPDATE matches SET how = 'resigned', parts = '{\"side\": \"gold\"}' WHERE id = 5",
            [f"match 5: {ROW}"],
        ),
        (
            (
                "UPDATE ratings SET mu = mu + 0.5 WHERE scope = 'everywhere' AND pool = 'zeno' "
                f"AND person = {CYN.id}"
            ),
            [
                (
                    f"the rating of {CYN.id} on the board everywhere, "
                    "zeno is not what their matches have made of it"
                )
            ],
        ),
        (
            f"UPDATE ratings SET won = won + 1, games = games + 1 WHERE {CYNS}",
            [
                (
                    f"the rating of {CYN.id} on the board server:1, "
                    "all is not what their matches have made of it"
                )
            ],
        ),
        (
            (
                "DELETE FROM ratings WHERE scope = 'everywhere' AND pool = 'zeno' "
                f"AND person = {CYN.id}"
            ),
            [
                (
                    f"the rating of {CYN.id} on the board everywhere, "
                    "zeno is not what their matches have made of it"
                )
            ],
        ),
        (
            (
                "UPDATE rating_changes SET side = 'gold' WHERE match = 4 AND scope = 'everywhere' "
                "AND pool = 'backgammon'"
            ),
            [
                (
                    "match 4: what it did to the board everywhere, "
                    "backgammon is not what its result comes to"
                ),
                (
                    "the rating of 1003 on the board everywhere, "
                    "backgammon is not what their matches have made of it"
                ),
            ],
        ),
        (
            "DELETE FROM rating_changes WHERE match = 3 AND scope = 'everywhere' AND pool = 'zeno'",
            [
                (
                    "match 3: what it did to the board everywhere, "
                    "zeno is not what its result comes to"
                ),
                (
                    "the rating of 1001 on the board everywhere, "
                    "zeno is not what their matches have made of it"
                ),
                (
                    "the rating of 1002 on the board everywhere, "
                    "zeno is not what their matches have made of it"
                ),
            ],
        ),
    ],
)
async def test_what_events_say_is_written_again_from_them(
    where: str, spoilt: str, texts: list[str]
) -> None:
    before = await dump_database(where)
    await change_database(where, spoilt)
    after = await dump_database(where)
    assert after != before
    things = "1 thing is" if len(texts) == 1 else f"{len(texts)} things are"
    assert await call_doctor(where) == (False, [*texts, f"{things} wrong{MENDS}."])
    assert await dump_database(where) == after
    clean, lines = await call_doctor(where, RepairMode.AT_ONCE)
    assert clean
    assert lines[: len(texts) + 1] == [*texts, "To mend it I will:"]
    assert lines[-2:] == ["Done; looking again.", "Nothing is wrong."]
    assert await dump_database(where) == before


async def test_a_wrong_winner_is_put_right_before_ratings_are(where: str) -> None:
    before = await dump_database(where)
    await change_database(where, "UPDATE matches SET winner = 'draw' WHERE id = 4")
    clean, texts = await call_doctor(where, RepairMode.AT_ONCE)
    assert texts[0] == f"match 4: {ROW}"
    assert "- write the row of match 4 from its events" in texts
    assert clean
    assert await dump_database(where) == before


@pytest.mark.sweep
async def test_a_board_that_an_annulled_match_still_counts_on(where: str) -> None:
    before = await dump_database(where)
    await change_database(
        where,
        "INSERT INTO rating_changes (match, scope, pool, person, before_mu, before_sigma, "
        "after_mu, after_sigma, side) "
        "SELECT 5, scope, pool, person, mu, sigma, 26.5, 7.5, 'gold' FROM ratings "
        f"WHERE person = {CYN.id} AND scope = 'everywhere' AND pool = 'backgammon'",
        "UPDATE ratings SET mu = 26.5, sigma = 7.5, drawn = drawn + 1, games = games + 1 "
        f"WHERE person = {CYN.id} AND scope = 'everywhere' AND pool = 'backgammon'",
    )
    sentence = (
        "match 5: what it did to the board everywhere, backgammon is not what its result comes to"
    )
    assert await call_doctor(where) == (False, [sentence, f"1 thing is wrong{MENDS}."])
    assert (await call_doctor(where, RepairMode.AT_ONCE))[0]
    assert await dump_database(where) == before


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("spoilt", "sentence"),
    [
        (
            "DELETE FROM jobs WHERE kind = 'watch'",
            "match 8: it goes on, and no job “watch” waits for it",
        ),
        (
            "UPDATE matches SET shown = shown - 1 WHERE id = 8",
            "match 8: it goes on, and no job “show match” waits for it",
        ),
        (
            "UPDATE matches SET message = NULL WHERE id = 8",
            "match 8: it goes on, and no job “show match” waits for it",
        ),
        (
            "DELETE FROM jobs WHERE kind = 'lapse'",
            "challenge 9 is open, and no job waits to close it",
        ),
        (
            (
                "UPDATE jobs SET given_up = 1800000000000, error = 'GiveUp: it is gone' "
                "WHERE kind = 'watch'"
            ),
            "the job “watch 8” was given up on 2027-01-15 08:00 UTC: GiveUp: it is gone",
        ),
        (
            (
                "INSERT INTO jobs (kind, key, detail, due, created) "
                "VALUES ('show match', '77', '{}', 1, 1)"
            ),
            "the job “show match 77” is about what is not there",
        ),
        (
            (
                "INSERT INTO jobs (kind, key, detail, due, created) "
                "VALUES ('close turn', '5', '{\"match\": 77}', 1, 1)"
            ),
            "the job “close turn 5” is about what is not there",
        ),
        (
            (
                "INSERT INTO jobs (kind, key, detail, due, created) "
                "VALUES ('offer seat', '77:1:2:3', '{}', 1, 1)"
            ),
            "the job “offer seat 77:1:2:3” is about what is not there",
        ),
        (
            (
                "INSERT INTO jobs (kind, key, detail, due, created) "
                "VALUES ('notify subscriber', '77 1', '{}', 1, 1)"
            ),
            "the job “notify subscriber 77 1” is about what is not there",
        ),
        (
            (
                "INSERT INTO jobs (kind, key, detail, due, created) "
                "VALUES ('notify subscribers', '77', '{}', 1, 1)"
            ),
            "the job “notify subscribers 77” is about what is not there",
        ),
        (
            "INSERT INTO jobs (kind, key, detail, due, created) VALUES ('lapse', '77', '{}', 1, 1)",
            "the job “lapse 77” is about what is not there",
        ),
        (
            "INSERT INTO jobs (kind, key, detail, due, created) VALUES ('dance', '77', '{}', 1, 1)",
            "the job “dance 77” is of a kind that this program does not know",
        ),
        (
            (
                "INSERT INTO jobs (kind, key, detail, due, created) "
                "VALUES ('report', 'x77', '{}', 1, 1)"
            ),
            "the job “report x77” is malformed: its key names no match",
        ),
        (
            (
                "INSERT INTO jobs (kind, key, detail, due, created) "
                "VALUES ('remove', '77', '[]', 1, 1)"
            ),
            "the job “remove 77” is malformed: its detail is no object in JSON",
        ),
        (
            "INSERT INTO jobs (kind, key, detail, due, created) VALUES ('throw', '8', '{}', 1, 1)",
            "the job “throw 8” is malformed: its detail lacks version",
        ),
        (
            (
                "INSERT INTO jobs (kind, key, detail, due, created) "
                "VALUES ('remove', '77', '{\"match\": null}', 1, 1)"
            ),
            "the job “remove 77” is malformed: it does not say what it is about",
        ),
    ],
)
async def test_jobs_are_as_they_should_be_again(where: str, spoilt: str, sentence: str) -> None:
    await change_database(where, spoilt)
    assert await call_doctor(where) == (False, [sentence, f"1 thing is wrong{MENDS}."])
    clean, texts = await call_doctor(where, RepairMode.AT_ONCE)
    assert clean, texts
    async with await Store.open_read_only(where) as store:
        jobs = {(job.kind, job.key) for job in await store.jobs.load_all()}
        assert {("watch", "8"), ("lapse", "9")} <= jobs
        assert not any("77" in key for _, key in jobs)
        assert await load_given_up(store.jobs) == []


BATTLED = '{"v": 1, "event": "battled", "gold": [1, 1, 1], "black": [6, 6, 6]}'


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("spoilt", "sentence"),
    [
        (
            "DELETE FROM events WHERE match = 8 AND version = 5",
            r"match 8 should have the events 1 to \d+, but has [1-9]\d*",
        ),
        (
            "DELETE FROM events WHERE match = 8",
            r"match 8 should have the events 1 to \d+, but has 0",
        ),
        (
            f"UPDATE events SET record = '{BATTLED}' WHERE match = 8 AND version = 1",
            (
                r"match 8: After 0 correct throws, event 1 records 1, 1, 1, but the secret gives "
                r"\d, \d, \d"
            ),
        ),
        (
            (
                'UPDATE events SET record = \'{"v": 1, "event": "left"}\' WHERE match = 8 '
                "AND version = 1"
            ),
            r"match 8: After 0 correct throws, event 1 breaks the rules: .+",
        ),
        (
            (
                'UPDATE events SET record = \'{"v": 1, "event": "danced"}\' WHERE match = 8 '
                "AND version = 3"
            ),
            r"match 8: its events cannot be read: .+",
        ),
        (
            "UPDATE events SET record = '[]' WHERE match = 8 AND version = 3",
            r"match 8: its events cannot be read: .+",
        ),
        (
            "UPDATE matches SET commitment = 'c0ffee' WHERE id = 8",
            r"match 8: After 0 correct throws, the secret doesn't match the published commitment",
        ),
        (
            "UPDATE matches SET edition = 99 WHERE id = 8",
            (
                r"match 8: this program cannot replay it: .+ has no edition 99 of its rules here, "
                r"only editions 1, 2 and 3"
            ),
        ),
        (
            "UPDATE matches SET game = 'chess' WHERE id = 8",
            r"match 8: this program cannot replay it: there's no game called chess.*",
        ),
        (
            "DELETE FROM seats WHERE match = 8 AND side = 'gold'",
            r"match 8: nobody sits on one of its sides",
        ),
    ],
)
async def test_what_nothing_tells_is_told_and_left_alone(
    where: str, spoilt: str, sentence: str
) -> None:
    await change_database(where, spoilt)
    before = await dump_database(where)
    for repair in RepairMode:
        clean, texts = await call_doctor(where, repair)
        assert not clean
        assert re.fullmatch(sentence, texts[0])
        assert texts[-1] == f"{len(texts) - 1} thing{'s are' if len(texts) > 2 else ' is'} wrong."
    assert await dump_database(where) == before


SECOND_MATCH = "UPDATE matches SET snapshot = '{}' WHERE id = 8"
"""Damage that is found only where all matches are gone through."""


@pytest.mark.parametrize(
    ("spoilt", "sentence"),
    [
        pytest.param(
            "UPDATE matches SET former = '[7]' WHERE id = 3",
            r"match 3: what is stored of it cannot be read: .+",
            marks=pytest.mark.sweep,
        ),
        (
            "UPDATE matches SET options = '[7]' WHERE id = 3",
            r"match 3: its events cannot be read: .+",
        ),
        pytest.param(
            "UPDATE matches SET pace = 'now and then' WHERE id = 3",
            r"match 3: .+",
            marks=pytest.mark.sweep,
        ),
    ],
)
async def test_a_match_that_cannot_be_read_hides_no_other(
    where: str, spoilt: str, sentence: str
) -> None:
    await change_database(where, spoilt, SECOND_MATCH)
    clean, texts = await call_doctor(where)
    assert not clean
    assert re.fullmatch(sentence, next(line for line in texts if line.startswith("match 3")))
    assert f"match 8: {ROW}" in texts


@pytest.mark.parametrize(
    "stored", mark_sweeps(["no JSON", '{"v": 1e400}', ""], {'{"v": 1e400}'}.__contains__)
)
@pytest.mark.parametrize(
    "column", ["events SET record", "matches SET options", "matches SET snapshot"]
)
async def test_what_is_no_json_is_named_and_the_rest_examined(
    file: Path, column: str, stored: str
) -> None:
    """A server checks by itself that documents are JSON."""
    which = "match = 3 AND version = 2" if "events" in column else "id = 3"
    await change_database(str(file), f"UPDATE {column} = '{stored}' WHERE {which}", SECOND_MATCH)
    _, texts = await call_doctor(str(file))
    (sentence,) = [line for line in texts if line.startswith("match 3")]
    assert sentence.startswith("match 3: what is stored of it cannot be read: ")
    assert f"match 8: {ROW}" in texts


@pytest.mark.parametrize(
    ("spoilt", "sentence"),
    [
        ("DROP TABLE streaks", "the table streaks is missing"),
        pytest.param(
            "ALTER TABLE looks DROP COLUMN theme",
            "the table looks lacks the column theme",
            marks=pytest.mark.sweep,
        ),
        (
            "ALTER TABLE looks ADD COLUMN odd INTEGER",
            "the table looks has a column odd that is not Tabula's",
        ),
        pytest.param(
            "CREATE TABLE stray (id INTEGER)",
            "the table stray is not one of Tabula's",
            marks=pytest.mark.sweep,
        ),
        pytest.param(
            "DROP INDEX matches_of", "the index matches_of is missing", marks=pytest.mark.sweep
        ),
        ("DROP INDEX rating_standings", "the index rating_standings is missing"),
        pytest.param(
            "CREATE INDEX stray ON seats (contribution)",
            "the table seats has an index stray that is not Tabula's",
            marks=pytest.mark.sweep,
        ),
    ],
)
async def test_tables_that_are_not_as_they_should_be(
    where: str, spoilt: str, sentence: str
) -> None:
    await change_database(where, spoilt)
    assert await call_doctor(where) == (False, [sentence, "1 thing is wrong."])
    await change_database(where, SECOND_MATCH)
    assert (await call_doctor(where))[1][:2] == [sentence, f"match 8: {ROW}"]


async def test_a_column_without_which_matches_cannot_be_read(where: str) -> None:
    await change_database(where, "ALTER TABLE matches DROP COLUMN thread")
    _, texts = await call_doctor(where)
    assert texts[0] == "the table matches lacks the column thread"


GUARDED = [
    (
        "ALTER TABLE seats DROP CONSTRAINT seats_side_check",
        r"the table seats should have \d+ guards.*",
    ),
    (
        "ALTER TABLE jobs DROP CONSTRAINT jobs_kind_key_key",
        "the table jobs lacks the uniqueness of .*",
    ),
    (
        "ALTER TABLE seats DROP CONSTRAINT seats_person_fkey",
        "the table seats lacks the reference of .*",
    ),
    ("ALTER TABLE memos DROP CONSTRAINT memos_pkey", "the table memos lacks the primary key of .*"),
    (
        "ALTER TABLE looks ALTER COLUMN theme TYPE bigint USING 1",
        "the column theme of the table .*",
    ),
    ("ALTER TABLE looks ALTER COLUMN seat DROP NOT NULL", "the column seat of the table looks .*"),
]


@pytest.mark.sweep
async def test_constraints_that_a_server_lacks(on_server: str, server: PostgreSQLServer) -> None:
    for spoilt, sentence in GUARDED:
        with server.lend_database(server.clone_database(on_server)) as address:
            await change_database(address, spoilt)
            _, texts = await call_doctor(address)
            assert re.fullmatch(sentence, texts[0]), texts


async def test_a_guard_that_a_file_lacks(file: Path) -> None:
    with connect_directly(file) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "UPDATE sqlite_master SET sql = replace(sql, 'CHECK (number >= 0)', "
            "'CHECK (number >= -9)') WHERE name = 'seats'"
        )
    _, texts = await call_doctor(str(file))
    assert texts[0] == "the table seats lacks the guard number >= 0"


async def test_the_database_that_shows_all_guards_is_closed_again() -> None:
    opened: list[sqlite3.Connection] = []

    def note_connection(connection: sqlite3.Connection, _: object) -> None:
        opened.append(connection)

    event.listen(Pool, "connect", note_connection)
    try:
        assert schema.make_new_file.__wrapped__()
    finally:
        event.remove(Pool, "connect", note_connection)
    (connection,) = opened
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")


@pytest.mark.sweep
async def test_a_job_that_is_there_twice(where: str) -> None:
    """Of those that do the same the one with the usual key stays."""
    await change_database(
        where,
        "INSERT INTO jobs (kind, key, detail, due, created) VALUES ('watch', '08', '{}', 1, 1)",
    )
    sentence = "the job “watch 08” is there twice"
    assert await call_doctor(where) == (False, [sentence, f"1 thing is wrong{MENDS}."])
    assert (await call_doctor(where, RepairMode.AT_ONCE))[1][-1] == "Nothing is wrong."


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("spoilt", "sentence"),
    [
        (
            "UPDATE challenges SET options = '{\"dice\": \"nine\"}' WHERE state = 'open'",
            r"challenge 9: .+",
        ),
        ("UPDATE challenges SET options = '[7]' WHERE state = 'open'", r"challenge 9: .+"),
        (
            "UPDATE challenges SET game = 'chess' WHERE state = 'open'",
            r"challenge 9: there's no game called chess; .+",
        ),
        (
            "DELETE FROM challenge_seats WHERE challenge = 9",
            r"challenge 9 is open, and nobody sits in it",
        ),
        (
            "INSERT INTO servers (guild, pace, channels) VALUES (5, 'day', '7')",
            r"the settings of server 5 cannot be read: .+",
        ),
        (
            "INSERT INTO servers (guild, pace, channels) VALUES (5, 'day', '[\"here\"]')",
            r"the settings of server 5 name channels or hours that are none",
        ),
        (
            "INSERT INTO servers (guild, pace) VALUES (5, 'now and then')",
            r"the settings of server 5 cannot be read: .+",
        ),
    ],
)
async def test_challenges_and_settings_that_mean_nothing(
    where: str, spoilt: str, sentence: str
) -> None:
    await change_database(where, spoilt)
    clean, texts = await call_doctor(where)
    assert not clean
    assert re.fullmatch(sentence, texts[0]), texts
    assert texts[1:] == ["1 thing is wrong."]


async def test_a_result_that_came_before_its_time(where: str) -> None:
    """The time of the last event of match 4 is put back by the days for which it was waited."""
    await change_database(
        where,
        "UPDATE events SET at = at - 250000000 "
        "WHERE match = 4 AND version = (SELECT version FROM matches WHERE id = 4)",
    )
    _, texts = await call_doctor(where)
    assert re.fullmatch(
        r"match 4: After \d+ correct throws, event \d+ was recorded before the time was up",
        texts[0],
    )


async def test_nothing_is_mended_without_a_yes(where: str) -> None:
    await change_database(where, "UPDATE matches SET snapshot = '{}' WHERE id = 8")
    before = await dump_database(where)
    questions: list[str] = []

    def no(question: str) -> bool:
        questions.append(question)
        return False

    texts: list[str] = []
    assert not await examine_and_repair(
        DoctorOptions(where, None, lambda: LATE, (), RepairMode.ASK_FIRST), texts.append, no
    )
    assert questions == ["Shall I?"]
    assert texts[2:] == [
        "To mend it I will:",
        "- write the row of match 8 from its events",
        "Nothing was changed.",
    ]
    assert await dump_database(where) == before
    assert (await call_doctor(where, RepairMode.ASK_FIRST))[0]


async def test_nothing_is_mended_while_a_bot_runs(where: str) -> None:
    await change_database(where, "UPDATE matches SET snapshot = '{}' WHERE id = 8")
    before = await dump_database(where)
    async with hold_database(where):
        with pytest.raises(
            StoreError,
            match=r"^nothing was changed: another Tabula uses the database; stop it first$",
        ):
            await call_doctor(where, RepairMode.AT_ONCE)
    assert await dump_database(where) == before


async def test_a_job_that_nobody_does_while_the_bot_runs(where: str) -> None:
    await change_database(where, "UPDATE jobs SET due = 1800000000000 WHERE kind = 'watch'")
    sentence = (
        "the job “watch 8” is due since 2027-01-15 08:00 UTC, and the bot, which runs, "
        "does not do it"
    )
    assert (await call_doctor(where))[0]
    async with hold_database(where):
        assert await call_doctor(where) == (False, [sentence, "1 thing is wrong."])


async def test_a_job_that_fails_again_and_again(where: str) -> None:
    await change_database(
        where, "UPDATE jobs SET tries = 9, error = 'Forbidden: no' WHERE kind = 'watch'"
    )
    sentence = (
        "the job “watch 8” has failed 9 times, the last time by Forbidden: no; it is tried on"
    )
    assert await call_doctor(where) == (False, [sentence, "1 thing is wrong."])


async def test_a_file_whose_rows_refer_to_nothing(file: Path) -> None:
    await change_database(str(file), "DELETE FROM people WHERE id = 1003")
    _, texts = await call_doctor(str(file))
    assert "a row of seats refers to a row of people that is not there" in texts


async def test_a_damaged_file(file: Path) -> None:
    corrupt_table(file, "events")
    assert await call_doctor(str(file)) == (
        False,
        [f"{file} is damaged; restore a backup", "1 thing is wrong."],
    )


async def test_any_bit_that_has_changed_since_the_file_was_closed(file: Path) -> None:
    async with await Store.open(file):
        pass
    assert find_change(file) is None
    whole, chance = file.read_bytes(), Random(7)
    assert len(whole) > 50 * PAGE_BYTES
    for page in range(0, len(whole), PAGE_BYTES):
        spoilt = bytearray(whole)
        spoilt[page + chance.randrange(PAGE_BYTES)] ^= 1 << chance.randrange(8)
        file.write_bytes(spoilt)
        assert find_change(file), f"page {page // PAGE_BYTES}"
    # A name is damaged, which breaks no rule of the file's structure.
    assert whole.count(b"Ana") > 0
    file.write_bytes(whole.replace(b"Ana", b"Aoa", 1))
    is_well, texts = await call_doctor(str(file))
    assert not is_well
    assert texts[0].startswith(f"{file} has changed since it was closed; ")
    file.write_bytes(whole)
    assert (await call_doctor(str(file)))[0]


async def test_a_file_that_is_open_or_was_left_by_a_kill_is_not_taken_for_changed(
    file: Path, tmp_path: Path
) -> None:
    async with await Store.open(file) as store:
        await store.metadata.save("something", "new")
        assert find_change(file) is None
        # What a kill leaves: the file and its log as they are.
        left = tmp_path / "left.db"
        for end in ("", "-wal"):
            copied = Path(f"{file}{end}").read_bytes()
            Path(f"{left}{end}").write_bytes(copied)
        assert find_change(left) is None
    assert find_change(file) is None


async def test_before_the_first_start_nothing_is_wrong(tmp_path: Path) -> None:
    where = tmp_path / "tabula.sqlite3"
    assert await call_doctor(str(where)) == (
        True,
        [
            f"There is no database yet: the first `tabula run` makes {where}.",
            "Nothing is wrong.",
        ],
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("beside", ["none.db.lock", "none.db.deletions", "none.db-wal"])
async def test_a_file_that_is_not_there_any_more(tmp_path: Path, beside: str) -> None:
    where = tmp_path / "none.db"
    (tmp_path / beside).touch()
    assert await call_doctor(str(where)) == (
        False,
        [f"there is no file {where}", "1 thing is wrong."],
    )
    assert list(tmp_path.iterdir()) == [tmp_path / beside]


async def test_a_file_of_an_earlier_version_is_left_so(path: Path) -> None:
    sample = Path(__file__).parents[1] / "store" / "samples" / "v5.sqlite3.gz"
    path.write_bytes(gzip.decompress(sample.read_bytes()))
    before = dump_file(path)
    sentence = (
        f"{path} is of version 5, and this program's is {find_newest_version()}; "
        "`tabula run` brings it up to date"
    )
    assert await call_doctor(str(path)) == (False, [sentence, "1 thing is wrong."])
    assert dump_file(path) == before


@pytest.mark.sweep
async def test_a_season_is_judged_by_several_processes_as_by_none(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await change_database(where, "UPDATE matches SET snapshot = '{}' WHERE id IN (2, 8)")
    alone = await call_doctor(where)
    monkeypatch.setattr(replay_checks, "PAGE", 2)
    assert await call_doctor(where) == alone
    assert len(alone[1]) == 3


@pytest.mark.sweep
async def test_ratings_that_were_worked_out_in_another_order_are_no_fault(
    store: Store, where: str
) -> None:
    """Two matches of one person end in the same millisecond.

    On a server either may be rated first.
    """
    season = MatchSeason(store, now=LATE - HOUR + 60_000)
    first = await season.start_match("backgammon", ANA, BEN)
    second = await season.start_match("backgammon", ANA, CYN)
    for match in (second, first):
        # Of two that end at one instant the later number is rated first.
        season.now = LATE - 1000
        await resign_match(season.app, season.build_action(match, ANA))
        await season.show_match(match)
    await store.close()
    assert await call_doctor(where) == (True, ["Nothing is wrong."])


async def test_a_disk_that_takes_nothing_is_a_finding(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", refuse)
    well, texts = await call_doctor(str(file))
    assert not well
    assert f"{file} cannot take a change: {file.parent}: No space left on device" in texts


@pytest.mark.parametrize("place", ["plain/copies", "plain", "/proc/copies"])
async def test_a_folder_of_copies_that_cannot_be_is_a_finding(
    file: Path, tmp_path: Path, place: str
) -> None:
    (tmp_path / "plain").touch()
    well, texts = await call_doctor(str(file), copies=tmp_path / place)
    assert not well
    assert [text for text in texts if text.startswith("no nightly copy can be written: ")]


async def test_a_folder_of_copies_may_be_made_later(file: Path, tmp_path: Path) -> None:
    well, texts = await call_doctor(str(file), copies=tmp_path / "new" / "copies")
    assert (well, texts[-1]) == (True, "Nothing is wrong.")
    assert not (tmp_path / "new").exists()


@pytest.mark.sweep
@pytest.mark.parametrize(("ahead_ms", "way"), [(90_400, "ahead of"), (-90_400, "behind")])
async def test_a_clock_that_differs_from_the_database_s_is_told(
    server: PostgreSQLServer,
    on_server: str,
    monkeypatch: pytest.MonkeyPatch,
    ahead_ms: int,
    way: str,
) -> None:
    address = server.clone_database(on_server)
    monkeypatch.setattr(shards, "now_ms", lambda: now_ms() + ahead_ms)
    _, texts = await call_doctor(address)
    assert texts == [
        f"the clock of this machine is 90 s {way} the database's; set both by NTP",
        "1 thing is wrong.",
    ]


@pytest.mark.sweep
async def test_a_server_that_takes_no_change_is_told(
    server: PostgreSQLServer, on_server: str
) -> None:
    address = server.clone_database(on_server)
    name = address.rpartition("/")[2]
    server.execute_sql("CREATE ROLE visitor LOGIN")
    server.execute_sql("GRANT SELECT ON ALL TABLES IN SCHEMA public TO visitor", name)
    before = await dump_database(address)
    assert await call_doctor(address) == (True, ["Nothing is wrong."])
    _, texts = await call_doctor(address.replace("tabula@", "visitor@"))
    where = address.rpartition("@")[2].removesuffix(f"/{name}")
    assert texts == [
        f"the database {name} on {where} may not be changed by this user; grant what is missing",
        "1 thing is wrong.",
    ]
    # The trial is undone.
    assert await dump_database(address) == before
