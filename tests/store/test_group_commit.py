"""Works that wait for a file's writer share a commit, and each is answered for itself after it."""

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection as Pipe
from pathlib import Path

import pytest
from sqlalchemy import Connection, event, text

from bot.features.matches.store import Matches
from bot.platform.db.errors import StaleVersionError, StoreError
from bot.platform.db.store import Store
from tests.support.forks import fork_with_pipe
from tests.support.stored import build_step, start_match

pytestmark = pytest.mark.asyncio
CROWD = 8


@pytest.fixture
def where(path: Path, request: pytest.FixtureRequest) -> Path:
    """Where the database is: here always a file."""
    path.write_bytes(request.getfixturevalue("new_file").read_bytes())
    return path


@contextmanager
def count_commits(store: Store) -> Iterator[list[Connection]]:
    """Gather the commits of a store."""
    engine = store._database._writer.sync_engine  # noqa: SLF001
    made: list[Connection] = []

    def note(connection: Connection) -> None:
        made.append(connection)

    event.listen(engine, "commit", note)
    try:
        yield made
    finally:
        event.remove(engine, "commit", note)


async def test_writers_that_wait_share_a_commit(store: Store) -> None:
    matches = [await start_match(store) for _ in range(CROWD)]
    with count_commits(store) as commits:
        results = await asyncio.gather(
            *(store.get(Matches).apply_update(match, build_step(0, "roll")) for match in matches)
        )
    assert [result.version for result in results] == [1] * CROWD
    # They came while nothing was under way: some may have begun before the rest were there.
    assert len(commits) <= 2
    for match in matches:
        assert [event.version for event in await store.get(Matches).load_events(match)] == [1]


async def test_one_that_fails_takes_nothing_from_those_beside_it(store: Store) -> None:
    first, second, third = [await start_match(store) for _ in range(3)]
    matches = store.get(Matches)
    await matches.apply_update(second, build_step(0, "roll"))

    def write_and_fail(connection: Connection) -> None:
        connection.execute(text("DELETE FROM events"))
        raise RuntimeError("after it has written")

    with count_commits(store) as commits:
        one, stale, missing, broken, other = await asyncio.gather(
            matches.apply_update(first, build_step(0, "roll")),
            matches.apply_update(second, build_step(0, "late")),
            matches.apply_update(99, build_step(0, "roll")),
            store._database.write(write_and_fail),  # noqa: SLF001
            matches.apply_update(third, build_step(0, "roll")),
            return_exceptions=True,
        )
    assert isinstance(stale, StaleVersionError)
    assert isinstance(missing, StoreError)
    assert isinstance(broken, RuntimeError)
    assert not isinstance(one, BaseException)
    assert not isinstance(other, BaseException)
    assert len(commits) <= 2
    for match in (first, second, third):
        assert [event.version for event in await matches.load_events(match)] == [1]


async def test_what_the_database_itself_refuses_leaves_the_others_saved(store: Store) -> None:
    """A statement that SQLite cannot run undoes the group, and the rest is saved one by one."""
    matches = [await start_match(store) for _ in range(3)]

    def fail(connection: Connection) -> None:
        connection.execute(text("INSERT INTO nowhere VALUES (1)"))

    first, broken, *rest = await asyncio.gather(
        store.get(Matches).apply_update(matches[0], build_step(0, "roll")),
        store._database.write(fail),  # noqa: SLF001
        *(store.get(Matches).apply_update(match, build_step(0, "roll")) for match in matches[1:]),
        return_exceptions=True,
    )
    assert isinstance(broken, StoreError)
    assert "no such table" in str(broken)
    assert [getattr(each, "version", each) for each in (first, *rest)] == [1, 1, 1]
    for match in matches:
        assert len(await store.get(Matches).load_events(match)) == 1


async def test_a_reference_to_nothing_that_shows_at_the_commit_undoes_its_own_work(
    store: Store,
) -> None:
    match = await start_match(store)

    def refer_to_nothing(connection: Connection) -> None:
        connection.execute(text("PRAGMA defer_foreign_keys = ON"))
        connection.execute(
            text("INSERT INTO events (match, version, at, record) VALUES (77, 1, 1, '{}')")
        )

    saved, broken = await asyncio.gather(
        store.get(Matches).apply_update(match, build_step(0, "roll")),
        store._database.write(refer_to_nothing),  # noqa: SLF001
        return_exceptions=True,
    )
    assert getattr(saved, "version", saved) == 1
    assert isinstance(broken, StoreError)
    assert len(await store.get(Matches).load_events(match)) == 1
    assert await store.find_problems() == []


def _die_at_second_commit(said: Pipe, where: Path, matches: list[int]) -> None:
    """Let people act twice, say who is answered and at which version, and die at a later commit."""

    async def act(store: Store, match: int, version: int) -> None:
        saved = await store.get(Matches).apply_update(match, build_step(version, f"act {version}"))
        said.send((match, saved.version))

    def die(_: Connection) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    async def crowd() -> None:
        async with await Store.open(where) as store:
            await asyncio.gather(*(act(store, match, 0) for match in matches))
            event.listen(store._database._writer.sync_engine, "commit", die)  # noqa: SLF001
            await asyncio.gather(*(act(store, match, 1) for match in matches))

    asyncio.run(crowd())


@pytest.mark.wire
async def test_nobody_is_answered_before_the_commit_that_holds_their_work(
    store: Store, where: Path
) -> None:
    matches = [await start_match(store) for _ in range(CROWD)]
    await store.close()
    answered: list[tuple[int, int]] = []
    async with fork_with_pipe(_die_at_second_commit, where, matches) as (process, pipe):
        with suppress(EOFError, OSError):
            while True:
                answered.append(await asyncio.to_thread(pipe.recv))
        assert await process.wait() == -signal.SIGKILL
    assert sorted(answered) == [(match, 1) for match in matches]
    async with await Store.open(where) as again:
        for match in matches:
            assert [event.version for event in await again.get(Matches).load_events(match)] == [1]
