"""Positions that people analyse, those they have shared, and the plays that others propose.

Who analyses a position alone is not kept. A position that nobody has shared is deleted after a
month, and one that was shared after a year, with the plays proposed for it. Who allows hints in a
match between people is kept beside.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from bot.features.matches.tables import matches
from bot.platform.db import tables as db
from bot.platform.db.database import StorePart, build_upsert, upsert_rows, writing
from bot.platform.db.jobs import enqueue_jobs
from bot.platform.db.rows import Job, QueuedJob
from engine.clock import DAY

KEPT_MS = 30 * DAY
"""Milliseconds for which a position is kept that nobody has shared."""
SHARED_KEPT_MS = 365 * DAY
"""Milliseconds for which one is kept that somebody has."""
MAX_UNSHARED = 50_000
"""Positions that come after one that nobody has shared until it is deleted before its month is
over: so many take some 15 MB."""

analyses = sa.Table(
    "analyses",
    db.metadata,
    sa.Column("id", db.BIG, sa.Identity(), primary_key=True, info=db.NUMBER),
    sa.Column("game", sa.Text, nullable=False, info=db.RULES),
    sa.Column("edition", sa.Integer, nullable=False, info=db.RULES),
    sa.Column("options", db.DOCUMENT, nullable=False, info=db.RULES),
    sa.Column("position", sa.Text, nullable=False, info=db.RULES),
    sa.Column("thrown", db.DOCUMENT, nullable=False, info=db.RULES),
    sa.Column("created", db.BIG, nullable=False, info=db.INSTANT),
    sa.Column("person", db.BIG, sa.ForeignKey(db.people.c.id), info=db.PARTICIPANT),
    sa.Column("guild", db.BIG, info=db.PLACE),
    sa.Column("channel", db.BIG, info=db.PLACE),
    sa.Column("message", db.BIG, info=db.PLACE),
    sa.Column("revealed", db.BIG, info=db.INSTANT),
    sa.Index("analyses_created", "created"),
    sa.Index("analyses_of", "person", **db.where_known("person")),
    sa.Index("analyses_in", "guild", **db.where_known("guild")),
    info=db.SHARED_RECORD,
)

proposals = sa.Table(
    "proposals",
    db.metadata,
    sa.Column("analysis", db.BIG, sa.ForeignKey(analyses.c.id), nullable=False, info=db.NUMBER),
    sa.Column("person", db.BIG, sa.ForeignKey(db.people.c.id), nullable=False, info=db.OWNER),
    sa.Column("play", sa.Text, nullable=False, info=db.OWN),
    sa.PrimaryKeyConstraint("analysis", "person"),
    sa.Index("proposals_of", "person"),
    info=db.PLAYERS_OWN,
)
hint_consents = sa.Table(
    "hints",
    db.metadata,
    sa.Column("match", db.BIG, sa.ForeignKey(matches.c.id), nullable=False, info=db.NUMBER),
    sa.Column("person", db.BIG, sa.ForeignKey(db.people.c.id), nullable=False, info=db.OWNER),
    sa.PrimaryKeyConstraint("match", "person"),
    sa.Index("hints_of", "person"),
    info=db.PLAYERS_OWN,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAnalysis:
    """A position with its throw, as somebody set it up."""

    game: str
    edition: int
    options: Mapping[str, str]
    position: str
    thrown: tuple[int, ...]
    created: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisRow(NewAnalysis):
    """A position that is kept; `person` has shared it, and `revealed` is when they gave the answer.

    It is shown by `message` in `channel`.
    """

    id: int
    person: int | None
    guild: int | None
    channel: int | None
    message: int | None
    revealed: int | None


class Analyses(StorePart):
    """Positions by their number, and what is proposed for each by person."""

    @writing
    def create(
        self, connection: sa.Connection, new: NewAnalysis, jobs: Sequence[Job]
    ) -> tuple[int, tuple[QueuedJob, ...]]:
        """Keep a position and enqueue what follows; return its number, and the jobs.

        Those kept long enough are deleted.
        """
        values = {
            "game": new.game,
            "edition": new.edition,
            "options": dict(new.options),
            "position": new.position,
            "thrown": list(new.thrown),
            "created": new.created,
        }
        statement = sa.insert(analyses).values(values).returning(analyses.c.id)
        number = int(connection.execute(statement).scalar_one())
        _delete_old(connection, new.created, number)
        return number, enqueue_jobs(connection, 0, jobs)

    @writing
    def delete_old(self, connection: sa.Connection, now: int) -> None:
        """Delete the positions that were kept long enough."""
        newest = sa.select(sa.func.max(analyses.c.id))
        _delete_old(connection, now, connection.execute(newest).scalar() or 0)

    async def load_analysis(self, number: int) -> AnalysisRow | None:
        """Return a position, or None."""
        query = sa.select(analyses).where(analyses.c.id == number)
        row = await self._database.read(lambda connection: connection.execute(query).first())
        if row is None:
            return None
        found = row._asdict()
        return AnalysisRow(**{**found, "thrown": tuple(found["thrown"])})

    async def save_message(
        self, number: int, person: int, guild: int, channel: int, message: int
    ) -> None:
        """Keep by which message somebody shares a position."""
        shown = {"person": person, "guild": guild, "channel": channel, "message": message}
        statement = sa.update(analyses).where(analyses.c.id == number).values(shown)
        await self._database.write(lambda connection: connection.execute(statement))

    @writing
    def propose(self, connection: sa.Connection, number: int, person: int, play: str) -> bool:
        """Keep the play that somebody proposes in place of their last; False once it's revealed."""
        row = {"analysis": number, "person": person, "play": play}
        waiting = sa.select(analyses.c.id).where(_is_open(number)).with_for_update(key_share=True)
        # Locked, so that nothing is proposed while the answer is being given.
        if connection.execute(waiting).first() is None:
            return False
        upsert_rows(connection, proposals, [row])
        return True

    async def reveal(self, number: int, now: int) -> bool:
        """Keep that the answer is given; False, changing nothing, if it was before."""
        statement = sa.update(analyses).where(_is_open(number)).values(revealed=now)
        return await self._database.write(
            lambda connection: connection.execute(statement).rowcount == 1
        )

    async def count_proposals(self, number: int) -> int:
        """Return how many people have proposed a play."""
        query = sa.select(sa.func.count()).where(proposals.c.analysis == number)
        return await self._database.read(
            lambda connection: int(connection.execute(query).scalar_one())
        )

    async def load_proposals(self, number: int) -> Mapping[int, str]:
        """Return the play that each person proposes."""
        query = (
            sa.select(proposals.c.person, proposals.c.play)
            .where(proposals.c.analysis == number)
            .order_by(proposals.c.person)
        )
        rows = await self._load_rows(query)
        return {row.person: row.play for row in rows}


def _is_open(number: int) -> sa.ColumnElement[bool]:
    return (analyses.c.id == number) & analyses.c.revealed.is_(None)


def _delete_old(connection: sa.Connection, now: int, newest: int) -> None:
    """Delete what was kept long enough.

    Of the newest the position alone stays: SQLite would give its number once more, and its buttons
    would show what somebody else analyses.
    """
    unshared = analyses.c.message.is_(None)
    # Each by its own index: asked for together, every analysis would be looked at.
    by_age = sa.select(analyses.c.id).where(
        analyses.c.created < now - KEPT_MS,
        sa.or_(unshared, analyses.c.created < now - SHARED_KEPT_MS),
    )
    by_number = sa.select(analyses.c.id).where(unshared, analyses.c.id <= newest - MAX_UNSHARED)
    old = by_age.union(by_number)
    numbers = connection.execute(old).scalars().all()
    if numbers:
        theirs = analyses.c.id.in_(numbers)
        connection.execute(sa.delete(proposals).where(proposals.c.analysis.in_(numbers)))
        connection.execute(sa.delete(analyses).where(theirs, analyses.c.id != newest))
        forgotten = dict.fromkeys(("person", "guild", "channel", "message", "revealed"))
        connection.execute(sa.update(analyses).where(theirs).values(forgotten))


class HintConsents(StorePart):
    """Those who allow hints, by match."""

    @writing
    def allow(self, connection: sa.Connection, match: int, person: int) -> None:
        """Keep that a person allows hints in a match, if they had not said so before."""
        connection.execute(
            build_upsert(connection.dialect.name, hint_consents)
            .values(match=match, person=person)
            .on_conflict_do_nothing()
        )

    async def load_people(self, match: int) -> frozenset[int]:
        """Return those who allow hints in a match."""
        query = sa.select(hint_consents.c.person).where(hint_consents.c.match == match)
        return frozenset(await self._load_column(query))
