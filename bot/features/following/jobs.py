"""The jobs by which others hear of a match."""

from collections.abc import Sequence
from enum import StrEnum, auto

from bot.features.matches.follow_ups import FOLLOW_UPS
from bot.features.matches.session import MatchSession
from bot.platform.jobs.payloads import JobPayload, Subject
from bot.store import Job
from engine.clock import find_turn
from engine.match import Phase

NOTIFY_DELAY_MS = 30_000
"""Milliseconds after which followers are notified of a match.

By then its message is posted, and a slip has been taken back.
"""


class NotifyFollowers(JobPayload, kind="tell followers", about=Subject.MATCH):
    """Notify those who follow a match."""

    match: int


class NotifyFollower(JobPayload, kind="tell follower", about=Subject.MATCH, key="{match} {person}"):
    """Notify somebody who follows a match."""

    match: int
    person: int


class MatchNews(StrEnum):
    """What is announced of a match in a server."""

    BEGUN = auto()
    ENDED = auto()


class AnnounceMatch(
    JobPayload,
    kind="tell news",
    about=Subject.MATCH,
    key="{match} {news}",
    needs_server=True,
    posts_elsewhere=True,
):
    """Announce in a server that a match has begun or ended."""

    match: int
    news: MatchNews


@FOLLOW_UPS.add()
def build_notifications(before: MatchSession, after: MatchSession, now: int) -> Sequence[Job]:
    """Let others hear of a match whose turn has gone on, or that is over now."""
    if find_turn(before.match) == find_turn(after.match):
        return []
    due = now + NOTIFY_DELAY_MS
    over = after.match.phase is Phase.OVER
    news = [AnnounceMatch(after.id, MatchNews.ENDED)] if over and not after.is_solo else []
    followers = [NotifyFollowers(after.id)] if after.row.followed else []
    return [payload.make_job(due) for payload in (*news, *followers)]
