"""The puzzle of each day and place, and people's streaks. Days are counted from 1970, in UTC.

Of a person's answers only the day of the last one, its puzzle, and the streak are kept: neither
what they answered nor where. Only in a server that has its puzzle posted every day it is kept for a
week who answered there, and whether that was right. Somebody who asks for puzzles in direct
messages is a place of their own, and their puzzles are kept by day like those of a server.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    Text,
    and_,
    case,
    delete,
    exists,
    func,
    insert,
    select,
)

from bot.features.preferences.store import table as preferences
from bot.features.reports.store import Blunder, blunders
from bot.platform.db.columns import BIG, DOCUMENT, Flag
from bot.platform.db.database import Database
from bot.platform.db.rows import Streak
from bot.platform.db.statements import make_upsert, upsert_rows
from bot.platform.db.tables import matches, metadata, seats
from engine.outcome import UNPLAYED

puzzles = Table(
    "puzzles",
    metadata,
    Column("scope", Text, nullable=False),
    Column("id", BIG, nullable=False),
    Column("day", Integer, nullable=False),
    Column("puzzle", Text, nullable=False),
    PrimaryKeyConstraint("scope", "id", "day"),
)

streaks = Table(
    "streaks",
    metadata,
    Column("person", BIG, primary_key=True, autoincrement=False),
    Column("day", Integer, nullable=False),
    Column("puzzle", Text, nullable=False),
    Column("streak", Integer, nullable=False),
)

answers = Table(
    "puzzle_answers",
    metadata,
    Column("guild", BIG, nullable=False),
    Column("day", Integer, nullable=False),
    Column("person", BIG, nullable=False),
    Column("solved", Flag, nullable=False),
    PrimaryKeyConstraint("guild", "day", "person"),
)

match_puzzles = Table(
    "match_puzzles",
    metadata,
    Column("match", BIG, ForeignKey(matches.c.id), nullable=False),
    Column("version", Integer, nullable=False),
    Column("puzzle", Text, nullable=False),
    Column("document", DOCUMENT, nullable=False),
    PrimaryKeyConstraint("match", "version"),
    Index("match_puzzles_by_name", "puzzle"),
)

ANSWER_DAYS = 7
"""Days for which it is kept who answered in a server."""

ChoosePuzzle = Callable[[Mapping[str, int]], str]
"""Chooses a day's puzzle; it gets how often each was given before."""


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


class Puzzles:
    """Puzzles of the day by scope (`server` or `person`) and id, and streaks by person."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get_daily_puzzle(self, scope: str, owner: int, day: int) -> str | None:
        """Return the puzzle of a day; None if there is none yet."""
        query = select(puzzles.c.puzzle).where(_is_owned_by(scope, owner), puzzles.c.day == day)
        return await self._database.read(lambda connection: connection.execute(query).scalar())

    async def choose_daily_puzzle(
        self, scope: str, owner: int, day: int, choose: ChoosePuzzle
    ) -> str:
        """Keep what `choose` chooses as the puzzle of a day, and return it."""

        def work(connection: Connection) -> str:
            # Without the day itself: a puzzle that left the file is replaced, not counted.
            counted = select(puzzles.c.puzzle, func.count()).where(
                _is_owned_by(scope, owner), puzzles.c.day < day
            )
            often = {
                row[0]: row[1] for row in connection.execute(counted.group_by(puzzles.c.puzzle))
            }
            chosen = choose(often)
            upsert_rows(
                connection, puzzles, [{"scope": scope, "id": owner, "day": day, "puzzle": chosen}]
            )
            return chosen

        return await self._database.write(work)

    async def get_match_puzzle(self, name: str) -> Mapping[str, Any] | None:
        """Return a puzzle that was made from a match, as a row of the file of puzzles."""
        query = select(match_puzzles.c.document).where(match_puzzles.c.puzzle == name).limit(1)
        return await self._database.read(lambda connection: connection.execute(query).scalar())

    async def find_given_blunder(self, guild: int, computers: Collection[int]) -> Blunder | None:
        """Return the worst play of a server's matches from which no puzzle was made yet.

        Everybody who sits in the match, but the computer, has allowed it.
        """
        allowed = exists().where(preferences.c.person == seats.c.person, preferences.c.shares == 1)
        refuses = exists().where(
            seats.c.match == matches.c.id, seats.c.person.not_in(computers), ~allowed
        )
        is_used = exists().where(
            match_puzzles.c.match == blunders.c.match,
            match_puzzles.c.version == blunders.c.version,
        )
        # From those who allow it, who are few, to their plays.
        query = (
            select(*(blunders.c[field.name] for field in fields(Blunder)))
            .select_from(preferences)
            .join(blunders, blunders.c.person == preferences.c.person)
            .join(matches, matches.c.id == blunders.c.match)
            .where(
                preferences.c.shares == 1,
                matches.c.guild == guild,
                matches.c.ended.is_not(None),
                matches.c.how.not_in(sorted(UNPLAYED)),
                ~refuses,
                ~is_used,
            )
            .order_by(blunders.c.error.desc(), blunders.c.match, blunders.c.version)
            .limit(1)
        )
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return Blunder(*row) if row else None

    async def keep_match_puzzle(
        self, guild: int, day: int, name: str, made_of: Blunder, document: Mapping[str, Any]
    ) -> str:
        """Keep a puzzle from a match as that of a day in a server, and return the day's puzzle.

        That is another where the day has one already.
        """

        def work(connection: Connection) -> str:
            today = {"scope": "server", "id": guild, "day": day}
            first = make_upsert(connection.dialect.name, puzzles).values(**today, puzzle=name)
            if connection.execute(first.on_conflict_do_nothing()).rowcount == 1:
                origin = {"match": made_of.match, "version": made_of.version}
                row = {**origin, "puzzle": name, "document": dict(document)}
                connection.execute(insert(match_puzzles).values(row))
                return name
            chosen = select(puzzles.c.puzzle).where(
                _is_owned_by("server", guild), puzzles.c.day == day
            )
            return str(connection.execute(chosen).scalar_one())

        return await self._database.write(work)

    async def get_streak(self, person: int) -> Streak | None:
        """Return somebody's streak as it was after their last answer; None without answers."""
        query = select(streaks.c.day, streaks.c.puzzle, streaks.c.streak).where(
            streaks.c.person == person
        )
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return Streak(*row) if row else None

    async def record_answer(
        self, person: int, day: int, puzzle: str, *, solved: bool, guild: int | None = None
    ) -> bool:
        """Keep that somebody answered on a day; return False if they did before.

        A solved puzzle makes the streak of the day before longer by one, or begins one; any other
        ends it. An answer that is not the first of that day leaves the streak as it is. With a
        server it is kept as well that this is their first answer there.
        """

        def work(connection: Connection) -> bool:
            if guild is not None:
                first = make_upsert(connection.dialect.name, answers).values(
                    guild=guild, day=day, person=person, solved=solved
                )
                connection.execute(first.on_conflict_do_nothing())
            new = make_upsert(connection.dialect.name, streaks).values(
                person=person, day=day, puzzle=puzzle, streak=int(solved)
            )
            # `excluded` is the row that was to be inserted: its streak is 1 if the puzzle was
            # solved.
            goes_on = and_(new.excluded.streak == 1, streaks.c.day == new.excluded.day - 1)
            after = {
                "day": new.excluded.day,
                "puzzle": new.excluded.puzzle,
                "streak": case((goes_on, streaks.c.streak + 1), else_=new.excluded.streak),
            }
            # One statement, so that of two answers at once one alone is the first.
            kept = new.on_conflict_do_update(
                index_elements=[streaks.c.person],
                set_=after,
                # An answer of the same day, or of a clock that was set back, changes no row at all.
                where=streaks.c.day < new.excluded.day,
            )
            return connection.execute(kept).rowcount == 1

        return await self._database.write(work)

    async def load_day_result(self, guild: int, day: int) -> PuzzleDayResult:
        """Return who solved a server's puzzle of a day there, and how many answered.

        The longest streak comes first.
        """
        theirs = answers.outerjoin(streaks, streaks.c.person == answers.c.person)
        query = (
            select(answers.c.person, answers.c.solved)
            .select_from(theirs)
            .where(answers.c.guild == guild, answers.c.day == day)
            .order_by(func.coalesce(streaks.c.streak, 0).desc(), answers.c.person)
        )
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return PuzzleDayResult(tuple(row.person for row in rows if row.solved), len(rows))

    async def load_longest_streaks(
        self, guild: int, day: int, least: int, most: int
    ) -> list[PuzzleStreak]:
        """Return the longest streaks that go on after a day, of those who answered in a server."""
        here = select(answers.c.person).where(answers.c.guild == guild)
        query = (
            select(streaks.c.person, streaks.c.streak)
            .where(streaks.c.person.in_(here), streaks.c.day >= day, streaks.c.streak >= least)
            .order_by(streaks.c.streak.desc(), streaks.c.person)
            .limit(most)
        )
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return [PuzzleStreak(*row) for row in rows]

    async def forget_answers(self, guild: int, before: int) -> None:
        """Forget who answered in a server before a day."""
        old = delete(answers).where(answers.c.guild == guild, answers.c.day < before)
        await self._database.write(lambda connection: connection.execute(old))


def _is_owned_by(scope: str, owner: int) -> ColumnElement[bool]:
    return and_(puzzles.c.scope == scope, puzzles.c.id == owner)
