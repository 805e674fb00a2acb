"""One message a match over the wire.

The next player is mentioned once, whenever the bot is killed.
"""

import pytest

from .replies import Reply
from .tabula import WireHarness

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]


def list_turn_calls(wire: WireHarness) -> list[Reply]:
    """The messages that call somebody to act."""
    return [reply for reply in wire.server.list_messages() if "it's your turn in" in reply.text]


@pytest.mark.parametrize("request_", ["post message", "delete message"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_killed_as_somebody_is_called_or_has_answered(
    wire: WireHarness, request_: str, after: bool
) -> None:
    async with wire.start_bot() as process:
        panel = await wire.ana.slash("server settings", {})
        await wire.ana.press(panel, "serverset:single:1")
        # Just connected, the bot acknowledges before it saves.
        await wire.ana.wait_for_ephemeral("**One message for each match**: on")
        await wire.begin_match("zeno")
        await wire.play_to_throw()
        live = wire.get_live_message().message_id
        gate = wire.server.faults.hold_request(request_, after=after)
        await wire.kill_during(process, wire.play(100), gate.wait_until_reached(30))
    wire.server.faults.clear()
    async with wire.start_bot():
        await wire.wait_for_jobs()
        assert wire.get_live_message().message_id == live
        # Where a call was being taken away, the next turn may have had its own meanwhile.
        assert len(list_turn_calls(wire)) <= 1
        await wire.play_to_throw()
        assert wire.get_live_message().message_id == live
        (call,) = list_turn_calls(wire)
        assert (
            wire.server.list_notifications(wire.get_next_player()).count(call.message_id or 0) == 1
        )
