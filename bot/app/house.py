"""What every use case needs: the store, the clock, the source of secrets, and the matches being played."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from bot.app.table import Table
from bot.store import Store

MOST_CACHED = 256

Clock = Callable[[], int]
"""Milliseconds since 1970, UTC."""

Entropy = Callable[[int], bytes]
"""That many unpredictable bytes."""


@dataclass
class House:
    """The running bot's state behind Discord; everything in it can be rebuilt from the store."""

    store: Store
    clock: Clock
    entropy: Entropy
    films: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))
    """Held while a replay is drawn: a long one takes some hundred megabytes for a second or two."""
    tables: "OrderedDict[int, Table]" = field(default_factory=OrderedDict)
    _locks: "WeakValueDictionary[int, asyncio.Lock]" = field(default_factory=WeakValueDictionary)

    def lock(self, match_id: int) -> asyncio.Lock:
        """Return the lock under which that match changes."""
        return self._locks.setdefault(match_id, asyncio.Lock())

    def keep(self, table: Table) -> None:
        """Remember a table, forgetting the one longest unused when there are too many."""
        self.tables[table.id] = table
        self.tables.move_to_end(table.id)
        while len(self.tables) > MOST_CACHED:
            self.tables.popitem(last=False)
