"""A test that fails leaves nothing of the simulator in its process, for those that come after."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import discord
import pytest
import simcord
from discord.ext import tasks
from discord.webhook.async_ import async_context
from simcord import _runtime

from tests.support import club as clubs
from tests.support.club import SimulatedClub, open_club

pytestmark = pytest.mark.asyncio


LOOP_METHODS = (
    "create_task",
    "call_soon",
    "call_later",
    "call_at",
    "call_soon_threadsafe",
    "run_in_executor",
)


class MishapError(Exception):
    """What goes wrong in a test."""


def list_installed() -> list[object]:
    """Return all that the simulator takes the place of in a process or an event loop."""
    loop = asyncio.get_running_loop()
    return [
        time.monotonic,
        discord.utils.datetime,  # type: ignore[attr-defined]
        tasks.datetime,  # type: ignore[attr-defined]
        ThreadPoolExecutor.submit,
        ProcessPoolExecutor.submit,
        async_context.get(),
        *(getattr(loop, name) for name in LOOP_METHODS),
        loop in _runtime._LIVE_LOOPS,  # noqa: SLF001
    ]


async def fail_at_once(_: SimulatedClub) -> None:
    raise MishapError


async def fail_while_something_is_done(club: SimulatedClub) -> None:
    club.env._begin_operation("settle")  # noqa: SLF001
    club.env._operation_task = asyncio.create_task(asyncio.sleep(60))  # noqa: SLF001
    raise MishapError


async def fail_to_close(club: SimulatedClub) -> None:
    club.bot.close = fail_at_once.__get__(club)  # type: ignore[method-assign]


async def fail_while_a_thread_works(club: SimulatedClub) -> None:
    club.env.settle_timeout = 0.05
    over = threading.Event()
    asyncio.get_running_loop().call_later(0.5, over.set)
    with club.env._bot_scope():  # noqa: SLF001
        working = asyncio.create_task(asyncio.to_thread(over.wait, 60))
    await asyncio.sleep(0.01)
    assert not working.done()
    raise MishapError


@pytest.mark.parametrize(
    "fail",
    [fail_at_once, fail_while_something_is_done, fail_to_close, fail_while_a_thread_works],
)
async def test_a_test_that_fails_leaves_nothing_installed(
    tmp_path: Path, fail: Callable[[SimulatedClub], Awaitable[None]]
) -> None:
    before = list_installed()

    async def run() -> None:
        async with open_club(tmp_path / "club.sqlite3") as club:
            assert list_installed() != before
            await fail(club)

    with pytest.raises((MishapError, TimeoutError)):
        await run()
    assert list_installed() == before


async def test_a_club_that_fails_to_open_leaves_nothing_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail_late(env: simcord.Env, *_: object) -> None:
        await env.start()
        raise MishapError

    monkeypatch.setattr(clubs, "_start", fail_late)
    before = list_installed()
    with pytest.raises(MishapError):
        async with open_club(tmp_path / "club.sqlite3"):
            pass
    assert list_installed() == before
