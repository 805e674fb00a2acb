"""The club's clock turned on, and jobs done a second time."""

from bot.platform.db.jobs import JobPayload
from bot.platform.db.rows import QueuedJob
from bot.platform.jobs.handlers import build_handlers
from tests.support.club import SimulatedClub


async def turn_clock_to(club: SimulatedClub, instant: int) -> None:
    """Let it be an instant, and what is due then be done."""
    await club.advance_clock(instant - club.hands())


async def run_job(club: SimulatedClub, payload: JobPayload) -> None:
    """Do a job as another process would that has not seen it done."""
    job = payload.build_job(club.hands())
    queued = QueuedJob(
        **{name: getattr(job, name) for name in ("kind", "key", "due", "detail")},
        id=1 << 40,
        guild=club.guild.id,
        leased_by=None,
        revision=1,
        tries=0,
        error=None,
        given_up=None,
    )
    await build_handlers(club.bot)[payload.kind](queued)
