"""What servers have the bot post of itself: where, when, and what was posted last."""

from collections.abc import Sequence
from dataclasses import fields

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Integer,
    PrimaryKeyConstraint,
    RowMapping,
    Table,
    Text,
    and_,
    case,
    select,
    update,
)

from bot.features.schedules.rows import PostKind, ScheduledPost
from bot.platform.db.columns import BIG
from bot.platform.db.database import Database
from bot.platform.db.jobs import enqueue_jobs, finish_job
from bot.platform.db.rows import Job, QueuedJob
from bot.platform.db.statements import make_upsert
from bot.platform.db.tables import metadata

table = Table(
    "scheduled_posts",
    metadata,
    Column("guild", BIG, nullable=False),
    Column("post", Text, nullable=False),
    Column("channel", BIG),
    Column("hour", Integer, nullable=False),
    Column("day", Integer, nullable=False),
    Column("begun", Integer),
    Column("place", BIG),
    Column("message", BIG),
    Column("subject", Text),
    PrimaryKeyConstraint("guild", "post"),
)

_COLUMNS = [table.c[field.name] for field in fields(ScheduledPost)]


class ScheduledPosts:
    """Posts by server and kind."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, guild: int, post: PostKind) -> ScheduledPost | None:
        """Return what a server has chosen; None if it never has."""
        query = select(*_COLUMNS).where(_is_post(guild, post))
        row = await self._database.read(
            lambda connection: connection.execute(query).mappings().first()
        )
        return _make_post(row) if row else None

    async def load_channels(self, guild: int) -> list[int]:
        """Return the channels in which something is posted in a server."""
        query = select(table.c.channel).where(table.c.guild == guild, table.c.channel.is_not(None))
        rows = await self._database.read(lambda connection: connection.execute(query).scalars())
        return sorted(set(rows))

    async def choose(
        self, new: ScheduledPost, jobs: Sequence[Job]
    ) -> tuple[ScheduledPost, tuple[QueuedJob, ...]]:
        """Keep where and when something is posted, and return it with the jobs that follow.

        A day whose post is made stays made.
        """

        def work(connection: Connection) -> tuple[ScheduledPost, tuple[QueuedJob, ...]]:
            insert = make_upsert(connection.dialect.name, table).values(
                guild=new.guild, post=new.post, channel=new.channel, hour=new.hour, day=new.day
            )
            latest = case(
                (table.c.day > insert.excluded.day, table.c.day), else_=insert.excluded.day
            )
            kept = insert.on_conflict_do_update(
                index_elements=[table.c.guild, table.c.post],
                set_={
                    "channel": insert.excluded.channel,
                    "hour": insert.excluded.hour,
                    "day": latest,
                },
            ).returning(*_COLUMNS)
            chosen = _make_post(connection.execute(kept).mappings().one())
            return chosen, enqueue_jobs(connection, new.guild, jobs)

        return await self._database.write(work)

    async def stop(self, guild: int, post: PostKind) -> None:
        """Post something no more. Which day was the last is kept, so that none is posted twice."""
        stopped = update(table).where(_is_post(guild, post)).values(channel=None)
        await self._database.write(lambda connection: connection.execute(stopped))

    async def begin(self, guild: int, post: PostKind, day: int) -> bool:
        """Keep that the post of a day is begun; return False if it was begun before."""
        is_new = table.c.begun.is_distinct_from(day)
        begun = update(table).where(_is_post(guild, post), is_new).values(begun=day)
        return await self._database.write(
            lambda connection: connection.execute(begun).rowcount == 1
        )

    async def finish(
        self, posted: ScheduledPost, done: QueuedJob, following: Job, jobs: Sequence[Job]
    ) -> tuple[QueuedJob, ...] | None:
        """Keep what was posted, with the jobs that follow, in place of the job that did it.

        Returns those jobs, or None, changing nothing, where the post of that day is made already.
        """
        still_due = and_(_is_post(posted.guild, posted.post), table.c.day < posted.day)
        values = {name: getattr(posted, name) for name in ("day", "place", "message", "subject")}

        def work(connection: Connection) -> tuple[QueuedJob, ...] | None:
            kept = update(table).where(still_due).values(values)
            if connection.execute(kept).rowcount != 1:
                return None
            # Before the job that did it is deleted, whose number a new row would have again.
            enqueued = enqueue_jobs(connection, posted.guild, jobs)
            # A job that was renewed meanwhile looks itself for what comes next.
            after = [following] if finish_job(connection, done) else []
            return (*enqueued, *enqueue_jobs(connection, posted.guild, after))

        return await self._database.write(work)


def _is_post(guild: int, post: PostKind) -> ColumnElement[bool]:
    return and_(table.c.guild == guild, table.c.post == post)


def _make_post(row: RowMapping) -> ScheduledPost:
    return ScheduledPost(**{**row, "post": PostKind(row["post"])})
