"""A bot as a process of its own, which a test may kill."""

import os
import runpy
import signal
import sys
from asyncio.subprocess import Process, create_subprocess_exec
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from multiprocessing.connection import Connection
from pathlib import Path

from tests.support.forks import ForkedProcess, fork_process

from .discord_server import DiscordServer

RUN_COMMAND = (sys.executable, "-m", "bot", "run")
"""The program, as it is started on a server."""
STDOUT, STDERR = 1, 2


def make_environment(**settings: str) -> dict[str, str]:
    """Return this process's variables with `settings` as Tabula's only ones.

    The program is found from any folder.
    """
    own = {name: value for name, value in os.environ.items() if not name.startswith("TABULA_")}
    return {**own, "PYTHONPATH": str(Path(__file__).resolve().parents[2]), **settings}


def _make_bot_environment(server: DiscordServer, settings: Mapping[str, str]) -> dict[str, str]:
    return make_environment(
        TABULA_DISCORD_API=server.api, TABULA_TOKEN=server.world.token, **settings
    )


@asynccontextmanager
async def start_bot_process(
    server: DiscordServer,
    *program: str,
    folder: Path | None = None,
    stderr: int | None = None,
    **settings: str,
) -> AsyncIterator[Process]:
    """Run `program` against a server until the block ends.

    If it still runs then, it is killed (SIGKILL). The process gets TABULA_DISCORD_API, TABULA_TOKEN
    and `settings`. It runs in `folder` (left out: in this process's), where it may find a .env;
    `stderr` is as for a subprocess.
    """
    environment = _make_bot_environment(server, settings)
    process = await create_subprocess_exec(*program, env=environment, cwd=folder, stderr=stderr)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@asynccontextmanager
async def fork_bot(
    server: DiscordServer,
    *arguments: str,
    folder: Path,
    stderr: int | None = None,
    **settings: str,
) -> AsyncIterator[ForkedProcess]:
    """Run `tabula` with those arguments against a server until the block ends.

    If it still runs then, it is killed. The process gets TABULA_DISCORD_API, TABULA_TOKEN and
    `settings`. It runs in `folder`, where it may find a .env; `stderr` is a file's descriptor, or
    None for this process's own.
    """
    environment = _make_bot_environment(server, settings)
    said = [
        Connection(os.dup(one), readable=False)
        for one in (STDOUT, STDERR if stderr is None else stderr)
    ]
    async with fork_process(_become_program, arguments, environment, folder, said) as process:
        for one in said:
            one.close()
        yield process


def _become_program(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    said: Sequence[Connection],
) -> None:
    """Become the program."""
    # As Python does when it starts; the process that is forked ignores interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for descriptor, one in zip((STDOUT, STDERR), said, strict=True):
        os.dup2(one.fileno(), descriptor)
        one.close()
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["tabula", *arguments]
    runpy.run_module("bot", run_name="__main__", alter_sys=True)
