"""Requests that no client of Discord's would send, by somebody who has no seat.

These are made-up ids, menu entries, options and forms. A modified client can send anything in its
own name, so each is answered in one sentence, changes nothing of anybody else's, and is no fault of
ours in the log.
"""

import re
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.commands import presses

from .gateway import interact
from .payloads import message
from .people import Person, first_channel
from .replies import Kind
from .sessions import PATIENCE, Json
from .tabula import Wire
from .world import COMPONENT, MODAL_SUBMIT

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]

NUMBERS = ("1", "0", "-1", "+1", "01", " 1", "1_0", "\u0661", "1e3", "x", "", str(2**63), "9" * 90)
WORDS = (
    "roll",
    "accept",
    "all",
    "here",
    "next",
    "zeno",
    "2",
    "usual",
    "gold",
    "\u202e",
    "@everyone",
    "a\nb",
    "%s{x}",
    "\x00",
)
MALFORMED = (
    "",
    ":",
    "::::::::",
    "1",
    "1:",
    ":1",
    "1:2:3:4:5:6:7:8:9",
    "\U0001f3b2",
    "null",
    "server:zeno@everyone:0",
    "server:nothing:0",
    "../..",
    "' OR 1=1 --",
)
OURS = re.compile(r"\b(Traceback|ERROR|error [0-9a-f]{6})")


def made_up(random: Random, verb: str, count: int) -> Iterator[str]:
    """Yield ids that begin with a verb of ours.

    They go on with what we never write, or write about other things.
    """
    pieces = [*NUMBERS, *WORDS]
    yield from (f"{verb}:{rest}"[:100] for rest in MALFORMED)
    for _ in range(count):
        length = random.randint(1, 6)
        yield f"{verb}:{':'.join(random.choices(pieces, k=length))}"[:100]


def kept(database: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All that is stored about matches and their people."""
    tables = (
        "matches",
        "seats",
        "events",
        "challenges",
        "blocks",
        "audit",
        "habits",
        "servers",
        "ratings",
    )
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return {
            table: connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()
            for table in tables
        }


async def answered(
    wire: Wire, person: Person, kind: int, data: Json, clicked: Json | None = None
) -> None:
    """Let somebody do what the bot must answer, and wait until it has.

    A flood would hold up the last answer.
    """
    world = wire.server.world
    first = len(world.requests)
    opened = await interact(world, person.id, first_channel(world), kind, data, clicked)

    def told() -> bool:
        return any(
            one.taken and one.path.startswith(f"/webhooks/{world.bot.id}/{opened.token}")
            for one in world.requests[first:]
        )

    await world.changes.until(told, lambda: f"{data} was not answered", PATIENCE)


def with_control(clicked: Json, control: Json) -> Json:
    """Return a message as Discord would send it along if it showed a control."""
    return {**clicked, "components": [{"type": Kind.ROW, "components": [control]}]}


@asynccontextmanager
async def harmless(wire: Wire) -> AsyncIterator[tuple[Person, Json]]:
    """Let a match be played while somebody sends made-up requests.

    They must have no effect and leave no error in the log.
    """
    log = wire.database.with_suffix(".log")
    with log.open("wb") as written:
        async with wire.bot(stderr=written.fileno()) as process:
            await wire.begin("zeno")
            await wire.healed()
            before = kept(wire.database)
            clicked = message(
                wire.server.world, wire.server.world.messages[wire.newest().message_id or 0]
            )
            yield wire.server.person("cyn"), clicked
            assert kept(wire.database) == before
            process.terminate()
            await process.wait()
    said = log.read_text(encoding="utf-8")
    assert not OURS.search(said), said


async def test_buttons_and_menus_that_nobody_was_given(wire: Wire) -> None:
    random = Random(7)
    async with harmless(wire) as (cyn, clicked):
        for verb in [*sorted(presses()), "nobody"]:
            for custom_id in made_up(random, verb, 8):
                button = {"type": Kind.BUTTON, "custom_id": custom_id, "style": 1, "label": "?"}
                data = {"custom_id": custom_id, "component_type": Kind.BUTTON}
                await answered(wire, cyn, COMPONENT, data, with_control(clicked, button))
                picked = random.choice([*NUMBERS, *WORDS])
                menu = {"type": Kind.STRING_SELECT, "custom_id": custom_id, "options": []}
                data = {
                    "custom_id": custom_id,
                    "component_type": Kind.STRING_SELECT,
                    "values": [picked],
                }
                await answered(wire, cyn, COMPONENT, data, with_control(clicked, menu))


async def test_forms_that_nobody_was_given(wire: Wire) -> None:
    random = Random(8)
    async with harmless(wire) as (cyn, _):
        for verb in [*sorted(presses()), "nobody"]:
            for custom_id in made_up(random, verb, 8):
                await answered(wire, cyn, MODAL_SUBMIT, {"custom_id": custom_id, "components": []})


async def test_a_seat_and_a_log_that_nobody_was_offered(wire: Wire) -> None:
    async with harmless(wire) as (cyn, _):
        for custom_id in (f"seat:take:1:{wire.ana.id}:{cyn.id}:{wire.ana.id}", "log:0"):
            await answered(wire, cyn, MODAL_SUBMIT, {"custom_id": custom_id, "components": []})
            assert (await cyn.told("That button no longer works")).ephemeral


async def test_an_act_that_is_told_twice_is_done_once(wire: Wire) -> None:
    async with wire.bot():
        await wire.begin("zeno")
        await wire.to_a_throw()
        before = wire.saved_version()
        await wire.act()
        await wire.shown(after=before)
        await wire.healed()
        done = wire.saved_version()
        (session,) = wire.server.world.sessions.connected()
        told = [data for event, data in session.sent if event == "INTERACTION_CREATE"]
        for _ in range(3):
            await session.dispatch("INTERACTION_CREATE", told[-1])
        await wire.play(1)
        await wire.healed()
        assert wire.saved_version() > done
        assert len(set(wire.causes())) == len(wire.causes())
    await wire.kept()


async def test_a_stranger_is_offered_no_play_of_others(wire: Wire) -> None:
    async with wire.bot():
        await wire.begin("zeno")
        while "Roll" in [control.get("label") for control in wire.newest().pressable().values()]:
            await wire.play(1)
        await wire.healed()
        mover = wire.called()
        assert await mover.autocomplete("move", "play", "")
        cyn = wire.server.person("cyn")
        for typed in ("", "a", "a-"):
            assert await cyn.autocomplete("move", "play", typed, {"match": 1}) == []
            assert await cyn.autocomplete("try", "play", typed, {"match": 1}) == []
