"""The job by which a finished match is judged."""

from bot.features.reports import service
from bot.features.reports.jobs import MakeReport
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import JobResult, Removed
from bot.platform.ui.app_client import AppClient
from bot.store import QueuedJob


@handles(MakeReport)
async def make_report(client: AppClient, job: MakeReport, queued: QueuedJob) -> JobResult:
    """Judge a finished match and keep the report, which its last message then shows the luck of.

    Those who wait for it see it in their own answer.
    """
    await service.make_report(client.app, job.match, queued)
    return Removed()
