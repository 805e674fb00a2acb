"""What is calculated in the background: the computer's turns, reports, and ratings."""

from bot.app import computers_turn, moderation, reports
from bot.app.jobs import MakeReport, PlayComputerTurn, RerateMatches
from bot.delivery.handlers import handles
from bot.delivery.outlets import AppClient
from bot.jobs import Done, JobResult, Removed
from bot.store import QueuedJob


@handles(PlayComputerTurn)
async def play_computer_turn(client: AppClient, job: PlayComputerTurn, _: QueuedJob) -> JobResult:
    """Let the computer do all that it has to do in a match."""
    await computers_turn.play_turn(client.app, job.match)
    return Done()


@handles(MakeReport)
async def make_report(client: AppClient, job: MakeReport, queued: QueuedJob) -> JobResult:
    """Judge a finished match and keep the report, which its last message then shows the luck of.

    Those who wait for it see it in their own answer.
    """
    await reports.make_report(client.app, job.match, queued)
    return Removed()


@handles(RerateMatches)
async def rerate_matches(client: AppClient, job: RerateMatches, _: QueuedJob) -> JobResult:
    """Rate all matches again that ended after an annulled one."""
    await moderation.rerate_matches(client.app, job.match)
    return Done()
