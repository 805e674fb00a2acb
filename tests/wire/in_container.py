"""Start the bot as a container's builder runs it, at the stand-in; wait until it is healthy.

`.ci/container` runs `python -m tests.wire.in_container BEFORE... -- AFTER...`: the builder's
command is BEFORE, then come the settings as `--env NAME=VALUE` each, then AFTER. It also checks
that the image does not run as root.
"""

import asyncio
import signal
import sys
from asyncio.subprocess import create_subprocess_exec
from collections.abc import Sequence

from .discord_server import DiscordServer
from .test_endpoint import fetch_answer, find_free_port

PATIENCE_S = 120.0


async def check_container(before: Sequence[str], after: Sequence[str]) -> None:
    """Start the bot so, wait until it is well, and end it as a service is ended."""
    port = find_free_port()
    async with await DiscordServer.start() as server:
        settings = {
            "TABULA_TOKEN": server.world.token,
            "TABULA_DISCORD_API": server.api,
            "TABULA_HEALTH": f"127.0.0.1:{port}",
        }
        given = [word for name, value in settings.items() for word in ("--env", f"{name}={value}")]
        process = await create_subprocess_exec(*before, *given, *after)
        try:
            await server.wait_until_ready(PATIENCE_S)
            async with asyncio.timeout(PATIENCE_S):
                status, text = await fetch_answer(port, "/health")
                while status != 200:
                    await asyncio.sleep(0.2)
                    status, text = await fetch_answer(port, "/health")
        finally:
            process.send_signal(signal.SIGTERM)
            await process.wait()
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    place = sys.argv.index("--")
    asyncio.run(check_container(sys.argv[1:place], sys.argv[place + 1 :]))
