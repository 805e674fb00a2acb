"""The bot as a process that may die at any moment, and the log that it leaves."""

import asyncio
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process, create_subprocess_exec
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.wire.discord_server import DiscordServer
from tests.wire.processes import RUN_COMMAND, make_environment

from .paused_bot import PAUSE

PROGRAM = (sys.executable, "-m", "tests.torture.paused_bot", "run")
TOOLS = RUN_COMMAND[:-1]
"""The program without its command."""
START_S = 60.0
"""Seconds within which the bot is connected, on a machine that does much else."""
STOP_S = 30.0
LINE_S = 10.0
"""Seconds within which a line that is due is in the log."""
MAX_LINE_LENGTH = 1 << 20
COLOURS = re.compile(r"\x1b\[[\d;]*m")


def drop_fake_clock(settings: Mapping[str, str]) -> dict[str, str]:
    """Return settings without those that fake a process's clock."""
    fake = ("FAKETIME", "LD_")
    return {name: value for name, value in settings.items() if not name.startswith(fake)}


class BotLog:
    """The lines that all bots of a run wrote, in the order in which they came, also in a file."""

    def __init__(self, file: Path) -> None:
        self.lines: list[str] = []
        self._file = file.open("a", encoding="utf-8")

    def add_line(self, line: str) -> None:
        """Keep a line."""
        self.lines.append(line)
        self._file.write(f"{line}\n")

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def add_mark(self, text: str) -> None:
        """Write into the file what the run does, between the lines of the bot."""
        self._file.write(f"---- {text}\n")
        self._file.flush()

    def find_lines(self, start: int, is_wanted: Callable[[str], object]) -> list[str]:
        """Return the lines from number `start` on of which something is true."""
        return [line for line in self.lines[start:] if is_wanted(line)]

    async def wait_for_line(
        self, start: int, is_wanted: Callable[[str], object], timeout: float = LINE_S
    ) -> str:
        """Wait for such a line and return it; raises TimeoutError."""
        async with asyncio.timeout(timeout):
            while not (found := self.find_lines(start, is_wanted)):  # noqa: ASYNC110 - a process writes them
                await asyncio.sleep(0.02)
        return found[0]


class BotProcess:
    """One bot at a server: `prefix` tells its lines in the log from another's."""

    def __init__(
        self,
        server: DiscordServer,
        log: BotLog,
        folder: Path,
        settings: dict[str, str],
        prefix: str = "",
    ) -> None:
        self._server = server
        self._log = log
        self._folder = folder
        self._settings = settings
        self._prefix = prefix
        self._process: Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self.begun = 0
        """The number of the line of the log with which it was last started."""

    @property
    def pause_file(self) -> Path:
        """The file that says for how many seconds the bot pauses once it has loaded a match."""
        return self._folder / "pause"

    async def execute_command(self, *command: str) -> None:
        """Run another command of the program on the same database.

        Raises AssertionError if it fails.
        """
        right = drop_fake_clock(self._settings)
        tool = await create_subprocess_exec(
            *TOOLS,
            *command,
            env=make_environment(**right),
            cwd=self._folder,
            stdout=PIPE,
            stderr=PIPE,
        )
        async with asyncio.timeout(START_S):
            _, error = await tool.communicate()
        assert tool.returncode == 0, f"tabula {command[0]}: {error.decode()}"

    @property
    def pid(self) -> int:
        """The number of the running process."""
        assert self._process is not None
        return self._process.pid

    @property
    def exit_status(self) -> int | None:
        """The exit status, None while it runs."""
        return self._process.returncode if self._process else 0

    async def launch(self) -> None:
        """Start the process, without waiting for it to be connected."""
        world = self._server.world
        self.begun = len(self._log.lines)
        environment = make_environment(
            TABULA_DISCORD_API=world.api, TABULA_TOKEN=world.token, **self._settings
        )
        environment[PAUSE] = str(self.pause_file)
        self._process = await create_subprocess_exec(
            *PROGRAM, env=environment, cwd=self._folder, stderr=PIPE, limit=MAX_LINE_LENGTH
        )
        self._reading = asyncio.create_task(self._collect_output(self._process))

    async def start(self) -> None:
        """Start the process; returns when it is connected."""
        before = len(self._server.world.sessions.list_connected())
        await self.launch()
        async with asyncio.timeout(START_S):
            while len(self._server.world.sessions.list_connected()) <= before:
                if self.exit_status is not None:
                    raise AssertionError(
                        f"the bot ended with {self.exit_status} as it was to start"
                    )
                await asyncio.sleep(0.02)

    async def kill(self) -> None:
        """End it without warning."""
        assert self._process is not None
        self._process.kill()
        await self.wait()

    async def stop(self) -> int:
        """Ask it to end, as services are asked, and return its exit status."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return await self.wait()

    async def wait(self) -> int:
        """Wait until it has ended and all that it wrote is read; return its exit status."""
        assert self._process is not None
        assert self._reading is not None
        async with asyncio.timeout(STOP_S):
            status = await self._process.wait()
            await self._reading
        return status

    async def _collect_output(self, process: Process) -> None:
        assert process.stderr is not None
        async for line in process.stderr:
            plain = COLOURS.sub("", line.decode(errors="replace").rstrip())
            self._log.add_line(self._prefix + plain)
