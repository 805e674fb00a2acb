"""People who act at the same moment, busy matches, deleted messages, and a bot that is stopped."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import groupby

import discord
import pytest

from bot.app import play
from bot.app.context import MOST_ANSWERS
from bot.client import Tabula, point_at
from bot.store import Store
from engine.clock import turn_of

from .tabula import Wire
from .world import DEADLINE_S, SILENT, Interaction

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]

BOTH_ANSWERED_S = 10.0
QUICK_PRESSES = 30


@asynccontextmanager
async def bot_in_reach(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Tabula]:
    """Run the bot inside the test, where its locks can be held."""
    # Set to what they are, so that they are put back at the end.
    monkeypatch.setattr(discord.http.Route, "BASE", discord.http.Route.BASE)
    monkeypatch.setattr(
        discord.gateway.DiscordWebSocket,
        "DEFAULT_GATEWAY",
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY,
    )
    monkeypatch.setattr(discord.asset.Asset, "BASE", discord.asset.Asset.BASE)
    point_at(wire.server.api)
    async with await Store.open(wire.database) as store, Tabula(store) as bot:
        running = asyncio.create_task(bot.start(wire.server.world.token))
        await wire.server.ready()
        yield bot
        await bot.close()
        await running


async def acknowledged(wire: Wire, act: Interaction) -> None:
    """Wait, as long as Discord does, until an act is acknowledged."""
    changes = wire.server.world.changes
    await changes.until(lambda: act.answered is not None, lambda: "no acknowledgement", DEADLINE_S)


async def test_a_press_is_acknowledged_while_the_match_is_busy(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bot_in_reach(wire, monkeypatch) as bot:
        await wire.begin("zeno")
        await wire.to_a_throw()
        before = wire.saved_version()
        seen = wire.newest()
        async with bot.app.lock(1):
            act = await wire.called().begin_press(seen, seen.custom_id("Roll"))
            await acknowledged(wire, act)
            assert act.callback == SILENT
            # As long as a slow action takes that holds the lock.
            await asyncio.sleep(DEADLINE_S)
            assert wire.saved_version() == before
        await wire.shown(after=before)
        await wire.healed()
        assert wire.causes().count(act.id) == 1


async def test_slow_answers_hold_up_the_others_for_a_moment_only(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bot_in_reach(wire, monkeypatch) as bot:
        await wire.begin("zeno")
        await wire.to_a_throw()
        for _ in range(MOST_ANSWERS):
            await bot.app.answers.acquire()
        await wire.play(1)
        await wire.healed()


async def test_of_those_who_press_at_once_one_acts_and_the_others_are_told(wire: Wire) -> None:
    async with wire.bot():
        await wire.begin("zeno")
        for _ in range(4):
            before = wire.saved_version()
            seen, mover = wire.newest(), wire.called()
            other = wire.ben if mover is wire.ana else wire.ana
            last = max((one.message_id or 0) for person in (mover, other) for one in person.sees())
            custom_id = next(iter(seen.pressable()))
            acts = [await person.begin_use(seen, custom_id) for person in (mover, other, mover)]
            await wire.shown(after=before)
            for act in acts:
                await acknowledged(wire, act)
            await wire.healed()
            assert len(set(wire.causes()) & {act.id for act in acts}) == 1
            assert acts[1].id not in wire.causes()
            await other.told("", after=last)
            await mover.told("has moved on", after=last)


@pytest.mark.core
async def test_each_turn_has_one_message_however_quickly_one_presses(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bot_in_reach(wire, monkeypatch) as bot:
        await wire.begin("zeno")
        versions = [wire.saved_version()]
        for _ in range(QUICK_PRESSES):
            await wire.play(1)
            versions.append(wire.saved_version())
        await wire.healed()
        sitting = await play.load(bot.app, 1)
        happened = await play.history(bot.app, sitting.row)
        turns = [turn_of(happened[version - 1].after) for version in versions]
        _challenge, *messages = wire.server.channel_messages()
        assert len(messages) == len(list(groupby(turns)))


async def test_a_turn_that_is_over_stays_as_it_is_when_its_buttons_are_pressed_late(
    wire: Wire,
) -> None:
    async with wire.bot():
        await wire.begin("zeno")
        await wire.to_a_throw()
        seen, mover = wire.newest(), wire.called()
        await wire.play(2)
        await wire.healed()
        (closed,) = [
            one for one in wire.server.channel_messages() if one.message_id == seen.message_id
        ]
        assert " played " in closed.text
        await wire.press(mover, seen, seen.custom_id("Roll"))
        await mover.told("has moved on")
        (after,) = [
            one for one in wire.server.channel_messages() if one.message_id == seen.message_id
        ]
        assert after == closed


async def test_the_match_goes_on_in_a_new_message_as_often_as_it_is_deleted(wire: Wire) -> None:
    async with wire.bot():
        await wire.begin("zeno")
        for _ in range(3):
            await wire.to_a_throw()
            gone, mover, before = wire.newest(), wire.called(), wire.saved_version()
            assert gone.message_id is not None
            del wire.server.world.messages[gone.message_id]
            await mover.slash("roll")
            await wire.healed()
            assert wire.saved_version() > before
            assert (wire.newest().message_id or 0) > gone.message_id


async def test_a_message_deleted_before_the_bot_knew_of_it_is_posted_again(wire: Wire) -> None:
    async with wire.bot() as process:
        await wire.begin("zeno")
        await wire.to_a_throw()
        gate = wire.server.faults.hold("post message", after=True)
        await wire.killed(process, wire.play(100), gate.reached(30))
    gone = wire.newest().message_id or 0
    del wire.server.world.messages[gone]
    async with wire.bot():
        await wire.healed()
        assert (wire.newest().message_id or 0) > gone
        await wire.play(2)
        await wire.healed()


async def test_a_match_wakes_a_thread_that_was_archived(wire: Wire) -> None:
    async with wire.bot():
        await wire.begin("zeno")
        await wire.to_a_throw()
        where = wire.server.channel("tables")
        where.archived = True
        await wire.play(1)
        await wire.healed()
        assert not where.archived


async def test_answers_under_way_are_finished_before_it_stops(wire: Wire) -> None:
    async with wire.bot() as process:
        await wire.begin("zeno")
        await wire.to_a_throw()
        before = wire.saved_version()
        gate = wire.server.faults.hold("callback", after=True)
        seen = wire.newest()
        await wire.called().begin_press(seen, seen.custom_id("Roll"))
        await gate.reached()
        os.kill(process.pid, signal.SIGTERM)
        await asyncio.sleep(0.3)
        assert process.returncode is None
        gate.release()
        assert await asyncio.wait_for(process.wait(), BOTH_ANSWERED_S) == 128 + signal.SIGTERM
    assert wire.saved_version() > before
    assert wire.jobs() == []
    assert wire.shown_version() == wire.saved_version()
