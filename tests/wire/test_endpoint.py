"""What `/health` and `/metrics` report of the running bot, and its log as JSON objects.

The log has the reference that people are told.
"""

import asyncio
import json
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.client import CLOCK_CHECK_S
from bot.ops.endpoint import Endpoint
from tests.support.postgresql import find_free_port
from tests.support.stored import connect_directly
from tests.wire.faults import BROKEN, DROP_BEFORE, REQUESTS, RequestFault
from tests.wire.test_together import start_bot_here

from .discord_server import DiscordServer
from .payloads import encode_message
from .replies import ComponentKind
from .tabula import WireHarness
from .test_forged import send_and_wait
from .world import COMPONENT

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]


REVOKED = RequestFault(401, 0, "401: Unauthorized")


async def fetch_answer(port: int, path: str) -> tuple[int, str]:
    """The status and the text of an answer."""
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{port}{path}") as answer,
    ):
        return answer.status, await answer.text()


async def wait_for_health(port: int, wanted: int) -> dict[str, Any]:
    """What `/health` tells as soon as it answers so."""
    for _ in range(500):
        status, text = await fetch_answer(port, "/health")
        if status == wanted:
            fields: dict[str, Any] = json.loads(text)
            return fields
        await asyncio.sleep(0.05)
    raise AssertionError


@asynccontextmanager
async def start_wire(folder: Path) -> AsyncIterator[tuple[DiscordServer, WireHarness]]:
    """A server with two people."""
    async with await DiscordServer.start() as server:
        yield (
            server,
            WireHarness(
                server,
                folder / "tabula.sqlite3",
                server.get_person("ana"),
                server.get_person("ben"),
            ),
        )


def find_sample(text: str, name: str) -> float:
    """The value of one line of the metrics."""
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    assert found, text
    return float(found[1])


async def test_a_bot_that_plays_is_well_and_counts_what_it_does(tmp_path: Path) -> None:
    port = find_free_port()
    async with start_wire(tmp_path) as (_, wire), wire.start_bot(TABULA_HEALTH=f"127.0.0.1:{port}"):
        fields = await wait_for_health(port, 200)
        assert (fields["ready"], fields["database"]) == (True, "ok")
        await wire.begin_match("zeno")
        await wire.play(3)
        await wire.ana.slash("move", {"play": "nonsense"})
        await wire.wait_for_jobs()
        status, text = await fetch_answer(port, "/metrics")
    assert status == 200
    assert find_sample(text, 'tabula_answers_total{command="/challenge",outcome="done"}') == 1
    assert find_sample(text, 'tabula_answers_total{command="challenge",outcome="done"}') == 1
    assert find_sample(text, 'tabula_answers_total{command="/move",outcome="refused"}') == 1
    assert find_sample(text, "tabula_acknowledged_seconds_count") >= 4
    assert find_sample(text, "tabula_shown_seconds_count") >= 3
    assert find_sample(text, "tabula_saved_seconds_count") >= 10
    assert find_sample(text, "tabula_matches_open") == 1
    assert find_sample(text, "tabula_grounds_drawn_total") >= 1
    assert find_sample(text, "tabula_grounds_redrawn_total") == 0
    assert find_sample(text, "tabula_grounds_bytes") > 1_000_000
    assert (
        find_sample(text, "tabula_jobs_failing") == find_sample(text, "tabula_jobs_given_up") == 0
    )
    assert find_sample(text, "process_resident_memory_bytes") > 10_000_000


async def test_made_up_ids_neither_add_series_nor_reach_the_log(tmp_path: Path) -> None:
    port = find_free_port()
    made_up = [f"madeup{number}:1:2" for number in range(40)]
    with (tmp_path / "log").open("wb") as log:
        async with (
            start_wire(tmp_path) as (_, wire),
            wire.start_bot(stderr=log.fileno(), TABULA_HEALTH=f"127.0.0.1:{port}"),
        ):
            await wire.begin_match("zeno")
            message = wire.get_newest_message().message_id or 0
            clicked = encode_message(wire.server.world, wire.server.world.messages[message])
            for custom_id in (*made_up, "", "/move", 'a"} 1\nevil 1', "match:nonsense"):
                pressed = {"custom_id": custom_id, "component_type": ComponentKind.BUTTON}
                await send_and_wait(wire, wire.ana, COMPONENT, pressed, clicked)
            # The last one is counted just after it is answered.
            text, looks = "", 100
            while 'command="match",outcome="refused"' not in text and looks:
                _, text = await fetch_answer(port, "/metrics")
                looks -= 1
                await asyncio.sleep(0.1)
    assert find_sample(text, 'tabula_answers_total{command="unknown",outcome="refused"}') == 43
    assert find_sample(text, 'tabula_answers_total{command="match",outcome="refused"}') == 1
    # A command is none for a button that is called so.
    assert 'command="/move"' not in text
    assert not re.search("madeup|evil", text)
    assert not re.search("madeup|evil", (tmp_path / "log").read_text(encoding="utf-8"))


async def test_a_bot_without_discord_is_not_well(tmp_path: Path) -> None:
    port = find_free_port()
    async with (
        start_wire(tmp_path) as (server, wire),
        wire.start_bot(TABULA_HEALTH=f"127.0.0.1:{port}"),
    ):
        await server.stop()
        fields = await wait_for_health(port, 503)
    assert not fields["ready"]


async def test_the_log_as_objects_names_the_reference_that_somebody_was_told(
    tmp_path: Path,
) -> None:
    async with start_wire(tmp_path) as (_, wire):
        with (tmp_path / "log").open("wb") as log:
            async with wire.start_bot(stderr=log.fileno(), TABULA_LOG_FORMAT="json"):
                await wire.begin_match("zeno")
                with connect_directly(wire.database) as connection:
                    connection.execute("ALTER TABLE seats RENAME TO stools")
                answer = await wire.ana.slash("roll")
        lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert all({"time", "level", "logger", "message"} <= line.keys() for line in lines)
    (error,) = [line for line in lines if "reference" in line]
    assert error["level"] == "error"
    assert error["reference"] in answer.text
    assert error["reference"] in error["message"]


async def test_a_bot_that_cannot_save_is_not_well_until_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.client.HEARTBEAT_MS", 100)
    monkeypatch.setattr("bot.ops.endpoint.MAX_SAVE_AGE_S", 4 * CLOCK_CHECK_S)
    port = find_free_port()
    async with (
        start_wire(tmp_path) as (_, wire),
        start_bot_here(wire, monkeypatch) as bot,
        Endpoint("127.0.0.1", port, bot),
    ):
        await wait_for_health(port, 200)
        with closing(sqlite3.connect(wire.database, isolation_level=None)) as connection:
            # Who only reads notices nothing, as on a disk that is full.
            connection.execute("BEGIN IMMEDIATE")
            fields = await wait_for_health(port, 503)
        assert (fields["ready"], fields["database"]) == (True, "ok")
        assert fields["last_save_s"] >= 4 * CLOCK_CHECK_S
        await wait_for_health(port, 200)


@pytest.mark.parametrize("fault", [BROKEN, DROP_BEFORE, REVOKED])
async def test_a_bot_whose_every_request_fails_is_not_well_until_one_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: RequestFault
) -> None:
    monkeypatch.setattr("bot.ops.endpoint.MAX_FAILING_S", 0.2)
    port = find_free_port()
    async with (
        start_wire(tmp_path) as (server, wire),
        start_bot_here(wire, monkeypatch) as bot,
        Endpoint("127.0.0.1", port, bot),
    ):
        await wire.begin_match("zeno")
        await wire.wait_for_jobs()
        await wait_for_health(port, 200)
        for name in REQUESTS:
            server.faults.inject(name, fault, times=None)
        message = wire.get_newest_message()
        await wire.get_next_player().begin_use(message, next(iter(message.find_controls())))
        fields = await wait_for_health(port, 503)
        assert fields["requests_failing_s"] >= 0.2
        server.faults.clear()
        await wait_for_health(port, 200)
