"""What is posted in which server and when, and the figures of a server's week."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from typing import Any

import sqlalchemy as sa

from bot.features.contests.tables import pairings
from bot.features.matches.tables import SIGHT_CHANNEL, events, is_in_sight, matches, seats
from bot.features.posts.rows import (
    LuckyThrow,
    PostKind,
    ScheduledPost,
    WeekFigures,
    WeekSpan,
    WeekWins,
)
from bot.features.reports.store import table as reports
from bot.features.statistics.rows import ClubScope, MatchLength
from bot.features.statistics.store import has_computer, has_winners_seat, is_counted
from bot.features.statistics.store import table as lengths
from bot.platform.db.database import StorePart, build_upsert, reading, writing
from bot.platform.db.jobs import enqueue_jobs, finish_job
from bot.platform.db.rows import Job, QueuedJob
from bot.platform.db.tables import BIG, INSTANT, PLACE, RULES, SERVERS_OWN, SETTING, STATE, metadata

table = sa.Table(
    "scheduled_posts",
    metadata,
    sa.Column("guild", BIG, nullable=False, info=PLACE),
    sa.Column("post", sa.Text, nullable=False, info=STATE),
    sa.Column("channel", BIG, info=PLACE),
    sa.Column("hour", sa.Integer, nullable=False, info=SETTING),
    sa.Column("day", sa.Integer, nullable=False, info=INSTANT),
    sa.Column("begun", sa.Integer, info=INSTANT),
    sa.Column("place", BIG, info=PLACE),
    sa.Column("message", BIG, info=PLACE),
    sa.Column("subject", sa.Text, info=RULES),
    sa.PrimaryKeyConstraint("guild", "post"),
    info=SERVERS_OWN,
)

_COLUMNS = [table.c[field.name] for field in fields(ScheduledPost)]


class ScheduledPosts(StorePart):
    """Posts by server and kind."""

    async def load_post(self, guild: int, post: PostKind) -> ScheduledPost | None:
        """Return what a server has chosen; None if it never has."""
        query = sa.select(*_COLUMNS).where(_is_post(guild, post))
        row = await self._database.read(
            lambda connection: connection.execute(query).mappings().first()
        )
        return _build_post(row) if row else None

    async def load_channels(self, guild: int) -> list[int]:
        """Return the channels in which something is posted in a server."""
        query = sa.select(table.c.channel).where(
            table.c.guild == guild, table.c.channel.is_not(None)
        )
        rows = await self._database.read(lambda connection: connection.execute(query).scalars())
        return sorted(set(rows))

    @writing
    def choose(
        self, connection: sa.Connection, new: ScheduledPost, jobs: Sequence[Job]
    ) -> tuple[ScheduledPost, tuple[QueuedJob, ...]]:
        """Keep where and when something is posted, and return it with the jobs that follow.

        A day whose post is made stays made.
        """
        insert = build_upsert(connection.dialect.name, table).values(
            guild=new.guild, post=new.post, channel=new.channel, hour=new.hour, day=new.day
        )
        latest = sa.case(
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
        chosen = _build_post(connection.execute(kept).mappings().one())
        return chosen, enqueue_jobs(connection, new.guild, jobs)

    async def stop(self, guild: int, post: PostKind) -> None:
        """Post something no more. Which day was the last is kept, so that none is posted twice."""
        stopped = sa.update(table).where(_is_post(guild, post)).values(channel=None)
        await self._database.write(lambda connection: connection.execute(stopped))

    async def begin(self, guild: int, post: PostKind, day: int) -> bool:
        """Keep that the post of a day is begun; return False if it was begun before."""
        is_new = table.c.begun.is_distinct_from(day)
        begun = sa.update(table).where(_is_post(guild, post), is_new).values(begun=day)
        return await self._database.write(
            lambda connection: connection.execute(begun).rowcount == 1
        )

    @writing
    def finish(
        self,
        connection: sa.Connection,
        posted: ScheduledPost,
        done: QueuedJob,
        following: Job,
        jobs: Sequence[Job],
    ) -> tuple[QueuedJob, ...] | None:
        """Keep what was posted, with the jobs that follow, in place of the job that did it.

        Returns those jobs, or None, changing nothing, where the post of that day is made already.
        """
        still_due = sa.and_(_is_post(posted.guild, posted.post), table.c.day < posted.day)
        values = {name: getattr(posted, name) for name in ("day", "place", "message", "subject")}
        kept = sa.update(table).where(still_due).values(values)
        if connection.execute(kept).rowcount != 1:
            return None
        # Before the job that did it is deleted, whose number a new row would have again.
        enqueued = enqueue_jobs(connection, posted.guild, jobs)
        # A job that was renewed meanwhile looks itself for what comes next.
        after = [following] if finish_job(connection, done) else []
        return (*enqueued, *enqueue_jobs(connection, posted.guild, after))


def _is_post(guild: int, post: PostKind) -> sa.ColumnElement[bool]:
    return sa.and_(table.c.guild == guild, table.c.post == post)


def _build_post(row: sa.RowMapping) -> ScheduledPost:
    return ScheduledPost(**{**row, "post": PostKind(row["post"])})


MAX_REPORTS = 200
"""Reports that are read for a week; the latest."""
_THROWN = "thrown"
"""The record of a throw; opening rolls have one of their own."""
MAX_GAMES, MAX_WINNERS = 3, 3
"""Games and people that a digest lists of a week."""


class WeekDigests(StorePart):
    """The weeks of servers."""

    async def load_channels(self, club: ClubScope, week: WeekSpan) -> list[int]:
        """Return the channels that decide who sees what people played with each other."""
        query = sa.select(SIGHT_CHANNEL).where(_is_within(club, week)).distinct()
        return await self._load_column(query)

    async def load_figures(
        self, club: ClubScope, week: WeekSpan, hidden: Collection[int]
    ) -> WeekFigures:
        """Return what people played with each other, all of it as it is at one moment.

        What was played in `hidden` channels is left out.
        """
        async with self._database.open_read_transaction() as moment:
            return await moment.run_sync(_load_figures, club, week, hidden)

    @reading
    def find_luckiest_throw(
        self, connection: sa.Connection, club: ClubScope, week: WeekSpan, hidden: Collection[int]
    ) -> LuckyThrow | None:
        """Return the luckiest throw of the matches that have a report; None without any.

        Those in `hidden` channels are left out.
        """
        reported = (
            sa.select(reports.c.match, reports.c.document)
            .join(matches, matches.c.id == reports.c.match)
            .where(_is_within(club, week), is_in_sight(hidden))
            .order_by(matches.c.ended.desc(), matches.c.id)
            .limit(MAX_REPORTS)
        )
        best: tuple[float, int, Mapping[str, Any]] | None = None
        # One after another, since a report is long.
        for match, document in connection.execute(reported):
            for row in document["judged"]:
                if row["thrown"] and row["luck"] > (best[0] if best else 0.0):
                    best = row["luck"], match, row
        if best is None:
            return None
        luck, match, row = best
        happened = sa.select(events.c.record).where(
            events.c.match == match,
            events.c.version > row["first"],
            events.c.version <= row["version"],
        )
        for record in connection.execute(happened.order_by(events.c.version)).scalars():
            if record["event"] == _THROWN:
                dice = tuple(record["dice"])
                return LuckyThrow(match, row["first"], row["side"], dice, luck)
        return None

    async def find_finished(self, contests: Collection[int], week: WeekSpan) -> set[int]:
        """Return the contests whose last match ended within a week."""
        query = (
            sa.select(pairings.c.contest)
            .join(matches, matches.c.id == pairings.c.match)
            .where(pairings.c.contest.in_(contests))
            .group_by(pairings.c.contest)
            .having(
                sa.func.max(matches.c.ended) >= week.start, sa.func.max(matches.c.ended) < week.end
            )
        )
        return set(await self._load_column(query))


def _load_figures(
    connection: sa.Connection, club: ClubScope, week: WeekSpan, hidden: Collection[int]
) -> WeekFigures:
    is_within = sa.and_(_is_within(club, week), is_in_sight(hidden))
    count = sa.func.count()
    played = (
        sa.select(matches.c.game, count)
        .where(is_within)
        .group_by(matches.c.game)
        .order_by(count.desc(), matches.c.game)
    )
    games = [(game, number) for game, number in connection.execute(played)]
    sat = seats.join(matches, matches.c.id == seats.c.match)
    players = sa.select(sa.func.count(seats.c.person.distinct())).select_from(sat).where(is_within)
    won = (
        sa.select(seats.c.person, count)
        .select_from(sat)
        .where(is_within, has_winners_seat())
        .group_by(seats.c.person)
        .order_by(count.desc(), seats.c.person)
        .limit(MAX_WINNERS)
    )
    longest = (
        sa.select(lengths.c.match, lengths.c.turns)
        .join(matches, matches.c.id == lengths.c.match)
        .where(is_within)
        .order_by(lengths.c.turns.desc(), lengths.c.match)
        .limit(1)
    )
    found = connection.execute(longest).first()
    return WeekFigures(
        matches=sum(number for _, number in games),
        players=connection.execute(players).scalar_one(),
        games=tuple(games[:MAX_GAMES]),
        winners=tuple(WeekWins(*row) for row in connection.execute(won)),
        longest=MatchLength(*found) if found else None,
    )


def _is_within(club: ClubScope, week: WeekSpan) -> sa.ColumnElement[bool]:
    """Return the condition that a match between people counts and ended within a week."""
    return sa.and_(
        is_counted(club),
        matches.c.ended >= week.start,
        matches.c.ended < week.end,
        ~has_computer(club),
    )
