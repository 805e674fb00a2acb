"""Interactions that Discord takes no answer to, sends twice or no longer shows.

Also what was acknowledged before a kill.
"""

import asyncio
from pathlib import Path

import pytest

from bot.cli import EX_CONFIG

from .faults import DROP_BEFORE, Gate, RequestFault
from .gateway import send_interaction
from .payloads import encode_message
from .people import WirePerson, get_first_channel
from .replies import ComponentKind
from .sessions import poll_until
from .tabula import WireHarness, wait_for_log
from .world import COMPONENT, Interaction

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]

ANSWER_S = 60.0
SLOW_ANSWERS = 16
"""As many as are worked out side by side: whoever comes next waits."""


async def wait_for_acknowledgement(wire: WireHarness, act: Interaction) -> None:
    """Wait until an act is acknowledged.

    On a busy machine that may take longer than Discord waits.
    """
    changes = wire.server.world.changes
    await changes.wait_until(lambda: act.answered, lambda: "no acknowledgement", ANSWER_S)


@pytest.mark.parametrize("reached", [False, True], ids=["as it starts", "later"])
async def test_who_was_acknowledged_before_a_kill_is_told_that_nothing_was_done(
    wire: WireHarness, reached: bool
) -> None:
    async with wire.start_bot() as process:
        if reached:
            await wire.wait_for_shard()
        await wire.begin_match("zeno")
        await wire.play_to_throw()
        version, mover, seen = (
            wire.get_saved_version(),
            wire.get_next_player(),
            wire.get_newest_message(),
        )
        slow: set[str] = set()
        planned = wire.server.faults.inject(
            "callback",
            RequestFault(gate=Gate()),
            times=None,
            where=lambda path: path.split("/")[2] in slow,
        )
        for _ in range(SLOW_ANSWERS):
            slow.add(str((await wire.ana.begin_slash("help")).id))
        await poll_until(lambda: planned.met >= SLOW_ANSWERS, ANSWER_S)
        act = await mover.begin_press(seen, seen.find_custom_id("Roll"))
        await wait_for_acknowledgement(wire, act)
        await wire.kill(process)
    assert wire.get_saved_version() == version
    wire.server.faults.clear()
    async with wire.start_bot():
        reply = await mover.wait_for_ephemeral(
            "I was restarted before I could do that", timeout=ANSWER_S
        )
        assert reply.ephemeral
        assert wire.get_saved_version() == version
        await wire.wait_for_jobs(ANSWER_S)
        await wire.play(1)
        assert wire.get_saved_version() > version


async def test_what_discord_takes_no_answer_to_is_dropped_unless_it_is_begun(
    wire: WireHarness,
) -> None:
    async with wire.start_bot():
        await wire.wait_for_shard()
        await wire.begin_match("zeno")
        await wire.play_to_throw()
        version, mover = wire.get_saved_version(), wire.get_next_player()
        reply, gate, slow, late = wire.get_newest_message(), Gate(), set[str](), set[str]()
        wire.server.faults.inject(
            "callback",
            RequestFault(gate=gate),
            times=None,
            where=lambda path: path.split("/")[2] in slow,
        )
        refused = wire.server.faults.inject(
            "callback",
            RequestFault(404, 10062, "Unknown interaction"),
            times=None,
            where=lambda path: path.split("/")[2] in late,
        )
        for _ in range(SLOW_ANSWERS):
            slow.add(str((await wire.ana.begin_slash("help")).id))
        act = await mover.begin_press(reply, reply.find_custom_id("Roll"))
        late.add(str(act.id))
        await wire.server.world.changes.wait_until(
            lambda: refused.met > 0, lambda: "it was not acknowledged", ANSWER_S
        )
        # The bot knows of the refusal once it has acknowledged what came after that.
        later = await wire.ana.begin_slash("help")
        await wire.wait_for_acknowledgement(later, ANSWER_S)
        gate.release()
        wire.server.faults.clear()
        # Who comes after it is served, and it is not.
        await wire.ana.slash("help")
        await wire.wait_for_jobs()
        assert wire.get_saved_version() == version
        assert act.id not in wire.list_causes()
        await wire.play(1)
        assert wire.get_saved_version() > version


UNTAKEN = {
    "404": RequestFault(404, 10015, "Unknown Webhook"),
    "429 with HTML": RequestFault(429, 0, "<html>1015</html>"),
    "dropped": DROP_BEFORE,
}
"""What may become of a private reply."""


@pytest.mark.parametrize("what", UNTAKEN)
async def test_a_reply_that_discord_does_not_take_is_one_line_in_the_log(
    wire: WireHarness, tmp_path: Path, what: str
) -> None:
    with (tmp_path / "log").open("wb") as log:
        async with wire.start_bot(stderr=log.fileno()):
            wire.server.faults.inject("follow up", UNTAKEN[what], times=None)
            act = await wire.ana.begin_slash("help")
            await wait_for_log(
                tmp_path / "log", f"interaction {act.id} could not be answered", ANSWER_S
            )
    text = (tmp_path / "log").read_text(encoding="utf-8")
    assert text.count(f"interaction {act.id}") == 1
    assert "Traceback" not in text
    assert "ERROR" not in text


async def test_an_interaction_that_discord_tells_again_is_no_other_program_s(
    wire: WireHarness, tmp_path: Path
) -> None:
    with (tmp_path / "log").open("wb") as log:
        async with wire.start_bot(stderr=log.fileno()):
            await wire.begin_match("zeno")
            await wire.play_to_throw()
            await wire.play(1)
            (session,) = wire.server.world.sessions.list_connected()
            answers = [data for event, data in session.sent if event == "INTERACTION_CREATE"]
            for _ in range(3):
                await session.dispatch("INTERACTION_CREATE", answers[-1])
            await wire.play(1)
            await wire.wait_for_jobs()
    assert "another program" not in (tmp_path / "log").read_text(encoding="utf-8")


async def press_stale_control(wire: WireHarness, person: WirePerson, custom_id: str) -> Interaction:
    """Let somebody press a control that only their client still shows.

    Discord's copy of the message no longer has it.
    """
    world = wire.server.world
    clicked = encode_message(world, world.messages[wire.get_newest_message().message_id or 0])
    data = {"custom_id": custom_id, "component_type": ComponentKind.BUTTON}
    where = get_first_channel(world)
    return await send_interaction(
        world, person.id, where, COMPONENT, data, {**clicked, "components": []}
    )


async def test_a_press_on_a_control_that_is_gone_is_acknowledged_and_answered(
    wire: WireHarness,
) -> None:
    async with wire.start_bot():
        await wire.begin_match("zeno")
        await wire.play_to_throw()
        reply, mover = wire.get_newest_message(), wire.get_next_player()
        await wire.play(1)
        await wire.wait_for_jobs()
        version = wire.get_saved_version()
        await wait_for_acknowledgement(
            wire, await press_stale_control(wire, mover, reply.find_custom_id("Roll"))
        )
        await mover.wait_for_ephemeral("That button no longer works.")
        assert wire.get_saved_version() == version


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
    wire: WireHarness, tmp_path: Path, code: int, sentence: str
) -> None:
    with (tmp_path / "log").open("wb") as log:
        async with wire.start_bot(stderr=log.fileno()) as process:
            await wire.begin_match("zeno")
            await wire.server.drop_connections(code)
            assert await asyncio.wait_for(process.wait(), ANSWER_S) == EX_CONFIG
    text = (tmp_path / "log").read_text(encoding="utf-8")
    assert text.splitlines()[-1] == f"tabula: {sentence}"
    assert "Traceback" not in text
