"""What the worst request of each kind costs: seconds of a processor, in the bot and in its workers.

The real bot is in this process, on the simulated Discord. By hand:
`.venv/bin/python -m tests.bench.worst_requests`.
"""

import asyncio
import os
import resource
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from bot.features.analysis.service import build_setup_match, parse_setup
from bot.features.challenges.terms import MatchRequest
from bot.features.computer.pool import PlayerPool
from bot.features.matches.loading import load_session
from bot.features.matches.session import cache_session
from bot.platform.people import DiscordPerson
from engine.match import Match
from tests.support.club import SimulatedClub, open_club
from tests.support.finished import store_matches
from tests.support.match_season import MatchSeason
from tests.support.panels import export_data

WORST_GAME, WORST_THROW = "tabula", "654"
WORST_POSITION = "a1,b1,c1,d1,e1,f1,g1,h1,i1,k1,l1,m1,n1,o1,p1 z15 gold -"
"""Fifteen men apart: no position of any game has more plays, 2,443 of a 6-5-4."""
LONG_GAME = "todas-tablas"
EXPORTED = 2_000
TICK = os.sysconf("SC_CLK_TCK")


class ClubSeason(MatchSeason):
    """People of the club who play whatever is legal, so that their matches are long."""

    guild = channel = 0

    def build_request(self, person: DiscordPerson) -> MatchRequest:
        """A wish of somebody's, in the club's channel."""
        return MatchRequest(self.guild, self.channel, person, f"asked {next(self.causes)}")


def measure_processor_s(club: SimulatedClub) -> tuple[float, float]:
    """Return for how many seconds this process, and its workers, have computed."""
    app = club.bot.app
    processes = (*app.costly.processes, *app.get_part(PlayerPool).processes)
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    going = sum(read_processor_s(each.pid or 0) for each in processes)
    return time.process_time(), ended.ru_utime + ended.ru_stime + going


def read_processor_s(process: int) -> float:
    """Return for how many seconds a process has computed; 0 for one that is gone."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return 0.0
    user, system = map(int, stat.rpartition(")")[2].split()[11:13])
    return (user + system) / TICK


async def measure(club: SimulatedClub, name: str, ask: Callable[[], Awaitable[Any]]) -> None:
    """Print what something costs that is asked."""
    before, begun = measure_processor_s(club), time.perf_counter()
    await ask()
    here, there = (
        after - earlier for after, earlier in zip(measure_processor_s(club), before, strict=True)
    )
    took = time.perf_counter() - begun
    sys.stdout.write(f"{name}: {here:.2f} s here, {there:.2f} s in workers; took {took:.1f} s\n")
    sys.stdout.flush()


def build_worst_match() -> Match:
    """Return a match in the position with the most plays."""
    return build_setup_match(parse_setup(WORST_GAME, WORST_POSITION, WORST_THROW, ""))


async def measure_all(club: SimulatedClub) -> None:
    """Ask for the worst of each kind once, with the workers started."""
    ana, channel = club.ana, club.channel
    season = ClubSeason(club.store, now=club.hands(), causes=count(10**18))
    season.guild, season.channel = club.guild.id, channel.id
    people = DiscordPerson(ana.id, "Ana"), DiscordPerson(club.ben.id, "Ben")
    long = await season.start_match(LONG_GAME, *people)
    await season.play_match(long, 10_000)
    session = await load_session(club.bot.app, long)
    sys.stdout.write(f"the long match has {session.match.version} events\n")
    worst = {"game": WORST_GAME, "position": WORST_POSITION}

    async def ask(name: str, command: str, **options: Any) -> None:
        await measure(club, name, lambda: ana.slash(channel, command, **options))
        club.hands.ahead += 60_000

    await ask("a first request, which starts a worker", "print", game="tabula")
    await ask("analyse, before a throw", "analyse", **worst)
    await ask("analyse, the same again", "analyse", **worst)
    await ask("analyse, 2,443 plays", "analyse", **worst, throw=WORST_THROW)
    await ask("analyse, 500 characters of nonsense", "analyse", game="zeno", position="a1," * 166)
    await ask("print", "print", game="zeno", size="large")
    await ask("match replay", "match replay", match=long)
    await ask("match record", "match record", match=long)
    await ask("match board", "match board", match=long)

    async def ask_for_report() -> None:
        await ana.slash(channel, "match report", match=long)
        while long in club.bot.app.progress:  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0.1)
        await club.env.settle()

    await measure(club, "match report", ask_for_report)
    now = club.hands()
    finished = [(now - at, ana.id, club.ben.id, "gold") for at in range(EXPORTED)]
    await store_matches(club.store, finished, guild=club.guild.id)
    await ask("history", "history")
    answer = (await ana.slash(channel, "history")).response
    assert answer is not None
    for label in ("CSV", "JSON"):
        save = partial(ana.click, answer.message, label=label)
        await measure(club, f"history as {label}", save)
    await ask("server stats", "server stats")
    await ask("me profile", "me profile")
    await ask("leaderboard", "leaderboard")
    await measure(club, "data export", lambda: export_data(ana, channel))
    club.hands.ahead += 60_000
    await measure(club, "data export, its job", lambda: club.advance_clock(0))
    await ask("puzzle", "puzzle")
    await ask("rules", "rules", game="zeno")
    going = await season.start_match(WORST_GAME, *people)
    await season.play_match(going, 4)
    session = await load_session(club.bot.app, going)
    match = build_worst_match()
    fake = replace(match, version=session.match.version)
    cache_session(club.bot.app, replace(session, match=fake))
    me = session.person_to_act
    mover = ana if me == ana.id else club.ben
    await measure(
        club, "a letter of a play", lambda: mover.autocomplete(channel, "move", "play", "a")
    )
    await measure(club, "another letter", lambda: mover.autocomplete(channel, "move", "play", "a-"))
    await measure(
        club,
        "match try",
        lambda: mover.slash(channel, "match try", match=going, play="a-g b-g c-g"),
    )
    await measure(club, "match board", lambda: mover.slash(channel, "match board", match=going))


async def main() -> None:
    """Measure everything in a new file."""
    with tempfile.TemporaryDirectory() as folder:
        async with open_club(Path(folder) / "club.sqlite3") as club:
            await measure_all(club)


if __name__ == "__main__":
    asyncio.run(main())
