"""How the league of a run ends: at its deadline, as the bot is killed."""

import asyncio
import time
from random import Random

from bot.features.contests.store import Contests
from bot.platform.db.tables import now_ms

from .league import ANSWERED_S
from .table import TortureFailure
from .torture import Torture

DECIDED_S = 60.0
"""Seconds within which a deadline is decided, and its announcement stands."""
MAX_LIFE_S = 1.0
MAX_TURNS = 12
"""What people do in a match, at most, until both have decided something."""
LOOK_S = 0.1


async def end_league(torture: Torture) -> str:
    """Bring the deadline, kill the bot as it decides the matches, and check what comes of it."""
    league, chance = torture.league, Random(f"{torture.seed} deadline")
    await _start_league(torture, chance)
    await _play_in_one_match(torture)
    await torture.settle_league()
    async with torture.database.open_store() as store:
        matches = [league.matches[number] for number in league.list_left()]
        expected = league.list_ends(await store.get(Contests).load_actors(matches))
    if "deadline" not in expected.values():
        raise TortureFailure(f"{league.name} has no match in which both have played: {expected}")
    before = len(league.results)
    await torture.bot.stop()
    await torture.server.wait_until_disconnected()
    now = now_ms()
    await torture.database.execute(
        f"UPDATE contests SET ends = {now} WHERE id = {league.number}",
        f"UPDATE jobs SET due = {now} WHERE kind = 'end contest' AND key = '{league.number}'",
    )
    await torture.bot.start()
    await asyncio.sleep(chance.random() * MAX_LIFE_S)
    await torture.bot.kill()
    await torture.server.wait_until_disconnected()
    await torture.bot.start()
    ends = time.monotonic() + DECIDED_S
    while league.state != "over":
        if time.monotonic() > ends:
            raise TortureFailure(f"{league.name} is {league.state} after its deadline")
        await asyncio.sleep(LOOK_S)
        await torture.check_league()
    await torture.settle_league()
    for number, how in expected.items():
        if league.results[number][1] != how:
            raise TortureFailure(
                f"{league.name}: pairing {number} ended with {league.results[number]}, not {how}"
            )
    league.verify_announcement()
    return (
        f"{league.name}: {len(league.matches)} matches paired once, {before} results before its "
        f"deadline, {len(expected)} by it; its table is that of a replay"
    )


async def _start_league(torture: Torture, chance: Random) -> None:
    """Let it start, if no fault has come in which it was started."""
    await torture.league.ensure_open()
    while torture.league.state == "open":
        if deed := await torture.plan_league_deed(chance):
            await deed()
        await torture.settle_league()


async def _play_in_one_match(torture: Torture) -> None:
    """Let people roll and play in a match until both have decided something."""
    league = torture.league
    first = league.list_left()[0]
    for _ in range(MAX_TURNS):
        async with torture.database.open_store() as store:
            decided = await store.get(Contests).load_actors([league.matches[first]])
            if len(decided[league.matches[first]]) == 2:
                return
            deed = await league.plan_turn(store, first)
        act = await deed()
        ends = time.monotonic() + ANSWERED_S
        while act.answered is None and time.monotonic() < ends:  # noqa: ASYNC110 - it polls
            await asyncio.sleep(LOOK_S)
