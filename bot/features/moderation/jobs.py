"""The job that an annulment brings with it."""

from collections.abc import Sequence

from bot.features.matches.follow_ups import FOLLOW_UPS
from bot.features.matches.session import MatchSession
from bot.platform.jobs.payloads import JobPayload, Subject
from bot.store import Job


class RerateMatches(JobPayload, kind="rate anew", about=Subject.MATCH):
    """Rate all matches again that ended after this one, which was annulled."""

    match: int


@FOLLOW_UPS.add()
def build_reratings(before: MatchSession, after: MatchSession, now: int) -> Sequence[Job]:
    """Rate those again who played after a match that was over: all it can be is annulled."""
    is_annulled = before.row.ended is not None and before.row.rated
    return [RerateMatches(after.id).make_job(now)] if is_annulled else []
