"""Outages: while nobody could act no time runs. The program notes regularly where people can act.

That is noted per shard: if one process of several is down, only the people in the servers that it
serves cannot act. A single server that is out of order, or that has removed the bot, is noted by
itself, and so is its return.
"""

import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import TypeAlias

from bot.platform.context import HEARTBEAT_MS, MAX_DRIFT_MS, NO_SERVER, App
from bot.platform.db.jobs import list_clock_kinds, list_postponed_kinds
from bot.platform.db.rows import Job, Outage, StoppageScope
from bot.platform.db.shards import find_last_served
from bot.platform.features import ExtensionPoint
from bot.platform.jobs.runner import MAX_PAUSE_S
from engine.clock import MINUTE, NEVER

log = logging.getLogger(__name__)

POSTPONED_S = 1.0
"""Seconds after which a job is looked at again that came when the clock had been set."""
MAX_BREAK_MS = 50_000
"""Milliseconds without one that are no outage yet."""
SHOWN_OUTAGE_MS = 10 * MINUTE
"""Milliseconds of an outage after which it is worth a message to show deadlines anew."""


BuildReturnJobs: TypeAlias = Callable[[App, int], Awaitable[Sequence[Job]]]

RETURN_JOBS: ExtensionPoint[BuildReturnJobs] = ExtensionPoint()
"""The jobs that a feature enqueues in a server that can be reached again."""


async def start_run(app: App) -> None:
    """Let no time run until people can act, and say in the log how the run before ended."""
    own = app.shards
    app.away.update(own.numbers)
    app.noted = await app.store.pauses.load_stopped_servers()
    # What was out of reach at the end of the last run is so until Discord gives it again.
    app.lost = set(app.noted)
    served = await app.store.pauses.load_last_served()
    unknown = [shard for shard in own.numbers if find_last_served(served, shard, own.count) is None]
    # A shard that was never served has no outage behind it, and begins now.
    await app.store.pauses.record_presence(unknown, own.count, app.clock())
    if await app.store.metadata.load_value(_get_run_key(app)):
        log.warning("the previous run did not shut down cleanly; finishing what it left undone")
    app.run = f"{app.clock()} {secrets.token_hex(4)}"
    await app.store.metadata.save(_get_run_key(app), app.run)


async def end_run(app: App) -> None:
    """Note that the program ends in good order, unless it has not begun or has been replaced."""
    if await app.store.metadata.load_value(_get_run_key(app)) == app.run:
        await app.store.metadata.save(_get_run_key(app), "")


def _get_run_key(app: App) -> str:
    """Return the metadata name that says which run serves these shards.

    Its value is empty once that run has ended.
    """
    return f"running {app.shards}"


async def record_heartbeat(app: App) -> None:
    """Note where people can act now, and where they could not before, for how long."""
    # First, so that a machine whose clock was set goes on by the time of the others.
    await app.store.compare_clocks()
    await save_lost_servers(app)
    count = app.shards.count
    reached = sorted(app.reached)
    served = await app.store.pauses.load_last_served()
    # In one step: the clock may be set while the outages are saved, and they end by this clock's
    # time.
    now, offset = app.clock(), app.compute_clock_offset()
    known = {shard: find_last_served(served, shard, count) for shard in reached}
    before = {shard: last for shard, last in known.items() if last is not None}
    outages = [
        Outage(shard, count, began=last, ended=now)
        for shard, last in before.items()
        if now - last > MAX_BREAK_MS
    ]
    if ahead := [now - outage.began for outage in outages if outage.shard not in app.away]:
        # The steady clock tells a clock that was set from a database that was away.
        cause = (
            "the clock jumped ahead by %s, or the machine slept; match clocks did not run"
            if app.steady is None or app.has_clock_jumped
            else "nothing could be saved for %s, which players are given back"
        )
        log.warning(cause, _to_timedelta(max(ahead)))
    wrong = max(before.values(), default=now)
    if app.wrong_time is not None:
        # Of what was being saved when the clock was set back.
        await _bring_jobs_forward(app, app.wrong_time, now)
        app.wrong_time = None
    if wrong - now > MAX_DRIFT_MS:
        log.warning(
            "the clock was set back by %s or more; deadlines follow the new time",
            _to_timedelta(wrong - now),
        )
        await _bring_jobs_forward(app, wrong, now)
        app.wrong_time = wrong
        await app.store.pauses.end_outages(now, reached, count)
    await app.store.pauses.record_presence(reached, count, now, outages)
    if any(each.ended - each.began >= SHOWN_OUTAGE_MS for each in outages):
        # What shows a deadline that has moved follows at once, not only when the old one comes.
        for kind in list_postponed_kinds():
            await app.store.jobs.bring_forward(kind, NEVER, now)
    # Only when that is saved: until then nobody is late by a clock that was set.
    app.trust_clock(offset)
    if app.away & app.reached:
        # Those that were lost again meanwhile are away still.
        app.away -= set(reached) & app.reached
        # The clocks that waited until people can act.
        for kind in list_clock_kinds():
            await app.store.jobs.bring_forward(kind, now + HEARTBEAT_MS, now)


async def _bring_jobs_forward(app: App, wrong: int, now: int) -> None:
    """Let the jobs be due now that may wait for a time that was wrong."""
    until = wrong + HEARTBEAT_MS + 1000 * MAX_PAUSE_S
    await app.store.jobs.bring_forward(None, until, now)


def mark_server_lost(app: App, guild: int) -> None:
    """Let no time run in a server that cannot be reached."""
    app.lost.add(guild)
    app.given.get(app.shards.get_shard(guild), set()).discard(guild)


def mark_server_back(app: App, guild: int) -> bool:
    """Let time run again in a server that is back; return False if it was never lost."""
    was_lost = guild in app.lost or guild in app.noted
    app.lost.discard(guild)
    app.given.get(app.shards.get_shard(guild), set()).add(guild)
    return was_lost


async def save_lost_servers(app: App) -> None:
    """Store in which servers time stops from now on, and where it runs again; raises StoreError."""
    if app.given:
        await _detect_lost_servers(app)
    now = app.clock()
    pauses = app.store.pauses
    lost = app.lost - app.noted
    if lost:
        await pauses.stop_clocks(StoppageScope.SERVER, lost, now)
        app.noted |= lost
        log.warning("clocks are stopped in unreachable servers: %s", sorted(lost))
    found = app.noted - app.lost
    if found:
        kinds = (*list_clock_kinds(), *list_postponed_kinds())
        due = await pauses.resume_servers(found, now, kinds)
        app.noted -= found
        app.take(due)
        for guild in found:
            for build in RETURN_JOBS.list_functions():
                await app.enqueue(guild, await build(app, guild))
        log.info("clocks run again in servers %s", sorted(found))


async def _detect_lost_servers(app: App) -> None:
    """Stop time in servers where somebody waits and that Discord did not give with their shards.

    A server that it gave is no longer lost.
    """
    awaited = await app.store.pauses.load_active_servers() | app.lost
    for guild in awaited - {NO_SERVER}:
        given = app.given.get(app.shards.get_shard(guild))
        # Nothing is known of the servers of a shard that has not come since the last look.
        if given is not None:
            (app.lost.discard if guild in given else app.lost.add)(guild)
    app.given.clear()


def _to_timedelta(milliseconds: int) -> timedelta:
    return timedelta(seconds=milliseconds // 1000)
