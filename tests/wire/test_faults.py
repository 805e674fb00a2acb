"""Faults hit only the requests they are meant for, before or after the server has acted."""

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest
import pytest_asyncio

from .discord_server import DiscordServer
from .faults import (
    BROKEN,
    BROKEN_AFTER,
    CUT,
    DROP_AFTER,
    DROP_BEFORE,
    FORBIDDEN,
    UNAVAILABLE,
    Fault,
    delayed,
    limited,
)
from .plain_bot import by_bot, posted

pytestmark = pytest.mark.asyncio
THROW = {"content": "throw"}


@pytest_asyncio.fixture
async def server() -> AsyncIterator[DiscordServer]:
    """A server without a bot."""
    async with await DiscordServer.start() as started:
        yield started


@pytest.mark.parametrize(
    ("fault", "told", "acted"),
    [
        (FORBIDDEN, (403, 50013), False),
        (limited(0.1), (429, 0), False),
        (BROKEN, (500, 0), False),
        (UNAVAILABLE, (503, 0), False),
        (BROKEN_AFTER, (500, 0), True),
    ],
)
async def test_second_request_is_refused(
    server: DiscordServer, fault: Fault, told: tuple[int, int], acted: bool
) -> None:
    server.faults.at("post message", fault, nth=2)
    assert (await posted(server, THROW))[0] == 200
    assert await posted(server, THROW) == told
    assert len(server.channel_messages()) == 1 + acted
    assert (await posted(server, THROW))[0] == 200


@pytest.mark.parametrize(("fault", "acted"), [(DROP_BEFORE, False), (DROP_AFTER, True)])
async def test_connection_is_cut(server: DiscordServer, fault: Fault, acted: bool) -> None:
    server.faults.at("post message", fault)
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await posted(server, THROW)
    assert len(server.channel_messages()) == acted
    assert [(one.status, one.taken) for one in server.requests] == [(CUT, False)]
    assert (await posted(server, THROW))[0] == 200


@pytest.mark.parametrize("after", [False, True])
async def test_request_is_delayed(server: DiscordServer, after: bool) -> None:
    server.faults.at("post message", delayed(0.2, after=after))
    posting = asyncio.ensure_future(posted(server, THROW))
    await asyncio.sleep(0.1)
    assert (len(server.channel_messages()), posting.done()) == (after, False)
    assert (await posting)[0] == 200
    assert len(server.channel_messages()) == 1


@pytest.mark.parametrize("after", [False, True])
async def test_request_is_held_until_it_is_released(server: DiscordServer, after: bool) -> None:
    gate = server.faults.hold("post message", after=after)
    posting = asyncio.ensure_future(posted(server, THROW))
    await gate.reached()
    assert len(server.channel_messages()) == after
    gate.release()
    assert (await posting)[0] == 200
    assert len(server.channel_messages()) == 1


async def test_each_fault_counts_every_request(server: DiscordServer) -> None:
    server.faults.at("post message", BROKEN)
    server.faults.at("post message", UNAVAILABLE, nth=2, times=2)
    server.faults.at("post message", FORBIDDEN, nth=4, times=None)
    statuses = [(await posted(server, THROW))[0] for _ in range(6)]
    assert statuses == [500, 503, 503, 403, 403, 403]
    server.faults.clear()
    assert (await posted(server, THROW))[0] == 200


async def test_fault_befalls_only_what_it_names(server: DiscordServer) -> None:
    server.faults.at("edit message", BROKEN)
    server.faults.at("delete message", UNAVAILABLE)
    _, first = await posted(server, THROW)
    assert (await posted(server, THROW, message_id=first["id"]))[0] == 500
    path = f"/channels/{first['channel_id']}/messages/{first['id']}"
    assert (await by_bot(server, "GET", path))[0] == 200
    assert (await by_bot(server, "DELETE", path))[0] == 503
    with pytest.raises(LookupError, match="'edit message'"):
        server.faults.at("edit massage", BROKEN)
