"""The job by which a finished match is judged."""

from bot.features.reports import service
from bot.features.reports.idle_analysis import LeisureAnalysis
from bot.features.reports.service import MakeReport
from bot.platform.context import App
from bot.platform.db.rows import QueuedJob
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import JobResult, Removed
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.channels import SHUTDOWNS


@handles(MakeReport)
async def create_report(client: AppClient, job: MakeReport, queued: QueuedJob) -> JobResult:
    """Judge a finished match and keep the report, which its last message then shows the luck of.

    Those who wait for it see it in their own answer.
    """
    await service.create_report(client.app, job.match, queued)
    return Removed()


@SHUTDOWNS.add()
async def stop_analysis(app: App) -> None:
    """Analyse nothing any more."""
    await app.get_part(LeisureAnalysis).stop()
