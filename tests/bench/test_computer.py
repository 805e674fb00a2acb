"""How late the bot's loop is while fifty people play the computer and fifty play each other.

Both are the real bot as a process of its own at the same stand-in. Everybody acts about once in
three seconds, as people do who need not think. By hand, for as many as you like:
`.venv/bin/python -m tests.bench.test_computer 50`.
"""

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.bench.late_bot import LATE_BOT, load_lateness
from tests.bench.tables import compute_quantile
from tests.wire.crowd import Crowd, CrowdTable, name_channels
from tests.wire.discord_server import DiscordServer
from tests.wire.people import WirePerson
from tests.wire.processes import start_bot_process
from tests.wire.replies import Reply
from tests.wire.tabula import CONTROL

GAMES = 50
ACTS = 12
PACE_S = 3.0
GAME = "backgammon"
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
            server.api, server.world.token, *LATE_BOT, folder=folder, TABULA_DATABASE="late.sqlite3"
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
    if computer:
        await table.first.slash("play", {"game": GAME}, table.channel, 20)
    else:
        await table.first.slash(
            "challenge", {"game": GAME, "opponent": table.second}, table.channel, 20
        )
        offer = await crowd.server.wait_for_message(
            lambda reply: "challenges" in reply.text, table.channel
        )
        await table.second.press(offer, offer.find_custom_id("Accept"), 20)
    turns = []
    for _ in range(ACTS):
        reply = await _wait_for_turn(crowd, at)
        turns.append(await _time_act(crowd, at, reply))
        await asyncio.sleep(PACE_S)
    return turns


async def _wait_for_turn(crowd: Crowd, at: int) -> Reply:
    """Wait until there is something to do."""
    for _ in range(round(MAX_S / LOOK_S)):
        if reply := crowd.find_live_message(crowd.tables[at]):
            return reply
        await asyncio.sleep(LOOK_S)
    raise TimeoutError("nothing can be done")


async def _time_act(crowd: Crowd, at: int, reply: Reply) -> float:
    """Do the first thing that a message offers; return the seconds until its result is there."""
    table = crowd.tables[at]
    loop = asyncio.get_running_loop()
    begun = loop.time()
    before = crowd.find_version(reply.components)
    person = _find_mentioned_player(table, reply)
    await person.begin_use(reply, next(iter(reply.find_controls())))
    while (live := crowd.find_live_message(table)) is None or crowd.find_version(
        live.components
    ) <= before:
        await asyncio.sleep(LOOK_S)
        assert loop.time() - begun < MAX_S, reply.text
    return loop.time() - begun


def _find_mentioned_player(table: CrowdTable, reply: Reply) -> WirePerson:
    """Return the one whom a message calls last above its small print."""
    lines = [line for line in reply.text.splitlines() if not line.startswith("-#")]
    return max(table.players, key=lambda person: "\n".join(lines).rfind(f"<@{person.id}>"))


async def compare_opponents(folder: Path, games: int) -> tuple[LoopFigures, LoopFigures]:
    """Let people play the computer, then each other, and return the figures of both."""
    return (
        await measure_games(folder / "computer", games, computer=True),
        await measure_games(folder / "people", games, computer=False),
    )


def format_report(games: int, computer: LoopFigures, people: LoopFigures) -> str:
    """Write the figures side by side."""
    return (
        f"{games} games\n  against the computer: {computer.format_summary()}\n"
        f"  against each other:   {people.format_summary()}"
    )


@pytest.mark.bench
@pytest.mark.asyncio
async def test_thinking_does_not_hold_up_the_loop(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    computer, people = await compare_opponents(tmp_path, GAMES)
    with capsys.disabled():
        sys.stdout.write(f"\n{format_report(GAMES, computer, people)}\n")
    assert len(computer.turns) == len(people.turns) == GAMES * ACTS
    # A turn against the computer is two turns' work; thinking itself is done elsewhere.
    assert computer.p99_lateness_ms < MOST * people.p99_lateness_ms


def main() -> None:
    """Measure as many games as the command line says."""
    games = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(
            f"{format_report(games, *asyncio.run(compare_opponents(Path(folder), games)))}\n"
        )


if __name__ == "__main__":
    main()
