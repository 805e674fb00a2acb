"""The job by which ratings are calculated again."""

from bot.features.moderation import service
from bot.features.moderation.jobs import RerateMatches
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import Done, JobResult
from bot.platform.ui.app_client import AppClient
from bot.store import QueuedJob


@handles(RerateMatches)
async def rerate_matches(client: AppClient, job: RerateMatches, _: QueuedJob) -> JobResult:
    """Rate all matches again that ended after an annulled one."""
    await service.rerate_matches(client.app, job.match)
    return Done()
