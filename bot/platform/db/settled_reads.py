"""Answers to reads of what seldom changes, kept until it does.

Each act asks for the players' names and preferences, the pauses of the clocks, the server's choices
and its board style. A file has one program, through whose one writer every change goes, so what was
read holds until that writer has changed one of those tables.
"""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, event

from bot.platform.db.file_engine import FileEngine

T = TypeVar("T")

SETTLED_TABLES = frozenset(
    {"people", "habits", "looks", "servers", "outages", "absences", "stoppages"}
)
"""The tables of which answers may be kept."""
MAX_ANSWERS = 4096

_HARMLESS = ("BEGIN", "SAVEPOINT", "RELEASE", "ROLLBACK", "SELECT")


class SettledReads:
    """Answers by what was asked, each of the latest state of the settled tables."""

    def __init__(self, writer: FileEngine) -> None:
        self._answers: OrderedDict[Hashable, tuple[int, Any]] = OrderedDict()
        self._changes = 0
        self._is_changing = False
        event.listen(writer.sync_engine, "before_cursor_execute", self._look)
        # Counted in the writer's thread, before anybody is told that the change is saved.
        writer.on_done = self._count

    async def find(self, key: Hashable, read: Callable[[], Awaitable[T]]) -> T:
        """Return the answer to a question, which is asked unless it is known."""
        known = self._answers.get(key)
        # Noted before it is asked: what changes meanwhile may be missing in the answer.
        changes = self._changes
        if known is not None and known[0] == changes:
            self._answers.move_to_end(key)
            return cast(T, known[1])
        answer = await read()
        self._answers[key] = changes, answer
        self._answers.move_to_end(key)
        while len(self._answers) > MAX_ANSWERS:
            self._answers.popitem(last=False)
        return answer

    def forget(self) -> None:
        """Forget all answers, where a change has gone another way."""
        self._changes += 1

    def _look(
        self,
        _: Connection,
        __: object,
        statement: str,
        ___: object,
        context: Any,  # noqa: ANN401 - SQLAlchemy's own
        ____: bool,
    ) -> None:
        table = getattr(context.compiled and context.compiled.statement, "table", None)
        if table is None:
            self._is_changing |= not statement.startswith(_HARMLESS)
        else:
            self._is_changing |= table.name in SETTLED_TABLES

    def _count(self) -> None:
        if self._is_changing:
            self._is_changing = False
            self._changes += 1
