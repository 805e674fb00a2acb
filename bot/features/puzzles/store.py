"""The puzzle of each day and place, and people's streaks. Days are counted from 1970, in UTC.

Of a person's answers only the day of the last one, its puzzle, and the streak are kept: neither
what they answered nor where. Only in a server that has its puzzle posted every day it is kept for a
week who answered there, and whether that was right. Somebody who asks for puzzles in direct
messages is a place of their own, and their puzzles are kept by day like those of a server.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any

import sqlalchemy as sa

from bot.features.matches.tables import SIGHT_CHANNEL, is_in_sight, matches, seats
from bot.features.reports.store import Blunder, blunders
from bot.platform.db import tables as db
from bot.platform.db.database import StorePart, build_upsert, upsert_rows, writing
from bot.platform.db.preferences import preferences
from engine.outcome import UNPLAYED


@dataclass(frozen=True, slots=True)
class Streak:
    """The last day on which somebody answered a puzzle, which one, and the days of their streak.

    The streak is the number of consecutive days on which they solved one.
    """

    day: int
    puzzle: str
    streak: int


puzzles = sa.Table(
    "puzzles",
    db.metadata,
    sa.Column("scope", sa.Text, nullable=False, info=db.SCOPE),
    sa.Column("id", db.BIG, nullable=False, info=db.SCOPED_OWNER),
    sa.Column("day", sa.Integer, nullable=False, info=db.OWN),
    sa.Column("puzzle", sa.Text, nullable=False, info=db.OWN),
    sa.PrimaryKeyConstraint("scope", "id", "day"),
    info=db.SERVERS_OWN,
)

streaks = sa.Table(
    "streaks",
    db.metadata,
    sa.Column("person", db.BIG, primary_key=True, autoincrement=False, info=db.OWNER),
    sa.Column("day", sa.Integer, nullable=False, info=db.OWN),
    sa.Column("puzzle", sa.Text, nullable=False, info=db.OWN),
    sa.Column("streak", sa.Integer, nullable=False, info=db.OWN),
)

answers = sa.Table(
    "puzzle_answers",
    db.metadata,
    sa.Column("guild", db.BIG, nullable=False, info=db.PLACE),
    sa.Column("day", sa.Integer, nullable=False, info=db.OWN),
    sa.Column("person", db.BIG, nullable=False, info=db.OWNER),
    sa.Column("solved", db.Flag, nullable=False, info=db.OWN),
    sa.PrimaryKeyConstraint("guild", "day", "person"),
    info=db.SERVERS_OWN,
)

match_puzzles = sa.Table(
    "match_puzzles",
    db.metadata,
    sa.Column("match", db.BIG, sa.ForeignKey(matches.c.id), nullable=False, info=db.NUMBER),
    sa.Column("version", sa.Integer, nullable=False, info=db.NUMBER),
    sa.Column("puzzle", sa.Text, nullable=False, info=db.RULES),
    sa.Column("document", db.DOCUMENT, nullable=False, info=db.RULES),
    sa.PrimaryKeyConstraint("match", "version"),
    sa.Index("match_puzzles_by_name", "puzzle"),
    info=db.PLAYERS_OWN,
)

ANSWER_DAYS = 7
"""Days for which it is kept who answered in a server."""


@dataclass(frozen=True, slots=True)
class PastPuzzle:
    """How often a puzzle was given in a place before, and on which day the last time."""

    times: int
    last: int


ChoosePuzzle = Callable[[Mapping[str, PastPuzzle]], str]
"""Chooses a day's puzzle; it gets those that were given before."""


@dataclass(frozen=True, slots=True)
class PuzzleDayResult:
    """Who solved a puzzle in a server, and how many answered there."""

    solvers: tuple[int, ...]
    answered: int


@dataclass(frozen=True, slots=True)
class PuzzleStreak:
    """On how many consecutive days somebody has solved one."""

    person: int
    days: int


class Puzzles(StorePart):
    """Puzzles of the day by scope (`server` or `person`) and id, and streaks by person."""

    async def load_daily_puzzle(self, scope: str, owner: int, day: int) -> str | None:
        """Return the puzzle of a day; None if there is none yet."""
        query = sa.select(puzzles.c.puzzle).where(_is_owned_by(scope, owner), puzzles.c.day == day)
        return await self._database.read(lambda connection: connection.execute(query).scalar())

    @writing
    def choose_daily_puzzle(
        self, connection: sa.Connection, scope: str, owner: int, day: int, choose: ChoosePuzzle
    ) -> str:
        """Keep what `choose` chooses as the puzzle of a day, and return it."""
        # Without the day itself: a puzzle that left the file is replaced, not counted.
        given = sa.select(puzzles.c.puzzle, sa.func.count(), sa.func.max(puzzles.c.day)).where(
            _is_owned_by(scope, owner), puzzles.c.day < day
        )
        rows = connection.execute(given.group_by(puzzles.c.puzzle))
        chosen = choose({name: PastPuzzle(times, last) for name, times, last in rows})
        upsert_rows(
            connection, puzzles, [{"scope": scope, "id": owner, "day": day, "puzzle": chosen}]
        )
        return chosen

    async def load_match_puzzle(self, name: str) -> Mapping[str, Any] | None:
        """Return a puzzle that was made from a match, as a row of the file of puzzles."""
        query = sa.select(match_puzzles.c.document).where(match_puzzles.c.puzzle == name).limit(1)
        return await self._database.read(lambda connection: connection.execute(query).scalar())

    async def load_given_channels(self, guild: int) -> list[int]:
        """Return the channels that decide who sees the matches of those who allow puzzles."""
        query = (
            sa.select(SIGHT_CHANNEL)
            .select_from(preferences)
            .join(blunders, blunders.c.person == preferences.c.person)
            .join(matches, matches.c.id == blunders.c.match)
            .where(preferences.c.shares == 1, matches.c.guild == guild)
            .distinct()
        )
        return await self._load_column(query)

    async def find_given_blunder(
        self, guild: int, computers: Collection[int], hidden: Collection[int]
    ) -> Blunder | None:
        """Return the worst play of a server's matches from which no puzzle was made yet.

        Everybody who sits in the match, but the computer, has allowed it. Those in `hidden`
        channels are left out.
        """
        allowed = sa.exists().where(
            preferences.c.person == seats.c.person, preferences.c.shares == 1
        )
        refuses = sa.exists().where(
            seats.c.match == matches.c.id, seats.c.person.not_in(computers), ~allowed
        )
        is_used = sa.exists().where(
            match_puzzles.c.match == blunders.c.match,
            match_puzzles.c.version == blunders.c.version,
        )
        # From those who allow it, who are few, to their plays.
        query = (
            sa.select(*(blunders.c[field.name] for field in fields(Blunder)))
            .select_from(preferences)
            .join(blunders, blunders.c.person == preferences.c.person)
            .join(matches, matches.c.id == blunders.c.match)
            .where(
                preferences.c.shares == 1,
                matches.c.guild == guild,
                matches.c.ended.is_not(None),
                matches.c.how.not_in(sorted(UNPLAYED)),
                is_in_sight(hidden),
                ~refuses,
                ~is_used,
            )
            .order_by(blunders.c.error.desc(), blunders.c.match, blunders.c.version)
            .limit(1)
        )
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return Blunder(*row) if row else None

    @writing
    def keep_match_puzzle(
        self,
        connection: sa.Connection,
        guild: int,
        day: int,
        name: str,
        made_of: Blunder,
        document: Mapping[str, Any],
    ) -> str:
        """Keep a puzzle from a match as that of a day in a server, and return the day's puzzle.

        That is another where the day has one already.
        """
        today = {"scope": "server", "id": guild, "day": day}
        first = build_upsert(connection.dialect.name, puzzles).values(**today, puzzle=name)
        if connection.execute(first.on_conflict_do_nothing()).rowcount == 1:
            origin = {"match": made_of.match, "version": made_of.version}
            row = {**origin, "puzzle": name, "document": dict(document)}
            connection.execute(sa.insert(match_puzzles).values(row))
            return name
        chosen = sa.select(puzzles.c.puzzle).where(
            _is_owned_by("server", guild), puzzles.c.day == day
        )
        return str(connection.execute(chosen).scalar_one())

    async def load_streak(self, person: int) -> Streak | None:
        """Return somebody's streak as it was after their last answer; None without answers."""
        query = sa.select(streaks.c.day, streaks.c.puzzle, streaks.c.streak).where(
            streaks.c.person == person
        )
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return Streak(*row) if row else None

    @writing
    def record_answer(
        self,
        connection: sa.Connection,
        person: int,
        day: int,
        puzzle: str,
        *,
        solved: bool,
        guild: int | None = None,
    ) -> bool:
        """Keep that somebody answered on a day; return False if they did before.

        A solved puzzle makes the streak of the day before longer by one, or begins one; any other
        ends it. An answer that is not the first of that day leaves the streak as it is. With a
        server it is kept as well that this is their first answer there.
        """
        if guild is not None:
            first = build_upsert(connection.dialect.name, answers).values(
                guild=guild, day=day, person=person, solved=solved
            )
            connection.execute(first.on_conflict_do_nothing())
        new = build_upsert(connection.dialect.name, streaks).values(
            person=person, day=day, puzzle=puzzle, streak=int(solved)
        )
        # `excluded` is the row that was to be inserted: its streak is 1 if the puzzle was
        # solved.
        goes_on = sa.and_(new.excluded.streak == 1, streaks.c.day == new.excluded.day - 1)
        after = {
            "day": new.excluded.day,
            "puzzle": new.excluded.puzzle,
            "streak": sa.case((goes_on, streaks.c.streak + 1), else_=new.excluded.streak),
        }
        # One statement, so that of two answers at once one alone is the first.
        kept = new.on_conflict_do_update(
            index_elements=[streaks.c.person],
            set_=after,
            # An answer of the same day, or of a clock that was set back, changes no row at all.
            where=streaks.c.day < new.excluded.day,
        )
        return connection.execute(kept).rowcount == 1

    async def load_day_result(self, guild: int, day: int) -> PuzzleDayResult:
        """Return who solved a server's puzzle of a day there, and how many answered.

        The longest streak comes first.
        """
        theirs = answers.outerjoin(streaks, streaks.c.person == answers.c.person)
        query = (
            sa.select(answers.c.person, answers.c.solved)
            .select_from(theirs)
            .where(answers.c.guild == guild, answers.c.day == day)
            .order_by(sa.func.coalesce(streaks.c.streak, 0).desc(), answers.c.person)
        )
        rows = await self._load_rows(query)
        return PuzzleDayResult(tuple(row.person for row in rows if row.solved), len(rows))

    async def load_longest_streaks(
        self, guild: int, day: int, least: int, most: int
    ) -> list[PuzzleStreak]:
        """Return the longest streaks that go on after a day, of those who answered in a server."""
        here = sa.select(answers.c.person).where(answers.c.guild == guild)
        query = (
            sa.select(streaks.c.person, streaks.c.streak)
            .where(streaks.c.person.in_(here), streaks.c.day >= day, streaks.c.streak >= least)
            .order_by(streaks.c.streak.desc(), streaks.c.person)
            .limit(most)
        )
        rows = await self._load_rows(query)
        return [PuzzleStreak(*row) for row in rows]

    async def forget_answers(self, guild: int, before: int) -> None:
        """Forget who answered in a server before a day."""
        old = sa.delete(answers).where(answers.c.guild == guild, answers.c.day < before)
        await self._database.write(lambda connection: connection.execute(old))


def _is_owned_by(scope: str, owner: int) -> sa.ColumnElement[bool]:
    return sa.and_(puzzles.c.scope == scope, puzzles.c.id == owner)
