"""How long leagues that start at once take to show every board, and how late the loop is.

The real bot is a process of its own at the stand-in for Discord. By hand, with how many leagues of
four people: `.venv/bin/python -m tests.bench.leagues sqlite 100`.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL
from pathlib import Path

from bot.client import now_ms
from bot.features.contests.jobs import ShowContest, StartContest
from bot.features.contests.rows import Entrant, NewContest, UnfinishedRule
from bot.store import Store
from engine.dice import compute_commitment
from tests.bench.late_bot import LATE_BOT, load_lateness
from tests.bench.tables import compute_quantile
from tests.bench.test_growth import measure_processor_time, open_databases
from tests.wire.discord_server import DiscordServer
from tests.wire.processes import start_bot_process

PEOPLE = 4
MATCHES = 6
"""What everybody in a league plays together."""
SECRET = bytes(range(32))
LOOK_S = 0.2
PATIENCE_S = 1800.0


async def open_leagues(where: str | Path, guild: int, channel: int, count: int) -> None:
    """Fill a database with leagues whose sign-up has just ended."""
    now = now_ms()
    async with await Store.open(where) as store:
        for league in range(count):
            people = [1000 + PEOPLE * league + at for at in range(PEOPLE)]
            for person in people:
                await store.people.save_name(person, f"Person {person}", now)
            new = NewContest(
                guild=guild,
                channel=channel,
                name=f"League {league}",
                organiser=people[0],
                game="zeno",
                options={},
                rated=True,
                pace="day",
                days=28,
                unfinished=UnfinishedRule.DRAW,
                repeats=False,
                secret=SECRET,
                commitment=compute_commitment(SECRET),
                created=now,
                starts=now,
            )
            number, _ = await store.contests.create(
                new, lambda at: [StartContest(at).make_job(now)]
            )
            for person in people:
                entrant = Entrant(person, str(person), now)
                await store.contests.join(
                    number, entrant, PEOPLE, ShowContest(number).make_job(now)
                )


async def measure_start(where: str | Path, folder: Path, count: int) -> str:
    """Let so many leagues start, and return a line about it."""
    async with await DiscordServer.start() as server:
        channel = next(iter(server.world.channels.values()))
        await open_leagues(where, channel.guild_id or 0, channel.id, count)
        database = {"TABULA_DATABASE": str(where)}
        process = start_bot_process(
            server.api, server.world.token, *LATE_BOT, folder=folder, stderr=DEVNULL, **database
        )
        async with process as bot:
            await server.wait_until_ready(PATIENCE_S)
            began = time.monotonic()
            wanted = count * MATCHES
            while len(_list_boards(server)) < wanted:
                if time.monotonic() - began > PATIENCE_S:
                    raise TimeoutError(f"{len(_list_boards(server))} of {wanted} boards")
                await asyncio.sleep(LOOK_S)
            took = time.monotonic() - began
            processor = measure_processor_time(bot)
            bot.terminate()
            await bot.wait()
    late = load_lateness(folder, began, began + took)
    half, most = (1000 * compute_quantile(late, share) for share in (0.5, 0.99))
    return (
        f"{count} leagues, {wanted} matches | {took:.0f} s to the last board | "
        f"{1000 * processor / wanted:.0f} ms of a processor a match | "
        f"loop late {half:.0f}, {most:.0f} ms"
    )


def _list_boards(server: DiscordServer) -> list[int]:
    """Return the threads in which a board stands."""
    threads = {each.id for each in server.world.channels.values() if each.parent_id}
    return [each.id for each in server.world.messages.values() if each.channel_id in threads]


async def _main() -> None:
    parser = argparse.ArgumentParser(description="measure leagues that start at once")
    parser.add_argument("kind", choices=("sqlite", "postgresql"))
    parser.add_argument("count", type=int)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        async with open_databases(asked.kind, Path(folder)) as make_database:
            line = await measure_start(make_database(), Path(folder), asked.count)
            sys.stdout.write(f"{asked.kind} | {line}\n")


if __name__ == "__main__":
    asyncio.run(_main())
