"""A crowd that plays at the same moment: Tabula beside a small bot with pictures of equal size.

Both bots are processes of their own, one after the other, at the same stand-in, which is this
process: with two cores each has its own. Everybody challenges, everybody accepts, then everybody
presses, each time all at once. By hand, for as many players as you like:
`.venv/bin/python -m tests.bench.test_load 500`.
"""

import asyncio
import math
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.bench.tables import share
from tests.wire import sample_bot
from tests.wire.crowd import Crowd, Table, Waits, channel_names
from tests.wire.discord_server import DiscordServer
from tests.wire.processes import RUN, bot_process
from tests.wire.replies import Reply
from tests.wire.tabula import CONTROL

PLAYERS = 40
GAME = "zeno"
DATABASE = "load.sqlite3"
TRIES = 3
PLAIN_CONTROL = r"turn:(?P<version>\d+)"
PLAIN = (sys.executable, str(Path(sample_bot.__file__)))


@dataclass(frozen=True)
class Figures:
    """How a bot served a crowd.

    `lost` are the tables at which nobody could play in the end, `unanswered` the acts of every
    round that were not answered in time, `saved_unanswered` those of them that changed a match all
    the same; `waits` are those of the last round, `picture` is the size of a board in bytes,
    `memory` the most that the bot's process took (MiB), `processor` the seconds that bot and server
    computed in the last round.
    """

    lost: int
    acts: int
    unanswered: int
    saved_unanswered: int
    waits: Waits
    picture: float
    memory: float
    processor: tuple[float, float]

    def lines(self) -> list[str]:
        """Return the figures in words."""
        return [
            (
                f"{self.acts} acts, {self.unanswered} unanswered ({self.saved_unanswered} saved), "
                f"{self.lost} tables lost"
            ),
            f"first answer after {_percentiles(self.waits.answers)}",
            f"next message after {_percentiles(self.waits.messages)}",
            f"pictures of {self.picture / 1024:.0f} KiB, {self.memory:.0f} MiB of memory",
            "computed for {:.1f} s, the server for {:.1f} s".format(*self.processor),
        ]


async def of_tabula(players: int, folder: Path) -> Figures:
    """Let a crowd play on Tabula."""
    async with await DiscordServer.start(channel_names=channel_names(players // 2)) as server:
        process = bot_process(
            server.api,
            server.world.token,
            *RUN,
            folder=folder,
            stderr=DEVNULL,
            TABULA_DATABASE=DATABASE,
        )
        async with process as bot:
            await server.ready()
            crowd = Crowd.seated(server, players // 2, CONTROL.pattern)
            await _seat_at_tabula(crowd)
            return await _played(crowd, bot, folder / DATABASE)


async def _seat_at_tabula(crowd: Crowd) -> None:
    async def ask(table: Table) -> None:
        await table.first.begin_slash(
            "challenge", {"game": GAME, "opponent": table.second}, table.channel
        )

    async def accept(table: Table) -> None:
        if offer := _offer(crowd, table):
            await table.second.begin_press(offer, offer.custom_id("Accept"))

    await _all_do(crowd, ask, until=lambda table: _offer(crowd, table))
    await _all_do(crowd, accept, until=crowd.live)


async def _all_do(
    crowd: Crowd, act: Callable[[Table], Awaitable[object]], until: Callable[[Table], object]
) -> None:
    """Let one person at every table act at once.

    A person whose act fails tries again, as people do, and gives up in the end.
    """
    for _ in range(TRIES):
        waiting = [table for table in crowd.tables if not until(table)]
        for table in waiting:
            await act(table)
        await crowd.served(until)


def _offer(crowd: Crowd, table: Table) -> Reply | None:
    seen = crowd.server.channel_messages(table.channel)
    return next(
        (
            one
            for one in seen
            if "Accept" in [part.get("label") for part in one.pressable().values()]
        ),
        None,
    )


async def of_plain_bot(players: int, picture: int) -> Figures:
    """Let a crowd press the buttons of the small bot, whose pictures have so many bytes."""
    async with await DiscordServer.start(channel_names=channel_names(players // 2)) as server:
        process = bot_process(
            server.api, server.world.token, *PLAIN, stderr=DEVNULL, PICTURE_BYTES=str(picture)
        )
        async with process as bot:
            await server.ready()
            crowd = Crowd.seated(server, players // 2, PLAIN_CONTROL)
            await _all_do(crowd, _sit, until=crowd.live)
            return await _played(crowd, bot)


async def _sit(table: Table) -> None:
    await table.first.begin_slash("table sit", channel=table.channel)


async def _played(crowd: Crowd, bot: Process, database: Path | None = None) -> Figures:
    """Let everybody press at once, and say how all went since the bot was started."""
    playing = replace(crowd, tables=[table for table in crowd.tables if crowd.live(table)])
    shown = [seen for table in playing.tables if (seen := crowd.live(table))]
    pictures = [len(file.data) for seen in shown for file in seen.files]
    before = _processor(bot)
    waits = await playing.use()
    after = _processor(bot)
    acts = crowd.server.world.interactions.values()
    unanswered = {str(act.id) for act in acts if act.answered is None}
    return Figures(
        lost=len(crowd.tables) - len(playing.tables),
        acts=len(acts),
        unanswered=len(unanswered),
        saved_unanswered=len(unanswered & _causes(database)) if database else 0,
        waits=waits,
        picture=statistics.mean(pictures),
        memory=_most_memory(bot),
        processor=(after[0] - before[0], after[1] - before[1]),
    )


def _causes(database: Path) -> set[str]:
    """Return the ids of the acts that changed a match."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return {cause for (cause,) in connection.execute("SELECT cause FROM events")}


def _processor(bot: Process) -> tuple[float, float]:
    """Return for how many seconds the bot and this process have computed."""
    fields = Path(f"/proc/{bot.pid}/stat").read_text().rpartition(")")[2].split()
    user, system = map(int, fields[11:13])
    return (user + system) / os.sysconf("SC_CLK_TCK"), time.process_time()


def _most_memory(bot: Process) -> float:
    status = Path(f"/proc/{bot.pid}/status").read_text().splitlines()
    line = next(line for line in status if line.startswith("VmHWM:"))
    return int(line.split()[1]) / 1024


def _percentiles(waits: Sequence[float]) -> str:
    return f"{share(waits, 0.5):.2f} s (half) and {share(waits, 0.99):.2f} s (99 of 100)"


async def compare(players: int, folder: Path) -> tuple[Figures, Figures]:
    """Let this many people play on Tabula and then on the small bot; return the figures of both."""
    tabula = await of_tabula(players, folder)
    return tabula, await of_plain_bot(players, round(tabula.picture))


def report(players: int, tabula: Figures, plain: Figures) -> str:
    """Write the figures side by side."""
    rows = zip(tabula.lines(), plain.lines(), strict=True)
    return "\n".join(
        [
            f"{players} players",
            *(f"  Tabula:    {mine}\n  small bot: {theirs}" for mine, theirs in rows),
        ]
    )


@pytest.mark.bench
@pytest.mark.asyncio
async def test_crowd_is_served_and_nothing_is_done_unanswered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tabula, plain = await compare(PLAYERS, tmp_path)
    with capsys.disabled():
        sys.stdout.write(f"\n{report(PLAYERS, tabula, plain)}\n")
    for figures in (tabula, plain):
        assert (figures.lost, figures.unanswered) == (0, 0)
        assert math.inf not in figures.waits.messages


def main() -> None:
    """Measure with as many players as the command line says."""
    players = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(f"{report(players, *asyncio.run(compare(players, Path(folder))))}\n")


if __name__ == "__main__":
    main()
