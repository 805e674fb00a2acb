"""What is saved with a change of a match: the jobs that it brings, and the end.

Features declare what they add.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from bot.features.matches import clock as clocks
from bot.features.matches.rows import DRAW, EndingUpdate
from bot.features.matches.session import MatchSession
from bot.platform.context import App
from bot.platform.db.jobs import JobPayload, Subject
from bot.platform.db.rows import Job
from bot.platform.features import ExtensionPoint
from bot.platform.people import COMPUTERS, DiscordPerson
from engine.clock import find_turn
from engine.match import Match
from engine.outcome import ANNULLED
from engine.position import Side


class ShowMatch(JobPayload, kind="show match", about=Subject.MATCH, needs_server=True):
    """Bring a match's channel up to date.

    A new message is posted in the channel `fresh`; `past` is the match's message when that was
    wanted, 0 if it had none. After a backup was restored the message names the backup's instant,
    `restored`. With `luck` the last message shows the luck that a report has found; with `again`
    the message is made again even if it shows the newest version, as the clock has changed.
    """

    match: int
    fresh: int | None = None
    past: int | None = None
    restored: int | None = None
    luck: bool | None = None
    again: bool | None = None


class CloseTurn(
    JobPayload, kind="close turn", about=Subject.MATCH, key="{message}", needs_server=True
):
    """Remove the controls of a message whose turn is over, and add what was played.

    It covers the versions from `since` to `until`, and its picture shows the version `shown`.
    """

    message: int
    match: int
    channel: int
    since: int
    until: int
    shown: int


class NotifyPlaceLost(JobPayload, kind="tell hindered", about=Subject.MATCH, needs_server=True):
    """Tell the players of a match that it can be shown nowhere."""

    match: int


class WatchClock(JobPayload, kind="watch", about=Subject.MATCH, is_timed=True, follows_clock=True):
    """Watch a match's clock: remind, offer the claim, end it.

    `called` says how somebody was notified since the clock's instant, `since`.
    """

    match: int
    since: int = 0
    called: str = ""


class MentionPlayer(JobPayload, kind="call", about=Subject.MATCH, is_timed=True, needs_server=True):
    """Call the one whose turn came in quiet hours, unless they have acted since that version."""

    match: int
    version: int


class RemoveMessage(
    JobPayload, kind="remove", about=Subject.MATCH, key="{message}", needs_server=True
):
    """Remove a message of ours that called somebody to act in a match."""

    message: int
    match: int
    channel: int


class ArchiveThread(JobPayload, kind="archive", about=Subject.THREAD, needs_server=True):
    """Archive the thread of a match that is over."""

    thread: int


CompleteEnding: TypeAlias = Callable[[MatchSession, EndingUpdate, int], EndingUpdate]
"""Adds to the end of a rated match, given the match after its end, and the instant."""


ENDING_COMPLETIONS: ExtensionPoint[CompleteEnding] = ExtensionPoint()
"""What features add when a rated match ends in a way that may change ratings."""


def build_ending_update(session: MatchSession, match: Match, now: int) -> EndingUpdate | None:
    """Return what is stored if a match is over after an action; None while it goes on."""
    outcome = match.outcome
    if outcome is None:
        return None
    if outcome.how == ANNULLED:
        # An annulled match has no winner. It is stored as a draw without ratings, and the update
        # takes it out of those that it may have changed.
        return EndingUpdate(winner=DRAW, how=ANNULLED, swapped=match.swapped, annuls=True)
    winner = outcome.winner.value if outcome.winner else DRAW
    after = replace(session, match=match)
    sides = {person: side.value for side in Side for person in after.list_original_players(side)}
    ending = EndingUpdate(
        winner=winner,
        how=outcome.how,
        parts=outcome.parts,
        sides=sides,
        swapped=match.swapped,
    )
    if session.row.rated and outcome.is_rateable:
        for complete in ENDING_COMPLETIONS.list_functions():
            ending = complete(after, ending, now)
    return ending


def build_watch_job(session: MatchSession, now: int) -> Job:
    """Return the job to watch a match when its clock next needs it; at once if the match is over.

    A player who has just acted needs no reminder of the turn that goes on.
    """
    found = clocks.compute_deadlines(session)
    since = session.clock.since
    # Due at once, the job finds the match over and ends, in place of one that waits for months.
    if session.match.outcome is not None:
        return WatchClock(session.id).build_job(now)
    if found is None:
        return WatchClock(session.id).build_job(now + clocks.IDLE_LIMIT_MS)
    if now < found.reminds:
        return WatchClock(session.id).build_job(found.reminds)
    # Marked as reminded although nobody was, so that only the call to those who wait is left.
    if now < found.out:
        return WatchClock(session.id, since, clocks.REMINDED).build_job(found.out)
    return WatchClock(session.id, since, clocks.CALLED).build_job(found.ends)


COMPUTER_PATIENCE = 5_000
"""Milliseconds after which a match is shown whose computer still thinks, or did not get to it."""


BuildFollowUps: TypeAlias = Callable[[MatchSession, MatchSession, int], Sequence[Job]]
"""Returns the jobs that a feature adds, given the match before and after, and the instant."""


FOLLOW_UPS: ExtensionPoint[BuildFollowUps] = ExtensionPoint()
"""The jobs that a change of a running match brings to features."""


FOLLOWED_TURNS: ExtensionPoint[BuildFollowUps] = ExtensionPoint()
"""The jobs that the end of a turn brings to features, in a match that somebody follows."""


END_JOBS: ExtensionPoint[BuildFollowUps] = ExtensionPoint()
"""The jobs that the end of a match brings to features, or its annulment afterwards."""


COMPUTER_TURNS: ExtensionPoint[Callable[[int], JobPayload]] = ExtensionPoint()
"""The job by which a computer acts in a match, given its number."""


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
    watched = build_watch_job(after, now)
    if not after.is_computer_acting:
        builders = FOLLOW_UPS.list_functions()
        if after.row.followed and find_turn(before.match) != find_turn(after.match):
            builders += FOLLOWED_TURNS.list_functions()
        if after.match.outcome is not None:
            builders += END_JOBS.list_functions()
        others = [job for build in builders for job in build(before, after, now)]
        return [ShowMatch(after.id).build_job(now), watched, *others]
    if by.id in COMPUTERS:
        # It is doing its job, which stays in the store until its turn is over.
        return []
    return [
        *(build(after.id).build_job(now) for build in COMPUTER_TURNS.list_functions()),
        # The computer's last step brings this job forward. Only if the computer takes longer, or
        # fails, does the match appear with its turn unfinished.
        ShowMatch(after.id).build_job(now + COMPUTER_PATIENCE),
        watched,
    ]
