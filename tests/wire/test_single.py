"""One message a match over the wire.

The next player is mentioned once, whenever the bot is killed.
"""

import pytest

from .replies import Reply
from .tabula import Wire

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]


def calls(wire: Wire) -> list[Reply]:
    """The messages that call somebody to act."""
    return [seen for seen in wire.server.channel_messages() if "it's your turn in" in seen.text]


@pytest.mark.parametrize("request_", ["post message", "delete message"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_killed_as_somebody_is_called_or_has_answered(
    wire: Wire, request_: str, after: bool
) -> None:
    async with wire.bot() as process:
        await wire.ana.slash("server matches", {"single": True})
        await wire.begin("zeno")
        await wire.to_a_throw()
        live = wire.live_message().message_id
        gate = wire.server.faults.hold(request_, after=after)
        await wire.killed(process, wire.play(100), gate.reached(30))
    wire.server.faults.clear()
    async with wire.bot():
        await wire.healed()
        assert wire.live_message().message_id == live
        # Where a call was being taken away, the next turn may have had its own meanwhile.
        assert len(calls(wire)) <= 1
        await wire.to_a_throw()
        assert wire.live_message().message_id == live
        (call,) = calls(wire)
        assert wire.server.notified(wire.called()).count(call.message_id or 0) == 1
