"""The jobs of ladders, and what a change of one of their matches brings with it."""

from collections.abc import Sequence

from bot.features.matches.follow_ups import FOLLOW_UPS
from bot.features.matches.session import MatchSession
from bot.platform.jobs.payloads import JobPayload, Subject
from bot.store import Job


class ShowLadder(JobPayload, kind="show ladder", about=Subject.LADDER, needs_server=True):
    """Bring a ladder's message up to date."""

    ladder: int


class DropInactive(JobPayload, kind="drop inactive", about=Subject.LADDER, is_timed=True):
    """Let those drop who have done nothing on a ladder for long."""

    ladder: int


class ForfeitLadderMatches(
    JobPayload, kind="forfeit ladder matches", about=Subject.LADDER, key="{ladder}:{person}"
):
    """Let somebody who has left a ladder, or was removed, forfeit their matches on it."""

    ladder: int
    person: int


@FOLLOW_UPS.add()
def show_ladder_result(before: MatchSession, after: MatchSession, now: int) -> Sequence[Job]:
    """Show a ladder as it stands once one of its matches is over, or annulled afterwards."""
    if after.row.ladder is None or after.match.outcome is None:
        return []
    return [ShowLadder(after.row.ladder).make_job(now)]
