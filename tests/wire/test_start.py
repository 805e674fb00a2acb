"""A start that fails ends with one sentence on standard error, and does not touch the database."""

import asyncio
import json
import os
import re
import signal
import sqlite3
from asyncio.subprocess import PIPE
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager as Context
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from bot.cli import EX_CONFIG
from bot.platform.db.store import Store

from .discord_server import DiscordServer
from .processes import RUN_COMMAND, make_environment
from .tabula import WireHarness, wait_for_log

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]


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
    status, texts = await start_failing_bot(tmp_path)
    assert status == EX_CONFIG
    (text,) = texts
    assert text.endswith("TABULA_TOKEN is missing; set it in the environment, or in .env")
    assert list(tmp_path.iterdir()) == []


async def test_with_a_token_that_discord_does_not_know(
    server: DiscordServer, tmp_path: Path
) -> None:
    status, texts = await start_failing_bot(
        tmp_path, TABULA_TOKEN="of-another-bot", TABULA_DISCORD_API=server.api
    )
    assert status == EX_CONFIG
    assert texts == [
        "tabula: Discord does not accept TABULA_TOKEN; copy it again from the application's page"
    ]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({}, "TABULA_TOKEN is missing; set it in the environment, or in .env"),
        ({"TABULA_TOKEN": "x", "TABULA_DATABASE": "no/folder.db"}, "folder no for the database"),
    ],
)
async def test_what_ends_it_is_an_object_where_the_log_is_of_those(
    tmp_path: Path, settings: dict[str, str], sentence: str
) -> None:
    status, texts = await start_failing_bot(tmp_path, TABULA_LOG_FORMAT="JSON", **settings)
    assert status == EX_CONFIG
    (fields,) = map(json.loads, texts)
    assert sentence in fields.pop("message")
    assert fields.pop("time")
    assert fields == {"level": "critical", "logger": "tabula"}


async def test_in_a_container_it_stays_where_no_restart_helps(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *RUN_COMMAND, "--stay", cwd=tmp_path, env=make_environment(), stderr=PIPE
    )
    assert process.stderr is not None
    line = await asyncio.wait_for(process.stderr.readline(), 30)
    assert b"TABULA_TOKEN is missing" in line
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(process.wait(), 0.5)
    process.send_signal(signal.SIGTERM)
    assert await asyncio.wait_for(process.wait(), 30) == EX_CONFIG


async def test_a_start_tells_in_three_lines_what_runs_where(
    server: DiscordServer, tmp_path: Path
) -> None:
    wire = WireHarness(
        server, tmp_path / "tabula.sqlite3", server.get_person("ana"), server.get_person("ben")
    )
    with (tmp_path / "log").open("wb") as log:
        async with wire.start_bot(stderr=log.fileno(), TABULA_TOKN="x") as process:
            # discord.py waits for servers for a while, before it says that it is ready.
            await wait_for_log(tmp_path / "log", "invite it", 30)
            process.send_signal(signal.SIGTERM)
            await process.wait()
    lines = (tmp_path / "log").read_text().splitlines()
    texts = [re.sub("\033.*?m", "", line) for line in lines]
    unknown, program, ready, invite, *rest = texts
    assert unknown.endswith("TABULA_TOKN is not a known setting; did you mean TABULA_TOKEN?")
    assert re.search(r"Tabula [0-9.]+, .*tabula\.sqlite3 \(version [0-9]+\)$", program)
    assert " ready as " in ready
    assert f"client_id={server.world.bot.id}" in invite
    assert not [line for line in rest if "shutting down" not in line]


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
    status, texts = await start_failing_bot(tmp_path, "--shards", shards, **settings)
    assert (status, texts) == (EX_CONFIG, [f"tabula: {sentence}"])
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
    ("trouble", "sentence", "expected"),
    [
        # Another try may find it free.
        (_lock_database, "is locked by another program", 1),
        (_raise_version, "was written by a newer version of Tabula; update the program", EX_CONFIG),
        (_overwrite_with_text, "is not a database", EX_CONFIG),
        (_replace_with_foreign, "is the database of another program", EX_CONFIG),
        (_replace_with_folder, "cannot be opened", 1),
    ],
)
async def test_with_a_database_that_cannot_be_used(
    server: DiscordServer,
    tmp_path: Path,
    trouble: Callable[[Path], Context[None]],
    sentence: str,
    expected: int,
) -> None:
    path = tmp_path / "tabula.sqlite3"
    async with await Store.open(path):
        pass
    with trouble(path):
        before = path.read_bytes() if path.is_file() else None
        status, texts = await start_failing_bot(
            tmp_path,
            TABULA_TOKEN=server.world.token,
            TABULA_DATABASE=path.name,
            TABULA_DISCORD_API=server.api,
        )
        after = path.read_bytes() if path.is_file() else None
    assert status == expected
    assert len(texts) == 1
    assert texts[0].startswith(f"tabula: {path.name} ")
    assert sentence in texts[0]
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
