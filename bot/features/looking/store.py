"""Who has subscribed to which games in which server, and when they were last notified."""

from collections.abc import Collection, Sequence

from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Index,
    PrimaryKeyConstraint,
    Select,
    Table,
    Text,
    and_,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from bot.platform.db.columns import BIG
from bot.platform.db.database import Database
from bot.platform.db.jobs import enqueue_jobs, finish_job
from bot.platform.db.rows import Job, QueuedJob
from bot.platform.db.statements import lock_people, upsert_rows
from bot.platform.db.tables import absences, blocks, challenge_seats, challenges, metadata, people
from engine.clock import HOUR

ANY_GAME = "any"
"""What stands for every game, where a subscription names one."""
NOTICE_PAUSE_MS = HOUR
"""Milliseconds between two notices to the same person."""

table = Table(
    "subscriptions",
    metadata,
    Column("person", BIG, ForeignKey(people.c.id), nullable=False),
    Column("guild", BIG, nullable=False),
    Column("game", Text, nullable=False),
    PrimaryKeyConstraint("person", "guild", "game"),
    Index("subscriptions_to", "guild", "game"),
)
notices = Table(
    "challenge_notices",
    metadata,
    Column("person", BIG, ForeignKey(people.c.id), primary_key=True, autoincrement=False),
    Column("at", BIG, nullable=False),
    # The challenge of which a notice is on its way; none once it is sent.
    Column("challenge", BIG, ForeignKey(challenges.c.id)),
)


class Subscriptions:
    """Subscriptions by person and server, and what is sent because of them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load_games(self, person: int, guild: int) -> list[str]:
        """Return the games to which somebody has subscribed in a server."""
        query = _select_own(person, guild)
        return await self._database.read(
            lambda connection: sorted(connection.execute(query).scalars())
        )

    async def add(self, person: int, guild: int, game: str, most: int) -> bool:
        """Keep a subscription; return False if somebody has `most` of them already.

        To subscribe twice is no error.
        """
        return await self._database.write(
            lambda connection: _add(connection, person, guild, game, most)
        )

    async def toggle(self, person: int, guild: int, game: str, most: int) -> bool | None:
        """Keep a subscription, or forget it where there is one; return whether there is one now.

        Returns None if it would be one too many.
        """
        own = _select_own(person, guild).where(table.c.game == game)

        def work(connection: Connection) -> bool | None:
            # Locked before it is read, so that of two requests at once each counts.
            lock_people(connection, [person])
            if connection.execute(own).first() is None:
                return _add(connection, person, guild, game, most) or None
            _remove(connection, person, guild, [game])
            return False

        return await self._database.write(work)

    async def remove(
        self, person: int, guild: int, games: Collection[str] | None = None
    ) -> list[str]:
        """Forget somebody's subscriptions in a server, all or to those games; return which."""
        return await self._database.write(
            lambda connection: _remove(connection, person, guild, games)
        )

    async def find_due(self, challenge: int, now: int, most: int) -> list[int]:
        """Return who is to be notified of a challenge, those notified longest ago first.

        There is nobody for a challenge that is not open.
        """
        last = func.coalesce(notices.c.at, 0)
        query = _select_due(challenge, now).group_by(table.c.person, notices.c.at)
        query = query.order_by(last, table.c.person).limit(most)
        return await self._database.read(
            lambda connection: list(connection.execute(query).scalars())
        )

    async def replace_job(self, done: QueuedJob, jobs: Sequence[Job]) -> tuple[QueuedJob, ...]:
        """Enqueue a job for each subscriber in place of the one for all of them.

        Done in one transaction, so that nobody gets a job again that is done.
        """

        def work(connection: Connection) -> tuple[QueuedJob, ...]:
            # In this order, since SQLite would give the number of the last row to the next one, and
            # the runner tells jobs apart by it.
            enqueued = enqueue_jobs(connection, done.guild, jobs)
            finish_job(connection, done)
            return enqueued

        return await self._database.write(work)

    async def claim_notice(self, challenge: int, person: int, now: int) -> bool:
        """Note that somebody is being notified of a challenge; return False if they may not be.

        It is no longer open, they have been notified lately, or what else forbids it. The same
        challenge may be claimed again until it is said that its notice is sent.
        """
        due = _select_due(challenge, now).where(table.c.person == person).limit(1)

        def work(connection: Connection) -> bool:
            # Locked before it is read: of two challenges at once one is sent.
            lock_people(connection, [person])
            if connection.execute(due).first() is None:
                return False
            row = {"person": person, "at": now, "challenge": challenge}
            upsert_rows(connection, notices, [row])
            return True

        return await self._database.write(work)

    async def finish_notice(self, challenge: int, person: int, done: QueuedJob) -> None:
        """Note that a notice is sent, and its job done."""
        sent = update(notices).where(notices.c.person == person, notices.c.challenge == challenge)

        def work(connection: Connection) -> None:
            connection.execute(sent.values(challenge=None))
            finish_job(connection, done)

        await self._database.write(work)


def _select_own(person: int, guild: int) -> Select[str]:
    return select(table.c.game).where(table.c.person == person, table.c.guild == guild)


def _add(connection: Connection, person: int, guild: int, game: str, most: int) -> bool:
    # Locked before they are counted, so that two requests at once cannot exceed the limit.
    lock_people(connection, [person])
    if game in connection.execute(_select_own(person, guild)).scalars().all():
        return True
    count = select(func.count()).where(table.c.person == person)
    if connection.execute(count).scalar_one() >= most:
        return False
    connection.execute(insert(table).values(person=person, guild=guild, game=game))
    return True


def _remove(
    connection: Connection, person: int, guild: int, games: Collection[str] | None
) -> list[str]:
    gone = delete(table).where(table.c.person == person, table.c.guild == guild)
    if games is not None:
        gone = gone.where(table.c.game.in_(games))
    return sorted(connection.execute(gone.returning(table.c.game)).scalars())


def _select_due(challenge: int, now: int) -> Select[int]:
    """Return the query for those who may be notified of a challenge at an instant."""
    wanted = and_(
        challenges.c.guild == table.c.guild, table.c.game.in_([challenges.c.game, ANY_GAME])
    )
    seated = select(challenge_seats.c.person).where(challenge_seats.c.challenge == challenge)
    blocked = or_(
        and_(blocks.c.person == table.c.person, blocks.c.blocked.in_(seated)),
        and_(blocks.c.blocked == table.c.person, blocks.c.person.in_(seated)),
    )
    away = and_(
        absences.c.person == table.c.person, absences.c.began <= now, absences.c.ended > now
    )
    may_be_notified = or_(
        notices.c.at.is_(None),
        notices.c.at <= now - NOTICE_PAUSE_MS,
        # By a clock that was wrong; otherwise they would not be notified for as long.
        notices.c.at >= now + NOTICE_PAUSE_MS,
        notices.c.challenge == challenge,
    )
    return (
        select(table.c.person)
        .join(challenges, wanted)
        .outerjoin(notices, notices.c.person == table.c.person)
        .where(challenges.c.id == challenge, challenges.c.opponent.is_(None))
        .where(challenges.c.state == "open", challenges.c.expires > now)
        .where(table.c.person.not_in(seated), ~exists().where(blocked), ~exists().where(away))
        .where(may_be_notified)
    )
