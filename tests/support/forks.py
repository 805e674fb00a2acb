"""Separate processes that a test may kill, forked from one with most imports already done."""

import asyncio
import multiprocessing
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Concatenate, ParamSpec

LOOK_S = 0.01

_Given = ParamSpec("_Given")
_forks = multiprocessing.get_context("forkserver")
# Most of a start is importing, which no test asks about:
# that is done once, in the process that is forked.
_forks.set_forkserver_preload(["bot.cli", "alembic.command"])


class ForkedProcess:
    """A process that runs a function."""

    def __init__(self, process: BaseProcess) -> None:
        self._process = process

    @property
    def pid(self) -> int:
        """Its number."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """The exit status, None while it runs; a negative signal number if a signal ended it."""
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end, as services are asked."""
        self._process.terminate()

    def kill(self) -> None:
        """End it without warning."""
        self._process.kill()

    async def wait(self) -> int:
        """Wait until it has ended; return its exit status."""
        # The system reports its end, and the event loop does not.
        while (status := self.returncode) is None:  # noqa: ASYNC110
            await asyncio.sleep(LOOK_S)
        return status


@asynccontextmanager
async def fork_process(
    work: Callable[_Given, None], *given: _Given.args, **named: _Given.kwargs
) -> AsyncIterator[ForkedProcess]:
    """Have a process do some work until the block ends; kill it if it runs then."""
    process = _forks.Process(target=work, args=given, kwargs=named)
    await asyncio.to_thread(process.start)
    started = ForkedProcess(process)
    try:
        yield started
    finally:
        started.kill()
        await started.wait()


@asynccontextmanager
async def fork_with_pipe(
    work: Callable[Concatenate[Connection, _Given], None],
    *given: _Given.args,
    **named: _Given.kwargs,
) -> AsyncIterator[tuple[ForkedProcess, Connection]]:
    """Fork work that gets a connection, and yield the process and the connection's other end.

    The work sends on its connection; what it sends is read from the other.
    """
    receiver, sender = _forks.Pipe(duplex=False)
    async with fork_process(work, sender, *given, **named) as process:
        # Or the end of the process would not be heard.
        sender.close()
        with receiver:
            yield process, receiver
