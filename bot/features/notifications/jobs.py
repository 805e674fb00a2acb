"""What one can subscribe to, and the jobs by which people hear of a match or a challenge."""

from collections.abc import Sequence
from enum import StrEnum, auto

from bot.features.challenges.service import CREATION_JOBS, START_JOBS
from bot.features.challenges.tables import NewChallenge
from bot.features.matches.jobs import END_JOBS, FOLLOWED_TURNS
from bot.features.matches.session import MatchSession
from bot.platform.db.jobs import JobPayload, Subject
from bot.platform.db.rows import Job
from engine.clock import SECOND, find_turn
from engine.folding import fold_text
from engine.games import GAMES, find_game

ANY_GAME = "any"
"""What stands for every game, where a subscription names one."""


def find_subject(typed: str) -> str:
    """Return what is subscribed to: a game's slug, or any game; raises Refusal."""
    return ANY_GAME if fold_text(typed) == ANY_GAME else find_game(typed).slug


def is_subject(text: str) -> bool:
    """Whether one can subscribe to what a button or menu names."""
    return text == ANY_GAME or text in GAMES


NOTIFY_DELAY_MS = 30_000
"""Milliseconds after which followers are notified of a match.

By then its message is posted, and a slip has been taken back.
"""
SETTLE_MS = 15 * SECOND
"""Milliseconds after which subscribers are notified of a challenge.

By then its message is posted, and one made by mistake is withdrawn.
"""


class NotifyWhen(StrEnum):
    """How often a follower of a match is notified of it."""

    END = auto()
    TURN = auto()


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


@START_JOBS.add()
def build_start_announcement(match: int, now: int) -> Sequence[Job]:
    """Announce a match that has begun."""
    return [AnnounceMatch(match, MatchNews.BEGUN).build_job(now + NOTIFY_DELAY_MS)]


@END_JOBS.add()
def build_end_announcement(before: MatchSession, after: MatchSession, now: int) -> Sequence[Job]:
    """Announce a match between people that is over now, but not that it is annulled afterwards."""
    if after.is_solo or find_turn(before.match) == find_turn(after.match):
        return []
    return [AnnounceMatch(after.id, MatchNews.ENDED).build_job(now + NOTIFY_DELAY_MS)]


@FOLLOWED_TURNS.add()
def build_match_notifications(before: MatchSession, after: MatchSession, now: int) -> Sequence[Job]:
    """Notify those who follow a match whose turn has gone on, or that is over now."""
    return [NotifyFollowers(after.id).build_job(now + NOTIFY_DELAY_MS)]


class NotifySubscribers(
    JobPayload,
    kind="notify subscribers",
    about=Subject.CHALLENGE,
    is_timed=True,
    needs_server=True,
):
    """Notify those who have subscribed to the game of an open challenge."""

    challenge: int


class NotifySubscriber(
    JobPayload,
    kind="notify subscriber",
    about=Subject.CHALLENGE,
    key="{challenge} {person}",
    is_timed=True,
    needs_server=True,
):
    """Notify one of them."""

    challenge: int
    person: int


@CREATION_JOBS.add()
def build_challenge_notifications(number: int, new: NewChallenge) -> Sequence[Job]:
    """Notify subscribers of a challenge that anyone can accept."""
    # A rematch is meant for those who have just played, also between teams.
    is_for_anyone = new.opponent is None and new.rematch_of is None
    return [NotifySubscribers(number).build_job(new.created + SETTLE_MS)] if is_for_anyone else []
