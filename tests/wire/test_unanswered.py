"""Interactions that Discord takes no answer to, sends twice or no longer shows.

Also what was acknowledged before a kill.
"""

import asyncio
import time
from pathlib import Path

import pytest

from .faults import DROP_BEFORE, Fault, Gate
from .gateway import interact
from .payloads import message
from .people import Person, first_channel
from .replies import Kind
from .tabula import Wire, logged
from .world import COMPONENT, Interaction

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]

TOLD_S = 60.0
SLOW_ANSWERS = 16
"""As many as are worked out side by side: whoever comes next waits."""


async def acknowledged(wire: Wire, act: Interaction) -> None:
    """Wait until an act is acknowledged.

    On a busy machine that may take longer than Discord waits.
    """
    changes = wire.server.world.changes
    await changes.until(lambda: act.answered, lambda: "no acknowledgement", TOLD_S)


@pytest.mark.parametrize("reached", [False, True], ids=["as it starts", "later"])
async def test_who_was_acknowledged_before_a_kill_is_told_that_nothing_was_done(
    wire: Wire, reached: bool
) -> None:
    async with wire.bot() as process:
        if reached:
            await wire.wait_for_shard()
        await wire.begin("zeno")
        await wire.to_a_throw()
        version, mover, seen = wire.saved_version(), wire.called(), wire.newest()
        planned = wire.server.faults.at("follow up", Fault(gate=Gate()), times=None)
        for _ in range(SLOW_ANSWERS):
            await wire.ana.begin_slash("help")
        ends = time.monotonic() + TOLD_S
        while planned.met < SLOW_ANSWERS:
            assert time.monotonic() < ends
            await asyncio.sleep(0.01)
        act = await mover.begin_press(seen, seen.custom_id("Roll"))
        await acknowledged(wire, act)
        await wire.kill(process)
    assert wire.saved_version() == version
    wire.server.faults.clear()
    async with wire.bot():
        told = await mover.told("I was restarted before I could do that", timeout=TOLD_S)
        assert told.ephemeral
        assert wire.saved_version() == version
        await wire.healed(TOLD_S)
        await wire.play(1)
        assert wire.saved_version() > version


UNTAKEN = {
    "404": Fault(404, 10015, "Unknown Webhook"),
    "429 with HTML": Fault(429, 0, "<html>1015</html>"),
    "dropped": DROP_BEFORE,
}
"""What may become of a private reply."""


@pytest.mark.parametrize("what", UNTAKEN)
async def test_a_reply_that_discord_does_not_take_is_one_line_in_the_log(
    wire: Wire, tmp_path: Path, what: str
) -> None:
    with (tmp_path / "log").open("wb") as log:
        async with wire.bot(stderr=log.fileno()):
            wire.server.faults.at("follow up", UNTAKEN[what], times=None)
            act = await wire.ana.begin_slash("help")
            await logged(tmp_path / "log", f"interaction {act.id} could not be answered", TOLD_S)
    told = (tmp_path / "log").read_text(encoding="utf-8")
    assert told.count(f"interaction {act.id}") == 1
    assert "Traceback" not in told
    assert "ERROR" not in told


async def test_an_interaction_that_discord_tells_again_is_no_other_program_s(
    wire: Wire, tmp_path: Path
) -> None:
    with (tmp_path / "log").open("wb") as log:
        async with wire.bot(stderr=log.fileno()):
            await wire.begin("zeno")
            await wire.to_a_throw()
            await wire.play(1)
            (session,) = wire.server.world.sessions.connected()
            told = [data for event, data in session.sent if event == "INTERACTION_CREATE"]
            for _ in range(3):
                await session.dispatch("INTERACTION_CREATE", told[-1])
            await wire.play(1)
            await wire.healed()
    assert "another program" not in (tmp_path / "log").read_text(encoding="utf-8")


async def pressed(wire: Wire, person: Person, custom_id: str) -> Interaction:
    """Let somebody press a control that only their client still shows.

    Discord's copy of the message no longer has it.
    """
    world = wire.server.world
    clicked = message(world, world.messages[wire.newest().message_id or 0])
    data = {"custom_id": custom_id, "component_type": Kind.BUTTON}
    where = first_channel(world)
    return await interact(world, person.id, where, COMPONENT, data, {**clicked, "components": []})


async def test_a_press_on_a_control_that_is_gone_is_acknowledged_and_answered(wire: Wire) -> None:
    async with wire.bot():
        await wire.begin("zeno")
        await wire.to_a_throw()
        seen, mover = wire.newest(), wire.called()
        await wire.play(1)
        await wire.healed()
        version = wire.saved_version()
        await acknowledged(wire, await pressed(wire, mover, seen.custom_id("Roll")))
        await mover.told("has moved on")
        assert wire.saved_version() == version


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (4004, "Discord does not accept TABULA_TOKEN; copy it again from the application's page"),
        (
            4014,
            (
                "Discord does not allow this application its gateway intents; "
                "see the application's page"
            ),
        ),
    ],
)
async def test_a_connection_that_discord_closes_for_good_ends_the_bot_with_a_sentence(
    wire: Wire, tmp_path: Path, code: int, sentence: str
) -> None:
    with (tmp_path / "log").open("wb") as log:
        async with wire.bot(stderr=log.fileno()) as process:
            await wire.begin("zeno")
            await wire.server.cut(code)
            assert await asyncio.wait_for(process.wait(), TOLD_S) == 1
    told = (tmp_path / "log").read_text(encoding="utf-8")
    assert told.splitlines()[-1] == f"tabula: {sentence}"
    assert "Traceback" not in told
