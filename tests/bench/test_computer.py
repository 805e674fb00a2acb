"""How late the bot's loop is while fifty people play the computer and fifty play each other.

Both are the real bot as a process of its own at the same stand-in. Everybody acts about once in
three seconds, as people do who need not think. By hand, for as many as you like:
`.venv/bin/python -m tests.bench.test_computer 50`.
"""

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.bench import by_hand
from tests.bench.late_bot import LATE_BOT, load_lateness
from tests.bench.tables import compute_quantile
from tests.wire.crowd import Crowd, name_channels
from tests.wire.discord_server import DiscordServer
from tests.wire.processes import start_bot_process
from tests.wire.tabula import CONTROL

GAMES = 50
ACTS = 12
PACE_S = 3.0
GAME, LEVEL = "backgammon", "companion"
LOOK_S = 0.05
"""How often people look whether something is new."""
MAX_S = 30.0
MOST = 4.0
"""How much later the loop may be while it is played against the computer."""


@dataclass(frozen=True)
class LoopFigures:
    """How late each beat of the loop was, and how long each act took until the next message.

    Both are in seconds.
    """

    late: Sequence[float]
    turns: Sequence[float]

    @property
    def p99_lateness_ms(self) -> float:
        """What 99 of 100 beats keep to, in milliseconds."""
        return 1000 * compute_quantile(self.late, 0.99)

    def format_summary(self) -> str:
        """Return the figures in words."""
        return (
            f"loop late by {1000 * compute_quantile(self.late, 0.5):.1f} ms (half), "
            f"{self.p99_lateness_ms:.1f} ms (99 of 100), "
            f"{1000 * max(self.late):.0f} ms (at most); "
            f"the next message after {compute_quantile(self.turns, 0.5):.2f} s (half), "
            f"{compute_quantile(self.turns, 0.99):.2f} s (99 of 100) of {len(self.turns)} acts"
        )


async def measure_games(folder: Path, games: int, *, computer: bool) -> LoopFigures:
    """Let people play so many games, against the computer or each other."""
    folder.mkdir()
    names = name_channels(games)
    async with await DiscordServer.start(channel_names=names) as server:
        process = start_bot_process(
            server, *LATE_BOT, folder=folder, TABULA_DATABASE="late.sqlite3"
        )
        async with process as bot:
            await server.wait_until_ready()
            crowd = Crowd.seat_people(server, games, CONTROL.pattern)
            tables = [_play_table(crowd, at, computer=computer) for at in range(games)]
            turns = await asyncio.gather(*tables)
            bot.terminate()
            await bot.wait()
    late = load_lateness(folder)
    return LoopFigures(late, [turn for some in turns for turn in some])


async def _play_table(crowd: Crowd, at: int, *, computer: bool) -> list[float]:
    """Play one game for some acts; return how long each took until the next act was possible."""
    table = crowd.tables[at]
    # They do not all act at the same moment.
    await asyncio.sleep(PACE_S * at / len(crowd.tables))
    await crowd.begin_match(table, GAME, LEVEL if computer else None)
    turns = []
    for _ in range(ACTS):
        turns.append(await crowd.time_act(table, LOOK_S, MAX_S))
        await asyncio.sleep(PACE_S)
    assert max(turns) < MAX_S, table.channel.name
    return turns


async def compare_opponents(folder: Path, games: int) -> tuple[str, LoopFigures, LoopFigures]:
    """Let people play the computer, then each other.

    Return the figures of both side by side, and each.
    """
    computer = await measure_games(folder / "computer", games, computer=True)
    people = await measure_games(folder / "people", games, computer=False)
    report = (
        f"{games} games\n  against the computer: {computer.format_summary()}\n"
        f"  against each other:   {people.format_summary()}"
    )
    return report, computer, people


@pytest.mark.bench
@pytest.mark.asyncio
async def test_thinking_does_not_hold_up_the_loop(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report, computer, people = await compare_opponents(tmp_path, GAMES)
    with capsys.disabled():
        sys.stdout.write(f"\n{report}\n")
    assert len(computer.turns) == len(people.turns) == GAMES * ACTS
    # A turn against the computer is two turns' work; thinking itself is done elsewhere.
    assert computer.p99_lateness_ms < MOST * people.p99_lateness_ms


if __name__ == "__main__":
    by_hand.print_measurement(compare_opponents)
