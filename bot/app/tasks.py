"""What must follow a change: the jobs that are stored with it, in the same transaction."""

import re
from dataclasses import asdict, dataclass, field

from bot.store import Job

LONGEST_PAUSE_S = 300
"""Seconds for which what failed waits at most until it is tried again."""

SHOW_MATCH = "show match"
"""Bring a match's channel up to date; the key is the match."""
CLOSE_TURN = "close turn"
"""Remove the controls of a message whose turn is over, and say the play; the key is the message."""
NOTIFY_HINDERED = "tell hindered"
"""Tell the one to act that a match's channel takes no message; the key is the match."""
SHOW_CHALLENGE = "show challenge"
"""Bring a challenge's message up to date; the key is the challenge."""
COMPUTER = "computer"
"""Let the computer do what is its to do; the key is the match."""
REPORT = "report"
"""Judge a finished match, and keep the report; the key is the match."""
LAPSE = "lapse"
"""Let a challenge lapse if it is still open; the key is the challenge."""
WATCH = "watch"
"""Look after a match's clock: remind, offer the claim, end it; the key is the match."""
RATE_ANEW = "rate anew"
"""Rate all matches anew that ended after one that was annulled; the key is that match."""
CALL = "call"
"""Call the person whose turn came in quiet hours; the key is the match."""
CALL_CHALLENGED = "call challenged"
"""Call the person who was challenged in quiet hours; the key is the challenge."""
THROW = "throw"
"""Throw for somebody who wants automatic throws; the key is the match."""
ARCHIVE = "archive"
"""Archive the thread of a match that is over; the key is the thread."""
GREET = "greet"
"""Tell a server that has invited the bot how to begin, and what it lacks; the key is the server."""
REMOVE = "remove"
"""Take away a message that called somebody to act; the key is the message."""
NOTIFY_FOLLOWERS = "tell followers"
"""Notify those who follow a match; the key is the match."""
NOTIFY_FOLLOWER = "tell follower"
"""Notify one of them; the key is the match and the person."""
ANNOUNCE_MATCH = "tell news"
"""Tell a server that a match has begun or ended; the key is the match and which it is."""

NOTIFY_INTERRUPTED = "tell interrupted"
"""Tell somebody that the program died before it did what they asked; the key is the interaction."""

OFFER_SEAT = "offer seat"
"""Ask somebody to take another's seat; the key names match, holder, person asked and asker."""

ANSWERED_MS = 15_000
"""Milliseconds after which an interaction that was acknowledged before it was done is checked."""

_BY_MATCH = (
    *(SHOW_MATCH, NOTIFY_HINDERED, COMPUTER, REPORT, WATCH, RATE_ANEW, CALL, THROW),
    *(NOTIFY_FOLLOWERS, NOTIFY_FOLLOWER, ANNOUNCE_MATCH, OFFER_SEAT),
)
"""Their keys begin with the number of a match."""
_NUMBER = re.compile("[0-9]+")
_BY_MESSAGE = (CLOSE_TURN, REMOVE)
_BY_CHALLENGE = (SHOW_CHALLENGE, CALL_CHALLENGED, LAPSE)
ABOUT_MATCH = frozenset(_BY_MATCH)
"""The kinds whose keys begin with the number of a match."""
ANYWHERE = frozenset((GREET, ANNOUNCE_MATCH))
"""The kinds that post in a channel chosen by the server, not where a match is shown."""
DETAILS = {
    CLOSE_TURN: ("match", "channel", "since", "until", "shown"),
    REMOVE: ("match", "channel"),
    CALL: ("version",),
    THROW: ("version",),
    CALL_CHALLENGED: ("message",),
}
"""What the details of jobs must hold, by kind."""

BEGUN, ENDED = "begun", "ended"
"""In the key of TELL_NEWS: the kind of news."""
LUCK = "luck"
"""In the detail of SHOW_MATCH: its message is to show the luck that a report has found."""
AGAIN = "again"
"""In the detail of SHOW_MATCH: make its message anew even if it shows the newest version."""
FRESH = "fresh"
"""In the detail of SHOW_MATCH: the channel in which a new message is wanted in any case."""
PAST = "past"
"""In the detail of SHOW_MATCH, beside FRESH: the match's message when the new one was wanted."""
RESTORED = "restored"
"""In the detail of SHOW_MATCH: the instant of the restored backup, which its message names."""


def get_match_id(job: Job) -> int | None:
    """Return the id of the match that a job is about; None if it is about something else."""
    if job.kind in _BY_MESSAGE:
        return int(job.detail["match"])
    number = _NUMBER.match(job.key) if job.kind in _BY_MATCH else None
    return int(number[0]) if number else None


def get_challenge_id(job: Job) -> int | None:
    """Return the id of the challenge that a job is about; None if there is none."""
    return int(job.key) if job.kind in _BY_CHALLENGE else None


def show_match_job(match: int, due: int) -> Job:
    """Return the job to bring a match's channel up to date."""
    return Job(SHOW_MATCH, str(match), due)


def repost_match_job(
    match: int, channel: int, past: int | None, due: int, restored: int | None = None
) -> Job:
    """Return the job that posts a match anew in a channel; `past` is its message until then.

    After a backup was restored the message names the backup's instant, `restored`.
    """
    detail = {FRESH: channel, PAST: past or 0}
    if restored is not None:
        detail[RESTORED] = restored
    return Job(SHOW_MATCH, str(match), due, detail)


def show_luck_job(match: int, due: int) -> Job:
    """Return the job to show, in a match's last message, the luck that its report has found."""
    return Job(SHOW_MATCH, str(match), due, {LUCK: True})


def notify_hindered_job(match: str, due: int) -> Job:
    """Return the job to tell the one to act that a match's channel takes no message."""
    return Job(NOTIFY_HINDERED, match, due)


def play_computer_job(match: int, due: int) -> Job:
    """Return the job to let the computer act in a match."""
    return Job(COMPUTER, str(match), due)


def make_report_job(match: int, due: int) -> Job:
    """Return the job to judge a finished match."""
    return Job(REPORT, str(match), due)


def refresh_match_job(match: int, due: int) -> Job:
    """Return the job to make a match's message anew without an event: its clock has changed."""
    return Job(SHOW_MATCH, str(match), due, {AGAIN: True})


def watch_clock_job(match: int, due: int, *, since: int = 0, called: str = "") -> Job:
    """Return the job to watch a match's clock.

    `called` says how somebody was notified since the clock's instant, `since`.
    """
    return Job(WATCH, str(match), due, {"since": since, "called": called})


def rerate_matches_job(match: int, due: int) -> Job:
    """Return the job to rate all matches anew that ended after one that was annulled."""
    return Job(RATE_ANEW, str(match), due)


def mention_player_job(match: int, version: int, due: int) -> Job:
    """Return the job to call the one to act at a version, unless they have acted by then."""
    return Job(CALL, str(match), due, {"version": version})


def mention_challenged_job(challenge: int, message: int, due: int) -> Job:
    """Return the job to call the challenged by a new message in place of the old one.

    It is for a challenge that is still open when the job is due.
    """
    return Job(CALL_CHALLENGED, str(challenge), due, {"message": message})


def throw_dice_job(match: int, version: int, due: int) -> Job:
    """Return the job to throw for the one who is to throw at that version of a match."""
    return Job(THROW, str(match), due, {"version": version})


def remove_message_job(message: int, match: int, channel: int, due: int) -> Job:
    """Return the job to remove a message of ours."""
    return Job(REMOVE, str(message), due, {"match": match, "channel": channel})


def notify_followers_job(match: int, due: int) -> Job:
    """Return the job to notify those who follow a match."""
    return Job(NOTIFY_FOLLOWERS, str(match), due)


def notify_follower_job(match: int, person: int, due: int) -> Job:
    """Return the job to notify somebody who follows a match."""
    return Job(NOTIFY_FOLLOWER, f"{match} {person}", due)


def announce_match_job(match: int, what: str, due: int) -> Job:
    """Return the job to announce in a server that a match has begun or ended."""
    return Job(ANNOUNCE_MATCH, f"{match} {what}", due)


def offer_seat_job(key: str, due: int) -> Job:
    """Return the job to ask somebody to take another's seat."""
    return Job(OFFER_SEAT, key, due)


def archive_thread_job(thread: int, due: int) -> Job:
    """Return the job to archive the thread of a match that is over."""
    return Job(ARCHIVE, str(thread), due)


@dataclass(frozen=True, slots=True)
class InterruptedRequest:
    """An interaction that was acknowledged before it was done: in which run, by whom and when.

    `by_cause` says whether it is saved with the interaction as its cause. The token lets anybody
    answer in the bot's name for a quarter of an hour, and so is written nowhere else.
    """

    run: str
    at: int
    person: int
    token: str = field(repr=False)
    locale: str
    by_cause: bool


def notify_interrupted_job(interaction: int, interrupted: InterruptedRequest, due: int) -> Job:
    """Return the job that tells somebody that what they asked was not done.

    It does so if it is still there when it is due.
    """
    return Job(NOTIFY_INTERRUPTED, str(interaction), due, asdict(interrupted))


def greet_server_job(guild: int, due: int) -> Job:
    """Return the job to greet a server."""
    return Job(GREET, str(guild), due)


def show_challenge_job(challenge: int, due: int) -> Job:
    """Return the job to bring a challenge's message up to date."""
    return Job(SHOW_CHALLENGE, str(challenge), due)


def lapse_challenge_job(challenge: int, due: int) -> Job:
    """Return the job to let a challenge lapse then."""
    return Job(LAPSE, str(challenge), due)
