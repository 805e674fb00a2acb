"""Where a job posts, so that one that failed is tried again when that place permits it."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import TypeAlias

from bot.platform.db.jobs import JOB_KINDS, MalformedJobError, Subject
from bot.platform.db.rows import QueuedJob
from bot.platform.db.store import Store
from bot.platform.features import load_modules

LoadChannels: TypeAlias = Callable[
    [Store, Collection[int]], Awaitable[Mapping[int, Collection[int]]]
]
"""Loads the channels in which some of what a feature shows is, by their numbers."""

CHANNEL_LOADERS: dict[Subject, LoadChannels] = {}
"""Where things are shown, as their features know it."""


def loads_channels(about: Subject) -> Callable[[LoadChannels], LoadChannels]:
    """Make a function the one that knows in which channels things are shown."""

    def register(load: LoadChannels) -> LoadChannels:
        CHANNEL_LOADERS[about] = load
        return load

    return register


async def find_failed_jobs(store: Store, guild: int, channel: int) -> list[int]:
    """Return the ids of a server's failed jobs that post in a channel or its threads.

    Jobs whose place is unknown are included.
    """
    failed = await store.jobs.load_failed(guild)
    subjects = {job.id: _find_shown_subject(job) for job in failed}
    places = {}
    load_modules()
    for about, load_channels in CHANNEL_LOADERS.items():
        there = {subject[1] for subject in subjects.values() if subject and subject[0] is about}
        for number, channels in (await load_channels(store, there)).items():
            places[about, number] = channels

    def posts_in(job: QueuedJob) -> set[int]:
        subject = subjects[job.id]
        if subject is None:
            return set()
        return {*places.get(subject, ()), *filter(None, (job.detail.get("channel"),))}

    # A job whose place is unknown may post anywhere, and so also here.
    return [job.id for job in failed if channel in (posts_in(job) or {channel})]


def _find_shown_subject(job: QueuedJob) -> tuple[Subject, int] | None:
    """Return what a job is about if it posts where that is shown; None if it may post anywhere."""
    declared = JOB_KINDS.get(job.kind)
    if declared is None or declared.posts_elsewhere:
        return None
    try:
        return declared.find_subject(job)
    except MalformedJobError:
        return None
