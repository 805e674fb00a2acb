"""What every use case needs: store, clock, secrets, jobs, who reads and sees what, and measures."""

import asyncio
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum, auto
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from cachetools import LRUCache

from bot.platform.costly import CostlyWork
from bot.platform.db.preferences import PlayerPreferences
from bot.platform.db.rows import DatabaseLoad, Job, PersonNames, QueuedJob
from bot.platform.db.shards import Shards
from bot.platform.db.store import Lineage, Store
from bot.platform.lines import FairLine
from bot.platform.people import DiscordPerson, distinguish_names

NO_SERVER = 0
"""What stands for the server of direct messages; the first shard gets them."""
MAX_KNOWN = 4096


@dataclass(frozen=True, slots=True)
class DirectReader:
    """Who reads some direct messages, and in which language Discord shows itself to them."""

    person: int
    locale: str


@dataclass
class DirectReaders:
    """Who reads which direct messages, as far as they have asked for something in this run."""

    _known: LRUCache[int, DirectReader] = field(default_factory=lambda: LRUCache(MAX_KNOWN))

    def note(self, channel: int, reader: DirectReader) -> None:
        """Remember who reads the direct messages of a channel."""
        self._known[channel] = reader

    def find(self, guild: int, channel: int) -> DirectReader | None:
        """Return who reads a channel; None for one of a server, and where nobody knows."""
        return self._known.get(channel) if guild == NO_SERVER else None


FOLLOW_DISCORD = "discord"
"""What is chosen instead of a language to read as Discord says again."""


class RequestOutcome(StrEnum):
    """What became of something that was asked."""

    DONE = auto()
    REFUSED = auto()
    FAILED = auto()
    UNACKNOWLEDGED = auto()


@dataclass(frozen=True, slots=True)
class Gauges:
    """What is read at the moment at which the measures are exported, in seconds where it is a time.

    `copy_age_s` is that of the newest nightly copy, NaN where none is made.
    """

    load: DatabaseLoad
    oldest_due_s: float
    latency_s: float
    refused: int = 0
    save_age_s: float = 0.0
    requests_failing_s: float = 0.0
    copy_age_s: float = math.nan


class Measures:
    """Measures of how the program performs, for its operator; none is kept if nobody reads them."""

    def record_answer(self, command: str, outcome: RequestOutcome) -> None:
        """Note what became of a command or press, by its name."""

    def record_acknowledgement(self, seconds: float) -> None:
        """Note the seconds from handling a request until Discord has the acknowledgement."""

    def record_show_delay(self, seconds: float) -> None:
        """Note the seconds from saving what happened in a match until its message shows it."""

    def record_save(self, seconds: float) -> None:
        """Note how long something took to be saved, waiting included."""

    def record_loop_lag(self, seconds: float) -> None:
        """Note how late the event loop was."""

    def export_metrics(self, gauges: Gauges) -> bytes | None:
        """Write all measures, with what is read now; return None if no measures are kept."""
        return None


T = TypeVar("T")

MAX_CACHED = 256
"""Names, and matches, that are kept in memory at most."""
HEARTBEAT_MS = 20_000
"""Milliseconds between two notes that people can act."""
MAX_DRIFT_MS = 2_000
"""Milliseconds by which the clock may drift, for example while it is adjusted gradually."""
MAX_ANSWERS = 16
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
    answers: FairLine = field(default_factory=lambda: FairLine(MAX_ANSWERS))
    """Held while an answer is computed, so that in a crowd everybody is acknowledged in time."""
    costly: CostlyWork = field(init=False)
    """What keeps a processor busy, such as an analysis or a replay."""
    is_clock_wrong: Callable[[], bool] = lambda: False
    """Whether the clock differs from Discord's by more than a minute."""
    progress: dict[int, float] = field(default_factory=dict)
    """The matches of which a report is being made here, and which share of each is judged."""
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
    _names: LRUCache[int, PersonNames] = field(default_factory=lambda: LRUCache(MAX_CACHED))
    """The names of players as they were last read."""
    _locales: LRUCache[int, str] = field(default_factory=lambda: LRUCache(MAX_CACHED))
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

    async def load_players(
        self, people: Iterable[int]
    ) -> tuple[dict[int, PersonNames], dict[int, PlayerPreferences]]:
        """Return the names and the preferences of those who sit at a table."""
        names, preferences = await self.store.preferences.load_with_names(people)
        self._names.update(names)
        return names, preferences

    async def load_all_names(self, people: Iterable[int]) -> dict[int, PersonNames]:
        """Return the names of those people that are known."""
        return await self.store.people.load_names(people)

    async def load_names(self, people: Iterable[int]) -> Mapping[int, str]:
        """Return what to call those people that are known, no two alike."""
        return distinguish_names(await self.load_all_names(people))

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
    def is_time_known(self) -> bool:
        """Whether the clock is right, as far as known: else nobody is late by it."""
        return not (self.has_clock_jumped or self.is_clock_wrong())

    def is_time_running(self, guild: int) -> bool:
        """Whether time runs in a server, as far as known and stored; else nobody is late."""
        away = self.shards.get_shard(guild) in self.away
        # In just one of the two sets (`^`) is a server whose stoppage is not yet stored as it is.
        return self.is_time_known and not (away or guild in self.lost ^ self.noted)

    @property
    def has_clock_jumped(self) -> bool:
        """Whether the clock was set, or the machine slept, since the time was last known.

        Nobody is late because of that.
        """
        offset = self.compute_clock_offset()
        if offset is None or self._ahead is None:
            return False
        return abs(offset - self._ahead) > MAX_DRIFT_MS


class ChannelSight:
    """Who sees which channels and threads: services ask it, and the client knows Discord.

    What happens in a channel is shown only to those who can see it there. Unlike where something is
    to be posted, whatever can't be known counts as hidden; without Discord that is everything.
    """

    async def can_see(self, guild: int, channel: int, person: int) -> bool:
        """Return whether a member of a server sees a channel or thread of it."""
        return False

    async def is_open(self, guild: int, channel: int, to: int | None = None) -> bool:
        """Return whether all members see a channel, or all those who see the channel `to`."""
        return False


async def find_hidden_channels(
    app: App, guild: int, channels: Iterable[int], person: int
) -> frozenset[int]:
    """Return those of a server's channels that a member doesn't see."""
    sight = app.get_part(ChannelSight)
    return frozenset([each for each in channels if not await sight.can_see(guild, each, person)])


async def find_closed_channels(
    app: App, guild: int, channels: Iterable[int], to: int | None = None
) -> frozenset[int]:
    """Return those of a server's channels that not everybody sees, or not all who see `to`."""
    sight = app.get_part(ChannelSight)
    return frozenset([each for each in channels if not await sight.is_open(guild, each, to)])


@dataclass
class Languages:
    """Chosen languages by person and by server, as Discord writes them: `de`, `pt-BR`.

    They are few and are needed wherever something is said, so all of them are kept in memory.
    """

    people: dict[int, str] = field(default_factory=dict)
    servers: dict[int, str] = field(default_factory=dict)


async def load_languages(app: App) -> None:
    """Read what is chosen, also by another process."""
    chosen = app.get_part(Languages)
    chosen.people = await app.store.preferences.load_languages()
    chosen.servers = await app.store.servers.load_languages()


def note_person_language(app: App, person: int, language: str | None) -> None:
    """Let what somebody has chosen hold at once in this process."""
    _note(app.get_part(Languages).people, person, language)


def note_server_language(app: App, guild: int, language: str | None) -> None:
    """Let what a server has chosen hold at once in this process."""
    _note(app.get_part(Languages).servers, guild, language)


def _note(chosen: dict[int, str], subject: int, language: str | None) -> None:
    if language is None:
        chosen.pop(subject, None)
    else:
        chosen[subject] = language
