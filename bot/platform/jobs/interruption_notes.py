"""Notes of requests that take long, so that people are notified if one is cut off."""

from bot.platform.context import App
from bot.platform.jobs.kinds import ANSWERED_MS, NotifyInterrupted
from bot.store import QueuedJob


async def enqueue_interruption(app: App, guild: int, asked: NotifyInterrupted) -> QueuedJob:
    """Save that somebody is to be notified if the program dies before a request is done."""
    job = asked.make_job(app.clock() + ANSWERED_MS)
    (added,) = await app.store.jobs.enqueue(guild, [job])
    return added


async def finish_interruption(app: App, note: QueuedJob) -> None:
    """Delete the note of a request that was answered."""
    await app.store.jobs.finish(note)
