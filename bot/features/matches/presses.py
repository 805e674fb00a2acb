"""Presses under the live message of a match: the change that they bring is the answer to them.

A press is answered after its action is saved, by the one request that edits the message or closes
it. Only what takes long is acknowledged before, and then the message is changed like any other.
"""

import asyncio
import logging
import time
from collections import OrderedDict
from dataclasses import dataclass, field

from bot.features.matches.session import MatchSession
from bot.platform.context import App
from bot.platform.ui.answers import RECEIVED_AT_KEY, InteractionAnswer
from bot.platform.ui.card import Card
from bot.platform.ui.delays import show_delay_until
from bot.platform.ui.failures import UnansweredError, describe_error

log = logging.getLogger(__name__)

LONGEST_HOLD_S = 0.8
"""Seconds since it came for which a press waits for the change, before it is acknowledged."""
MOST_CLOSED = 1000
"""Messages of which it is remembered that they are closed."""


@dataclass(frozen=True, slots=True)
class HeldPress:
    """A press that waits for the change: its answer, and the version that its action has saved."""

    answer: InteractionAnswer
    version: int
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once it is answered, or cannot be answered by the change."""


class Presses:
    """The presses that wait, and the messages closed by an answer, by the messages' ids."""

    def __init__(self) -> None:
        self._waiting: dict[int, HeldPress] = {}
        self._closed: OrderedDict[int, None] = OrderedDict()
        self._unseen: dict[int, list[tuple[int, asyncio.Event]]] = {}
        self._notices: set[asyncio.Task[None]] = set()

    def add(self, message: int, press: HeldPress) -> None:
        """Let a press wait for the change of its message."""
        self._waiting[message] = press

    def discard(self, message: int, press: HeldPress) -> None:
        """Forget a press that waits no longer."""
        if self._waiting.get(message) is press:
            del self._waiting[message]

    def take(self, message: int, version: int) -> HeldPress | None:
        """Return the press that a message at some version answers, which waits no longer."""
        press = self._waiting.get(message)
        # An earlier state would not show what was pressed.
        if press is None or press.version > version:
            return None
        return self._waiting.pop(message)

    def announce_delay(self, answer: InteractionAnswer, session: MatchSession) -> None:
        """Say to somebody, until a match is shown as it is now, that their turn is on its way."""
        seen = asyncio.Event()
        self._unseen.setdefault(session.id, []).append((session.match.version, seen))
        telling = asyncio.create_task(show_delay_until(answer, seen), name="show delay")
        self._notices.add(telling)
        telling.add_done_callback(self._notices.discard)

    def mark_seen(self, match: int, version: int) -> None:
        """Note that a match is shown at a version."""
        waiting = self._unseen.pop(match, [])
        for each, seen in waiting:
            if each <= version:
                seen.set()
        if later := [(each, seen) for each, seen in waiting if each > version]:
            self._unseen[match] = later

    def mark_closed(self, message: int) -> None:
        """Remember that a message is closed."""
        self._closed[message] = None
        while len(self._closed) > MOST_CLOSED:
            self._closed.popitem(last=False)

    def forget_closed(self, message: int) -> bool:
        """Return whether a message is known to be closed, and forget it."""
        return self._closed.pop(message, self) is None


def find_pressed_message(answer: InteractionAnswer, session: MatchSession) -> int | None:
    """Return the live message of a match if its control was pressed, None otherwise."""
    message = answer.interaction.message
    is_live = (
        answer.is_component
        and message is not None
        and message.id == session.row.message
        and not message.flags.ephemeral
    )
    return session.row.message if is_live else None


async def wait_for_change(answer: InteractionAnswer, session: MatchSession, message: int) -> None:
    """Wait until the change of a pressed message has answered the press, or takes too long."""
    presses = answer.app.get_part(Presses)
    press = HeldPress(answer, session.match.version)
    presses.add(message, press)
    left_s = LONGEST_HOLD_S + answer.interaction.extras[RECEIVED_AT_KEY] - time.monotonic()
    try:
        async with asyncio.timeout(left_s):
            await press.settled.wait()
    except TimeoutError:
        log.debug("match %d changes too late to answer a press by it", session.id)
        presses.announce_delay(answer, session)
    finally:
        presses.discard(message, press)


async def answer_press(app: App, message: int, version: int, card: Card) -> bool:
    """Change a message by the answer to a press under it; return False where there is none.

    Return False also where it is too late for that.
    """
    press = app.get_part(Presses).take(message, version)
    if press is None:
        return False
    try:
        return await respond_by_card(press.answer, card)
    finally:
        press.settled.set()


async def respond_by_card(answer: InteractionAnswer, card: Card) -> bool:
    """Answer a press by what everyone sees in place of its message; return False if that fails."""
    try:
        return await answer.respond_by_edit(card, public=True)
    except UnansweredError as error:
        log.info(
            "the answer to %s does not change its message: %s",
            answer.interaction.id,
            describe_error(error),
        )
        return False
