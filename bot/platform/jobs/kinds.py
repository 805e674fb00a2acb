"""The kinds of jobs that several features enqueue; a feature's own are in its `jobs.py`.

What must follow a change is stored with it, in the same transaction: services enqueue
`ShowMatch(3).make_job(now)`, and the handler is declared by `handles`.
"""

from dataclasses import field

from bot.platform.jobs.payloads import JobPayload, Subject

LONGEST_PAUSE_S = 300
"""Seconds for which what failed waits at most until it is tried again."""
ANSWERED_MS = 15_000
"""Milliseconds after which an interaction that was acknowledged before it was done is checked."""


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


class ShowChallenge(JobPayload, kind="show challenge", about=Subject.CHALLENGE, needs_server=True):
    """Bring a challenge's message up to date."""

    challenge: int


class RepostChallenge(
    JobPayload,
    kind="call challenged",
    about=Subject.CHALLENGE,
    is_timed=True,
    needs_server=True,
):
    """Call the person who was challenged in quiet hours by a new message in place of the old."""

    challenge: int
    message: int


class LapseChallenge(JobPayload, kind="lapse", about=Subject.CHALLENGE, is_timed=True):
    """Let a challenge lapse if it is still open."""

    challenge: int


class PlayComputerTurn(JobPayload, kind="computer", about=Subject.MATCH):
    """Let the computer act in a match."""

    match: int


class WatchClock(JobPayload, kind="watch", about=Subject.MATCH, is_timed=True):
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


class ThrowAutomatically(JobPayload, kind="throw", about=Subject.MATCH, is_timed=True):
    """Throw for the one who is to throw at a version of a match, and wants automatic throws."""

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


class NotifyInterrupted(JobPayload, kind="tell interrupted", about=Subject.INTERACTION):
    """Tell somebody that the program died before it did what they asked.

    The interaction was acknowledged before it was done: in which run, by whom and when. `by_cause`
    says whether it is saved with the interaction as its cause. The token lets anybody answer in the
    bot's name for a quarter of an hour, and so is written nowhere else.
    """

    interaction: int
    run: str
    at: int
    person: int
    token: str = field(repr=False)
    locale: str
    by_cause: bool
