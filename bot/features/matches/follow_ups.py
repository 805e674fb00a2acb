"""The jobs that a change of a match brings with it."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from bot.features.matches import clock as clocks
from bot.features.matches.session import MatchSession
from bot.platform.computers import COMPUTERS
from bot.platform.context import App
from bot.platform.features import ExtensionPoint
from bot.platform.jobs.kinds import PlayComputerTurn, ShowMatch, ThrowAutomatically
from bot.platform.people import DiscordPerson
from bot.store import Job, PlayerPreferences
from engine.match import Phase

AUTO_THROW_DELAY_MS = 30_000
"""Milliseconds in which a play can be taken back before the next dice are thrown for somebody."""
COMPUTER_PATIENCE = 5_000
"""Milliseconds after which a match is shown whose computer still thinks, or did not get to it."""


BuildFollowUps: TypeAlias = Callable[[MatchSession, MatchSession, int], Sequence[Job]]
"""Returns the jobs that a feature adds, given the match before and after, and the instant."""


FOLLOW_UPS: ExtensionPoint[BuildFollowUps] = ExtensionPoint()
"""The jobs that a change of a match brings to features."""


NoteSaved: TypeAlias = Callable[[App, MatchSession, MatchSession], None]
"""Notes in memory that a match has changed, given the match before and after; it must be quick."""


SAVED_NOTES: ExtensionPoint[NoteSaved] = ExtensionPoint()
"""What features note once a change is saved, and may lose with the process."""


def note_saved(app: App, before: MatchSession, after: MatchSession) -> None:
    """Let all features note a change that is saved."""
    for note in SAVED_NOTES.list_functions():
        note(app, before, after)


def build_follow_up_jobs(
    before: MatchSession, after: MatchSession, by: DiscordPerson, now: int
) -> Sequence[Job]:
    """Return the jobs that follow: the match is shown to the one to act, or the computer acts."""
    watched = clocks.build_watch_job(after, now)
    if not after.is_computer_acting:
        others = (
            *_build_throw_jobs(after, now),
            *(job for build in FOLLOW_UPS.list_functions() for job in build(before, after, now)),
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
