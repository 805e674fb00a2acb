"""What an operator sees of a trouble: the log, `/health`, `/metrics` and what the doctor says.

These are the drills that nothing else tries as a whole. Others are a lost key
(`upkeep/test_lost_key.py`), deletions after a restore (`upkeep/test_deletions.py`), a misspelt
setting (`wire/test_start.py`, `upkeep/test_command.py`) and a damaged file
(`wire/test_troubles.py`, `upkeep/test_doctor.py`).
"""

import asyncio
import logging
import os
import resource
import signal
import socket
import sys
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.cli import EX_CONFIG
from bot.client import Tabula
from bot.ops.doctor import DoctorOptions, examine_and_repair
from bot.ops.endpoint import Endpoint, build_measures
from bot.platform.db.store import Store
from bot.platform.db.tables import now_ms
from tests.support.postgresql import PostgreSQLServer, find_free_port

from .discord_server import BOT_PERMISSIONS
from .faults import BROKEN, REQUESTS
from .payloads import encode_channel
from .processes import RUN_COMMAND, make_environment
from .sessions import GUILDS, poll_until
from .tabula import WireHarness
from .test_endpoint import fetch_answer, find_sample, wait_for_health
from .test_together import start_bot_here
from .world import ATTACH

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]
NO_ROOM = 1024
"""Bytes beyond which a file can't grow where the disk is taken for full."""
HOUR_MS = 3_600_000
SAVE_AGE = "tabula_last_save_age_seconds"


@dataclass(frozen=True)
class OperatorView:
    """What whoever runs a bot can look at."""

    wire: WireHarness
    bot: Tabula
    port: int
    ahead_ms: int = 0

    async def get_metric(self, name: str) -> float:
        """A line of `/metrics`."""
        status, text = await fetch_answer(self.port, "/metrics")
        assert status == 200
        return find_sample(text, name)

    async def call_doctor(self) -> list[str]:
        """What the doctor finds, with the token that the bot was started with."""
        texts: list[str] = []
        options = DoctorOptions(
            str(self.wire.database), "wire-token", lambda: now_ms() + self.ahead_ms
        )
        await examine_and_repair(options, texts.append, lambda _: False)
        return [text for text in texts if "invite" not in text and "replayed" not in text]


@asynccontextmanager
async def operate(
    wire: WireHarness, monkeypatch: pytest.MonkeyPatch, ahead_ms: int = 0
) -> AsyncIterator[OperatorView]:
    """Run the bot, its clock ahead by so much, for somebody who looks at it."""
    wire.server.world.token = "wire-token"
    port = find_free_port()
    async with (
        start_bot_here(
            wire, monkeypatch, clock=lambda: now_ms() + ahead_ms, measures=build_measures()
        ) as bot,
        Endpoint("127.0.0.1", port, bot),
    ):
        await wait_for_health(port, 200)
        yield OperatorView(wire, bot, port, ahead_ms)


async def run_doctor(
    folder: Path, settings: Mapping[str, str], *flags: str, room: int = resource.RLIM_INFINITY
) -> tuple[int | None, str]:
    """Run the doctor as a process that finds so much room on the disk; what it says."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "doctor", *flags),
        cwd=folder,
        env=make_environment(**settings),
        stdout=PIPE,
        stderr=STDOUT,
        preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY)
        ),
    )
    said, _ = await process.communicate()
    return process.returncode, said.decode()


async def test_discord_takes_no_request_while_the_gateway_is_alive(
    wire: WireHarness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("bot.ops.endpoint.MAX_FAILING_S", 0.2)
    async with operate(wire, monkeypatch) as view:
        await wire.begin_match("zeno")
        await wire.wait_for_jobs()
        for name in REQUESTS:
            wire.server.faults.inject(name, BROKEN, times=None)
        message = wire.get_newest_message()
        await wire.get_next_player().begin_use(message, next(iter(message.find_controls())))
        fields = await wait_for_health(view.port, 503)
        assert (fields["ready"], fields["database"]) == (True, "ok")
        assert await view.get_metric("tabula_requests_failing_seconds") >= 0.2
        await poll_until(lambda: "500" in caplog.text)
        wire.server.faults.clear()
        await wait_for_health(view.port, 200)
        assert await view.get_metric("tabula_requests_failing_seconds") == 0
    assert "Traceback" not in caplog.text


async def test_the_token_is_revoked(wire: WireHarness, tmp_path: Path) -> None:
    with (tmp_path / "log").open("wb") as log:
        async with wire.start_bot(stderr=log.fileno()) as process:
            await wire.begin_match("zeno")
            await wire.wait_for_jobs()
            token, wire.server.world.token = wire.server.world.token, "another"
            await wire.server.drop_connections()
            # No restart helps, and none is made.
            assert await asyncio.wait_for(process.wait(), 60) == EX_CONFIG
    text = (tmp_path / "log").read_text(encoding="utf-8")
    sentence = "Discord does not accept TABULA_TOKEN; copy it again from the application's page"
    assert text.splitlines()[-1] == f"tabula: {sentence}"
    assert "Traceback" not in text
    settings = {"TABULA_DATABASE": wire.database.name, "TABULA_TOKEN": token}
    ended, said = await run_doctor(tmp_path, {**settings, "TABULA_DISCORD_API": wire.server.api})
    assert ended == 1
    assert sentence in said


async def test_the_clock_is_an_hour_wrong(
    wire: WireHarness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with operate(wire, monkeypatch, HOUR_MS) as view:
        await wire.begin_match("zeno")
        assert caplog.text.count("ahead of Discord's; nobody's time runs out until it is set") == 1
        assert not view.bot.app.is_time_known
        assert "the clock of this machine is 3600 s ahead of Discord's; set it by NTP" in (
            await view.call_doctor()
        )


async def test_a_permission_is_missing(
    wire: WireHarness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with operate(wire, monkeypatch) as view:
        await wire.begin_match("zeno")
        await wire.play_to_throw()
        where = wire.server.get_channel("tables")
        world = wire.server.world
        world.permissions = BOT_PERMISSIONS & ~ATTACH
        overwrite = {"id": str(world.bot.id), "type": 1, "allow": "0", "deny": str(ATTACH)}
        update = {**encode_channel(world, where), "permission_overwrites": [overwrite]}
        await world.sessions.dispatch("CHANNEL_UPDATE", update, where.guild_id, GUILDS)
        answer = await wire.get_next_player().slash("roll")
        assert "I'm missing the permission Attach Files" in answer.text
        assert "A moderator can grant it in the channel's settings" in answer.text
        await poll_until(lambda: "lacks Attach Files)" in caplog.text)
        assert (
            f"channel {where.id} of server {world.first_guild_id}, where match 1 goes "
            "on, does not give the bot the permission Attach Files"
        ) in await view.call_doctor()
        # The bot is well: it is the server's own affair.
        await wait_for_health(view.port, 200)


async def test_the_disk_takes_nothing(wire: WireHarness, tmp_path: Path) -> None:
    port = find_free_port()
    # A file would take no line of the log either.
    reading, writing = os.pipe()
    async with wire.start_bot(stderr=writing, TABULA_HEALTH=f"127.0.0.1:{port}") as process:
        os.close(writing)
        await wire.begin_match("zeno")
        await wire.play_to_throw()
        before = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (NO_ROOM, before[1]))
        answer = await wire.get_next_player().slash("roll")
        assert "I couldn't save that, so nothing has changed." in answer.text
        status, text = await fetch_answer(port, "/metrics")
        assert status == 200
        assert find_sample(text, SAVE_AGE) > 0
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, before)
        await wire.get_next_player().slash("roll")
        await wire.wait_for_jobs()
    with os.fdopen(reading) as log:
        lines = log.read().splitlines()
    told = [line for line in lines if "bot.platform.db.database" in line]
    began, over = told
    assert began.endswith("cannot be read or written (its disk is read-only, or fails)")
    assert over.endswith("tabula.sqlite3 works again")
    assert not [line for line in lines if "Traceback" in line]
    settings = {"TABULA_DATABASE": wire.database.name}
    ended, said = await run_doctor(tmp_path, settings, "--offline", room=NO_ROOM)
    assert ended == 1
    assert f"{wire.database.name} cannot take a change" in said


async def test_two_processes_share_an_address(wire: WireHarness, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        process = await asyncio.create_subprocess_exec(
            *RUN_COMMAND,
            cwd=tmp_path,
            env=make_environment(
                TABULA_DISCORD_API=wire.server.api,
                TABULA_TOKEN=wire.server.world.token,
                TABULA_DATABASE="second.sqlite3",
                TABULA_HEALTH=address,
            ),
            stderr=PIPE,
        )
        _, said = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == EX_CONFIG
    assert said.decode().splitlines()[-1] == (
        f"tabula: TABULA_HEALTH cannot be served at {address}: address already in use; give each "
        "process an address of its own"
    )


@pytest.mark.sweep
async def test_the_server_of_the_database_takes_no_change_and_then_is_away(
    wire: WireHarness, tmp_path: Path
) -> None:
    port = find_free_port()
    with PostgreSQLServer("-F") as server:
        owned = server.create_database()
        async with await Store.open(owned):
            pass
        name = owned.rpartition("/")[2]
        server.execute_sql("CREATE ROLE player LOGIN")
        for what in ("TABLES", "SEQUENCES"):
            server.execute_sql(f"GRANT ALL ON ALL {what} IN SCHEMA public TO player", name)
        settings = {
            "TABULA_DATABASE": owned.replace("tabula@", "player@"),
            "TABULA_HEALTH": f"127.0.0.1:{port}",
            "TABULA_DELETIONS": str(tmp_path / "deletions"),
        }
        with (tmp_path / "log").open("wb") as log:
            async with wire.start_bot(stderr=log.fileno(), **settings):
                await wait_for_health(port, 200)
                changing = "INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public"
                server.execute_sql(f"REVOKE {changing} FROM player", name)
                answer = await wire.ana.slash("challenge", {"game": "zeno"})
                assert "I couldn't save that, so nothing has changed." in answer.text
                age_s = find_sample((await fetch_answer(port, "/metrics"))[1], SAVE_AGE)
                assert age_s > 0
                ended, said = await run_doctor(tmp_path, settings, "--offline")
                assert ended == 1
                assert "may not be changed by this user; grant what is missing" in said
                server.execute_sql(f"GRANT {changing} TO player", name)
                await wire.ana.slash("challenge", {"game": "zeno"})

                server.stop(signal.SIGQUIT)
                fields = await wait_for_health(port, 503)
                assert "cannot be reached" in fields["database"]
                assert (await fetch_answer(port, "/metrics"))[0] == 503
                ended, said = await run_doctor(tmp_path, settings, "--offline")
                assert ended == 1
                assert "cannot be reached" in said
                server.start()
                await wait_for_health(port, 200)
                await wire.ana.slash("challenge", {"game": "zeno"})
    lines = (tmp_path / "log").read_text().splitlines()
    told = [line.split(f"{name} on ")[1] for line in lines if "bot.platform.db.database" in line]
    where = owned.rpartition("@")[2].removesuffix(f"/{name}")
    assert told == [
        f"{where} may not be changed by this user; grant what is missing",
        f"{where} works again",
        f"{where} cannot be reached",
        f"{where} works again",
    ]
    assert not [line for line in lines if "Traceback" in line]
    # One line of each kind a minute, however often it is tried again.
    assert len(lines) < 20
