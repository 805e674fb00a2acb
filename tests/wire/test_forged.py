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

from bot.features.computer.controls import PICK_GAME
from bot.platform.ui.declarations import collect_presses
from engine.games import GAMES

from .gateway import send_interaction
from .payloads import encode_message
from .people import WirePerson, get_first_channel
from .replies import ComponentKind
from .sessions import PATIENCE_S, Json
from .tabula import WireHarness
from .world import COMPONENT, MESSAGE, MODAL, MODAL_SUBMIT, UPDATE

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
OWN_ERRORS = re.compile(r"\b(Traceback|ERROR|error [0-9a-f]{6})")


def forge_ids(random: Random, verb: str, count: int) -> Iterator[str]:
    """Yield ids that begin with a verb of ours.

    They go on with what we never write, or write about other things.
    """
    pieces = [*NUMBERS, *WORDS]
    yield from (f"{verb}:{rest}"[:100] for rest in MALFORMED)
    for _ in range(count):
        length = random.randint(1, 6)
        yield f"{verb}:{':'.join(random.choices(pieces, k=length))}"[:100]


def load_tables(database: Path) -> dict[str, list[tuple[Any, ...]]]:
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


async def send_and_wait(
    wire: WireHarness, person: WirePerson, kind: int, data: Json, clicked: Json | None = None
) -> None:
    """Let somebody do what the bot must answer, and wait until it has.

    A flood would hold up the last answer.
    """
    world = wire.server.world
    first = len(world.requests)
    interaction = await send_interaction(
        world, person.id, get_first_channel(world), kind, data, clicked
    )

    def is_answered() -> bool:
        return any(
            one.is_success
            and interaction.token in one.path
            and (one.path.startswith("/webhooks/") or one.body["type"] in (MESSAGE, UPDATE, MODAL))
            for one in world.requests[first:]
        )

    await world.changes.wait_until(is_answered, lambda: f"{data} was not answered", PATIENCE_S)


def add_control(clicked: Json, control: Json) -> Json:
    """Return a message as Discord would send it along if it showed a control."""
    return {**clicked, "components": [{"type": ComponentKind.ROW, "components": [control]}]}


@asynccontextmanager
async def check_harmless(wire: WireHarness) -> AsyncIterator[tuple[WirePerson, Json]]:
    """Let a match be played while somebody sends made-up requests.

    They must have no effect and leave no error in the log.
    """
    log = wire.database.with_suffix(".log")
    with log.open("wb") as written:
        async with wire.start_bot(stderr=written.fileno()) as process:
            await wire.begin_match("zeno")
            await wire.wait_for_jobs()
            before = load_tables(wire.database)
            clicked = encode_message(
                wire.server.world,
                wire.server.world.messages[wire.get_newest_message().message_id or 0],
            )
            yield wire.server.get_person("cyn"), clicked
            assert load_tables(wire.database) == before
            process.terminate()
            await process.wait()
    text = log.read_text(encoding="utf-8")
    assert not OWN_ERRORS.search(text), text


async def test_buttons_and_menus_that_nobody_was_given(wire: WireHarness) -> None:
    random = Random(7)
    async with check_harmless(wire) as (cyn, clicked):
        for verb in [*sorted(collect_presses()), "nobody"]:
            for custom_id in forge_ids(random, verb, 8):
                button = {
                    "type": ComponentKind.BUTTON,
                    "custom_id": custom_id,
                    "style": 1,
                    "label": "?",
                }
                data = {"custom_id": custom_id, "component_type": ComponentKind.BUTTON}
                await send_and_wait(wire, cyn, COMPONENT, data, add_control(clicked, button))
                # By the game that is picked there anybody may begin a match of their own.
                words = [word for word in WORDS if verb != PICK_GAME or word not in GAMES]
                picked = random.choice([*NUMBERS, *words])
                menu = {"type": ComponentKind.STRING_SELECT, "custom_id": custom_id, "options": []}
                data = {
                    "custom_id": custom_id,
                    "component_type": ComponentKind.STRING_SELECT,
                    "values": [picked],
                }
                await send_and_wait(wire, cyn, COMPONENT, data, add_control(clicked, menu))


async def test_forms_that_nobody_was_given(wire: WireHarness) -> None:
    random = Random(8)
    async with check_harmless(wire) as (cyn, _):
        for verb in [*sorted(collect_presses()), "nobody"]:
            for custom_id in forge_ids(random, verb, 8):
                await send_and_wait(
                    wire, cyn, MODAL_SUBMIT, {"custom_id": custom_id, "components": []}
                )


async def test_a_seat_and_a_log_that_nobody_was_offered(wire: WireHarness) -> None:
    async with check_harmless(wire) as (cyn, _):
        for custom_id in (f"seat:take:1:{wire.ana.id}:{cyn.id}:{wire.ana.id}", "log:0"):
            await send_and_wait(wire, cyn, MODAL_SUBMIT, {"custom_id": custom_id, "components": []})
            assert (await cyn.wait_for_ephemeral("That button no longer works")).ephemeral


async def test_an_act_that_is_told_twice_is_done_once(wire: WireHarness) -> None:
    async with wire.start_bot():
        await wire.begin_match("zeno")
        await wire.play_to_throw()
        before = wire.get_saved_version()
        await wire.act_by_control()
        await wire.wait_until_shown(after=before)
        await wire.wait_for_jobs()
        done = wire.get_saved_version()
        (session,) = wire.server.world.sessions.list_connected()
        answers = [data for event, data in session.sent if event == "INTERACTION_CREATE"]
        for _ in range(3):
            await session.dispatch("INTERACTION_CREATE", answers[-1])
        await wire.play(1)
        await wire.wait_for_jobs()
        assert wire.get_saved_version() > done
        assert len(set(wire.list_causes())) == len(wire.list_causes())
    await wire.load_events()


async def test_a_stranger_is_offered_no_play_of_others(wire: WireHarness) -> None:
    async with wire.start_bot():
        await wire.begin_match("zeno")
        while "Roll" in wire.get_newest_message().list_labels():
            await wire.play(1)
        await wire.wait_for_jobs()
        mover = wire.get_next_player()
        assert await mover.autocomplete("move", "play", "")
        cyn = wire.server.get_person("cyn")
        for typed in ("", "a", "a-"):
            assert await cyn.autocomplete("move", "play", typed, {"match": 1}) == []
            assert await cyn.autocomplete("match try", "play", typed, {"match": 1}) == []
