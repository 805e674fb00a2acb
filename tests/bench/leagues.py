"""How long contests take to show every board that begin at once, and how late the loop is.

They are leagues that start, or Swisses whose first round ends at its deadline without a play.


The real bot is a process of its own at the stand-in for Discord. By hand, with how many leagues of
four people, or Swisses of eight: `.venv/bin/python -m tests.bench.leagues sqlite 100 [--swiss]`.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL
from itertools import accumulate
from pathlib import Path

from sqlalchemy import Connection, update

from bot.features.contests.service import EndContest, ShowContest, StartContest
from bot.features.contests.store import Contests
from bot.features.contests.tables import (
    ContestFormat,
    Entrant,
    contests,
)
from bot.platform.db.store import Store
from bot.platform.db.tables import jobs, now_ms
from engine.dice import compute_commitment
from tests.bench.late_bot import LATE_BOT, load_lateness
from tests.bench.tables import compute_quantile
from tests.bench.test_growth import open_databases
from tests.bench.test_load import measure_processor_time
from tests.store.test_contests import SECRET, build_contest
from tests.wire.discord_server import DiscordServer
from tests.wire.processes import start_bot_process

PEOPLE = {ContestFormat.LEAGUE: 4, ContestFormat.SWISS: 8}
MATCHES = {ContestFormat.LEAGUE: 6, ContestFormat.SWISS: 4}
"""What everybody in a league plays together, or in a round of a Swiss."""
LOOK_S = 0.2
PATIENCE_S = 1800.0


async def open_contests(
    where: str | Path, server: DiscordServer, count: int, kind: ContestFormat
) -> None:
    """Fill a database with contests of members of the server, whose sign-up has just ended."""
    now, size = now_ms(), PEOPLE[kind]
    channel = next(iter(server.world.channels.values()))
    async with await Store.open(where) as store:
        for league in range(count):
            people = [server.get_person(f"player-{league}-{at}").id for at in range(size)]
            for person in people:
                await store.people.save_name(person, f"Person {person}", now)
            new = build_contest(
                guild=channel.guild_id,
                channel=channel.id,
                name=f"League {league}",
                format=kind,
                organiser=people[0],
                pace="day",
                commitment=compute_commitment(SECRET),
                created=now,
                starts=now,
            )
            number, _ = await store.get(Contests).create(
                new, lambda at: [StartContest(at).build_job(now)]
            )
            for person in people:
                entrant = Entrant(person, str(person), now)
                await store.get(Contests).join(
                    number, entrant, size, ShowContest(number).build_job(now)
                )


async def let_rounds_end(where: str | Path) -> None:
    """Let the deadline of every contest's round have come."""
    now = now_ms()
    async with await Store.open(where) as store:

        def work(connection: Connection) -> None:
            connection.execute(update(contests).values(ends=now))
            connection.execute(update(jobs).where(jobs.c.kind == EndContest.kind).values(due=now))

        await store._database.write(work)  # noqa: SLF001 - behind the program's back


async def measure(where: str | Path, folder: Path, count: int, kind: ContestFormat) -> str:
    """Let so many leagues start, or rounds of Swisses end, and return a line about it."""
    async with await DiscordServer.start() as server:
        await open_contests(where, server, count, kind)
        wanted = count * MATCHES[kind]
        # Whoever was to act in the first round sits out the second.
        rounds = [wanted, wanted // 2] if kind is ContestFormat.SWISS else [wanted]
        began = took = processor = 0.0
        for number, shown in enumerate(accumulate(rounds), 1):
            process = start_bot_process(
                server, *LATE_BOT, folder=folder, stderr=DEVNULL, TABULA_DATABASE=str(where)
            )
            async with process as bot:
                await server.wait_until_ready(PATIENCE_S)
                began = time.monotonic()
                while len(_list_boards(server)) < shown:
                    if time.monotonic() - began > PATIENCE_S:
                        raise TimeoutError(f"{len(_list_boards(server))} of {shown} boards")
                    await asyncio.sleep(LOOK_S)
                took = time.monotonic() - began
                processor = measure_processor_time(bot)
                bot.terminate()
                await bot.wait()
            if number < len(rounds):
                await let_rounds_end(where)
    late = load_lateness(folder, began, began + took)
    half, most = (1000 * compute_quantile(late, share) for share in (0.5, 0.99))
    return (
        f"{count} x {kind}, {rounds[-1]} matches | {took:.0f} s to the last board | "
        f"{1000 * processor / rounds[-1]:.0f} ms of a processor a match | "
        f"loop late {half:.0f}, {most:.0f} ms"
    )


def _list_boards(server: DiscordServer) -> list[int]:
    """Return the threads in which a board stands."""
    threads = {each.id for each in server.world.channels.values() if each.parent_id}
    shown = {each.channel_id for each in server.world.messages.values()}
    return list(threads & shown)


async def _main() -> None:
    parser = argparse.ArgumentParser(description="measure leagues that start at once")
    parser.add_argument("kind", choices=("sqlite", "postgresql"))
    parser.add_argument("count", type=int)
    parser.add_argument("--swiss", action="store_true")
    arguments = parser.parse_args()
    kind = ContestFormat.SWISS if arguments.swiss else ContestFormat.LEAGUE
    with tempfile.TemporaryDirectory() as folder:
        async with open_databases(arguments.kind, Path(folder)) as make_database:
            line = await measure(make_database(), Path(folder), arguments.count, kind)
            sys.stdout.write(f"{arguments.kind} | {line}\n")


if __name__ == "__main__":
    asyncio.run(_main())
