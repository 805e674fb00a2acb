"""Tabula itself, which notes how late its event loop is and writes that down when it ends."""

import asyncio
import json
import math
import sys
from pathlib import Path

from bot import cli
from bot.client import Tabula

LATE_BOT = (sys.executable, __file__)
"""What starts it."""
BEAT_S = 0.005
LATENESS_FILE = Path("late.json")
"""Each beat's instant (monotonic clock) and its lateness in seconds, in the bot's folder."""


def load_lateness(folder: Path, since: float = 0.0, until: float = math.inf) -> list[float]:
    """Return how many seconds late each beat of a bot was between two instants.

    The bot ran in that folder and has ended.
    """
    noted: list[tuple[float, float]] = json.loads((folder / LATENESS_FILE).read_text())
    return [late for at, late in noted if since <= at < until]


class WatchedTabula(Tabula):
    """The bot with a beat of its own."""

    _late: list[tuple[float, float]]
    _watch: asyncio.Task[None]

    async def setup_hook(self) -> None:
        """Begin to watch."""
        self._late = []
        self._watch = asyncio.create_task(self._record_lateness())
        await super().setup_hook()

    async def _record_lateness(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + BEAT_S
            await asyncio.sleep(BEAT_S)
            self._late.append((due, loop.time() - due))

    async def close(self) -> None:
        """Write down what was seen."""
        LATENESS_FILE.write_text(json.dumps(self._late))
        await super().close()


def main() -> None:
    """Run the bot."""
    cli.Tabula = WatchedTabula  # type: ignore[attr-defined]
    cli.main(["run"])


if __name__ == "__main__":
    main()
