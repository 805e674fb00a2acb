"""A bot as a process of its own, which a test may kill."""

import asyncio
import multiprocessing
import os
import runpy
import signal
import sys
from asyncio.subprocess import Process, create_subprocess_exec
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

RUN = (sys.executable, "-m", "bot", "run")
"""The program, as it is started on a server."""
LOOK_S = 0.01
STDOUT, STDERR = 1, 2

_forks = multiprocessing.get_context("forkserver")
# Most of a start is importing, and nothing that a test asks about: that is done once, in the process that is forked.
_forks.set_forkserver_preload(["bot.cli", "alembic.command"])


class ForkedBot:
    """A process that runs `tabula` as it is started by `python -m bot`, but for what was imported before."""

    def __init__(self, forked: BaseProcess) -> None:
        self._forked = forked

    @property
    def pid(self) -> int:
        """Its number."""
        assert self._forked.pid is not None
        return self._forked.pid

    @property
    def returncode(self) -> int | None:
        """Its exit status, None while it runs; that of a process ended by a signal is the signal's number, negative."""
        return self._forked.exitcode

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end, as services are asked."""
        self._forked.terminate()

    def kill(self) -> None:
        """End it without warning."""
        self._forked.kill()

    async def wait(self) -> int:
        """Wait until it has ended; return its exit status."""
        while (status := self.returncode) is None:  # noqa: ASYNC110 - the system tells of its end, not the event loop
            await asyncio.sleep(LOOK_S)
        return status


def surroundings(**settings: str) -> dict[str, str]:
    """Return this process's variables with `settings` as Tabula's only ones; the program is found from any folder."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("TABULA_")}
    return {**own, "PYTHONPATH": str(Path(__file__).resolve().parents[2]), **settings}


def _heed_interrupts() -> None:
    # A shell lets what it runs in the background ignore them, and that is handed down.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@asynccontextmanager
async def bot_process(
    api: str, token: str, *program: str, folder: Path | None = None, stderr: int | None = None, **settings: str
) -> AsyncIterator[Process]:
    """Run `program` against the server at `api` until the block ends, then kill it (SIGKILL) if it still runs.

    The process gets TABULA_DISCORD_API, TABULA_TOKEN and `settings`. It runs in `folder` (left out: in this process's),
    where it may find a .env; `stderr` is as for a subprocess.
    """
    environment = surroundings(TABULA_DISCORD_API=api, TABULA_TOKEN=token, **settings)
    process = await create_subprocess_exec(
        *program, env=environment, cwd=folder, stderr=stderr, preexec_fn=_heed_interrupts
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@asynccontextmanager
async def forked_bot(
    api: str, token: str, *arguments: str, folder: Path, stderr: int | None = None, **settings: str
) -> AsyncIterator[ForkedBot]:
    """Run `tabula` with those arguments against the server at `api` until the block ends; kill it if it runs then.

    The process gets TABULA_DISCORD_API, TABULA_TOKEN and `settings`. It runs in `folder`, where it may find a .env;
    `stderr` is a file's descriptor, or None for this process's own.
    """
    environment = surroundings(TABULA_DISCORD_API=api, TABULA_TOKEN=token, **settings)
    said = [Connection(os.dup(one), readable=False) for one in (STDOUT, STDERR if stderr is None else stderr)]
    forked = _forks.Process(target=_run, args=(arguments, environment, folder, said))
    await asyncio.to_thread(forked.start)
    for one in said:
        one.close()
    process = ForkedBot(forked)
    try:
        yield process
    finally:
        process.kill()
        await process.wait()


def _run(arguments: Sequence[str], environment: Mapping[str, str], folder: Path, said: Sequence[Connection]) -> None:
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
