"""Ladders as they are stored, with their order and what a look at them needs."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from sqlalchemy import Column, ForeignKey, Identity, Index, Integer, Table, Text, text

from bot.features.ladders.rungs import LadderChallenge, LadderEvent, LadderPlayer
from bot.features.matches.tables import matches
from bot.platform.db import tables as db

ladders = Table(
    "ladders",
    db.metadata,
    Column("id", db.BIG, Identity(), primary_key=True, info=db.NUMBER),
    Column("guild", db.BIG, nullable=False, info=db.PLACE),
    Column("channel", db.BIG, nullable=False, info=db.PLACE),
    Column("message", db.BIG, info=db.PLACE),
    Column("name", Text, nullable=False, info=db.TITLE),
    Column("organiser", db.BIG, ForeignKey(db.people.c.id), nullable=False, info=db.PARTICIPANT),
    Column("game", Text, nullable=False, info=db.RULES),
    Column("options", db.DOCUMENT, nullable=False, info=db.RULES),
    Column("rated", db.Flag, nullable=False, info=db.RULES),
    Column("pace", Text, nullable=False, info=db.RULES),
    Column("created", db.BIG, nullable=False, info=db.INSTANT),
    Column("next_drop", db.BIG, nullable=False, info=db.INSTANT),
    Column("closed", db.BIG, info=db.INSTANT),
    Column("last_event", db.BIG, info=db.NUMBER),
    Column("counted_until", db.BIG, nullable=False, server_default=text("0"), info=db.INSTANT),
    Index("ladders_of", "guild"),
    Index("ladders_by", "organiser"),
    info=db.SHARED_RECORD,
)

Index(
    # Partial, so that it stays small however many are closed.
    "open_ladders",
    ladders.c.guild,
    **db.where("closed IS NULL"),
)


events = Table(
    "ladder_events",
    db.metadata,
    Column("id", db.BIG, Identity(), primary_key=True, info=db.NUMBER),
    Column("ladder", db.BIG, ForeignKey(ladders.c.id), nullable=False, info=db.NUMBER),
    Column("at", db.BIG, nullable=False, info=db.INSTANT),
    Column("action", Text, nullable=False, info=db.STATE),
    Column("person", db.BIG, ForeignKey(db.people.c.id), info=db.PARTICIPANT),
    Column("moderator", db.BIG, ForeignKey(db.people.c.id), info=db.PARTICIPANT),
    Column("reason", Text, nullable=False, server_default="", info=db.REASON),
    Index("ladder_events_of", "ladder", "id"),
    Index("ladder_events_by_person", "person", "ladder"),
    Index("ladder_events_by", "moderator", **db.where_known("moderator")),
    info=db.SHARED_DETAIL,
)
Index(
    # Partial, as organisers rule rarely.
    "ladder_rulings",
    events.c.ladder,
    **db.where_known("moderator"),
)

players = Table(
    "ladder_players",
    db.metadata,
    Column(
        "ladder",
        db.BIG,
        ForeignKey(ladders.c.id),
        primary_key=True,
        autoincrement=False,
        info=db.NUMBER,
    ),
    Column(
        "person",
        db.BIG,
        ForeignKey(db.people.c.id),
        primary_key=True,
        autoincrement=False,
        info=db.PARTICIPANT,
    ),
    Column("rung", Integer, info=db.NUMBER),
    Column("played", Integer, nullable=False, info=db.NUMBER),
    Column("won", Integer, nullable=False, info=db.NUMBER),
    Column("active", db.BIG, nullable=False, info=db.INSTANT),
    Column("gone", db.BIG, info=db.INSTANT),
    Index("ladders_of_person", "person"),
    info=db.SHARED_DETAIL,
)
"""The order of each ladder, kept so that nobody has to go through its history to see it."""
Index(
    # Partial, so that a look costs the same however many have left.
    "ladder_rungs",
    players.c.ladder,
    players.c.rung,
    **db.where_known("rung"),
)

results = Table(
    "ladder_results",
    db.metadata,
    Column(
        "match",
        db.BIG,
        ForeignKey(matches.c.id),
        primary_key=True,
        autoincrement=False,
        info=db.NUMBER,
    ),
    Column("at", db.BIG, nullable=False, info=db.INSTANT),
    Column("winner", db.BIG, ForeignKey(db.people.c.id), info=db.PARTICIPANT),
    Column("how", Text, nullable=False, info=db.OUTCOME),
    Index("ladder_results_won", "winner"),
    info=db.MATCH_DETAIL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLadder:
    """A ladder as somebody organises it; `next_drop` is when the inactive drop next."""

    guild: int
    channel: int
    name: str
    organiser: int
    game: str
    options: Mapping[str, str]
    rated: bool
    pace: str
    created: int
    next_drop: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder(NewLadder):
    """A ladder that is kept: `message` shows it; it is open until it is `closed`.

    Its kept order counts all that happened on it until an instant, up to the `last_event`; that is
    None where no order is kept yet.
    """

    id: int
    message: int | None
    closed: int | None
    last_event: int | None = None
    counted_until: int = 0

    @property
    def is_open(self) -> bool:
        """Whether people can join it, and challenge each other on it."""
        return self.closed is None


@dataclass(frozen=True, slots=True)
class LadderHistory:
    """All that ever happened on a ladder, in the order in which it was stored."""

    events: tuple[LadderEvent, ...]
    challenges: tuple[LadderChallenge, ...]


@dataclass(frozen=True)
class LadderView:
    """A ladder as it is now: who is on it, by rung, and what is going on.

    Of its challenges it has those that can be answered or are played, the latest that are over, and
    at least those after which a pair still waits. `closing` is the ruling by which it was closed.
    """

    ladder: Ladder
    players: tuple[LadderPlayer, ...]
    challenges: tuple[LadderChallenge, ...]
    closing: LadderEvent | None = None

    @cached_property
    def rungs(self) -> tuple[int, ...]:
        """Who stands on which rung, the first on the top one, without those who are gone."""
        return tuple(each.person for each in self.players if each.gone is None)

    @property
    def order(self) -> tuple[int, ...]:
        """Everybody on it, also those who are gone, in the place to which they would come back."""
        return tuple(each.person for each in self.players)

    @cached_property
    def gone(self) -> frozenset[int]:
        """Those on it who can't play in the server now."""
        return frozenset(each.person for each in self.players if each.gone is not None)

    @property
    def running(self) -> tuple[LadderChallenge, ...]:
        """The challenges that can be answered, or are being played."""
        return tuple(each for each in self.challenges if each.is_running)

    @property
    def people(self) -> frozenset[int]:
        """Everybody of whom it tells."""
        return frozenset(self.order).union(*(each.people for each in self.challenges))

    def count_matches(self, person: int) -> tuple[int, int]:
        """Return how many matches somebody on it has played there, and how many they won."""
        player = next(each for each in self.players if each.person == person)
        return player.played, player.won
