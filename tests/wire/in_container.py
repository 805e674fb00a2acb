"""Run the bot and its commands as a container's builder runs them, at the stand-in.

`.ci/container` runs `python -m tests.wire.in_container BEFORE... -- AFTER...`: the builder's
command is BEFORE, then come the settings as `--env NAME=VALUE` each, then AFTER, then what a
container is given to run.
"""

import asyncio
import signal
import sys
from asyncio.subprocess import create_subprocess_exec
from collections.abc import Sequence

from tests.support.postgresql import find_free_port

from .discord_server import DiscordServer
from .test_endpoint import fetch_answer

PATIENCE_S = 120.0
FOUND_OUTSIDE = (
    "find / -xdev -user 10001 -type f "
    "-not -path '/data/*' -not -path '/tmp/*' -not -path '/proc/*' -not -path '/sys/*' 2>/dev/null"
)
"""Finds what the bot has written where a read-only container has no place for it."""


async def check_container(before: Sequence[str], after: Sequence[str]) -> None:
    """Start the bot so, back up, stop, restore and examine, as docs/operations.md says."""
    port = find_free_port()
    async with await DiscordServer.start() as server:
        settings = {
            "TABULA_TOKEN": server.world.token,
            "TABULA_DISCORD_API": server.api,
            "TABULA_HEALTH": f"0.0.0.0:{port}",
        }
        given = [word for name, value in settings.items() for word in ("--env", f"{name}={value}")]

        async def execute(*command: str) -> None:
            process = await create_subprocess_exec(*before, *given, *after, *command)
            status = await asyncio.wait_for(process.wait(), PATIENCE_S)
            if status:
                sys.exit(f"{' '.join(command)} ended with {status}")

        await execute("tabula", "doctor")
        process = await create_subprocess_exec(*before, *given, *after, "tabula", "run", "--stay")
        try:
            await server.wait_until_ready(PATIENCE_S)
            async with asyncio.timeout(PATIENCE_S):
                status, text = await fetch_answer(port, "/health")
                while status != 200:
                    await asyncio.sleep(0.2)
                    status, text = await fetch_answer(port, "/health")
                assert (await fetch_answer(port, "/metrics"))[0] == 200
            await execute("tabula", "backup", "before.sqlite3")
        finally:
            process.send_signal(signal.SIGTERM)
            await process.wait()
        await execute("tabula", "restore", "before.sqlite3", "--replace")
        await execute("tabula", "doctor")
        await execute("sh", "-c", f'test -z "$({FOUND_OUTSIDE} | tee /dev/stderr)"')
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    place = sys.argv.index("--")
    asyncio.run(check_container(sys.argv[1:place], sys.argv[place + 1 :]))
