"""A season that was played once, with a database of its own for each test.

That is a file, and a database on a server where there is one.
"""

import os
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from filelock import FileLock

from bot.platform.db.copies import copy_database
from bot.platform.db.store import Store
from tests.store.conftest import DATABASES, new_file, path, server
from tests.support.match_season import MatchSeason, play_every_kind
from tests.support.postgresql import PostgreSQLServer
from tests.support.statements import remember_statements

__all__ = ["new_file", "path", "remember_statements", "server"]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a season, which nobody changes; one process that tests plays it for all."""
    own = tmp_path_factory.getbasetemp()
    folder = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    file, beside = folder / "season.db", folder / "season.part"
    with FileLock(folder / "season.lock"):
        if not file.exists():
            async with await Store.open(beside) as store:
                await play_every_kind(MatchSeason(store))
            beside.replace(file)
    return file


@pytest.fixture
def new(new_file: Path, path: Path) -> Path:
    """A file with the tables and nothing in them."""
    return Path(shutil.copy(new_file, path))


@pytest.fixture
def file(played: Path, path: Path) -> Path:
    """A file with the season."""
    shutil.copy(played, path)
    return path


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def on_server(played: Path, server: PostgreSQLServer) -> str:
    """The address of a database with the same season, which nobody changes."""
    address = server.create_database()
    async with await Store.open(played) as source, await Store.open(address) as target:
        await copy_database(source._database, target._database)  # noqa: SLF001
    return address


@pytest.fixture(params=DATABASES)
def where(request: pytest.FixtureRequest, file: Path) -> Iterator[str]:
    """Where a database with the season is, of each kind."""
    if request.param == "sqlite":
        yield str(file)
        return
    server: PostgreSQLServer = request.getfixturevalue("server")
    with server.lend_database(
        server.clone_database(request.getfixturevalue("on_server"))
    ) as address:
        yield address


@pytest_asyncio.fixture
async def store(where: str) -> AsyncIterator[Store]:
    """The open database."""
    async with await Store.open(where) as opened:
        yield opened
