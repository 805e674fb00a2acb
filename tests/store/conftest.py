"""A store of its own for each test: in a file, and on a PostgreSQL server where there is one.

A database is brought up through all its versions once, and copied then: that takes longer than most
of the tests.
"""

import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.platform.db import engines
from bot.platform.db.store import Store
from tests.support.postgresql import PostgreSQLServer, PostgreSQLUnavailableError
from tests.support.statements import remember_statements

__all__ = ["remember_statements"]

DATABASES = ("sqlite", pytest.param("postgresql", marks=pytest.mark.sweep))
"""The kinds of databases; a server is started and filled in `make test-all` alone."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the file lies."""
    return tmp_path / "tabula.db"


@pytest.fixture(scope="session")
def server() -> Iterator[PostgreSQLServer]:
    """A PostgreSQL server on a port of this machine, for as long as the tests run."""
    try:
        # Nothing here outlives the machine, so nothing waits for its disk.
        started = PostgreSQLServer("-F")
    except PostgreSQLUnavailableError as reason:
        pytest.skip(str(reason))
    with started:
        yield started


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def new_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the tables and nothing in them, which nobody changes."""
    file = tmp_path_factory.mktemp("new") / "new.db"
    async with await Store.open(file):
        return file


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def new_on_server(server: PostgreSQLServer) -> str:
    """The same on the server."""
    address = server.create_database()
    async with await Store.open(address):
        return address


@pytest.fixture(params=DATABASES)
def empty(request: pytest.FixtureRequest, path: Path) -> Iterator[str | Path]:
    """Where a database can be made, of each kind: no file yet, or nothing in it."""
    if request.param == "sqlite":
        yield path
        return
    server: PostgreSQLServer = request.getfixturevalue("server")
    with server.lend_database(server.create_database()) as address:
        yield address


@pytest.fixture(params=DATABASES)
def where(
    request: pytest.FixtureRequest, path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str | Path]:
    """Where a new database is, of each kind."""
    if request.param == "sqlite":
        yield shutil.copy(request.getfixturevalue("new_file"), path)
        return
    # A busy machine may need longer for sixteen connections than Discord leaves the bot.
    monkeypatch.setattr(engines, "PATIENCE_S", 20.0)
    server: PostgreSQLServer = request.getfixturevalue("server")
    with server.lend_database(
        server.clone_database(request.getfixturevalue("new_on_server"))
    ) as address:
        yield address


@pytest_asyncio.fixture
async def store(where: str | Path) -> AsyncIterator[Store]:
    """The open store."""
    async with await Store.open(where) as opened:
        yield opened


@pytest_asyncio.fixture
async def rival(store: Store, where: str | Path) -> AsyncIterator[Store]:
    """Yield another program's store on the same database.

    A file has one program, so there it is the same store.
    """
    if isinstance(where, Path):
        yield store
        return
    async with await Store.open(where) as opened:
        yield opened
