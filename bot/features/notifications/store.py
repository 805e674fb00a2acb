"""Who follows which match, who has subscribed to which games, and when they were last notified."""

from collections.abc import Collection, Sequence

import sqlalchemy as sa

from bot.features.challenges.tables import challenge_seats, challenges
from bot.features.matches.tables import matches
from bot.features.notifications.jobs import ANY_GAME, NotifyWhen
from bot.features.preferences.store import blocks
from bot.platform.db import tables as db
from bot.platform.db.database import StorePart, lock_people, upsert_rows, writing
from bot.platform.db.jobs import enqueue_jobs, finish_job
from bot.platform.db.rows import Job, QueuedJob
from engine.clock import HOUR

NOTICE_PAUSE_MS = HOUR
"""Milliseconds between two notices to the same person."""

follows = sa.Table(
    "follows",
    db.metadata,
    sa.Column("match", db.BIG, sa.ForeignKey(matches.c.id), nullable=False, info=db.NUMBER),
    sa.Column("person", db.BIG, sa.ForeignKey(db.people.c.id), nullable=False, info=db.OWNER),
    sa.Column("often", sa.Text, nullable=False, info=db.OWN),
    sa.PrimaryKeyConstraint("match", "person"),
    sa.Index("followed_by", "person"),
    info=db.PLAYERS_OWN,
)
subscriptions = sa.Table(
    "subscriptions",
    db.metadata,
    sa.Column("person", db.BIG, sa.ForeignKey(db.people.c.id), nullable=False, info=db.OWNER),
    sa.Column("guild", db.BIG, nullable=False, info=db.PLACE),
    sa.Column("game", sa.Text, nullable=False, info=db.OWN),
    sa.PrimaryKeyConstraint("person", "guild", "game"),
    sa.Index("subscriptions_to", "guild", "game"),
    info=db.SERVERS_OWN,
)
notices = sa.Table(
    "challenge_notices",
    db.metadata,
    db.build_person_key(),
    sa.Column("at", db.BIG, nullable=False, info=db.OWN),
    # The challenge of which a notice is on its way; none once it is sent.
    sa.Column("challenge", db.BIG, sa.ForeignKey(challenges.c.id), info=db.OWN),
    info=db.PLAYERS_OWN,
)


class Follows(StorePart):
    """How often somebody is notified, by match and person."""

    async def load_follow(self, match: int, person: int) -> NotifyWhen | None:
        """Return how often somebody is notified of a match; None if they do not follow it."""
        return (await self.load_followers(match)).get(person)

    async def load_followers(self, match: int) -> dict[int, NotifyWhen]:
        """Return those who follow a match."""
        query = sa.select(follows.c.person, follows.c.often).where(follows.c.match == match)
        rows = await self._load_rows(query)
        return {row.person: NotifyWhen(row.often) for row in rows}

    @writing
    def save(
        self, connection: sa.Connection, match: int, person: int, often: NotifyWhen, most: int
    ) -> bool:
        """Keep how often somebody is notified of a match; return False if that is one too many.

        At most `most` other matches that are running may be followed.
        """
        running = (
            sa.select(sa.func.count())
            .select_from(follows.join(matches, follows.c.match == matches.c.id))
            .where(follows.c.person == person, follows.c.match != match, matches.c.ended.is_(None))
        )
        # Locked before they are counted, so that two requests at once cannot exceed the limit.
        lock_people(connection, [person])
        if connection.execute(running).scalar_one() >= most:
            return False
        upsert_rows(connection, follows, [{"match": match, "person": person, "often": often.value}])
        # Never set back: the mark only saves matches without followers the job, once a turn,
        # that would find none.
        connection.execute(sa.update(matches).where(matches.c.id == match).values(followed=True))
        return True

    async def remove(self, match: int, person: int) -> None:
        """Forget that somebody follows a match."""
        statement = sa.delete(follows).where(follows.c.match == match, follows.c.person == person)
        await self._database.write(lambda connection: connection.execute(statement))


class Subscriptions(StorePart):
    """Subscriptions by person and server, and what is sent because of them."""

    async def load_games(self, person: int, guild: int) -> list[str]:
        """Return the games to which somebody has subscribed in a server."""
        query = _select_own(person, guild)
        return sorted(await self._load_column(query))

    async def add(self, person: int, guild: int, game: str, most: int) -> bool:
        """Keep a subscription; return False if somebody has `most` of them already.

        To subscribe twice is no error.
        """
        return await self._database.write(
            lambda connection: _add(connection, person, guild, game, most)
        )

    @writing
    def toggle(
        self, connection: sa.Connection, person: int, guild: int, game: str, most: int
    ) -> bool | None:
        """Keep a subscription, or forget it where there is one; return whether there is one now.

        Returns None if it would be one too many.
        """
        own = _select_own(person, guild).where(subscriptions.c.game == game)
        # Locked before it is read, so that of two requests at once each counts.
        lock_people(connection, [person])
        if connection.execute(own).first() is None:
            return _add(connection, person, guild, game, most) or None
        _remove(connection, person, guild, [game])
        return False

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
        last = sa.func.coalesce(notices.c.at, 0)
        query = _select_due(challenge, now).group_by(subscriptions.c.person, notices.c.at)
        query = query.order_by(last, subscriptions.c.person).limit(most)
        return await self._load_column(query)

    @writing
    def replace_job(
        self, connection: sa.Connection, done: QueuedJob, jobs: Sequence[Job]
    ) -> tuple[QueuedJob, ...]:
        """Enqueue a job for each subscriber in place of the one for all of them.

        Done in one transaction, so that nobody gets a job again that is done.
        """
        # In this order, since SQLite would give the number of the last row to the next one, and
        # the runner tells jobs apart by it.
        enqueued = enqueue_jobs(connection, done.guild, jobs)
        finish_job(connection, done)
        return enqueued

    @writing
    def claim_notice(
        self, connection: sa.Connection, challenge: int, person: int, now: int
    ) -> bool:
        """Note that somebody is being notified of a challenge; return False if they may not be.

        It is no longer open, they have been notified lately, or what else forbids it. The same
        challenge may be claimed again until it is said that its notice is sent.
        """
        due = _select_due(challenge, now).where(subscriptions.c.person == person).limit(1)
        # Locked before it is read: of two challenges at once one is sent.
        lock_people(connection, [person])
        if connection.execute(due).first() is None:
            return False
        row = {"person": person, "at": now, "challenge": challenge}
        upsert_rows(connection, notices, [row])
        return True

    @writing
    def finish_notice(
        self, connection: sa.Connection, challenge: int, person: int, done: QueuedJob
    ) -> None:
        """Note that a notice is sent, and its job done."""
        sent = sa.update(notices).where(
            notices.c.person == person, notices.c.challenge == challenge
        )
        connection.execute(sent.values(challenge=None))
        finish_job(connection, done)


def _select_own(person: int, guild: int) -> sa.Select[str]:
    return sa.select(subscriptions.c.game).where(
        subscriptions.c.person == person, subscriptions.c.guild == guild
    )


def _add(connection: sa.Connection, person: int, guild: int, game: str, most: int) -> bool:
    # Locked before they are counted, so that two requests at once cannot exceed the limit.
    lock_people(connection, [person])
    if game in connection.execute(_select_own(person, guild)).scalars().all():
        return True
    count = sa.select(sa.func.count()).where(subscriptions.c.person == person)
    if connection.execute(count).scalar_one() >= most:
        return False
    connection.execute(sa.insert(subscriptions).values(person=person, guild=guild, game=game))
    return True


def _remove(
    connection: sa.Connection, person: int, guild: int, games: Collection[str] | None
) -> list[str]:
    gone = sa.delete(subscriptions).where(
        subscriptions.c.person == person, subscriptions.c.guild == guild
    )
    if games is not None:
        gone = gone.where(subscriptions.c.game.in_(games))
    return sorted(connection.execute(gone.returning(subscriptions.c.game)).scalars())


def _select_due(challenge: int, now: int) -> sa.Select[int]:
    """Return the query for those who may be notified of a challenge at an instant."""
    wanted = sa.and_(
        challenges.c.guild == subscriptions.c.guild,
        subscriptions.c.game.in_([challenges.c.game, ANY_GAME]),
    )
    seated = sa.select(challenge_seats.c.person).where(challenge_seats.c.challenge == challenge)
    blocked = sa.or_(
        sa.and_(blocks.c.person == subscriptions.c.person, blocks.c.blocked.in_(seated)),
        sa.and_(blocks.c.blocked == subscriptions.c.person, blocks.c.person.in_(seated)),
    )
    away = sa.and_(
        db.absences.c.person == subscriptions.c.person,
        db.absences.c.began <= now,
        db.absences.c.ended > now,
    )
    may_be_notified = sa.or_(
        notices.c.at.is_(None),
        notices.c.at <= now - NOTICE_PAUSE_MS,
        # By a clock that was wrong; otherwise they would not be notified for as long.
        notices.c.at >= now + NOTICE_PAUSE_MS,
        notices.c.challenge == challenge,
    )
    return (
        sa.select(subscriptions.c.person)
        .join(challenges, wanted)
        .outerjoin(notices, notices.c.person == subscriptions.c.person)
        .where(challenges.c.id == challenge, challenges.c.opponent.is_(None))
        .where(challenges.c.state == "open", challenges.c.expires > now)
        .where(
            subscriptions.c.person.not_in(seated),
            ~sa.exists().where(blocked),
            ~sa.exists().where(away),
        )
        .where(may_be_notified)
    )
