"""How long everybody else's press takes while people do all they can to keep the bot busy.

The real bot is a process of its own at the stand-in. In one server two people play, and a third
plays the computer. First nobody else asks for anything; then one person of the same server and
every account of a hostile one ask for all that is costly, again as soon as they are answered, and
some without waiting. By hand: `.venv/bin/python -m tests.bench.test_hostile`.
"""

import asyncio
import contextlib
import statistics
import sys
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count, cycle
from pathlib import Path

import pytest

from tests.bench import by_hand
from tests.bench.tables import compute_quantile
from tests.bench.worst_requests import WORST_GAME, WORST_POSITION
from tests.wire.crowd import Crowd, name_channels
from tests.wire.discord_server import DiscordServer
from tests.wire.people import WirePerson
from tests.wire.processes import RUN_COMMAND, start_bot_process
from tests.wire.tabula import CONTROL
from tests.wire.world import WorldChannel

GAME = "backgammon"
LEVELS = (None, "master")
"""Two play each other at the first table, and one plays the computer at the second."""
ACTS = 16
"""Presses at each table that are timed in each of the rounds."""
ROUNDS = 2
"""Times that it is quiet, and then not: what else the machine does is in both."""
ACCOUNTS = 24
"""Accounts of the hostile server."""
UNANSWERED = 6
"""Things that the hostile person asks for without waiting for the last."""
PAUSE_S = 0.05
REST_S = 5.0
LOOK_S = 0.005
MAX_S = 30.0
MOST = 2.0
"""How many times as long a press may take."""
MAX_BY_COMPUTER = 4.0
"""The same of the computer's move: some 30 ms, in which its worker has to get a core first."""
THROWS = ("654", "653", "652", "651", "643", "642", "641", "632", "631", "621", "543", "542")


@dataclass
class HostileFigures:
    """Seconds that presses and moves of the computer took, and how much was asked for meanwhile."""

    presses: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)
    asked: int = 0

    def format_line(self) -> str:
        """Return the figures in words."""
        return (
            f"a press {1000 * statistics.median(self.presses):.0f} ms (p50), "
            f"{1000 * compute_quantile(self.presses, 0.9):.0f} ms (p90); the computer's move "
            f"{1000 * statistics.median(self.moves):.0f} ms (p50); {self.asked} other requests"
        )


async def flood(
    people: Sequence[WirePerson], channel: WorldChannel, figures: HostileFigures, at_once: int
) -> None:
    """Have people ask for what is costly, until this is cancelled."""
    numbers = count()

    async def ask_on(person: WirePerson) -> None:
        worst = {"game": WORST_GAME, "position": WORST_POSITION}
        costly: Sequence[Callable[[], Awaitable[object]]] = (
            lambda: person.slash("analyse", vary_position(worst, next(numbers)), channel),
            lambda: person.slash("print", {"game": "zeno", "size": "large"}, channel),
            lambda: person.autocomplete("print", "game", "e", channel=channel),
            lambda: person.slash(
                "analyse", {**worst, "throw": THROWS[next(numbers) % 12]}, channel
            ),
            lambda: person.slash("match replay", {"match": 1}, channel),
            lambda: person.slash("match hint", {"match": 2}, channel),
        )
        for ask in cycle(costly):
            figures.asked += 1
            with contextlib.suppress(TimeoutError, LookupError):
                await ask()
            await asyncio.sleep(PAUSE_S)

    await asyncio.gather(*(ask_on(person) for person in people for _ in range(at_once)))


def vary_position(worst: dict[str, str], number: int) -> dict[str, str]:
    """Return a position that nobody has asked about: black's men stand on other points."""
    points = "qrstuwxyz"
    first, second = points[number % 9], points[number // 9 % 9]
    men = {first: 7, second: 8} if first != second else {first: 15}
    black = ",".join(f"{point}{men[point]}" for point in sorted(men))
    return {**worst, "position": f"{WORST_POSITION.split()[0]} {black} gold -"}


@asynccontextmanager
async def flooding(server: DiscordServer, figures: HostileFigures) -> AsyncIterator[None]:
    """Have everybody ask who means harm, while the block goes on."""
    robbers = [server.get_person(f"robber-{number}") for number in range(ACCOUNTS)]
    insider = [server.get_person("insider")]
    tavern, yard = map(server.get_channel, ("taproom", "yard"))
    tasks = [
        asyncio.create_task(flood(robbers, tavern, figures, 1)),
        asyncio.create_task(flood(insider, yard, figures, UNANSWERED)),
    ]
    try:
        # The first have begun, and the workers with them.
        await asyncio.sleep(3)
        yield
    finally:
        for task in tasks:
            # Unless it has failed, it goes on until now.
            assert not task.done() or task.result()
            task.cancel()
        await asyncio.wait(tasks)


async def play(crowd: Crowd, figures: HostileFigures) -> None:
    """Time presses of two who play each other, and of one who plays the computer."""
    for _ in range(ACTS):
        for at, times in enumerate((figures.presses, figures.moves)):
            table = crowd.tables[at]
            if crowd.find_live_message(table) is None:
                # The last match there is over.
                await crowd.begin_match(table, GAME, LEVELS[at])
            times.append(await crowd.time_act(table, LOOK_S, MAX_S))
            await asyncio.sleep(PAUSE_S)


async def measure_hostility(
    folder: Path, rounds: int
) -> tuple[str, HostileFigures, HostileFigures]:
    """Return a report, the figures while it is quiet, and those of the flood."""
    quiet, flooded = HostileFigures(), HostileFigures()
    async with await DiscordServer.start(channel_names=(*name_channels(2), "yard")) as server:
        server.add_guild("tavern", "taproom")
        process = start_bot_process(
            server, *RUN_COMMAND, folder=folder, stderr=DEVNULL, TABULA_DATABASE="hostile.sqlite3"
        )
        async with process:
            await server.wait_until_ready()
            crowd = Crowd.seat_people(server, 2, CONTROL.pattern)
            for table, level in zip(crowd.tables, LEVELS, strict=True):
                await crowd.begin_match(table, GAME, level)
            await play(crowd, HostileFigures())
            for _ in range(rounds):
                await play(crowd, quiet)
                async with flooding(server, flooded):
                    await play(crowd, flooded)
                # What was asked for last is done.
                await asyncio.sleep(REST_S)
    report = f"quiet: {quiet.format_line()}\nflood: {flooded.format_line()}"
    return report, quiet, flooded


@pytest.mark.bench
@pytest.mark.asyncio
async def test_everybody_elses_press_takes_no_longer_than_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report, quiet, flooded = await measure_hostility(tmp_path, ROUNDS)
    with capsys.disabled():
        sys.stdout.write(f"\n{report}\n")
    assert statistics.median(flooded.presses) <= MOST * statistics.median(quiet.presses)
    assert statistics.median(flooded.moves) <= MAX_BY_COMPUTER * statistics.median(quiet.moves)


if __name__ == "__main__":
    by_hand.print_measurement(measure_hostility, ROUNDS)
