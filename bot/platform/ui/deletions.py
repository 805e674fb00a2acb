"""Messages that others delete: which they were lately, and when they are posted again."""

from collections import deque
from collections.abc import Iterable

from engine.clock import HOUR

MAX_REPOSTS = 5
"""How often a match's message is posted again within an hour while others delete it.

That is while nobody acts in the match.
"""
MAX_REMEMBERED = 1000
"""Deleted messages that are remembered, for one deleted before it is stored that it was posted.

As many matches with deleted messages are remembered; those longest left in peace go first.
"""


class Deletions:
    """The messages that others have deleted lately, and how often those of each match."""

    def __init__(self) -> None:
        self._messages: deque[int] = deque(maxlen=MAX_REMEMBERED)
        self._reposts: dict[int, tuple[int, deque[int]]] = {}

    def add(self, messages: Iterable[int]) -> None:
        """Remember that messages were deleted."""
        self._messages.extend(messages)

    def has_message(self, message: int) -> bool:
        """Whether a message was deleted lately."""
        return message in self._messages

    def may_repost(self, match: int, version: int, now: int) -> bool:
        """Whether the message of a match is posted again.

        It is not if it is deleted each time before anybody acts.
        """
        before, lately = self._reposts.pop(match, (None, deque[int]()))
        if before != version:
            lately = deque(maxlen=MAX_REPOSTS)
        # Taken out above and put back at the end, so that the first is the longest unused.
        self._reposts[match] = version, lately
        if len(self._reposts) > MAX_REMEMBERED:
            del self._reposts[next(iter(self._reposts))]
        # A full deque holds the latest times alone, and the first of them is the oldest.
        if len(lately) == MAX_REPOSTS and lately[0] > now - HOUR:
            return False
        lately.append(now)
        return True
