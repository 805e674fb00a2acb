"""A file moves to a server whole or not at all, and every match of it is replayed there."""

import asyncio
import gzip
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import Connection

from bot.features.contests.store import Contests
from bot.features.contests.tables import Entrant
from bot.features.matches import loading
from bot.features.notifications.store import Subscriptions
from bot.features.preferences import service as preferences
from bot.features.preferences.service import save_note
from bot.features.preferences.store import Blocks
from bot.features.privacy.store import PersonalData
from bot.features.puzzles import service as puzzles
from bot.ops.checked_backups import move_to_server
from bot.platform.context import App
from bot.platform.db.errors import StoreError
from bot.platform.db.preferences import BoardStyle, PlayerPreferences, Reminder
from bot.platform.db.rows import Job, Outage
from bot.platform.db.shards import Shards
from bot.platform.db.store import Store
from bot.platform.db.tables import now_ms
from engine.match import Phase
from tests.store.test_contests import build_contest
from tests.support.forks import fork_with_pipe
from tests.support.played import ANA, BEN, GUILD, play_match
from tests.support.postgresql import PostgreSQLServer
from tests.support.programs import carry_halfway
from tests.support.stored import connect_directly, dump_tables

pytestmark = pytest.mark.asyncio
SAMPLES = Path(__file__).parents[1] / "store" / "samples"


@pytest_asyncio.fixture
async def club(path: Path) -> AsyncIterator[Path]:
    """A file with a rated match that is over, one that runs, and something in most tables."""
    async with await Store.open(path) as store:
        app = App(store, now_ms, secrets.token_bytes)
        over = await play_match(app, 1000)
        running = await play_match(app, 9)
        assert (await loading.load_session(app, over)).match.phase is Phase.OVER
        chosen = PlayerPreferences(Reminder.NEVER, throws=False, zone="Europe/Berlin")
        await preferences.change_preferences(app, BEN, lambda _: chosen)
        await preferences.start_vacation(app, ANA, 3)
        await save_note(app, BEN, GUILD, running, "Watch the sixth point")
        await puzzles.load_daily_puzzle(app, puzzles.PuzzlePlace(puzzles.SERVER, 7), ANA.id)
        await store.board_styles.save("person", ANA.id, BoardStyle("roman", "mine", numbered=True))
        await store.servers.update_settings(5, lambda before: before)
        await store.people.save_name(13, "Cyn", 1)
        await store.get(Blocks).add(ANA.id, 13)
        await store.pauses.record_presence([0], 1, 90, [Outage(0, 1, 5, 50)])
        await store.metadata.save("commands", "digest")
        await store.get(Subscriptions).add(ANA.id, 5, "zeno", 9)
        await store.get(PersonalData).begin_export(ANA.id, 5, 1)
        league, _ = await store.get(Contests).create(build_contest(organiser=ANA.id), lambda _: [])
        entrant = Entrant(ANA.id, "5", 1)
        await store.get(Contests).join(league, entrant, 8, Job("show contest", "1", 7))
        (vain,) = await store.jobs.enqueue(0, [Job("deed", "vain", 0)])
        await store.jobs.give_up(vain, "nobody knows how", 7)
    yield path


async def test_everything_arrives_and_goes_on_there(club: Path, server: PostgreSQLServer) -> None:
    where = server.create_database()
    async with await Store.open(club) as store:
        before = await dump_tables(store)
    assert sum(map(bool, before.values())) > len(before) / 3
    checked = await move_to_server(str(club), where, now_ms)
    assert (checked.gone.matches, checked.wrong) == (2, [])
    async with await Store.open(where, shards=Shards(0, 7, 16)) as store:
        assert await dump_tables(store) == before
        app = App(store, now_ms, secrets.token_bytes)
        # New numbers follow those that were carried over.
        assert await play_match(app, 3) == 3
        session = await loading.load_session(app, 2)
        assert session.match.phase is not Phase.OVER
    async with await Store.open(club) as store:
        assert await dump_tables(store) == before


async def test_a_file_of_an_earlier_version_is_brought_up_on_its_way(
    path: Path, server: PostgreSQLServer
) -> None:
    path.write_bytes(gzip.decompress((SAMPLES / "v5.sqlite3.gz").read_bytes()))
    checked = await move_to_server(str(path), server.create_database(), now_ms)
    # Its matches are made up: no rules lead to their events.
    assert checked.gone.matches == 2
    assert [sentence for sentence in checked.wrong if sentence.startswith("match 2")]
    assert path.with_name(f"{path.name}.v5.bak").exists()


async def test_a_match_that_was_tampered_with_is_named(
    club: Path, server: PostgreSQLServer
) -> None:
    with connect_directly(club) as connection:
        another = "json_set(record, '$.gold[0]', 7 - json_extract(record, '$.gold[0]'))"
        connection.execute(f"UPDATE events SET record = {another} WHERE match = 2 AND version = 1")
    checked = await move_to_server(str(club), server.create_database(), now_ms)
    assert [sentence for sentence in checked.wrong if sentence.startswith("match 2")]
    assert not [sentence for sentence in checked.wrong if sentence.startswith("match 1")]


async def test_what_has_something_in_it_is_refused_and_stays(
    club: Path, server: PostgreSQLServer
) -> None:
    where = server.create_database()
    async with await Store.open(where) as store:
        await store.metadata.save("commands", "another")
        before = await dump_tables(store)
        with pytest.raises(StoreError, match="is in use by another Tabula; stop that one first"):
            await move_to_server(str(club), where, now_ms)
    with pytest.raises(StoreError, match="is not empty; "):
        await move_to_server(str(club), where, now_ms)
    async with await Store.open(where) as store:
        assert await dump_tables(store) == before


async def test_the_database_of_another_program_is_refused(
    club: Path, server: PostgreSQLServer
) -> None:
    where = server.create_database()
    server.execute_sql("CREATE TABLE accounts (id int)", where.rpartition("/")[2])
    with pytest.raises(StoreError, match="is the database of another program"):
        await move_to_server(str(club), where, now_ms)


async def test_a_file_that_a_bot_uses_is_refused(
    club: Path, server: PostgreSQLServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.platform.db.opening.PATIENCE_S", 0.1)
    where = server.create_database()
    async with await Store.open(club):
        with pytest.raises(StoreError, match="is in use by another Tabula; stop that one first"):
            await move_to_server(str(club), where, now_ms)


@pytest.mark.parametrize(
    ("where", "target", "sentence"),
    [
        ("missing.sqlite3", "postgresql://a@b/c", "there is no database missing.sqlite3"),
        (
            "postgresql://a:secret@b/c",
            "postgresql://a@b/d",
            "the database c on b is no SQLite file",
        ),
        (__file__, "other.sqlite3", "a file is carried over to a server only"),
    ],
)
async def test_only_a_file_is_carried_to_only_a_server(
    where: str, target: str, sentence: str
) -> None:
    with pytest.raises(StoreError, match=f"^{sentence}"):
        await move_to_server(where, target, now_ms)


async def test_what_arrives_otherwise_is_not_kept(
    club: Path, server: PostgreSQLServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = server.create_database()
    executed = Connection.execute

    def careless(connection: Connection, statement: Any, parameters: Any = None, **how: Any) -> Any:
        if statement.is_dml and statement.table.name == "events" and isinstance(parameters, list):
            parameters = [{**row, "at": row["at"] + 1} for row in parameters]
        return executed(connection, statement, parameters, **how)

    monkeypatch.setattr(Connection, "execute", careless)
    with pytest.raises(StoreError, match=r"events \(1, 1\) arrived otherwise than it was sent"):
        await move_to_server(str(club), where, now_ms)
    monkeypatch.undo()
    async with await Store.open(where) as store:
        assert not any((await dump_tables(store)).values())


@pytest.mark.wire
async def test_killed_in_the_middle_it_leaves_nothing_and_is_done_the_next_time(
    club: Path, server: PostgreSQLServer
) -> None:
    where = server.create_database()
    async with fork_with_pipe(carry_halfway, club, where) as (program, pipe):
        assert await asyncio.to_thread(pipe.recv) == "in the middle"
        program.kill()
        await program.wait()
    assert (await move_to_server(str(club), where, now_ms)).wrong == []
