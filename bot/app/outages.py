"""Outages: while nobody could act no time runs. The program notes again and again that it is there."""

import logging
from datetime import timedelta

from bot.app import tasks
from bot.app.context import MOST_DRIFT, App
from bot.store import Pause

log = logging.getLogger(__name__)

ALIVE = "alive"
"""The note of when the program was last there, in milliseconds since 1970."""
RUNNING = "running"
"""The note of since when the program runs, empty where it has ended in good order."""
BEAT = 20_000
"""Milliseconds between two such notes."""
LONGEST_BREAK = 50_000
"""Milliseconds without one that are no outage yet."""
LONGEST_RETRY = 300_000
"""Milliseconds for which a job that failed waits at most."""


async def begin(app: App) -> None:
    """Let no time run until people can act, and say in the log how the run before ended."""
    app.away = True
    if await app.store.notes.get(ALIVE) is None:
        await app.store.notes.set(ALIVE, str(app.clock()))
    if await app.store.notes.get(RUNNING):
        besides = ", or goes on beside this one" if app.store.shared else ""
        log.warning("the run before did not end in good order%s; what it left undone is done now", besides)
    await app.store.notes.set(RUNNING, str(app.clock()))


async def end(app: App) -> None:
    """Note that the program ends in good order."""
    await app.store.notes.set(RUNNING, "")


async def beat(app: App) -> None:
    """Note that people can act now, and where they could not before, for how long."""
    last = int(await app.store.notes.get(ALIVE) or app.clock())
    now = app.clock()
    if now - last > LONGEST_BREAK:
        if not app.away:
            log.warning("the clock was set ahead by %s, or the machine slept: no time ran", _told(now - last))
        await app.store.pauses.add(Pause(None, last, now))
        # What was known of clocks was reckoned without it.
        app.forget()
    elif last - now > MOST_DRIFT:
        log.warning("the clock was set back by %s or more: nothing waits for the wrong time", _told(last - now))
        await _set_right(app, last, now)
    await app.store.notes.set(ALIVE, str(now))
    app.time_is_known()
    if app.away:
        app.away = False
        # The clocks that waited until people can act.
        await app.store.jobs.bring_forward(tasks.WATCH, now + BEAT, now)


async def _set_right(app: App, wrong: int, now: int) -> None:
    """Let nothing wait for an instant that the clock showed too early."""
    await app.store.jobs.bring_forward(None, wrong + BEAT + LONGEST_RETRY, now)
    await app.store.pauses.end_by(now)
    app.forget()


def _told(milliseconds: int) -> timedelta:
    return timedelta(seconds=milliseconds // 1000)
