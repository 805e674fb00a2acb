"""The jobs that a change of a match brings with it."""

from collections.abc import Sequence

from bot.features.matches import clock as clocks
from bot.features.matches.session import MatchSession
from bot.platform.computers import COMPUTERS
from bot.platform.jobs.kinds import (
    AnnounceMatch,
    MatchNews,
    NotifyFollowers,
    PlayComputerTurn,
    RerateMatches,
    ShowMatch,
    ThrowAutomatically,
)
from bot.platform.people import DiscordPerson
from bot.store import Job, PlayerPreferences
from engine.clock import find_turn
from engine.match import Phase

AUTO_THROW_DELAY_MS = 30_000
"""Milliseconds in which a play can be taken back before the next dice are thrown for somebody."""
NOTIFY_DELAY_MS = 30_000
"""Milliseconds after which followers are notified of a match.

By then its message is posted, and a slip has been taken back.
"""
COMPUTER_PATIENCE = 5_000
"""Milliseconds after which a match is shown whose computer still thinks, or did not get to it."""


def build_follow_up_jobs(
    before: MatchSession, after: MatchSession, by: DiscordPerson, now: int
) -> Sequence[Job]:
    """Return the jobs that follow: the match is shown to the one to act, or the computer acts."""
    watched = clocks.build_watch_job(after, now)
    if not after.is_computer_acting:
        others = (
            *_build_throw_jobs(after, now),
            *_build_notification_jobs(before, after, now),
            *_build_rerate_jobs(before, now),
        )
        return [ShowMatch(after.id).make_job(now), watched, *others]
    if by.id in COMPUTERS:
        # It is doing its job, which stays in the store until its turn is over.
        return []
    return [
        PlayComputerTurn(after.id).make_job(now),
        # The computer's last step brings this job forward. Only if the computer takes longer, or
        # fails, does the match appear with its turn unfinished.
        ShowMatch(after.id).make_job(now + COMPUTER_PATIENCE),
        watched,
    ]


def _build_throw_jobs(after: MatchSession, now: int) -> Sequence[Job]:
    """Throw the dice for those who want it, once the time to take back the last play has passed."""
    match = after.match
    if (
        match.phase is not Phase.THROW
        or not after.preferences.get(after.person_to_act, PlayerPreferences()).throws
    ):
        return []
    return [ThrowAutomatically(after.id, match.version).make_job(now + AUTO_THROW_DELAY_MS)]


def _build_rerate_jobs(before: MatchSession, now: int) -> Sequence[Job]:
    """Rate those again who played after a match that was over.

    All that can happen to such a match is that it is annulled.
    """
    return (
        [RerateMatches(before.id).make_job(now)]
        if before.row.ended is not None and before.row.rated
        else []
    )


def _build_notification_jobs(before: MatchSession, after: MatchSession, now: int) -> Sequence[Job]:
    """Let others hear of a match whose turn has gone on, or that is over now."""
    if find_turn(before.match) == find_turn(after.match):
        return []
    due = now + NOTIFY_DELAY_MS
    over = after.match.phase is Phase.OVER
    news = [AnnounceMatch(after.id, MatchNews.ENDED)] if over and not after.is_solo else []
    followers = [NotifyFollowers(after.id)] if after.row.followed else []
    return [payload.make_job(due) for payload in (*news, *followers)]
