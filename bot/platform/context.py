"""What every use case needs: store, clock, secrets, jobs, and the matches being played."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from bot.platform.costly import CostlyWork
from bot.platform.lineage import Lineage
from bot.platform.lines import FairLine
from bot.platform.measures import Measures
from bot.platform.people import DiscordPerson, distinguish_names
from bot.store import Job, PersonNames, PlayerPreferences, QueuedJob, Shards, Store

T = TypeVar("T")

MOST_CACHED = 256
"""Names, and matches, that are kept in memory at most."""
MOST_DRIFT = 2_000
"""Milliseconds by which the clock may drift, for example while it is adjusted gradually."""
MOST_ANSWERS = 16
"""Answers that are worked out side by side."""

Clock = Callable[[], int]
"""Milliseconds since 1970, UTC."""

Entropy = Callable[[int], bytes]
"""That many unpredictable bytes."""

JobsCallback = Callable[[Sequence[QueuedJob]], None]
"""Called with jobs that have just been stored, so that nobody needs to look for them."""


def _leave_in_store(_: Sequence[QueuedJob]) -> None:
    """Without a runner the jobs stay in the store, for the next process that has one."""


@dataclass
class App:
    """The running program behind Discord; everything in it can be rebuilt from the store."""

    store: Store
    clock: Clock
    entropy: Entropy
    take: JobsCallback = _leave_in_store
    measures: Measures = field(default_factory=Measures)
    """The measures of how the program performs."""
    answers: FairLine = field(default_factory=lambda: FairLine(MOST_ANSWERS))
    """Held while an answer is computed, so that in a crowd everybody is acknowledged in time."""
    costly: CostlyWork = field(init=False)
    """What keeps a processor busy, such as an analysis or a replay."""
    progress: dict[int, float] = field(default_factory=dict)
    """The matches of which a report is being made here, and which share of each is judged."""
    opened: "OrderedDict[tuple[int, int], str]" = field(default_factory=OrderedDict)
    """The puzzle that somebody has opened, by channel and person."""
    reached: set[int] = field(default_factory=set)
    """The shards that Discord can be reached through."""
    away: set[int] = field(default_factory=set)
    """Shards in whose servers no time runs.

    Nobody could act there, or it is not yet noted that people can again.
    """
    given: dict[int, set[int]] = field(default_factory=dict)
    """The servers that Discord gave with a shard, until it is noted which others are missing."""
    lost: set[int] = field(default_factory=set)
    """The servers that cannot be reached though their shards can.

    They are out of order, or have removed the bot.
    """
    noted: set[int] = field(default_factory=set)
    """Those of which it is stored that no time runs there."""
    lineage: Lineage = field(default_factory=Lineage)
    """The generations of the database."""
    run: str = ""
    """When and by which name this run began; empty before it has."""
    steady: Clock | None = None
    """Milliseconds that go on evenly whatever the clock is set to; None where time is made up."""
    wrong_time: int | None = None
    """The time that the clock showed before it was set back, until the next beat."""
    _ahead: int | None = None
    """How far the clock was ahead of the steady one when the time was last known."""
    _names: "OrderedDict[int, PersonNames]" = field(default_factory=OrderedDict)
    """The names of players as they were last read."""
    _locales: "OrderedDict[int, str]" = field(default_factory=OrderedDict)
    """The languages in which Discord shows itself to those who have acted."""
    _parts: dict[type[Any], Any] = field(default_factory=dict)
    """What features keep in memory, by its class."""
    # Weak, so that a lock is gone once nobody holds it or waits for it.
    _locks: "WeakValueDictionary[int, asyncio.Lock]" = field(default_factory=WeakValueDictionary)

    def __post_init__(self) -> None:
        self.costly = CostlyWork(lambda: self.clock())

    @property
    def shards(self) -> Shards:
        """The shards whose servers are served here."""
        return self.store.shards

    def get_match_lock(self, match_id: int) -> asyncio.Lock:
        """Return the lock under which that match changes."""
        return self._locks.setdefault(match_id, asyncio.Lock())

    async def enqueue(self, guild: int, jobs: Sequence[Job]) -> None:
        """Store jobs of a server, and begin at once those that are due."""
        self.take(await self.store.jobs.enqueue(guild, jobs))

    def get_part(self, kind: type[T]) -> T:
        """Return what a feature keeps in memory, by its class; it is made when first asked for."""
        if kind not in self._parts:
            self._parts[kind] = kind()
        part: T = self._parts[kind]
        return part

    def set_part(self, kind: type[T], part: T) -> None:
        """Replace what a feature keeps in memory."""
        self._parts[kind] = part

    async def save_people(self, *people: DiscordPerson) -> None:
        """Keep the names of those of whom something is going to be stored."""
        for person in people:
            await self.store.people.save_name(person.id, person.name, self.clock(), person.account)
            # Read again when needed: what is stored may have an account's name that was not given
            # here.
            self._names.pop(person.id, None)

    def forget_person(self, person: int) -> None:
        """Forget what is known here of somebody whose data was deleted."""
        self._names.pop(person, None)
        self._locales.pop(person, None)

    async def refresh_person(self, person: DiscordPerson, locale: str) -> None:
        """Keep the present name of somebody who acts, where the bot has met them before.

        With it the language in which Discord shows itself to them is kept: what is sent to them
        later, when they have asked for nothing, is in that language.
        """
        present = PersonNames(person.name, person.account)
        if self._names.get(person.id) == present and self._locales.get(person.id) == locale:
            return
        known = await self.store.people.load_known(person.id)
        if known is None:
            return
        names, said = known
        if names != present:
            await self.save_people(person)
        if said != locale:
            await self.store.people.save_locale(person.id, locale)
        self._locales[person.id] = locale
        self._locales.move_to_end(person.id)
        while len(self._locales) > MOST_CACHED:
            self._locales.popitem(last=False)

    async def load_players(
        self, people: Iterable[int]
    ) -> tuple[dict[int, PersonNames], dict[int, PlayerPreferences]]:
        """Return the names and the preferences of those who sit at a table."""
        names, preferences = await self.store.preferences.load_with_names(people)
        for person, known in names.items():
            self._names[person] = known
            self._names.move_to_end(person)
        while len(self._names) > MOST_CACHED:
            self._names.popitem(last=False)
        return names, preferences

    async def load_names(self, people: Iterable[int]) -> dict[int, str]:
        """Return what to call those people that are known, no two alike."""
        return distinguish_names(await self.store.people.load_names(people))

    async def load_person(self, person: int) -> DiscordPerson | None:
        """Return somebody as they were last known; None for somebody who never was."""
        known = (await self.store.people.load_names([person])).get(person)
        return DiscordPerson(person, known.name) if known else None

    def compute_clock_offset(self) -> int | None:
        """Return how far the clock is ahead of the steady one; None without a steady one."""
        return self.clock() - self.steady() if self.steady else None

    def trust_clock(self, offset: int | None) -> None:
        """Take the clock for right as it was at that offset, until it is set."""
        self._ahead = offset

    @property
    def has_clock_jumped(self) -> bool:
        """Whether the clock was set, or the machine slept, since the time was last known.

        Nobody is late because of that.
        """
        offset = self.compute_clock_offset()
        if offset is None or self._ahead is None:
            return False
        return abs(offset - self._ahead) > MOST_DRIFT
