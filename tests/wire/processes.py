"""A bot as a process of its own, which a test may kill."""

import os
from asyncio.subprocess import Process, create_subprocess_exec
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


@asynccontextmanager
async def bot_process(api: str, token: str, *program: str, **environment: str) -> AsyncIterator[Process]:
    """Run `program` against the server at `api` until the block ends, then kill it (SIGKILL) if it still runs.

    The process gets TABULA_DISCORD_API, DISCORD_TOKEN and `environment` besides this process's own variables.
    """
    settings = {"TABULA_DISCORD_API": api, "DISCORD_TOKEN": token, **environment}
    process = await create_subprocess_exec(*program, env={**os.environ, **settings})
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
