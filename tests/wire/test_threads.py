"""A thread for each match over the wire.

It is opened once, whenever the bot is killed, and opened again when it sleeps.
"""

import pytest

from .faults import FORBIDDEN
from .replies import Reply
from .sessions import PATIENCE_S
from .tabula import WireHarness, filter_live_messages, find_match_version
from .world import THREAD, WorldChannel

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]


def list_threads(wire: WireHarness) -> list[WorldChannel]:
    """The threads of the server."""
    return [each for each in wire.server.world.channels.values() if each.type == THREAD]


async def accept_challenge(wire: WireHarness) -> Reply:
    """Let each match have a thread, and Ben accept a challenge of Ana's; return its message."""
    panel = await wire.ana.slash("server settings", {})
    await wire.ana.press(panel, "serverset:threads:1")
    # Just connected, the bot acknowledges before it saves.
    await wire.ana.wait_for_ephemeral("**A thread for each match**: on")
    await wire.ana.slash("challenge", {"game": "zeno", "opponent": wire.ben})
    offer = await wire.server.wait_for_message(
        lambda reply: any(":accept" in each for each in reply.find_controls())
    )
    await wire.ben.begin_press(offer, offer.find_custom_id("Accept"))
    return offer


async def wait_for_thread(wire: WireHarness, thread: int) -> tuple[WorldChannel, Reply]:
    """Wait until a match is shown in the only thread; return the thread and its only message."""
    await wire.server.world.changes.wait_until(
        lambda: list_threads(wire), lambda: "no thread was opened", PATIENCE_S
    )
    (found,) = list_threads(wire)
    assert found.id == thread
    await wire.server.wait_for_message(lambda reply: bool(reply.find_controls()), found)
    (live,) = filter_live_messages(wire.server.list_messages(found))
    return found, live


@pytest.mark.parametrize("request_", ["open thread", "post message"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_killed_as_the_thread_of_a_match_is_opened(
    wire: WireHarness, request_: str, after: bool
) -> None:
    async with wire.start_bot() as process:
        gate = wire.server.faults.hold_request(
            request_, nth=1 if request_ == "open thread" else 2, after=after
        )
        offer = await accept_challenge(wire)
        await gate.wait_until_reached(20)
        await wire.kill(process)
    wire.server.faults.clear()
    async with wire.start_bot():
        found, live = await wait_for_thread(wire, offer.message_id or 0)
        assert found.name == "Zeno: Ana and Ben"
        found.archived = True
        before = wire.get_saved_version()
        person = wire.ben if f"<@{wire.ben.id}> (black), your" in live.text else wire.ana
        await person.slash("roll", {"match": 1}, found)
        await wire.server.wait_for_message(
            lambda reply: before < wire.get_saved_version() == find_match_version(reply), found
        )
        assert not found.archived
        assert filter_live_messages(wire.server.list_messages()) == []


async def test_a_channel_that_takes_no_threads_is_played_in(wire: WireHarness) -> None:
    wire.server.faults.inject("open thread", FORBIDDEN)
    async with wire.start_bot():
        await accept_challenge(wire)
        await wire.wait_until_shown()
        assert "I couldn't open a thread" in wire.get_newest_message().text
        await wire.play(2)
        await wire.wait_for_jobs()
    assert list_threads(wire) == []
