"""Files of earlier versions are brought to the present one, whole or not at all; the tables are what is declared."""

import asyncio
import gzip
import sys
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection

from bot.store import (
    EventRow,
    Limits,
    Look,
    RatingKey,
    RatingRow,
    Seat,
    Store,
    StoreError,
    Taken,
    migrating,
)
from bot.store.migrating import VERSION_TABLE, newest
from bot.store.tables import metadata
from tests.store.build import ANA, BEN, CYN, LIMITS, NOW, SNAPSHOT, everything, offer, plainly, step

pytestmark = pytest.mark.asyncio
SAMPLES = Path(__file__).with_name("samples")
VERSIONS = (1, 2)
"""What earlier programs wrote: Ana beat Ben in match 1, plays him in match 2, and challenges Cyn."""
KILLED = """
import asyncio, os, sys
from alembic import op
from bot.store import Store
setattr(op, sys.argv[2], lambda *_, **__: os._exit(9))
asyncio.run(Store.open(sys.argv[1]))
"""
"""A program that opens a file, and ends without a word at the first of those operations."""
SEATS = (Seat("gold", 0, ANA, "ana's"), Seat("black", 0, BEN, "ben's"))


@pytest.fixture(params=VERSIONS)
def sample(request: pytest.FixtureRequest, path: Path) -> int:
    """Lay a file of an earlier version there, and return the version."""
    version: int = request.param
    path.write_bytes(gzip.decompress((SAMPLES / f"v{version}.sqlite3.gz").read_bytes()))
    return version


def head(path: Path) -> int:
    """The version in the file's head, where an older program looks."""
    with plainly(path) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


async def test_all_that_an_earlier_file_held_is_there(sample: int, path: Path) -> None:
    async with await Store.open(path) as store:
        assert await store.check() == []
        ended, running = await store.matches.get(1), await store.matches.get(2)
        assert ended is not None
        assert running is not None
        assert (ended.game, ended.edition, ended.options, ended.rated) == ("zeno", 1, {"dice": "two"}, True)
        assert (ended.winner, ended.by, ended.ended, ended.version) == ("gold", "bearing off", NOW + 9, 3)
        assert (ended.secret, ended.commitment, ended.seats) == (bytes(range(32)), "c0ffee", SEATS)
        assert (running.message, running.options, running.rated, running.snapshot) == (77, {}, False, SNAPSHOT)
        for match in (ended, running):
            assert (match.since, match.shown, match.dice) == (0, 0, 1)
        assert await store.matches.events(1) == [
            EventRow(1, NOW + 5, ANA, "roll", {"event": "roll", "at": 0}),
            EventRow(2, NOW + 5, ANA, None, {"event": "roll", "at": 1}),
            EventRow(3, NOW + 9, ANA, "last", {"event": "last", "at": 0}),
        ]
        accepted, waiting = await store.challenges.get(1), await store.challenges.get(3)
        assert accepted is not None
        assert waiting is not None
        assert (accepted.state, accepted.match, accepted.seats, accepted.rematch_of) == ("accepted", 1, SEATS, None)
        assert (waiting.state, waiting.message, waiting.opponent, waiting.seats) == ("open", 78, CYN, SEATS[:1])
        assert await store.people.names([ANA, BEN, CYN]) == {ANA: "Person 11", BEN: "Person 12", CYN: "Person 13"}
        key = RatingKey("everywhere", "zeno", ANA)
        assert await store.ratings.get([key]) == {key: RatingRow(27.5, 7.25, 1, 1, 0, 0, NOW + 9)}
        assert await store.ratings.course(*key) == [(27.5, 7.25)]
        assert await store.notes.get("commands") == "digest"
        look = Look("roman", "mine", numbered=True) if sample > 1 else Look()
        assert await store.looks.get("person", ANA) == look


async def test_an_earlier_file_is_played_on(sample: int, path: Path) -> None:
    async with await Store.open(path) as store:
        assert (await store.matches.append(2, step(3, "move"))).version == 4
        joined = await store.challenges.join(3, Seat("black", 0, CYN, "cyn's"), 1, NOW, LIMITS)
        row = await store.matches.get(joined.match or 0)
        assert row is not None
        assert row.dice == 2
        with pytest.raises(Taken):
            await store.challenges.join(1, Seat("black", 0, CYN, "cyn's"), 1, NOW, Limits(9, 9))
        again = await store.challenges.create(offer(rematch_of=1), SEATS[0], LIMITS)
        assert again.challenge.id == 4


async def test_the_file_before_lies_beside_it(sample: int, path: Path) -> None:
    before = everything(path)
    async with await Store.open(path):
        pass
    kept = path.with_name(f"{path.name}.v{sample}.bak")
    assert everything(kept) == before
    assert (head(kept), head(path)) == (sample, newest())
    assert kept.stat().st_mode & 0o777 == 0o600


@pytest.mark.wire
@pytest.mark.parametrize("at", ["rename_table", "add_column", "create_table"])
async def test_a_migration_killed_in_the_middle_changes_nothing_and_is_done_the_next_time(
    sample: int, path: Path, at: str
) -> None:
    before = everything(path)
    program = await asyncio.create_subprocess_exec(sys.executable, "-c", KILLED, str(path), at)
    assert await program.wait() == 9
    assert (everything(path), head(path)) == (before, sample)
    async with await Store.open(path) as store:
        assert await store.check() == []
    assert head(path) == newest()


async def test_a_full_disk_in_the_middle_changes_nothing(
    sample: int, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = everything(path)
    migrate = migrating.migrate

    def cramped(connection: Connection, where: str) -> None:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 1}")
        migrate(connection, where)

    monkeypatch.setattr("bot.store.migrate", cramped)
    with pytest.raises(StoreError, match=r"has no room left on its disk$"):
        await Store.open(path)
    assert (everything(path), head(path)) == (before, sample)


async def test_the_tables_are_those_that_are_declared(store: Store) -> None:
    def differences(connection: Connection) -> list[Any]:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        return list(compare_metadata(context, metadata))

    assert await store._database.read(differences) == []  # noqa: SLF001


async def test_a_new_file_has_the_tables_of_one_brought_up(sample: int, path: Path, tmp_path: Path) -> None:
    other = tmp_path / "new.db"
    for each in (path, other):
        async with await Store.open(each):
            pass
    assert columns(path) == columns(other)


def columns(path: Path) -> list[tuple[Any, ...]]:
    """Every column of every table, and which tables are strict and without row numbers."""
    with plainly(path) as connection:
        # A key is never NULL, whether that is written or not.
        asked = """
            SELECT m.name, c.name, c.type, c.pk, c."notnull" OR c.pk, c.dflt_value
            FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY m.name, c.cid
        """
        kinds = "SELECT name, strict, wr FROM pragma_table_list WHERE schema = 'main' ORDER BY name"
        return [*connection.execute(asked), *connection.execute(kinds)]
