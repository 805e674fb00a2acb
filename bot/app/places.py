"""Where a job posts, so that one that failed is tried again when that place permits it."""

from bot.app import tasks
from bot.store import QueuedJob, Store


async def find_failed_jobs(store: Store, guild: int, channel: int) -> list[int]:
    """Return the ids of a server's failed jobs that post in a channel or its threads.

    Jobs whose place is unknown are included.
    """
    failed = await store.jobs.load_failed(guild)
    matches = await store.matches.load_channels(filter(None, map(tasks.get_match_id, failed)))
    challenges = await store.challenges.load_channels(
        filter(None, map(tasks.get_challenge_id, failed))
    )

    def posts_in(job: QueuedJob) -> frozenset[int]:
        known = matches.get(tasks.get_match_id(job) or 0) or challenges.get(
            tasks.get_challenge_id(job) or 0
        )
        own = job.detail.get("channel")
        return (known or frozenset()) | ({own} if own else frozenset())

    return [
        job.id
        for job in failed
        if job.kind in tasks.ANYWHERE or channel in (posts_in(job) or {channel})
    ]
