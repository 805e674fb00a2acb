"""After a backup was restored: what is open is posted again, in a new generation."""

import logging
import secrets
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeAlias

from bot.platform.db.rows import Job
from bot.platform.db.store import Generation, Lineage
from bot.platform.features import ExtensionPoint
from bot.platform.ui.app_client import AppClient

log = logging.getLogger(__name__)

MARK_BYTES = 3

BuildRepostJobs: TypeAlias = Callable[[AppClient, int], Awaitable[Mapping[int, Sequence[Job]]]]

REPOST_JOBS: ExtensionPoint[BuildRepostJobs] = ExtensionPoint()
"""The jobs, by server, that post again what is open, given the instant of the backup."""


async def begin_generation(client: AppClient) -> None:
    """Load the database's generations, and begin one if the database is a restored copy."""
    store = client.app.store
    at = await store.generations.load_copy_instant()
    if at is not None:
        jobs = await _build_repost_jobs(client, at)
        client.app.take(
            await store.generations.start_generation(
                Generation(secrets.token_hex(MARK_BYTES), at), jobs
            )
        )
        log.warning("a backup was restored; open matches and challenges are posted again")
    # Loaded last, so that a generation that has just begun is in it.
    client.app.lineage = Lineage(await store.generations.load())


async def _build_repost_jobs(client: AppClient, restored: int) -> dict[int, list[Job]]:
    jobs: dict[int, list[Job]] = defaultdict(list)
    for build in REPOST_JOBS.list_functions():
        for guild, some in (await build(client, restored)).items():
            jobs[guild] += some
    return jobs
