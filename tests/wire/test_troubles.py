"""Any fault of a turn's request: the channel heals by itself.

What was acknowledged is done once.
"""

import asyncio
import contextlib
import re
from pathlib import Path

import pytest

from bot.cli import EX_CONFIG
from tests.support.stored import connect_directly, corrupt_table

from . import faults
from .moments import MOMENTS, TurnMoment
from .tabula import WireHarness, wait_for_log
from .world import DEADLINE_S

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]

TROUBLES = {
    "403": (faults.FORBIDDEN, 2),
    "429": (faults.make_rate_limit(0.5), 2),
    "429 though it acted": (
        faults.RequestFault(429, 0, "You are being rate limited.", after=True, retry_after=0.2),
        1,
    ),
    "401 though it acted": (faults.RequestFault(401, 0, "401: Unauthorized", after=True), 1),
    "404 of something before Discord": (faults.RequestFault(404, 0, "404: Not Found"), 1),
    "500": (faults.BROKEN, 1),
    "500 though it acted": (faults.BROKEN_AFTER, 1),
    "503": (faults.UNAVAILABLE, 1),
    "dropped before": (faults.DROP_BEFORE, 1),
    "dropped after": (faults.DROP_AFTER, 1),
}
"""Faults, and how many times in a row each happens.

The library itself waits a second or more after each 500.
"""


ACTED = re.compile(r"^<@\d+> (rolled|played) ")
"""How a command's answer begins."""
SHOWN_S = 40.0
"""Seconds within which a match is shown though Discord did not answer.

By default aiohttp waits for five minutes.
"""


async def count_failed_acts(
    wire: WireHarness, moment: TurnMoment, fault: faults.RequestFault, times: int
) -> int:
    """Play until a fault has hit a moment of a turn.

    Returns how many acts failed and had to be repeated.
    """
    await wire.play_to_throw()
    first = len(wire.server.requests)
    befalling = asyncio.ensure_future(moment.inject_fault(wire.server, fault, times))
    # Let it be in force before anybody acts.
    await asyncio.sleep(0)
    count = 0
    while not any(one.status == fault.status for one in wire.server.requests[first:]):
        if befalling.done():
            # Raises what kept the fault from being in force: without it this would never end.
            befalling.result()
        before = wire.get_saved_version()
        with contextlib.suppress(TimeoutError):
            await moment.way(wire, DEADLINE_S)
            await wire.wait_until_shown(after=before)
        await wire.wait_for_jobs()
        count += wire.get_saved_version() == before
    await befalling
    wire.server.faults.clear()
    return count


@pytest.mark.parametrize("trouble", TROUBLES)
async def test_trouble_at_every_moment_of_a_turn(wire: WireHarness, trouble: str) -> None:
    fault, times = TROUBLES[trouble]
    async with wire.start_bot():
        await wire.wait_for_shard()
        await wire.begin_match("zeno")
        for moment in MOMENTS:
            before = await wire.load_events()
            # What Discord does not let the bot acknowledge is saved before that, and still shown.
            assert await count_failed_acts(wire, moment, fault, times) == 0, moment
            after = await wire.load_events()
            assert after[: len(before)] == before
            assert len(after) > len(before)
    # The first act made a challenge; the second accepted it, with which the match begins.
    assert wire.list_causes() == [act.id for act in wire.list_interactions()][1:]
    replies = [
        reply
        for person in (wire.ana, wire.ben)
        for reply in person.list_messages()
        if reply.ephemeral and not reply.loading
    ]
    # A command says what it did, and nobody is told of any trouble.
    assert [reply.text for reply in replies if not ACTED.search(reply.text)] == []


@pytest.mark.parametrize("request_", ["callback", "edit message", "post message"])
async def test_an_answer_that_never_comes_is_not_waited_for(
    wire: WireHarness, request_: str
) -> None:
    async with wire.start_bot():
        await wire.begin_match("zeno")
        await wire.play_to_throw()
        wire.server.faults.hold_request(request_, after=True)
        while wire.server.faults.has_pending:
            before = wire.get_saved_version()
            await wire.act_by_control()
            await wire.wait_until_saved(before, SHOWN_S)
            await wire.wait_for_jobs(SHOWN_S)
    assert (
        wire.list_causes()
        == [act.id for act in wire.list_interactions() if act.callback is not None][1:]
    )


async def test_of_two_bots_with_one_token_the_log_tells(wire: WireHarness, tmp_path: Path) -> None:
    with (tmp_path / "log").open("wb") as log:
        async with wire.start_bot(stderr=log.fileno()):
            await wire.begin_match("zeno")
            async with wire.start_bot(stderr=log.fileno(), TABULA_DATABASE="another.sqlite3"):
                await wire.server.world.changes.wait_until(
                    lambda: len(wire.server.world.sessions.list_connected()) == 2,
                    lambda: "one bot",
                    30.0,
                )
                await wire.act_by_control()
                await wait_for_log(tmp_path / "log", "answered interaction", 10)
            await wire.wait_for_jobs()
    assert b"Traceback" not in (tmp_path / "log").read_bytes()


async def test_a_bot_whose_database_is_damaged_ends_with_a_sentence(
    wire: WireHarness, tmp_path: Path
) -> None:
    with (tmp_path / "log").open("wb") as log:
        async with wire.start_bot(stderr=log.fileno()) as process:
            await wire.begin_match("zeno")
            await wire.wait_for_jobs()
            with connect_directly(wire.database) as other:
                other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            corrupt_table(wire.database, "events")
            with contextlib.suppress(TimeoutError):
                await wire.act_by_control(timeout=1.0)
            assert await asyncio.wait_for(process.wait(), 30) == EX_CONFIG
    text = (tmp_path / "log").read_text(encoding="utf-8")
    assert text.splitlines()[-1].startswith(f"tabula: {wire.database.name} is damaged")
    assert "restore a backup" in text
    assert "Traceback" not in text
