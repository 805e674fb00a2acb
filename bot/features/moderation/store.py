"""What moderators did, and why: a log for each server; and seats that are offered.

An offer is kept for a day. The button of an offer works for as long as its message shows it; what
is kept limits offers.
"""

from dataclasses import asdict, astuple, dataclass, fields
from typing import Any

import sqlalchemy as sa

from bot.features.matches.rows import MatchUpdate, Ruling
from bot.features.matches.store import END_WRITERS
from bot.features.matches.tables import matches
from bot.platform.db import tables as db
from bot.platform.db.database import StorePart, lock_people, writing
from bot.platform.db.errors import LimitExceededError
from bot.platform.db.jobs import enqueue_jobs
from bot.platform.db.rows import Job, QueuedJob
from engine.clock import DAY, MINUTE

table = sa.Table(
    "audit",
    db.metadata,
    sa.Column("id", db.BIG, sa.Identity(), primary_key=True, info=db.NUMBER),
    sa.Column("guild", db.BIG, nullable=False, info=db.PLACE),
    sa.Column("at", db.BIG, nullable=False, info=db.INSTANT),
    sa.Column(
        "moderator", db.BIG, sa.ForeignKey(db.people.c.id), nullable=False, info=db.PARTICIPANT
    ),
    sa.Column("action", sa.Text, nullable=False, info=db.STATE),
    sa.Column("match", db.BIG, sa.ForeignKey(matches.c.id), nullable=False, info=db.NUMBER),
    sa.Column("reason", sa.Text, nullable=False, info=db.REASON),
    sa.Column("people", db.DOCUMENT, nullable=False, info=db.PEOPLE),
    sa.Index("audit_of", "guild", "id"),
    sa.Index("audit_about", "match"),
    sa.Index("audit_by", "moderator"),
    info=db.SERVERS_OWN,
)
# Partial, since few rulings are about people.
sa.Index("audit_of_people", table.c.id, **db.where_filled("people"))

_COLUMNS = [table.c[field.name] for field in fields(Ruling)]


class AuditLog(StorePart):
    """Rulings by server, and by match."""

    async def load_page(self, guild: int, offset: int, limit: int) -> list[Ruling]:
        """Return some of a server's rulings, the newest first."""
        query = (
            sa.select(*_COLUMNS)
            .where(table.c.guild == guild)
            # By id, not by time: the clock may be set back, and the order is that of the decisions.
            .order_by(table.c.id.desc())
            .offset(offset)
            .limit(limit)
        )
        return await self._database.read(lambda connection: _load_rulings(connection, query))

    async def count_rulings(self, guild: int) -> int:
        """Return how many rulings a server has."""
        query = sa.select(sa.func.count()).where(table.c.guild == guild)
        return await self._database.read(lambda connection: connection.execute(query).scalar_one())

    async def load_by_match(self, match: int) -> list[Ruling]:
        """Return the rulings about a match, the newest first."""
        query = sa.select(*_COLUMNS).where(table.c.match == match).order_by(table.c.id.desc())
        return await self._database.read(lambda connection: _load_rulings(connection, query))


@END_WRITERS.add(0)
def write_update(
    connection: sa.Connection, match: int, step: MatchUpdate, winner_before: str | None
) -> None:
    """Keep the ruling by which a match was changed, if there is one."""
    if step.ruling:
        insert_ruling(connection, step.ruling)


def insert_ruling(connection: sa.Connection, ruling: Ruling) -> None:
    """Keep a ruling inside a transaction."""
    connection.execute(sa.insert(table).values(**asdict(ruling)))


def _load_rulings(connection: sa.Connection, query: sa.Select[*tuple[Any, ...]]) -> list[Ruling]:
    found = connection.execute(query).mappings()
    # JSON gives the people as a list, and a ruling has a tuple.
    return [Ruling(**{**row, "people": tuple(row["people"])}) for row in found]


OPEN_MS = DAY
"""Milliseconds for which an offer keeps others from being made of the same seat."""

seat_offers = sa.Table(
    "seat_offers",
    db.metadata,
    sa.Column("id", db.BIG, sa.Identity(), primary_key=True, info=db.NUMBER),
    sa.Column("match", db.BIG, sa.ForeignKey(matches.c.id), nullable=False, info=db.NUMBER),
    sa.Column("holder", db.BIG, sa.ForeignKey(db.people.c.id), nullable=False, info=db.OWNER),
    sa.Column("taker", db.BIG, sa.ForeignKey(db.people.c.id), nullable=False, info=db.OWNER),
    sa.Column("offerer", db.BIG, sa.ForeignKey(db.people.c.id), nullable=False, info=db.OWNER),
    sa.Column("created", db.BIG, nullable=False, info=db.INSTANT),
    sa.Column("closed", db.BIG, info=db.INSTANT),
    sa.Index("seat_offers_of_match", "match"),
    sa.Index("seat_offers_by_person", "offerer", "created"),
    sa.Index("seat_offers_created", "created"),
    info=db.PLAYERS_OWN,
)


@dataclass(frozen=True, slots=True)
class SeatOfferRow:
    """A seat that somebody offers: in which match, whose it is, and who is to take it."""

    match: int
    holder: int
    taker: int
    offerer: int


class SeatOfferedError(Exception):
    """The seat is offered already, to the person `taker`."""

    def __init__(self, taker: int) -> None:
        super().__init__(f"the seat is offered to {taker}")
        self.taker = taker


class SeatOffers(StorePart):
    """Offers by the match and the holder of the seat."""

    @writing
    def add(
        self,
        connection: sa.Connection,
        offer: SeatOfferRow,
        now: int,
        a_minute: int,
        guild: int,
        job: Job,
        ruling: Ruling | None = None,
    ) -> tuple[QueuedJob, ...]:
        """Keep an offer, the job that shows it, and the ruling by which a moderator makes it.

        Raises SeatOfferedError while the seat is offered, and LimitExceededError if so many offers
        were made by the same person within a minute.
        """
        # Of two offers at once the second finds the first.
        lock_people(connection, [offer.offerer, offer.holder])
        connection.execute(sa.delete(seat_offers).where(seat_offers.c.created <= now - OPEN_MS))
        query = sa.select(seat_offers.c.taker).where(_is_open(offer.match, offer.holder))
        taker = connection.execute(query.limit(1)).scalar()
        if taker is not None:
            raise SeatOfferedError(taker)
        lately = sa.and_(
            seat_offers.c.offerer == offer.offerer, seat_offers.c.created > now - MINUTE
        )
        count = connection.execute(sa.select(sa.func.count()).where(lately)).scalar_one()
        if count >= a_minute:
            raise LimitExceededError(offer.offerer, "lately", a_minute)
        match, holder, person, offerer = astuple(offer)
        connection.execute(
            sa.insert(seat_offers).values(
                match=match, holder=holder, taker=person, offerer=offerer, created=now
            )
        )
        if ruling is not None:
            insert_ruling(connection, ruling)
        return enqueue_jobs(connection, guild, [job])

    async def find_open(self, match: int, holder: int) -> SeatOfferRow | None:
        """Return the latest offer of a seat that nobody has taken or left, or None."""
        columns = (
            seat_offers.c.match,
            seat_offers.c.holder,
            seat_offers.c.taker,
            seat_offers.c.offerer,
        )
        query = (
            sa.select(*columns)
            .where(_is_open(match, holder))
            .order_by(seat_offers.c.id.desc())
            .limit(1)
        )
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return SeatOfferRow(*row) if row else None

    async def close(self, offer: SeatOfferRow, now: int) -> None:
        """Keep that an offer was taken or left, so that the seat can be offered again."""
        this = sa.and_(
            _is_open(offer.match, offer.holder),
            seat_offers.c.taker == offer.taker,
            seat_offers.c.offerer == offer.offerer,
        )
        statement = sa.update(seat_offers).where(this).values(closed=now)
        await self._database.write(lambda connection: connection.execute(statement))


def _is_open(match: int, holder: int) -> sa.ColumnElement[bool]:
    return sa.and_(
        seat_offers.c.match == match, seat_offers.c.holder == holder, seat_offers.c.closed.is_(None)
    )
