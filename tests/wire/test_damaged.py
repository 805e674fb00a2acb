"""Envelopes of Discord's that are damaged: each is dropped with a line, and the others served."""

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from .gateway import send_interaction
from .payloads import encode_channel, encode_guild, encode_message
from .people import get_first_channel
from .replies import ComponentKind
from .sessions import PATIENCE_S, GatewaySession, Json
from .tabula import WireHarness
from .world import COMMAND, COMPONENT, MODAL_SUBMIT

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]

STRANGE: tuple[Any, ...] = (None, "x", 7, -1, [], {}, [None], 1.5, True)
"""What stands in place of a field, which is also left out."""
REQUIRED = ("type", "application_id", "attachment_size_limit", "token", "version", "id")
"""Fields without which discord.py cannot read an interaction."""
UNEXPECTED = re.compile(r"never retrieved|Ignoring exception|discord\S* .*ERROR")
"""What would stand in the log of something that nobody has thought of."""
DEPTH = 3


def list_paths(data: Any, depth: int = DEPTH) -> Iterator[tuple[Any, ...]]:
    """Yield where the fields of an envelope are, down to some depth."""
    items = data.items() if isinstance(data, dict) else ()
    for key, value in items:
        yield (key,)
        if depth > 1:
            yield from ((key, *rest) for rest in list_paths(value, depth - 1))


def damage(data: Json) -> Iterator[Json]:
    """Yield the envelope with one field missing or strange at a time, each under its own id."""
    for number, path in enumerate(list_paths(data)):
        for turn, value in enumerate((..., *STRANGE)):
            broken = deepcopy(data)
            broken["id"] = str(int(data["id"]) + 1000 * number + turn + 1)
            *above, last = path
            there: Any = broken
            for key in above:
                there = there[key]
            if value is ...:
                del there[last]
            else:
                there[last] = value
            yield broken


def find_sent(session: GatewaySession, event: str) -> Json:
    """Return the newest event of a kind that was sent in a session."""
    return next(data for name, data in reversed(session.sent) if name == event)


async def test_damaged_envelopes_are_dropped_and_the_match_goes_on(wire: WireHarness) -> None:
    log = wire.database.with_suffix(".log")
    world = wire.server.world
    with log.open("wb") as written:
        async with wire.start_bot(stderr=written.fileno()) as process:
            await wire.begin_match("zeno")
            await wire.wait_for_jobs()
            (session,) = world.sessions.list_connected()
            cyn, place = wire.server.get_person("cyn"), get_first_channel(world)
            shown = world.messages[wire.get_newest_message().message_id or 0]
            clicked = encode_message(world, shown)
            kinds: tuple[tuple[int, Json, Json | None], ...] = (
                (
                    COMPONENT,
                    {"custom_id": "nobody:1", "component_type": ComponentKind.BUTTON},
                    clicked,
                ),
                (MODAL_SUBMIT, {"custom_id": "nobody:1", "components": []}, None),
                (
                    COMMAND,
                    {
                        "id": "1",
                        "type": 1,
                        "name": "move",
                        "options": [{"type": 3, "name": "play", "value": "a-b"}],
                    },
                    None,
                ),
            )
            for kind, data, message in kinds:
                await send_interaction(world, cyn.id, place, kind, data, message)
                whole = find_sent(session, "INTERACTION_CREATE")
                for broken in damage(whole):
                    await session.dispatch("INTERACTION_CREATE", broken)
            others: tuple[tuple[str, Json], ...] = (
                ("CHANNEL_UPDATE", {**encode_channel(world, place), "id": str(place.id)}),
                ("MESSAGE_DELETE", {"id": "1", "channel_id": str(place.id), "guild_id": "7"}),
                ("GUILD_ROLE_DELETE", {"id": "1", "role_id": "2", "guild_id": "7"}),
                ("GUILD_UPDATE", encode_guild(world, place.guild_id or 0)),
            )
            for event, data in others:
                for broken in damage(data):
                    await session.dispatch(event, {**broken, "id": "5" if "id" in broken else None})
            assert session.line is not None
            frames: tuple[Any, ...] = ([], None, "x", {"op": 0, "t": "INTERACTION_CREATE"})
            for frame in frames:
                await session.line.send(0, frame, "INTERACTION_CREATE")
            before = wire.get_saved_version()
            await wire.play(2)
            await wire.wait_for_jobs()
            assert wire.get_saved_version() > before
            assert process.returncode is None
            process.terminate()
            await process.wait()
    text = log.read_text(encoding="utf-8")
    assert "dropped a damaged INTERACTION_CREATE" in text
    for field in REQUIRED:
        assert f"KeyError: '{field}'" in text, field
    assert not UNEXPECTED.search(text), text[-20_000:]


@pytest.mark.parametrize("event", ["READY", "HELLO"])
async def test_a_session_that_cannot_begin_is_begun_anew(wire: WireHarness, event: str) -> None:
    async with wire.start_bot() as process:
        await wire.begin_match("zeno")
        (session,) = wire.server.world.sessions.list_connected()
        assert session.line is not None
        if event == "HELLO":
            await session.line.send(10, {})
        else:
            await session.line.send(0, {"v": 10}, event)
        sessions = wire.server.world.sessions
        await wire.server.world.changes.wait_until(
            lambda: [each for each in sessions.list_connected() if each is not session],
            lambda: "no other session has begun",
            PATIENCE_S,
        )
        await wire.server.wait_until_ready()
        await wire.play(2)
        assert process.returncode is None
