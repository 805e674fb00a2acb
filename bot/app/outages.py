"""Outages: while nobody could act no time runs. The program notes again and again where people can.

That is noted shard by shard: where one process of several is down only those cannot act whose servers it serves.
"""

from bot.app import tasks
from bot.app.context import App
from bot.store import Outage, last_served

BEAT = 20_000
"""Milliseconds between two such notes."""
LONGEST_BREAK = 50_000
"""Milliseconds without one that are no outage yet."""


async def begin(app: App) -> None:
    """Let no time run until people can act."""
    own = app.shards
    app.away.update(own.numbers)
    served = await app.store.pauses.last_served()
    unknown = [shard for shard in own.numbers if last_served(served, shard, own.count) is None]
    await app.store.pauses.served(unknown, own.count, app.clock())


async def beat(app: App) -> None:
    """Note where people can act now, and where they could not before, for how long."""
    count = app.shards.count
    reached = sorted(app.reached)
    served = await app.store.pauses.last_served()
    now = app.clock()
    before = {shard: last_served(served, shard, count) for shard in reached}
    outages = [
        Outage(shard, count, began=last, ended=now)
        for shard, last in before.items()
        if last is not None and now - last > LONGEST_BREAK
    ]
    await app.store.pauses.served(reached, count, now, outages)
    if app.away & app.reached:
        # Those that were lost again meanwhile are away still.
        app.away -= set(reached) & app.reached
        # The clocks that waited until people can act.
        await app.store.jobs.bring_forward(tasks.WATCH, now + BEAT, now)
