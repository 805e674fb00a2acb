"""Pages that people can turn."""

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from bot.platform.ui.card import Card
from bot.platform.ui.failures import FAILURES, UnansweredError, describe_error

log = logging.getLogger(__name__)

MAX_PAGES = 1000
"""Pages that are remembered, so that of each somebody has one copy that can be turned."""


@dataclass(frozen=True, slots=True)
class OpenPage:
    """A page that somebody opened: its message, what it shows, and how it is changed."""

    message: int
    card: Card
    change: Callable[[Card], Awaitable[None]]


class Pages:
    """The pages that people can turn: of each kind everyone has one, the newest."""

    def __init__(self) -> None:
        self._live: OrderedDict[tuple[int, str], OpenPage] = OrderedDict()

    async def add(self, person: int, name: str, page: OpenPage) -> None:
        """Remember a page, and take the controls from the copy that the person opened before."""
        before = self._live.pop((person, name), None)
        self._live[person, name] = page
        while len(self._live) > MAX_PAGES:
            self._live.popitem(last=False)
        if before is None or before.message == page.message:
            return
        # The message keeps its picture; it would be drawn again only to be the same.
        picture = before.card.picture and replace(before.card.picture, shows=None)
        try:
            await before.change(replace(before.card, controls=(), picture=picture))
        except (*FAILURES, UnansweredError) as error:
            # After a quarter of an hour only a press could still change a message for one alone.
            log.info(
                "could not remove the controls of an earlier copy of a page: %s",
                describe_error(error),
            )
