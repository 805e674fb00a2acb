"""Group commit: works that wait for the one writer of a file share the next transaction.

A commit waits for the disk, and only one can be under way. What is asked for meanwhile is gathered
and committed together, so that a busy hour costs fewer commits, not longer waits. Each piece of
work is undone alone where it fails, and nobody is answered before the commit that holds their work.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar, cast

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from bot.platform.db.file_engine import FileEngine

T = TypeVar("T")

MAX_GROUP = 32
"""Works that share a transaction at most, since the first of them waits for the last."""


class _UngroupedError(Exception):
    """Works could not be saved together: each is to be saved alone, so that each has its result."""


@dataclass(frozen=True, slots=True)
class _WaitingWork:
    """Work to be saved, and where its result goes."""

    work: Callable[[Connection], Any]
    done: "asyncio.Future[Any]"


@dataclass(frozen=True, slots=True)
class _Failure:
    """What a piece of work raised, which was undone."""

    error: Exception


class GroupCommit:
    """Saves works in the order in which they come."""

    def __init__(self, engine: FileEngine) -> None:
        self._engine = engine
        self._waiting: list[_WaitingWork] = []
        self._saving: asyncio.Task[None] | None = None
        self._alone = asyncio.Lock()

    async def save(self, work: Callable[[Connection], T]) -> T:
        """Run work in a transaction, and return its result once it is committed.

        It may be run more than once. Raises what the work or the database raises; then nothing of
        it is saved.
        """
        waiting = _WaitingWork(work, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._saving is None:
            self._saving = asyncio.create_task(self._save_groups(), name="save groups")
        try:
            return cast(T, await waiting.done)
        except _UngroupedError:
            # One at a time, so that whoever finds the database unusable says so before the next.
            async with self._alone:
                return await self._engine.run(partial(_commit_alone, work))

    async def _save_groups(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting[:MAX_GROUP], self._waiting[MAX_GROUP:]
            try:
                results = await self._engine.run(partial(_commit_together, group))
            except Exception as error:  # noqa: BLE001 - whatever it is, somebody waits for it
                results = [_Failure(error)] * len(group)
            for each, result in zip(group, results, strict=True):
                if each.done.cancelled():
                    continue
                if isinstance(result, _Failure):
                    each.done.set_exception(result.error)
                else:
                    each.done.set_result(result)
        self._saving = None


def _commit_alone(work: Callable[[Connection], T], connection: Connection) -> T:
    result = work(connection)
    connection.commit()
    return result


def _commit_together(group: list[_WaitingWork], connection: Connection) -> list[Any]:
    """Run works in one transaction, and return the result of each, or how it failed.

    Raises _UngroupedError where the transaction itself fails; then nothing is saved.
    """
    if len(group) == 1:
        return [_commit_alone(group[0].work, connection)]
    try:
        results = [_run_in_savepoint(each.work, connection) for each in group]
        connection.commit()
    except (SQLAlchemyError, OSError) as error:
        raise _UngroupedError from error
    return results


def _run_in_savepoint(work: Callable[[Connection], T], connection: Connection) -> T | _Failure:
    connection.exec_driver_sql("SAVEPOINT work")
    try:
        result = work(connection)
    except Exception as error:
        # What is wrong with the database itself may have undone the works before, too.
        if isinstance(error, SQLAlchemyError | OSError) and not isinstance(error, IntegrityError):
            raise
        connection.exec_driver_sql("ROLLBACK TO work")
        connection.exec_driver_sql("RELEASE work")
        return _Failure(error)
    connection.exec_driver_sql("RELEASE work")
    return result
