"""Slow matches over the wire: clocks stop while the bot is down, and act only once."""

import pytest

from engine.clock import DAY, HOUR

from .replies import Reply
from .sessions import PATIENCE_S
from .tabula import WireHarness

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]

TIMES_DOWN = 3


def list_claim_calls(wire: WireHarness) -> list[Reply]:
    """The messages that call somebody to claim a match."""
    return [
        reply for reply in wire.server.list_messages() if "has run out. You can claim" in reply.text
    ]


async def begin_and_go_down(wire: WireHarness, hours: int, *, unseen: bool) -> None:
    """Begin a match with a day for each turn, kill the bot, and let so much time go by."""
    async with wire.start_bot() as process:
        await wire.begin_match("zeno", pace="day")
        await wire.wait_for_jobs()
        await wire.kill(process)
    wire.pass_time(hours * HOUR, unseen=unseen)


async def test_no_flag_falls_while_the_bot_is_down(wire: WireHarness) -> None:
    await begin_and_go_down(wire, 72, unseen=True)
    for _ in range(TIMES_DOWN):
        async with wire.start_bot() as process:
            await wire.server.wait_for_message(
                lambda reply: "so the clock was stopped" in reply.text
            )
            await wire.play(2)
            assert list_claim_calls(wire) == []
            await wire.wait_for_jobs()
            await wire.kill(process)
        wire.pass_time(3 * DAY, unseen=True)
    assert "timedout" not in [event["event"] for event in await wire.load_events()]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_killed_between_a_flag_and_its_announcement(wire: WireHarness, after: bool) -> None:
    await begin_and_go_down(wire, 25, unseen=False)
    version = wire.get_saved_version()
    gate = wire.server.faults.hold_request("post message", after=after)
    async with wire.start_bot() as process:
        await gate.wait_until_reached()
        await wire.kill(process)
    async with wire.start_bot():
        await wire.server.wait_for_message(lambda reply: "time has run out" in reply.text)
        (notice,) = list_claim_calls(wire)
        assert wire.get_saved_version() == version
        await wire.get_next_player().press(notice, notice.find_custom_id("Claim the win"))
        await wire.server.wait_for_message(lambda reply: "ran out of time" in reply.text)
        await wire.wait_for_jobs()
        assert list_claim_calls(wire) == []
    assert (await wire.load_events())[-1]["event"] == "timedout"


@pytest.mark.parametrize("hours", [22, 25], ids=["a reminder", "a call to claim"])
async def test_whoever_acts_while_they_are_called_is_called_no_more(
    wire: WireHarness, hours: int
) -> None:
    await begin_and_go_down(wire, hours, unseen=False)
    gate = wire.server.faults.hold_request("post message")
    async with wire.start_bot():
        await gate.wait_until_reached()
        version = wire.get_saved_version()
        reply = wire.get_newest_message()
        await wire.get_next_player().press(reply, reply.find_custom_id("Roll"))
        await wire.wait_until_shown(after=version)
        gate.release()
        world = wire.server.world
        await world.changes.wait_until(
            lambda: [
                one
                for one in world.requests
                if one.method == "DELETE" and one.path.startswith("/channels/")
            ],
            lambda: "the call still stands",
            PATIENCE_S,
        )
        await wire.wait_for_jobs()
        texts = [reply.text for reply in wire.server.list_messages()]
        assert list_claim_calls(wire) == []
        assert not [text for text in texts if "your time in" in text]


@pytest.mark.parametrize("request_", ["post message", "edit message"])
async def test_killed_as_a_match_ends_by_its_clock(wire: WireHarness, request_: str) -> None:
    await begin_and_go_down(wire, 49, unseen=False)
    gate = wire.server.faults.hold_request(request_, after=True)
    async with wire.start_bot() as process:
        await gate.wait_until_reached()
        await wire.kill(process)
    async with wire.start_bot():
        await wire.wait_for_jobs()
        assert wire.is_over()
    events = [event["event"] for event in await wire.load_events()]
    assert events.count("timedout") == 1
