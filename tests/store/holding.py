"""Another program that has a database open, as the bot has."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

HOLDING = """
import asyncio, sys
from bot.store import Store

async def hold():
    async with await Store.open(sys.argv[1]):
        print("open", flush=True)
        await asyncio.sleep(600)

asyncio.run(hold())
"""


@asynccontextmanager
async def held(where: str) -> AsyncIterator[Process]:
    """Have another program use a database."""
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", HOLDING, where, stdout=PIPE)
    try:
        assert process.stdout is not None
        await process.stdout.readline()
        yield process
    finally:
        process.kill()
        await process.wait()
