"""After a backup was restored: open matches are posted again, in a new generation."""

import logging
import secrets
from collections import defaultdict

from bot.features.matches.closing import make_close_jobs
from bot.platform.computers import COMPUTERS
from bot.platform.jobs.kinds import RepostChallenge, ShowMatch
from bot.platform.lineage import Lineage
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.channels import ServerChannel
from bot.store import Generation, Job

log = logging.getLogger(__name__)

MARK_BYTES = 3


async def begin_generation(client: AppClient) -> None:
    """Load the database's generations, and begin one if the database is a restored copy."""
    store = client.app.store
    at = await store.generations.load_copy_instant()
    if at is not None:
        jobs = await _make_repost_jobs(client, at)
        client.app.take(
            await store.generations.start_generation(
                Generation(secrets.token_hex(MARK_BYTES), at), jobs
            )
        )
        log.warning("a backup was restored; open matches and challenges are posted again")
    # Loaded last, so that a generation that has just begun is in it.
    client.app.lineage = Lineage(await store.generations.load())


async def _make_repost_jobs(client: AppClient, restored: int) -> dict[int, list[Job]]:
    """Return the jobs, by server, that post running matches and open challenges.

    They also close the older messages of these.
    """
    store = client.app.store
    now = client.app.clock()
    jobs: dict[int, list[Job]] = defaultdict(list)
    for row in await store.matches.load_running():
        people = [seat for seat in row.seats if seat.person not in COMPUTERS]
        channel = ServerChannel(client, row.guild, row.channel)
        # A person alone with the computer has read in the older message as much as they may know.
        until = row.version if len(people) > 1 else row.since
        jobs[row.guild] += await make_close_jobs(channel, row, until)
        renewed = ShowMatch(row.id, fresh=row.channel, past=row.message or 0, restored=restored)
        jobs[row.guild].append(renewed.make_job(now))
    for challenge in await store.challenges.load_open():
        if challenge.message is not None:
            repost = RepostChallenge(challenge.id, challenge.message)
            jobs[challenge.guild].append(repost.make_job(now))
    return jobs
