"""Reports are made in the background; those who wait for one see it in their own answer."""

from bot.app import reports
from bot.delivery.outlets import AppClient
from bot.store import QueuedJob


async def make_report(client: AppClient, job: QueuedJob) -> bool:
    """Judge a finished match and keep the report, which its last message then shows the luck of."""
    await reports.make_report(client.app, job)
    return True
