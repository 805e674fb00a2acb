"""Outages: while nobody could act no time runs. The program notes again and again that it is there."""

from bot.app import tasks
from bot.app.context import App
from bot.store import Pause

ALIVE = "alive"
"""The note of when the program was last there, in milliseconds since 1970."""
BEAT = 20_000
"""Milliseconds between two such notes."""
LONGEST_BREAK = 50_000
"""Milliseconds without one that are no outage yet."""


async def begin(app: App) -> None:
    """Let no time run until people can act."""
    app.away = True
    if await app.store.notes.get(ALIVE) is None:
        await app.store.notes.set(ALIVE, str(app.clock()))


async def beat(app: App) -> None:
    """Note that people can act now, and where they could not before, for how long."""
    last = await app.store.notes.get(ALIVE)
    now = app.clock()
    if last is not None and now - int(last) > LONGEST_BREAK:
        await app.store.pauses.add(Pause(None, int(last), now))
        # What was known of clocks was reckoned without it.
        app.forget()
    await app.store.notes.set(ALIVE, str(now))
    if app.away:
        app.away = False
        # The clocks that waited until people can act.
        await app.store.jobs.bring_forward(tasks.WATCH, now + BEAT, now)
