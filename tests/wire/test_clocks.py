"""Slow matches over the wire: clocks stop while the bot is down, and act only once."""

import pytest

from engine.clock import DAY, HOUR

from .replies import Reply
from .sessions import PATIENCE
from .tabula import Wire

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]

TIMES_DOWN = 3


def calls(wire: Wire) -> list[Reply]:
    """The messages that call somebody to claim a match."""
    return [
        seen for seen in wire.server.channel_messages() if "has run out. You can claim" in seen.text
    ]


async def down_for(wire: Wire, hours: int, *, unseen: bool) -> None:
    """Begin a match with a day for each turn, kill the bot, and let so much time go by."""
    async with wire.bot() as process:
        await wire.begin("zeno", pace="day")
        await wire.healed()
        await wire.kill(process)
    wire.let_go_by(hours * HOUR, unseen=unseen)


async def test_no_flag_falls_while_the_bot_is_down(wire: Wire) -> None:
    await down_for(wire, 72, unseen=True)
    for _ in range(TIMES_DOWN):
        async with wire.bot() as process:
            await wire.server.message(lambda seen: "so the clock was stopped" in seen.text)
            await wire.play(2)
            assert calls(wire) == []
            await wire.healed()
            await wire.kill(process)
        wire.let_go_by(3 * DAY, unseen=True)
    assert "timedout" not in [event["event"] for event in await wire.kept()]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_killed_between_a_flag_and_its_announcement(wire: Wire, after: bool) -> None:
    await down_for(wire, 25, unseen=False)
    version = wire.saved_version()
    gate = wire.server.faults.hold("post message", after=after)
    async with wire.bot() as process:
        await gate.reached()
        await wire.kill(process)
    async with wire.bot():
        await wire.server.message(lambda seen: "time has run out" in seen.text)
        (notice,) = calls(wire)
        assert wire.saved_version() == version
        await wire.called().press(notice, notice.custom_id("Claim the win"))
        await wire.server.message(lambda seen: "ran out of time" in seen.text)
        await wire.healed()
        assert calls(wire) == []
    assert (await wire.kept())[-1]["event"] == "timedout"


@pytest.mark.parametrize("hours", [22, 25], ids=["a reminder", "a call to claim"])
async def test_whoever_acts_while_they_are_called_is_called_no_more(wire: Wire, hours: int) -> None:
    await down_for(wire, hours, unseen=False)
    gate = wire.server.faults.hold("post message")
    async with wire.bot():
        await gate.reached()
        version = wire.saved_version()
        seen = wire.newest()
        await wire.called().press(seen, seen.custom_id("Roll"))
        await wire.shown(after=version)
        gate.release()
        world = wire.server.world
        await world.changes.until(
            lambda: [
                one
                for one in world.requests
                if one.method == "DELETE" and one.path.startswith("/channels/")
            ],
            lambda: "the call still stands",
            PATIENCE,
        )
        await wire.healed()
        texts = [seen.text for seen in wire.server.channel_messages()]
        assert calls(wire) == []
        assert not [text for text in texts if "your time in" in text]


@pytest.mark.parametrize("request_", ["post message", "edit message"])
async def test_killed_as_a_match_ends_by_its_clock(wire: Wire, request_: str) -> None:
    await down_for(wire, 49, unseen=False)
    gate = wire.server.faults.hold(request_, after=True)
    async with wire.bot() as process:
        await gate.reached()
        await wire.kill(process)
    async with wire.bot():
        await wire.healed()
        assert wire.over()
    events = [event["event"] for event in await wire.kept()]
    assert events.count("timedout") == 1
