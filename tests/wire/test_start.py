"""A start that fails ends with one sentence on standard error, and does not touch the database."""

import asyncio
import os
import signal
import sqlite3
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager as Context
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from bot.store import Store

from .discord_server import DiscordServer
from .processes import RUN_COMMAND
from .tabula import WireHarness

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]


@pytest_asyncio.fixture
async def server() -> AsyncIterator[DiscordServer]:
    """Somewhere to log in."""
    async with await DiscordServer.start() as server:
        yield server


async def start_failing_bot(folder: Path, *flags: str, **settings: str) -> tuple[int, list[str]]:
    """Run the bot in a folder of its own until it ends by itself.

    Returns the exit status and its complaints.
    """
    program = Path(__file__).resolve().parents[2]
    own = {name: value for name, value in os.environ.items() if not name.startswith("TABULA_")}
    environment = {**own, "PYTHONPATH": str(program), **settings}
    process = await asyncio.create_subprocess_exec(
        *RUN_COMMAND, *flags, cwd=folder, env=environment, stderr=PIPE
    )
    _, said = await asyncio.wait_for(process.communicate(), 30)
    assert process.returncode is not None
    return process.returncode, [line for line in said.decode().splitlines() if "\033" not in line]


@pytest.mark.core
async def test_without_a_token(tmp_path: Path) -> None:
    status, said = await start_failing_bot(tmp_path)
    assert status == 1
    assert said == [
        "tabula: the settings cannot be used: TABULA_TOKEN is missing (see .env.example)"
    ]
    assert list(tmp_path.iterdir()) == []


async def test_with_a_token_that_discord_does_not_know(
    server: DiscordServer, tmp_path: Path
) -> None:
    status, said = await start_failing_bot(
        tmp_path, TABULA_TOKEN="of-another-bot", TABULA_DISCORD_API=server.api
    )
    assert status == 1
    assert said == [
        "tabula: Discord does not accept TABULA_TOKEN; copy it again from the application's page"
    ]


FILE_SERVES_ALL = (
    "club.sqlite3 is a file, which one program alone uses, and serves all shards; "
    "for several take PostgreSQL, to which `tabula move-to` carries a file over"
)


@pytest.mark.parametrize(
    ("shards", "sentence"),
    [
        ("0-3", "shards are written as 0-3/16 or 5/16, not 0-3"),
        ("3-16/16", "there are no shards 3-16/16: of 16 the first is 0, and the last 15"),
        (
            "0-3/16",
            FILE_SERVES_ALL,
        ),
    ],
)
async def test_with_shards_that_cannot_be(tmp_path: Path, shards: str, sentence: str) -> None:
    settings = {"TABULA_TOKEN": "made-up", "TABULA_DATABASE": "club.sqlite3"}
    status, said = await start_failing_bot(tmp_path, "--shards", shards, **settings)
    assert (status, said) == (1, [f"tabula: {sentence}"])
    assert list(tmp_path.iterdir()) == []


@contextmanager
def _lock_database(path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        yield


@contextmanager
def _raise_version(path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    yield


@contextmanager
def _overwrite_with_text(path: Path) -> Iterator[None]:
    path.write_text("Dear diary, today I was a database. " * 100)
    yield


@contextmanager
def _replace_with_foreign(path: Path) -> Iterator[None]:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    yield


@contextmanager
def _replace_with_folder(path: Path) -> Iterator[None]:
    path.unlink()
    path.mkdir()
    yield


@pytest.mark.parametrize(
    ("trouble", "sentence"),
    [
        (_lock_database, "is locked by another program"),
        (_raise_version, "was written by a newer version of Tabula; update the program"),
        (_overwrite_with_text, "is not a database"),
        (_replace_with_foreign, "is the database of another program"),
        (_replace_with_folder, "cannot be opened"),
    ],
)
async def test_with_a_database_that_cannot_be_used(
    server: DiscordServer, tmp_path: Path, trouble: Callable[[Path], Context[None]], sentence: str
) -> None:
    path = tmp_path / "tabula.sqlite3"
    async with await Store.open(path):
        pass
    with trouble(path):
        before = path.read_bytes() if path.is_file() else None
        status, said = await start_failing_bot(
            tmp_path,
            TABULA_TOKEN=server.world.token,
            TABULA_DATABASE=path.name,
            TABULA_DISCORD_API=server.api,
        )
        after = path.read_bytes() if path.is_file() else None
    assert status == 1
    assert len(said) == 1
    assert said[0].startswith(f"tabula: {path.name} ")
    assert sentence in said[0]
    assert before == after


@pytest.mark.core
@pytest.mark.parametrize(("stop", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
async def test_it_stops_when_it_is_told_to(
    server: DiscordServer, tmp_path: Path, stop: signal.Signals, status: int
) -> None:
    wire = WireHarness(
        server, tmp_path / "tabula.sqlite3", server.get_person("ana"), server.get_person("ben")
    )
    async with wire.start_bot() as process:
        await wire.begin_match("twelve-dogs")
        process.send_signal(stop)
        assert await asyncio.wait_for(process.wait(), 10) == status
        await server.wait_until_disconnected()
    async with await Store.open(wire.database) as store:
        assert await store.find_problems() == []
