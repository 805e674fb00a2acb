"""The jobs of contests, and what a change of one of their matches brings with it."""

from collections.abc import Sequence

from bot.features.contests.rows import Contest
from bot.features.matches.follow_ups import FOLLOW_UPS
from bot.features.matches.session import MatchSession
from bot.platform.jobs.payloads import JobPayload, Subject
from bot.store import Job
from engine.clock import SECOND

SETTLE_MS = 2 * SECOND
"""Milliseconds after which a result is shown, so that several that come together are shown once."""


class ShowContest(JobPayload, kind="show contest", about=Subject.CONTEST, needs_server=True):
    """Let a contest go on as far as its results allow, and bring its message up to date."""

    contest: int


class ShowEvent(JobPayload, kind="show event", about=Subject.CONTEST, needs_server=True):
    """Bring a league's event in its server up to date."""

    contest: int


class GiveRoles(JobPayload, kind="give roles", about=Subject.CONTEST, needs_server=True):
    """Bring up to date who has the roles of a league, which is named by its first season.

    So that of all its seasons one at a time does.
    """

    contest: int


class StartContest(JobPayload, kind="start contest", about=Subject.CONTEST, is_timed=True):
    """Start a contest whose sign-up ends, or call it off if too few have signed up."""

    contest: int


class EndContest(JobPayload, kind="end contest", about=Subject.CONTEST, is_timed=True):
    """Close the round of a contest whose deadline has come; a league has one."""

    contest: int


class DecideRound(JobPayload, kind="decide round", about=Subject.CONTEST, key="{contest}:{round}"):
    """Decide a contest's matches that go on in a round that is closed, and in earlier ones."""

    contest: int
    round: int


class ThrowOpening(JobPayload, kind="throw opening", about=Subject.MATCH):
    """Throw for who begins a match of a contest, which nobody starts by a press."""

    match: int


class ForfeitMatches(
    JobPayload, kind="forfeit matches", about=Subject.CONTEST, key="{contest}:{person}"
):
    """Let somebody who has withdrawn from a contest, or was removed, forfeit their matches."""

    contest: int
    person: int


class FreePlace(JobPayload, kind="free place", about=Subject.CONTEST, key="{contest}:{person}"):
    """Annul the matches that go on of somebody in whose place another can play."""

    contest: int
    person: int


class AnnulMatches(JobPayload, kind="annul matches", about=Subject.CONTEST):
    """Annul the matches that go on in a contest that was called off."""

    contest: int


def build_update_jobs(contest: Contest, now: int) -> Sequence[Job]:
    """Return the jobs by which everything that shows a league is brought up to date."""
    jobs = [ShowContest(contest.id).make_job(now)]
    if contest.has_event:
        jobs.append(ShowEvent(contest.id).make_job(now))
    if contest.has_roles:
        jobs.append(GiveRoles(contest.series).make_job(now))
    return jobs


@FOLLOW_UPS.add()
def show_result(before: MatchSession, after: MatchSession, now: int) -> Sequence[Job]:
    """Show a contest as it stands once one of its matches is over, or annulled afterwards."""
    if after.row.contest is None or after.match.outcome is None:
        return []
    return [ShowContest(after.row.contest).make_job(now + SETTLE_MS)]
