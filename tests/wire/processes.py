"""A bot as a process of its own, which a test may kill."""

import os
import signal
from asyncio.subprocess import Process, create_subprocess_exec
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path


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
