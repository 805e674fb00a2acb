"""The job by which the computer takes its turn."""

from bot.features.computer import service
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.kinds import PlayComputerTurn
from bot.platform.jobs.runner import Done, JobResult
from bot.platform.ui.app_client import AppClient
from bot.store import QueuedJob


@handles(PlayComputerTurn)
async def play_computer_turn(client: AppClient, job: PlayComputerTurn, _: QueuedJob) -> JobResult:
    """Let the computer do all that it has to do in a match."""
    await service.play_turn(client.app, job.match)
    return Done()
