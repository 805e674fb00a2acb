"""A crowd that plays at the same moment: Tabula beside a small bot with pictures of equal size.

Both bots are processes of their own, one after the other, at the same stand-in, which is this
process: with two cores each has its own. Everybody challenges, everybody accepts, then everybody
presses, each time all at once. By hand, for as many players as you like:
`.venv/bin/python -m tests.bench.test_load 500`.
"""

import math
import os
import sqlite3
import statistics
import sys
import time
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.bench import by_hand
from tests.bench.tables import compute_quantile
from tests.wire import sample_bot
from tests.wire.crowd import Crowd, CrowdTable, CrowdWaits, name_channels
from tests.wire.discord_server import DiscordServer
from tests.wire.processes import RUN_COMMAND, start_bot_process
from tests.wire.tabula import CONTROL

PLAYERS = 40
GAME = "zeno"
DATABASE = "load.sqlite3"
TRIES = 3
PLAIN_CONTROL = r"turn:(?P<version>\d+)"
PLAIN = (sys.executable, str(Path(sample_bot.__file__)))


@dataclass(frozen=True)
class CrowdFigures:
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
    waits: CrowdWaits
    picture: float
    memory: float
    processor: tuple[float, float]

    def format_lines(self) -> list[str]:
        """Return the figures in words."""
        return [
            (
                f"{self.acts} acts, {self.unanswered} unanswered ({self.saved_unanswered} saved), "
                f"{self.lost} tables lost"
            ),
            f"first answer after {_format_percentiles(self.waits.answers)}",
            f"next message after {_format_percentiles(self.waits.messages)}",
            f"pictures of {self.picture / 1024:.0f} KiB, {self.memory:.0f} MiB of memory",
            "computed for {:.1f} s, the server for {:.1f} s".format(*self.processor),
        ]


async def measure_tabula(players: int, folder: Path) -> CrowdFigures:
    """Let a crowd play on Tabula."""
    async with await DiscordServer.start(channel_names=name_channels(players // 2)) as server:
        process = start_bot_process(
            server, *RUN_COMMAND, folder=folder, stderr=DEVNULL, TABULA_DATABASE=DATABASE
        )
        async with process as bot:
            await server.wait_until_ready()
            crowd = Crowd.seat_people(server, players // 2, CONTROL.pattern)
            await _start_matches(crowd)
            return await _measure_presses(crowd, bot, folder / DATABASE)


async def _start_matches(crowd: Crowd) -> None:
    async def accept(table: CrowdTable) -> None:
        if offer := crowd.find_offer(table):
            await table.second.begin_press(offer, offer.find_custom_id("Accept"))

    await _act_at_all_tables(
        crowd, lambda table: table.begin_challenge(GAME), until=crowd.find_offer
    )
    await _act_at_all_tables(crowd, accept, until=crowd.find_live_message)


async def _act_at_all_tables(
    crowd: Crowd,
    act: Callable[[CrowdTable], Awaitable[object]],
    until: Callable[[CrowdTable], object],
) -> None:
    """Let one person at every table act at once.

    A person whose act fails tries again, as people do, and gives up in the end.
    """
    for _ in range(TRIES):
        waiting = [table for table in crowd.tables if not until(table)]
        for table in waiting:
            await act(table)
        await crowd.wait_for_tables(until)


async def measure_plain_bot(players: int, picture: int) -> CrowdFigures:
    """Let a crowd press the buttons of the small bot, whose pictures have so many bytes."""
    async with await DiscordServer.start(channel_names=name_channels(players // 2)) as server:
        process = start_bot_process(server, *PLAIN, stderr=DEVNULL, PICTURE_BYTES=str(picture))
        async with process as bot:
            await server.wait_until_ready()
            crowd = Crowd.seat_people(server, players // 2, PLAIN_CONTROL)
            await _act_at_all_tables(crowd, _sit_down, until=crowd.find_live_message)
            return await _measure_presses(crowd, bot)


async def _sit_down(table: CrowdTable) -> None:
    await table.first.begin_slash("table sit", channel=table.channel)


async def _measure_presses(
    crowd: Crowd, bot: Process, database: Path | None = None
) -> CrowdFigures:
    """Let everybody press at once, and say how all went since the bot was started."""
    playing = replace(
        crowd, tables=[table for table in crowd.tables if crowd.find_live_message(table)]
    )
    replies = [seen for table in playing.tables if (seen := crowd.find_live_message(table))]
    pictures = [len(file.data) for reply in replies for file in reply.files]
    before = measure_processor_time(bot), time.process_time()
    waits = await playing.press_at_once()
    after = measure_processor_time(bot), time.process_time()
    acts = crowd.server.world.interactions.values()
    unanswered = {str(act.id) for act in acts if act.answered is None}
    return CrowdFigures(
        lost=len(crowd.tables) - len(playing.tables),
        acts=len(acts),
        unanswered=len(unanswered),
        saved_unanswered=len(unanswered & _load_causes(database)) if database else 0,
        waits=waits,
        picture=statistics.mean(pictures),
        memory=_find_peak_memory(bot),
        processor=(after[0] - before[0], after[1] - before[1]),
    )


def _load_causes(database: Path) -> set[str]:
    """Return the ids of the acts that changed a match."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return {cause for (cause,) in connection.execute("SELECT cause FROM events")}


def measure_processor_time(bot: Process) -> float:
    """Return for how many seconds a process has computed."""
    fields = Path(f"/proc/{bot.pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def _find_peak_memory(bot: Process) -> float:
    status = Path(f"/proc/{bot.pid}/status").read_text().splitlines()
    line = next(line for line in status if line.startswith("VmHWM:"))
    return int(line.split()[1]) / 1024


def _format_percentiles(waits: Sequence[float]) -> str:
    half, most = (compute_quantile(waits, share) for share in (0.5, 0.99))
    return f"{half:.2f} s (p50) and {most:.2f} s (p99)"


async def compare_bots(folder: Path, players: int) -> tuple[str, CrowdFigures, CrowdFigures]:
    """Let this many people play on Tabula and then on the small bot.

    Return the figures of both side by side, and each.
    """
    tabula = await measure_tabula(players, folder)
    plain = await measure_plain_bot(players, round(tabula.picture))
    rows = zip(tabula.format_lines(), plain.format_lines(), strict=True)
    lines = (f"  Tabula:    {mine}\n  small bot: {theirs}" for mine, theirs in rows)
    return "\n".join([f"{players} players", *lines]), tabula, plain


@pytest.mark.bench
@pytest.mark.asyncio
async def test_crowd_is_served_and_nothing_is_done_unanswered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report, tabula, plain = await compare_bots(tmp_path, PLAYERS)
    with capsys.disabled():
        sys.stdout.write(f"\n{report}\n")
    for figures in (tabula, plain):
        assert (figures.lost, figures.unanswered) == (0, 0)
        assert math.inf not in figures.waits.messages


if __name__ == "__main__":
    by_hand.print_measurement(compare_bots)
