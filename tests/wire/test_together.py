"""People who act at the same moment, busy matches, deleted messages, and a bot that is stopped."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import groupby
from typing import Any

import discord
import pytest

from bot.client import Tabula, use_api_at
from bot.features.matches import loading
from bot.platform.context import MAX_ANSWERS
from bot.platform.db.store import Store
from bot.platform.ui.dispatch import hold_slot
from engine.clock import find_turn

from .faults import Gate, RequestFault
from .tabula import MAN, WireHarness, find_first_control
from .world import DEADLINE_S, SILENT

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]

BOTH_ANSWERED_S = 10.0
QUICK_PRESSES = 30


@asynccontextmanager
async def start_bot_here(
    wire: WireHarness,
    monkeypatch: pytest.MonkeyPatch,
    **settings: Any,
) -> AsyncIterator[Tabula]:
    """Run the bot inside the test, where its locks can be held; `settings` are the client's."""
    # Set to what they are, so that they are put back at the end.
    monkeypatch.setattr(discord.http.Route, "BASE", discord.http.Route.BASE)
    monkeypatch.setattr(
        discord.gateway.DiscordWebSocket,
        "DEFAULT_GATEWAY",
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY,
    )
    monkeypatch.setattr(discord.asset.Asset, "BASE", discord.asset.Asset.BASE)
    use_api_at(wire.server.api)
    async with await Store.open(wire.database) as store, Tabula(store, **settings) as bot:
        running = asyncio.create_task(bot.start(wire.server.world.token))
        await wire.server.wait_until_ready()
        yield bot
        await bot.close()
        await running


async def test_a_press_is_acknowledged_while_the_match_is_busy(
    wire: WireHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with start_bot_here(wire, monkeypatch) as bot:
        await wire.begin_match("zeno")
        await wire.play_to_throw()
        before = wire.get_saved_version()
        reply = wire.get_newest_message()
        async with bot.app.get_match_lock(1):
            act = await wire.get_next_player().begin_press(reply, reply.find_custom_id("Roll"))
            await wire.wait_for_acknowledgement(act)
            assert act.callback == SILENT
            # As long as a slow action takes that holds the lock.
            await asyncio.sleep(DEADLINE_S)
            assert wire.get_saved_version() == before
        await wire.wait_until_shown(after=before)
        await wire.wait_for_jobs()
        assert wire.list_causes().count(act.id) == 1


async def test_slow_answers_hold_up_the_others_for_a_moment_only(
    wire: WireHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with start_bot_here(wire, monkeypatch) as bot:
        await wire.begin_match("zeno")
        await wire.play_to_throw()
        async with AsyncExitStack() as slow:
            for _ in range(MAX_ANSWERS):
                await slow.enter_async_context(hold_slot(bot.app.answers))
            await wire.play(1)
            await wire.wait_for_jobs()


async def test_of_those_who_press_at_once_one_acts_and_who_may_not_is_told(
    wire: WireHarness,
) -> None:
    async with wire.start_bot():
        await wire.begin_match("zeno")
        for _ in range(4):
            before = wire.get_saved_version()
            reply, mover = wire.get_newest_message(), wire.get_next_player()
            other = wire.ben if mover is wire.ana else wire.ana
            last = max(
                (one.message_id or 0) for person in (mover, other) for one in person.list_messages()
            )
            custom_id = next(iter(reply.find_controls()))
            acts = [await person.begin_use(reply, custom_id) for person in (mover, other, mover)]
            await wire.wait_until_shown(after=before)
            for act in acts:
                await wire.wait_for_acknowledgement(act)
            await wire.wait_for_jobs()
            assert len(set(wire.list_causes()) & {act.id for act in acts}) == 1
            assert acts[1].id not in wire.list_causes()
            await other.wait_for_ephemeral("", after=last)
            # Who pressed twice sees that it was done.
            assert mover.list_private(after=last) == []


@pytest.mark.core
async def test_each_turn_has_one_message_however_quickly_one_presses(
    wire: WireHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with start_bot_here(wire, monkeypatch) as bot:
        await wire.begin_match("zeno")
        versions = [wire.get_saved_version()]
        for _ in range(QUICK_PRESSES):
            await wire.play(1)
            versions.append(wire.get_saved_version())
        await wire.wait_for_jobs()
        session = await loading.load_session(bot.app, 1)
        happened = await loading.load_history(bot.app, session.row)
        turns = [find_turn(happened[version - 1].after) for version in versions]
        _challenge, *messages = wire.server.list_messages()
        assert len(messages) == len(list(groupby(turns)))


async def test_a_turn_that_is_over_stays_as_it_is_when_its_buttons_are_pressed_late(
    wire: WireHarness,
) -> None:
    async with wire.start_bot():
        await wire.begin_match("zeno")
        await wire.play_to_throw()
        reply, mover = wire.get_newest_message(), wire.get_next_player()
        await wire.play(2)
        await wire.wait_for_jobs()
        (closed,) = [
            one for one in wire.server.list_messages() if one.message_id == reply.message_id
        ]
        assert " played " in closed.text
        told = mover.list_private()
        act = await mover.begin_use(reply, reply.find_custom_id("Roll"))
        await wire.wait_for_acknowledgement(act)
        await wire.wait_for_jobs()
        assert mover.list_private() == told
        (after,) = [
            one for one in wire.server.list_messages() if one.message_id == reply.message_id
        ]
        assert after == closed


async def test_the_match_goes_on_in_a_new_message_as_often_as_it_is_deleted(
    wire: WireHarness,
) -> None:
    async with wire.start_bot():
        await wire.begin_match("zeno")
        for _ in range(3):
            await wire.play_to_throw()
            gone, mover, before = (
                wire.get_newest_message(),
                wire.get_next_player(),
                wire.get_saved_version(),
            )
            assert gone.message_id is not None
            del wire.server.world.messages[gone.message_id]
            await mover.slash("roll")
            await wire.wait_for_jobs()
            assert wire.get_saved_version() > before
            assert (wire.get_newest_message().message_id or 0) > gone.message_id


async def test_a_message_deleted_before_the_bot_knew_of_it_is_posted_again(
    wire: WireHarness,
) -> None:
    async with wire.start_bot() as process:
        await wire.begin_match("zeno")
        await wire.play_to_throw()
        gate = wire.server.faults.hold_request("post message", after=True)
        await wire.kill_during(process, wire.play(100), gate.wait_until_reached(30))
    gone = wire.get_newest_message().message_id or 0
    del wire.server.world.messages[gone]
    async with wire.start_bot():
        await wire.wait_for_jobs()
        assert (wire.get_newest_message().message_id or 0) > gone
        await wire.play(2)
        await wire.wait_for_jobs()


async def test_a_match_wakes_a_thread_that_was_archived(wire: WireHarness) -> None:
    async with wire.start_bot():
        await wire.begin_match("zeno")
        await wire.play_to_throw()
        where = wire.server.get_channel("tables")
        where.archived = True
        await wire.play(1)
        await wire.wait_for_jobs()
        assert not where.archived


async def test_answers_under_way_are_finished_before_it_stops(wire: WireHarness) -> None:
    async with wire.start_bot() as process:
        await wire.begin_match("zeno")
        await wire.play_to_throw()
        before = wire.get_saved_version()
        gate = wire.server.faults.hold_request("callback", after=True)
        reply = wire.get_newest_message()
        await wire.get_next_player().begin_press(reply, reply.find_custom_id("Roll"))
        await gate.wait_until_reached()
        os.kill(process.pid, signal.SIGTERM)
        await asyncio.sleep(0.3)
        assert process.returncode is None
        gate.release()
        assert await asyncio.wait_for(process.wait(), BOTH_ANSWERED_S) == 128 + signal.SIGTERM
    assert wire.get_saved_version() > before
    assert wire.list_jobs() == []
    assert wire.get_shown_version() == wire.get_saved_version()


async def test_nobody_waits_while_discord_takes_the_choice_of_a_man(wire: WireHarness) -> None:
    async with wire.start_bot():
        # Its men soon stand on so many points that moves have no room for a button each.
        await wire.begin_match("quinze-tablas")
        while not MAN.match(find_first_control(wire.get_newest_message())):
            await wire.play(1)
        await wire.wait_for_jobs()
        reply, before = wire.get_newest_message(), wire.get_saved_version()
        mover = wire.get_next_player(reply)
        other = wire.ben if mover is wire.ana else wire.ana
        gate = Gate()
        held: set[str] = set()

        def is_choice(path: str) -> bool:
            # The first answer is the mover's. The other player's must get through: on a busy
            # machine it is acknowledged before it is saved.
            held.update(() if held else (path,))
            return path in held

        fault = RequestFault(gate=gate)
        wire.server.faults.inject("callback", fault, times=None, where=is_choice)
        await mover.begin_use(reply, find_first_control(reply))
        await gate.wait_until_reached()

        await other.begin_slash("match draw", {"what": "offer"})
        await wire.wait_until_saved(before)

        wire.server.faults.clear()
        gate.release()
        await wire.wait_for_jobs()
        assert wire.get_shown_version() == wire.get_saved_version()
        labels = wire.get_live_message().list_labels()
        assert any("draw" in (each or "").lower() for each in labels), labels
