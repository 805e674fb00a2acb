"""How far each person is in the lessons that they have begun."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Column, Integer, PrimaryKeyConstraint, Row, Table, Text, select, update

from bot.features.lessons.progress import LessonProgress
from bot.platform.db.database import StorePart, upsert_rows
from bot.platform.db.tables import BIG, OWN, OWNER, metadata

table = Table(
    "lessons",
    metadata,
    Column("person", BIG, nullable=False, info=OWNER),
    Column("lesson", Text, nullable=False, info=OWN),
    Column("step", Integer, nullable=False, info=OWN),
    Column("presses", Text, nullable=False, info=OWN),
    Column("touched", BIG, nullable=False, info=OWN),
    PrimaryKeyConstraint("person", "lesson"),
)

_SEPARATOR = ";"
"""What parts the presses of a step, none of which has it."""


class BegunLessons(StorePart):
    """Progress by person and lesson."""

    async def load_all(self, person: int) -> Sequence[LessonProgress]:
        """Return the lessons that somebody has begun, the one that they were in last first."""
        query = select(table).where(table.c.person == person).order_by(table.c.touched.desc())
        rows = await self._load_rows(query)
        return [_parse_row(row) for row in rows]

    async def load(self, person: int, lesson: str) -> LessonProgress | None:
        """Return how far somebody is in a lesson; None if they have not begun it."""
        query = select(table).where(table.c.person == person, table.c.lesson == lesson)
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return _parse_row(row) if row else None

    async def begin(self, person: int, lesson: str, touched: int) -> None:
        """Put somebody at the first step of a lesson, wherever they were."""
        row = {"person": person, "lesson": lesson, "step": 0, "presses": "", "touched": touched}
        await self._database.write(lambda connection: upsert_rows(connection, table, [row]))

    async def advance(
        self, person: int, before: LessonProgress, after: LessonProgress, touched: int
    ) -> bool:
        """Keep how far somebody is; return False, changing nothing, if they are not at `before`."""
        # One statement, so that of two presses at once one alone counts.
        statement = (
            update(table)
            .where(
                table.c.person == person,
                table.c.lesson == before.lesson,
                table.c.step == before.step,
                table.c.presses == _SEPARATOR.join(before.presses),
            )
            .values(step=after.step, presses=_SEPARATOR.join(after.presses), touched=touched)
        )
        return await self._database.write(
            lambda connection: connection.execute(statement).rowcount == 1
        )


def _parse_row(row: Row[Any]) -> LessonProgress:
    presses = tuple(row.presses.split(_SEPARATOR)) if row.presses else ()
    return LessonProgress(row.lesson, row.step, presses)
