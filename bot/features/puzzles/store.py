"""The puzzle of each day and place, and people's streaks. Days are counted from 1970, in UTC.

Of a person's answers only the day of the last one, its puzzle, and the streak are kept: neither
what they answered nor where. Somebody who asks for puzzles in direct messages is a place of their
own, and their puzzles are kept by day like those of a server.
"""

from collections.abc import Callable, Mapping

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Integer,
    PrimaryKeyConstraint,
    Table,
    Text,
    and_,
    case,
    func,
    select,
)

from bot.platform.db.columns import BIG
from bot.platform.db.database import Database
from bot.platform.db.rows import Streak
from bot.platform.db.statements import make_upsert, upsert_rows
from bot.platform.db.tables import metadata

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

ChoosePuzzle = Callable[[Mapping[str, int]], str]
"""Chooses a day's puzzle; it gets how often each was given before."""


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

    async def get_streak(self, person: int) -> Streak | None:
        """Return somebody's streak as it was after their last answer; None without answers."""
        query = select(streaks.c.day, streaks.c.puzzle, streaks.c.streak).where(
            streaks.c.person == person
        )
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return Streak(*row) if row else None

    async def record_answer(self, person: int, day: int, puzzle: str, *, solved: bool) -> bool:
        """Keep that somebody answered on a day; return False, changing nothing, if they did before.

        A solved puzzle makes the streak of the day before longer by one, or begins one; any other
        ends it.
        """

        def work(connection: Connection) -> bool:
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


def _is_owned_by(scope: str, owner: int) -> ColumnElement[bool]:
    return and_(puzzles.c.scope == scope, puzzles.c.id == owner)
