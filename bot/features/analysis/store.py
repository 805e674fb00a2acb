"""Positions that people analyse, those they have shared, and the plays that others propose.

Who analyses a position alone is not kept. A position that nobody has shared is deleted after a
month, and one that was shared after a year, with the plays proposed for it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    ForeignKey,
    Identity,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    Text,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from bot.platform.db.columns import BIG, DOCUMENT
from bot.platform.db.database import Database
from bot.platform.db.statements import upsert_rows
from bot.platform.db.tables import metadata, people
from engine.clock import DAY

KEPT_MS = 30 * DAY
"""Milliseconds for which a position is kept that nobody has shared."""
SHARED_KEPT_MS = 365 * DAY
"""Milliseconds for which one is kept that somebody has."""
MOST_UNSHARED = 50_000
"""Positions that come after one that nobody has shared until it is deleted before its month is
over: so many take some 15 MB, whoever has asked for them."""

analyses = Table(
    "analyses",
    metadata,
    Column("id", BIG, Identity(), primary_key=True),
    Column("game", Text, nullable=False),
    Column("edition", Integer, nullable=False),
    Column("options", DOCUMENT, nullable=False),
    Column("position", Text, nullable=False),
    Column("thrown", DOCUMENT, nullable=False),
    Column("created", BIG, nullable=False),
    Column("person", BIG, ForeignKey(people.c.id)),
    Column("guild", BIG),
    Column("channel", BIG),
    Column("message", BIG),
    Column("revealed", BIG),
    Index("analyses_created", "created"),
)

proposals = Table(
    "proposals",
    metadata,
    Column("analysis", BIG, ForeignKey(analyses.c.id), nullable=False),
    Column("person", BIG, ForeignKey(people.c.id), nullable=False),
    Column("play", Text, nullable=False),
    PrimaryKeyConstraint("analysis", "person"),
)


@dataclass(frozen=True, slots=True)
class NewAnalysis:
    """A position with its throw, as somebody set it up."""

    game: str
    edition: int
    options: Mapping[str, str]
    position: str
    thrown: tuple[int, ...]
    created: int


@dataclass(frozen=True, slots=True)
class AnalysisRow:
    """A position that is kept; `person` has shared it, and `revealed` is when they gave the answer.

    It is shown by `message` in `channel`.
    """

    id: int
    game: str
    edition: int
    options: Mapping[str, str]
    position: str
    thrown: tuple[int, ...]
    created: int
    person: int | None
    guild: int | None
    channel: int | None
    message: int | None
    revealed: int | None


class Analyses:
    """Positions by their number, and what is proposed for each by person."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, new: NewAnalysis) -> int:
        """Keep a position and return its number; those kept long enough are deleted."""
        values = {
            "game": new.game,
            "edition": new.edition,
            "options": dict(new.options),
            "position": new.position,
            "thrown": list(new.thrown),
            "created": new.created,
        }
        statement = insert(analyses).values(values).returning(analyses.c.id)

        def work(connection: Connection) -> int:
            number = int(connection.execute(statement).scalar_one())
            # After that, or SQLite would give the newest number once more.
            _delete_old(connection, new.created, number)
            return number

        return await self._database.write(work)

    async def get(self, number: int) -> AnalysisRow | None:
        """Return a position, or None."""
        query = select(analyses).where(analyses.c.id == number)
        row = await self._database.read(lambda connection: connection.execute(query).first())
        if row is None:
            return None
        found = dict(row._mapping)  # noqa: SLF001 - its public name in SQLAlchemy
        return AnalysisRow(**{**found, "thrown": tuple(found["thrown"])})

    async def save_message(
        self, number: int, person: int, guild: int, channel: int, message: int
    ) -> None:
        """Keep by which message somebody shares a position."""
        shown = {"person": person, "guild": guild, "channel": channel, "message": message}
        statement = update(analyses).where(analyses.c.id == number).values(shown)
        await self._database.write(lambda connection: connection.execute(statement))

    async def propose(self, number: int, person: int, play: str) -> bool:
        """Keep the play that somebody proposes in place of their last; False once it's revealed."""
        row = {"analysis": number, "person": person, "play": play}
        waiting = select(analyses.c.id).where(_is_open(number)).with_for_update(key_share=True)

        def work(connection: Connection) -> bool:
            # Locked, so that nothing is proposed while the answer is being given.
            if connection.execute(waiting).first() is None:
                return False
            upsert_rows(connection, proposals, [row])
            return True

        return await self._database.write(work)

    async def reveal(self, number: int, now: int) -> bool:
        """Keep that the answer is given; False, changing nothing, if it was before."""
        statement = update(analyses).where(_is_open(number)).values(revealed=now)
        return await self._database.write(
            lambda connection: connection.execute(statement).rowcount == 1
        )

    async def count_proposals(self, number: int) -> int:
        """Return how many people have proposed a play."""
        query = select(func.count()).where(proposals.c.analysis == number)
        return await self._database.read(
            lambda connection: int(connection.execute(query).scalar_one())
        )

    async def load_proposals(self, number: int) -> Mapping[int, str]:
        """Return the play that each person proposes."""
        query = (
            select(proposals.c.person, proposals.c.play)
            .where(proposals.c.analysis == number)
            .order_by(proposals.c.person)
        )
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.person: row.play for row in rows}


def _is_open(number: int) -> ColumnElement[bool]:
    return (analyses.c.id == number) & analyses.c.revealed.is_(None)


def _delete_old(connection: Connection, now: int, newest: int) -> None:
    unshared = analyses.c.message.is_(None)
    old = select(analyses.c.id).where(
        or_(
            and_(unshared, analyses.c.created < now - KEPT_MS),
            and_(unshared, analyses.c.id <= newest - MOST_UNSHARED),
            analyses.c.created < now - SHARED_KEPT_MS,
        )
    )
    numbers = connection.execute(old).scalars().all()
    if numbers:
        connection.execute(delete(proposals).where(proposals.c.analysis.in_(numbers)))
        connection.execute(delete(analyses).where(analyses.c.id.in_(numbers)))
