"""Where a job posts, so that one that failed is tried again when that place permits it."""

from bot.app import tasks
from bot.store import QueuedJob, Store


async def find_failed(store: Store, guild: int, channel: int) -> list[int]:
    """Return the ids of a server's failed jobs that post in a channel or its threads.

    Jobs whose place is unknown are included.
    """
    failed = await store.jobs.load_failed(guild)
    matches = await store.matches.places(filter(None, map(tasks.match_of, failed)))
    challenges = await store.challenges.places(filter(None, map(tasks.challenge_of, failed)))

    def posts_in(job: QueuedJob) -> frozenset[int]:
        known = matches.get(tasks.match_of(job) or 0) or challenges.get(
            tasks.challenge_of(job) or 0
        )
        own = job.detail.get("channel")
        return (known or frozenset()) | ({own} if own else frozenset())

    return [
        job.id
        for job in failed
        if job.kind in tasks.ANYWHERE or channel in (posts_in(job) or {channel})
    ]
