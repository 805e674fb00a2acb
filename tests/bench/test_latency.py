"""How long after a press its change is seen, with Discord near and far, and in how many requests.

The bot is a process of its own at the stand-in, which keeps each request, and each answer to one,
on its way for as long as the distance asks. A press itself arrives at once: what is measured is
what the bot adds to it. By hand: `.venv/bin/python -m tests.bench.test_latency`.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.bench.tables import compute_quantile
from tests.wire.discord_server import DiscordServer
from tests.wire.endpoints import TOKEN_PATHS
from tests.wire.tabula import BY_COMMAND, BY_CONTROL, ActMethod, WireHarness, create_own_throws

GAMES = ("zeno", "backgammon")
ACTS = 60
ROUND_TRIPS_S = (0.0, 0.05, 0.2)
FAR_S = 0.2
MAX_ROUND_TRIPS = 0.7
"""A request reaches Discord after half of one; the rest is room for a slow machine."""


@dataclass(frozen=True, slots=True)
class LatencyFigures:
    """What people waited (seconds) and what the bot sent: requests an act, and those that count.

    Answers to interactions don't count against Discord's limit of fifty requests a second.
    """

    waits: Sequence[float]
    requests: float
    counted: float
    most_requests: int

    @property
    def median(self) -> float:
        """The wait that half of them do not exceed."""
        return statistics.median(self.waits)


async def measure_latency(
    game: str, round_trip_s: float, folder: Path, way: ActMethod = BY_CONTROL, acts: int = ACTS
) -> LatencyFigures:
    """Play so many acts, one after another, at a distance from Discord."""
    async with await DiscordServer.start() as server:
        people = server.get_person("ana"), server.get_person("ben")
        wire = WireHarness(server, folder / f"{game}.sqlite3", *people)
        await create_own_throws(wire.database, *people)
        async with wire.start_bot():
            await wire.begin_match(game)
            # Just after the start presses may be old, so they are acknowledged first.
            await wire.wait_for_shard()
            await wire.play(4)
            await wire.wait_for_jobs()
            server.world.way_s = round_trip_s / 2
            waits: list[float] = []
            sent: list[list[str]] = []
            while len(waits) < acts and not wire.is_over():
                before = len(server.requests)
                waits.append(await _time_act(wire, way))
                await _wait_until_quiet(wire)
                sent.append([each.path for each in server.requests[before:]])
            server.world.way_s = 0.0
    counts = [len(paths) for paths in sent]
    counted = [sum(not TOKEN_PATHS.search(path) for path in paths) for paths in sent]
    return LatencyFigures(waits, statistics.mean(counts), statistics.mean(counted), max(counts))


async def _time_act(wire: WireHarness, way: ActMethod) -> float:
    """Return the seconds from an act until the channel shows a later version of the match."""
    before, begun = wire.get_shown_version(), time.monotonic()
    acting = asyncio.ensure_future(way(wire, 30.0))
    await wire.server.wait_for_message(
        lambda _: wire.is_over() or wire.get_shown_version() > before
    )
    took = time.monotonic() - begun
    await acting
    return took


async def _wait_until_quiet(wire: WireHarness) -> None:
    """Wait until the channel shows the match and no job is left, and answers have arrived."""
    await wire.wait_for_jobs()
    await asyncio.sleep(2 * wire.server.world.way_s)


def list_measures() -> Iterator[tuple[str, str, ActMethod]]:
    """Yield what is measured by hand: the game, how it is played, and that again for the bot."""
    for game in GAMES:
        yield game, "a press", BY_CONTROL
        yield game, "a command", BY_COMMAND


async def report_latency() -> None:
    """Measure everything, and print a line for each."""
    for game, name, way in list_measures():
        near = 0.0
        for distance in ROUND_TRIPS_S:
            with tempfile.TemporaryDirectory() as folder:
                found = await measure_latency(game, distance, Path(folder), way)
            near = near or found.median
            trips = f", {(found.median - near) / distance:.2f} round trips" if distance else ""
            sys.stdout.write(
                f"{game}, {name}, {1000 * distance:.0f} ms: next board after "
                f"{1000 * found.median:.0f} ms (p50), "
                f"{1000 * compute_quantile(found.waits, 0.95):.0f} ms (p95){trips}; "
                f"{found.requests:.2f} requests, {found.counted:.2f} counted, "
                f"at most {found.most_requests}\n"
            )


@pytest.mark.bench
@pytest.mark.asyncio
@pytest.mark.parametrize("game", GAMES)
async def test_next_board_comes_within_one_round_trip(game: str, tmp_path: Path) -> None:
    (tmp_path / "near").mkdir()
    near = await measure_latency(game, 0.0, tmp_path / "near", acts=30)
    far = await measure_latency(game, FAR_S, tmp_path, acts=30)
    assert (far.median - near.median) / FAR_S <= MAX_ROUND_TRIPS
    assert far.most_requests <= 2
    assert far.counted <= 1


if __name__ == "__main__":
    asyncio.run(report_latency())
