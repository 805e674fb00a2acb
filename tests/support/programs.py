"""What other programs do with a database, each in a process of its own."""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

from bot.features.matches.store import Matches
from bot.ops.checked_backups import move_to_server
from bot.platform.db.errors import StoreError
from bot.platform.db.store import Store
from bot.platform.db.tables import now_ms
from tests.support.forks import ForkedProcess, fork_with_pipe
from tests.support.stored import build_step

CUT_SHORT = 9
"""The exit status of a program that ended between two statements."""
OPENED_S = 120
"""Seconds within which a database is opened, or refused."""


@asynccontextmanager
async def hold_database(where: str | Path) -> AsyncIterator[ForkedProcess]:
    """Have another program use a database, as the bot does."""
    async with fork_with_pipe(_keep_open, where) as (process, pipe):
        await asyncio.to_thread(pipe.recv)
        yield process


def _keep_open(said: Connection, where: str | Path) -> None:
    async def hold() -> None:
        async with await Store.open(where):
            said.send("open")
            await asyncio.sleep(600)

    asyncio.run(hold())


async def try_opening_elsewhere(where: str | Path) -> str:
    """Have another program open and close a database; return why it cannot, or an empty string."""
    async with fork_with_pipe(_try_opening, where) as (_, pipe), asyncio.timeout(OPENED_S):
        return str(await asyncio.to_thread(pipe.recv))


def _try_opening(said: Connection, where: str | Path) -> None:
    async def open_and_close() -> str:
        try:
            async with await Store.open(where):
                return ""
        except StoreError as error:
            return str(error)

    said.send(asyncio.run(open_and_close()))


def crash_while_opening(where: str | Path, statements: int) -> None:
    """Open a database, and end without a word before the next statement when so many are made."""
    made = count()

    def look(*_: Any) -> None:
        if next(made) == statements:
            os._exit(CUT_SHORT)

    event.listen(Engine, "before_cursor_execute", look)
    asyncio.run(Store.open(where))


def append_forever(said: Connection, where: str | Path, match: int) -> None:
    """Add event after event to a match, and say each version once it is saved."""

    async def append() -> None:
        async with await Store.open(where) as store:
            row = await store.get(Matches).load_row(match)
            assert row is not None
            version = row.version
            while True:
                version = (
                    await store.get(Matches).apply_update(
                        match, build_step(version, f"after {version}", records=3)
                    )
                ).version
                said.send(version)

    asyncio.run(append())


def carry_halfway(said: Connection, source: str | Path, target: str) -> None:
    """Move a database to a server, say when the first events are to be written, and stop there."""

    def look(_: object, __: object, statement: str, *___: object) -> None:
        if statement.startswith("INSERT INTO events "):
            said.send("in the middle")
            time.sleep(600)

    event.listen(Engine, "before_cursor_execute", look)
    asyncio.run(move_to_server(str(source), target, now_ms))


def is_running(process: int) -> bool:
    """Whether a process goes on, and isn't only waited for."""
    stat = Path(f"/proc/{process}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"
