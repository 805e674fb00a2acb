"""The jobs by which people who look for a game hear of an open challenge."""

from bot.platform.jobs.payloads import JobPayload, Subject
from engine.clock import SECOND

SETTLE_MS = 15 * SECOND
"""Milliseconds after which subscribers are notified of a challenge.

By then its message is posted, and one made by mistake is withdrawn.
"""


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
