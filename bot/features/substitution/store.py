"""Seats that are offered: whose, to whom and by whom; an offer is kept for a day.

The button of an offer works for as long as its message shows it. What is kept limits offers.
"""

from dataclasses import astuple, dataclass

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    ForeignKey,
    Identity,
    Index,
    Table,
    and_,
    delete,
    func,
    insert,
    select,
    update,
)

from bot.features.moderation.store import insert_ruling
from bot.platform.db.columns import BIG
from bot.platform.db.database import Database
from bot.platform.db.errors import LimitExceededError
from bot.platform.db.jobs import enqueue_jobs
from bot.platform.db.rows import Job, QueuedJob, Ruling
from bot.platform.db.statements import lock_people
from bot.platform.db.tables import matches, metadata, people
from engine.clock import DAY, MINUTE

OPEN_MS = DAY
"""Milliseconds for which an offer keeps others from being made of the same seat."""

table = Table(
    "seat_offers",
    metadata,
    Column("id", BIG, Identity(), primary_key=True),
    Column("match", BIG, ForeignKey(matches.c.id), nullable=False),
    Column("holder", BIG, ForeignKey(people.c.id), nullable=False),
    Column("taker", BIG, ForeignKey(people.c.id), nullable=False),
    Column("offerer", BIG, ForeignKey(people.c.id), nullable=False),
    Column("created", BIG, nullable=False),
    Column("closed", BIG),
    Index("seat_offers_of_match", "match"),
    Index("seat_offers_by_person", "offerer", "created"),
    Index("seat_offers_created", "created"),
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


class SeatOffers:
    """Offers by the match and the holder of the seat."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self,
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

        def work(connection: Connection) -> tuple[QueuedJob, ...]:
            # Of two offers at once the second finds the first.
            lock_people(connection, [offer.offerer, offer.holder])
            connection.execute(delete(table).where(table.c.created <= now - OPEN_MS))
            query = select(table.c.taker).where(_is_open(offer.match, offer.holder))
            taker = connection.execute(query.limit(1)).scalar()
            if taker is not None:
                raise SeatOfferedError(taker)
            lately = and_(table.c.offerer == offer.offerer, table.c.created > now - MINUTE)
            count = connection.execute(select(func.count()).where(lately)).scalar_one()
            if count >= a_minute:
                raise LimitExceededError(offer.offerer, "lately", a_minute)
            match, holder, person, offerer = astuple(offer)
            connection.execute(
                insert(table).values(
                    match=match, holder=holder, taker=person, offerer=offerer, created=now
                )
            )
            if ruling is not None:
                insert_ruling(connection, ruling)
            return enqueue_jobs(connection, guild, [job])

        return await self._database.write(work)

    async def find_open(self, match: int, holder: int) -> SeatOfferRow | None:
        """Return the latest offer of a seat that nobody has taken or left, or None."""
        columns = (table.c.match, table.c.holder, table.c.taker, table.c.offerer)
        query = select(*columns).where(_is_open(match, holder)).order_by(table.c.id.desc()).limit(1)
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return SeatOfferRow(*row) if row else None

    async def close(self, offer: SeatOfferRow, now: int) -> None:
        """Keep that an offer was taken or left, so that the seat can be offered again."""
        this = and_(
            _is_open(offer.match, offer.holder),
            table.c.taker == offer.taker,
            table.c.offerer == offer.offerer,
        )
        statement = update(table).where(this).values(closed=now)
        await self._database.write(lambda connection: connection.execute(statement))


def _is_open(match: int, holder: int) -> ColumnElement[bool]:
    return and_(table.c.match == match, table.c.holder == holder, table.c.closed.is_(None))
