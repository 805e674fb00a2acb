"""Faults hit only the requests they are meant for, before or after the server has acted."""

import asyncio
import time

import aiohttp
import pytest

from . import faults
from .discord_server import DiscordServer
from .plain_bot import post_message, send_request

pytestmark = pytest.mark.asyncio
THROW = {"content": "throw"}


@pytest.mark.parametrize(
    ("fault", "answer", "acted"),
    [
        (faults.FORBIDDEN, (403, 50013), False),
        (faults.make_rate_limit(0.1), (429, 0), False),
        (faults.BROKEN, (500, 0), False),
        (faults.UNAVAILABLE, (503, 0), False),
        (faults.BROKEN_AFTER, (500, 0), True),
    ],
)
async def test_second_request_is_refused(
    server: DiscordServer, fault: faults.RequestFault, answer: tuple[int, int], acted: bool
) -> None:
    server.faults.inject("post message", fault, nth=2)
    assert (await post_message(server, THROW))[0] == 200
    assert await post_message(server, THROW) == answer
    assert len(server.list_messages()) == 1 + acted
    assert (await post_message(server, THROW))[0] == 200


@pytest.mark.parametrize(
    ("fault", "acted"), [(faults.DROP_BEFORE, False), (faults.DROP_AFTER, True)]
)
async def test_connection_is_cut(
    server: DiscordServer, fault: faults.RequestFault, acted: bool
) -> None:
    server.faults.inject("post message", fault)
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await post_message(server, THROW)
    assert len(server.list_messages()) == acted
    assert [(one.status, one.is_success) for one in server.requests] == [(faults.CUT, False)]
    assert (await post_message(server, THROW))[0] == 200


@pytest.mark.parametrize("after", [False, True])
async def test_request_is_delayed(server: DiscordServer, after: bool) -> None:
    delay_s = 0.2
    server.faults.inject("post message", faults.make_delay(delay_s, after=after))
    begun = time.monotonic()
    posting = asyncio.ensure_future(post_message(server, THROW))
    counts = []
    while not posting.done():
        is_early = time.monotonic() - begun < delay_s
        counts.append((is_early, len(server.list_messages())))
        await asyncio.sleep(delay_s / 20)
    assert time.monotonic() - begun >= delay_s
    assert (await posting)[0] == 200
    assert len(server.list_messages()) == 1
    if after:
        # It stands there while whoever has posted it still waits.
        assert counts[-1][1] == 1
    else:
        assert (True, 1) not in counts


@pytest.mark.parametrize("after", [False, True])
async def test_request_is_held_until_it_is_released(server: DiscordServer, after: bool) -> None:
    gate = server.faults.hold_request("post message", after=after)
    posting = asyncio.ensure_future(post_message(server, THROW))
    await gate.wait_until_reached()
    assert len(server.list_messages()) == after
    gate.release()
    assert (await posting)[0] == 200
    assert len(server.list_messages()) == 1


async def test_each_fault_counts_every_request(server: DiscordServer) -> None:
    server.faults.inject("post message", faults.BROKEN)
    server.faults.inject("post message", faults.UNAVAILABLE, nth=2, times=2)
    server.faults.inject("post message", faults.FORBIDDEN, nth=4, times=None)
    statuses = [(await post_message(server, THROW))[0] for _ in range(6)]
    assert statuses == [500, 503, 503, 403, 403, 403]
    server.faults.clear()
    assert (await post_message(server, THROW))[0] == 200


async def test_fault_befalls_only_what_it_names(server: DiscordServer) -> None:
    server.faults.inject("edit message", faults.BROKEN)
    server.faults.inject("delete message", faults.UNAVAILABLE)
    _, first = await post_message(server, THROW)
    assert (await post_message(server, THROW, message_id=first["id"]))[0] == 500
    path = f"/channels/{first['channel_id']}/messages/{first['id']}"
    assert (await send_request(server, "GET", path))[0] == 200
    assert (await send_request(server, "DELETE", path))[0] == 503
    with pytest.raises(LookupError, match="'edit message'"):
        server.faults.inject("edit massage", faults.BROKEN)
