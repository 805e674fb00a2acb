"""A thread for each match over the wire.

It is opened once, whenever the bot is killed, and opened again when it sleeps.
"""

import pytest

from .faults import FORBIDDEN
from .replies import Reply
from .sessions import PATIENCE
from .tabula import Wire, live_messages, shown_version
from .world import THREAD, Channel

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]


def threads(wire: Wire) -> list[Channel]:
    """The threads of the server."""
    return [each for each in wire.server.world.channels.values() if each.type == THREAD]


async def accepted(wire: Wire) -> Reply:
    """Let each match have a thread, and Ben accept a challenge of Ana's; return its message."""
    await wire.ana.slash("server matches", {"threads": True})
    await wire.ana.slash("challenge", {"game": "zeno", "opponent": wire.ben})
    offer = await wire.server.message(
        lambda seen: any(":accept" in each for each in seen.pressable())
    )
    await wire.ben.begin_press(offer, offer.custom_id("Accept"))
    return offer


async def shown_in(wire: Wire, thread: int) -> tuple[Channel, Reply]:
    """Wait until a match is shown in the only thread; return the thread and its only message."""
    await wire.server.world.changes.until(
        lambda: threads(wire), lambda: "no thread was opened", PATIENCE
    )
    (found,) = threads(wire)
    assert found.id == thread
    await wire.server.message(lambda seen: bool(seen.pressable()), found)
    (live,) = live_messages(wire.server.channel_messages(found))
    return found, live


@pytest.mark.parametrize("request_", ["open thread", "post message"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_killed_as_the_thread_of_a_match_is_opened(
    wire: Wire, request_: str, after: bool
) -> None:
    async with wire.bot() as process:
        gate = wire.server.faults.hold(
            request_, nth=1 if request_ == "open thread" else 2, after=after
        )
        offer = await accepted(wire)
        await gate.reached(20)
        await wire.kill(process)
    wire.server.faults.clear()
    async with wire.bot():
        found, live = await shown_in(wire, offer.message_id or 0)
        assert found.name == "Zeno: Ana and Ben"
        found.archived = True
        before = wire.saved_version()
        person = wire.ben if f"<@{wire.ben.id}> (black), your" in live.text else wire.ana
        await person.slash("roll", {"match": 1}, found)
        await wire.server.message(
            lambda seen: before < wire.saved_version() == shown_version(seen), found
        )
        assert not found.archived
        assert live_messages(wire.server.channel_messages()) == []


async def test_a_channel_that_takes_no_threads_is_played_in(wire: Wire) -> None:
    wire.server.faults.at("open thread", FORBIDDEN)
    async with wire.bot():
        await accepted(wire)
        await wire.shown()
        assert "I couldn't open a thread" in wire.newest().text
        await wire.play(2)
        await wire.healed()
    assert threads(wire) == []
