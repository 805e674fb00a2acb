"""The real bot, killed without warning in the middle of moves, loses nothing that anybody was told."""

import asyncio
import secrets
import sys
import time
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.app import challenge, play
from bot.app.house import House
from bot.app.people import Person
from bot.app.record import to_file, verify
from bot.client import now_ms
from bot.store import Store, backup

from .discord_server import DiscordServer
from .moments import MOMENTS, Moment
from .tabula import Wire

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]

BEFORE_ANSWER = Moment("callback", after=False)
BEFORE_FOLLOWING = Moment("follow up", after=False)
BEFORE_CLOSING = Moment("edit message", after=False)
MOVED_ON = "has moved on"
KILLS = 12


@pytest_asyncio.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    """A server with Ana and Ben, and a database that is not there yet."""
    async with await DiscordServer.start() as server:
        yield Wire(server, tmp_path / "tabula.sqlite3", server.person("ana"), server.person("ben"))


async def kept(wire: Wire) -> list[dict[str, Any]]:
    """Return the events of match 1; the file is whole, and by the rules and the secret they come to what it says."""
    # A copy, since the bot may be running, and has the file for itself.
    copy = wire.database.with_name(f"{secrets.token_hex(4)}.sqlite3")
    await backup(wire.database, copy)
    async with await Store.open(copy) as store:
        assert await store.check() == []
        table = await play.load(House(store, now_ms, secrets.token_bytes), 1)
        events = [event.record for event in await store.matches.events(1)]
    assert table.match.version == table.row.version == len(events)
    assert table.row.snapshot == play.snapshot(table.match)
    assert verify(to_file(table, events)).wrong is None
    return events


async def caught_up(wire: Wire) -> None:
    """Where the channel shows less than the match, what can be pressed there says so, and `/board` shows the rest."""
    if wire.over() or wire.shown_version() == wire.saved_version():
        return
    seen = wire.newest()
    for custom_id in seen.pressable():
        await wire.refused(wire.called(), seen, custom_id, MOVED_ON)
    await wire.ana.slash("board", {"share": True})
    assert wire.shown_version() == wire.saved_version()


async def killed_at(wire: Wire, moment: Moment, deed: Awaitable[object]) -> None:
    """Start the bot, and kill it at that moment of a deed."""
    async with wire.bot() as process:
        await wire.killed(process, deed, moment.hold(wire.server).reached())


async def test_killed_at_any_time_of_a_move(wire: Wire) -> None:
    async with wire.bot():
        await wire.begin("zeno")
    before: list[dict[str, Any]] = []
    for kill in range(KILLS):
        async with wire.bot() as process:
            after = await kept(wire)
            assert after[: len(before)] == before
            await caught_up(wire)
            await wire.play(1)
            begun = time.monotonic()
            await wire.play(1)
            usual = time.monotonic() - begun
            before, acts = await kept(wire), len(wire.acts())
            await wire.killed(process, wire.act(), asyncio.sleep(usual * kill / (KILLS - 2)))
            assert wire.saved_version() >= wire.shown_version()
            assert wire.saved_version() > len(before) or not wire.told(acts)
    assert (await kept(wire))[: len(before)] == before


@pytest.mark.parametrize("moment", MOMENTS, ids=str)
async def test_killed_at_a_moment_of_a_turn(wire: Wire, moment: Moment) -> None:
    async with wire.bot():
        await wire.begin("zeno")
    begun, acts = await kept(wire), len(wire.acts())
    await killed_at(wire, moment, wire.play(100))
    played = await kept(wire)
    assert played[: len(begun)] == begun
    assert len(played) > len(begun) or not wire.told(acts)
    assert wire.saved_version() >= wire.shown_version()
    async with wire.bot():
        await caught_up(wire)
        await wire.play(3)
    # What was saved stood, throws too, and was not made again.
    assert (await kept(wire))[: len(played)] == played


async def test_killed_before_anybody_was_told_of_a_throw(wire: Wire) -> None:
    async with wire.bot():
        await wire.begin("zeno")
    told = await kept(wire)
    await killed_at(wire, BEFORE_ANSWER, wire.act())
    thrown = await kept(wire)
    assert thrown[-1]["event"] == "thrown"
    assert thrown[:-1] == told
    async with wire.bot():
        assert wire.shown_version() == len(told)
        await caught_up(wire)
        await wire.play(3)
    # The throw stood, and was not made again.
    assert (await kept(wire))[: len(thrown)] == thrown


async def test_killed_before_the_next_player_was_called(wire: Wire) -> None:
    async with wire.bot():
        await wire.begin("zeno")
    await killed_at(wire, BEFORE_FOLLOWING, wire.play(100))
    played = await kept(wire)
    async with wire.bot():
        assert wire.newest().pressable() == {}
        await caught_up(wire)
        await wire.play(3)
    assert (await kept(wire))[: len(played)] == played


async def test_killed_before_the_old_buttons_were_taken_away(wire: Wire) -> None:
    async with wire.bot():
        await wire.begin("zeno")
        await wire.play(1)
    used = wire.newest()
    menu, control = next(iter(used.pressable().items()))
    typed = control["options"][0]["value"]
    await killed_at(wire, BEFORE_CLOSING, wire.called().slash("move", {"play": typed}))
    assert (await kept(wire))[-1]["event"] == "played"
    async with wire.bot():
        assert wire.shown_version() == wire.saved_version()
        left = next(each for each in wire.server.channel_messages() if each.message_id == used.message_id)
        assert menu in left.pressable()
        await wire.refused(wire.called(), used, menu, MOVED_ON)
        await wire.play(3)


async def test_a_button_left_by_a_killed_bot_works_once(wire: Wire) -> None:
    async with wire.bot() as process:
        await wire.begin("zeno")
        await wire.kill(process)
        with pytest.raises(TimeoutError):
            await wire.act(timeout=0.3)
    before, seen, mover = wire.saved_version(), wire.newest(), wire.called()
    async with wire.bot() as process:
        await wire.play(1)
        assert wire.saved_version() > before
        await wire.kill(process)
    async with wire.bot():
        await wire.refused(mover, seen, seen.custom_id("Roll"), MOVED_ON)
        await wire.play(1)


async def test_killed_before_the_acceptance_was_answered(wire: Wire) -> None:
    await killed_at(wire, BEFORE_ANSWER, wire.ana.slash("challenge", {"game": "zeno"}))
    async with wire.bot() as process:
        await wire.ana.slash("challenge", {"game": "zeno"})
        offer = wire.newest()
        gate = BEFORE_ANSWER.hold(wire.server)
        await wire.killed(process, wire.ben.press(offer, offer.custom_id("Accept")), gate.reached())
    async with wire.bot():
        assert await kept(wire)
        await wire.refused(wire.ben, offer, offer.custom_id("Accept"), "was accepted before")
        await wire.ana.slash("board", {"share": True})
        await wire.play(3)


async def test_killed_between_the_acceptance_and_the_first_throw(wire: Wire) -> None:
    async with wire.bot():
        await wire.ana.slash("challenge", {"game": "zeno"})
    async with await Store.open(wire.database) as store:
        house = House(store, now_ms, secrets.token_bytes)
        await challenge.accept(house, 1, Person(wire.ben.id, "Ben"), None, "of a bot that was killed")
    assert wire.saved_version() == 0
    async with wire.bot():
        await wire.ana.slash("board", {"share": True})
        await wire.play(4)
    assert await kept(wire)


async def test_a_whole_match_through_kills_has_a_record_that_verifies(wire: Wire, tmp_path: Path) -> None:
    async with wire.bot() as process:
        await wire.begin("twelve-dogs")
        await wire.play(1)
        await wire.kill(process)
    async with wire.bot() as process:
        await wire.play(4)
        await wire.kill(process)
    async with wire.bot():
        while not wire.over():
            await wire.play(1)
        end = wire.newest()
    record = tmp_path / "record.json"
    record.write_bytes(next(file.data for file in end.files if file.name.endswith(".json")))
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "verify", str(record), stdout=asyncio.subprocess.PIPE
    )
    said, _ = await program.communicate()
    assert program.returncode == 0
    assert b"every event by the rules" in said
