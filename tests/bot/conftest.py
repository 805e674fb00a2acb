"""A club of its own for each test of the bot."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.store.conftest import new_file
from tests.support.club import SimulatedClub, open_club
from tests.support.driver import choose_own_throws
from tests.support.statements import remember_statements

__all__ = ["new_file", "remember_statements"]


@pytest_asyncio.fixture
async def club(new_file: Path, tmp_path: Path) -> AsyncIterator[SimulatedClub]:
    """Open a club of Ana, Ben and Cyn."""
    async with open_club(shutil.copy(new_file, tmp_path / "club.sqlite3")) as opened:
        yield opened


@pytest_asyncio.fixture
async def own_throws(club: SimulatedClub) -> None:
    """Let all of them throw their own dice, so that there are buttons for that."""
    await choose_own_throws(club, club.ana, club.ben, club.cyn)
