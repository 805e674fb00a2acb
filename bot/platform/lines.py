"""Lines in which people wait for their turn, so that nobody and no server holds up the others."""

import asyncio
import math
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import NamedTuple


class Asker(NamedTuple):
    """Who asks for something, and in which server; 0 in direct messages."""

    guild: int
    person: int

    @property
    def party(self) -> int:
        """Those who share their turns: a server's people, or one person without a server."""
        return self.guild or self.person


NOBODY = Asker(0, 0)
"""What nobody asked for, such as a job of the bot's own."""

MAX_SERVED = 32
"""The latest turns of a line by which it is estimated how fast it moves."""
MIN_SERVED = 4
"""As many as it takes to estimate that."""

HELD_SLOT: ContextVar[Callable[[], None]] = ContextVar("held slot")
"""Passes on the slot in which something is answered, by the task that answers it."""


def pass_slot_on() -> None:
    """Let the next be answered while this answer waits for something else; no slot does no harm."""
    if pass_on := HELD_SLOT.get(None):
        pass_on()


class FairLine:
    """Places, and those who wait for one: server after server, and in it person after person.

    Where each asks for one thing it is the order of arrival. A person who asks for many waits
    longer for them, alone.
    """

    def __init__(self, places: int) -> None:
        self._places = self._free = places
        self._waiting: OrderedDict[int, OrderedDict[int, deque[asyncio.Future[None]]]] = (
            OrderedDict()
        )
        self._waiting_count = 0
        self._served: deque[float] = deque(maxlen=MAX_SERVED)

    @property
    def is_full(self) -> bool:
        """Whether whoever comes now has to wait."""
        return self._free == 0

    def count_waiting(self, party: int) -> int:
        """Return how many things of a party wait."""
        return sum(
            not each.done() for waiting in self._waiting.get(party, {}).values() for each in waiting
        )

    def estimate_wait(self) -> float:
        """Return about how many seconds whoever came last will wait, as the line moves now.

        While too few have been served since it formed, a line longer than its places is taken to
        be endless, and a shorter one for none.
        """
        if len(self._served) < MIN_SERVED:
            return math.inf if self._waiting_count >= self._places else 0.0
        each = (self._served[-1] - self._served[0]) / (len(self._served) - 1)
        return self._waiting_count * each

    @asynccontextmanager
    async def hold(self, asker: Asker = NOBODY) -> AsyncIterator[None]:
        """Wait for a place, and keep it meanwhile."""
        await self.acquire(asker)
        try:
            yield
        finally:
            self.release()

    async def acquire(self, asker: Asker = NOBODY) -> None:
        """Wait for a place, and take it."""
        if self._free:
            self._free -= 1
            return
        place = asyncio.get_running_loop().create_future()
        if not self._waiting:
            self._served.clear()
        self._waiting_count += 1
        people = self._waiting.setdefault(asker.party, OrderedDict())
        people.setdefault(asker.person, deque()).append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.cancelled():
                self._drop(asker, place)
            else:
                # It came at the same moment, and another waits for it.
                self.release()
            raise

    def release(self) -> None:
        """Give a place to the next in line, or back."""
        while self._waiting:
            party, people = next(iter(self._waiting.items()))
            person, wanted = next(iter(people.items()))
            place = wanted[0]
            self._drop(Asker(party, person), place)
            # A waiter that was just cancelled takes nobody's turn.
            if not place.done():
                self._served.append(time.monotonic())
                self._move_to_end(party, person)
                place.set_result(None)
                return
        self._free += 1

    def _move_to_end(self, party: int, person: int) -> None:
        """Let whoever wants more wait for all others, as a person and as a server."""
        if party in self._waiting:
            self._waiting.move_to_end(party)
            if person in self._waiting[party]:
                self._waiting[party].move_to_end(person)

    def _drop(self, asker: Asker, place: "asyncio.Future[None]") -> None:
        people = self._waiting.get(asker.party)
        wanted = people.get(asker.person) if people else None
        if not people or not wanted or place not in wanted:
            return
        wanted.remove(place)
        self._waiting_count -= 1
        if not wanted:
            del people[asker.person]
        if not people:
            del self._waiting[asker.party]
