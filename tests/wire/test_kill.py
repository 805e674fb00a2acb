"""The real bot, killed without warning: nothing shown is lost, and the channel heals by itself."""

import asyncio
import sys
import time
from collections.abc import Awaitable
from pathlib import Path

import pytest

from bot.app import tasks
from bot.app.challenge import LIMITS
from bot.client import now_ms
from bot.store import Seat, Store

from .faults import Gate
from .moments import MOMENTS, Moment
from .replies import Reply
from .tabula import Wire

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]

KILLS = 8


async def killed_at(wire: Wire, moment: Moment, *, after: bool) -> None:
    """Start the bot, let people play, and kill it at that moment."""
    async with wire.bot() as process:
        await wire.begin("zeno")
        await wire.to_a_throw()
        await wire.killed(
            process, wire.play(100, moment.way), moment.reached(wire.server, after=after)
        )


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("moment", MOMENTS, ids=str)
async def test_killed_at_a_moment_of_a_turn(wire: Wire, moment: Moment, after: bool) -> None:
    await killed_at(wire, moment, after=after)
    played, seen = await wire.kept(), wire.shown_version()
    # Nobody saw what is not saved; what was acknowledged alone was not begun.
    assert seen <= len(played)
    async with wire.bot():
        await wire.healed()
        assert await wire.kept() == played
        await wire.play(3, moment.way)
        await wire.healed()
    # What was saved stood, throws too, and was not made again.
    assert (await wire.kept())[: len(played)] == played


async def test_killed_at_any_time_of_a_move(wire: Wire) -> None:
    async with wire.bot():
        await wire.begin("zeno")
    for kill in range(KILLS):
        async with wire.bot() as process:
            await wire.healed()
            before = await wire.kept()
            begun = time.monotonic()
            await wire.play(1)
            usual = time.monotonic() - begun
            assert (await wire.kept())[: len(before)] == before
            await wire.killed(process, wire.act(), asyncio.sleep(usual * kill / (KILLS - 2)))
            assert wire.shown_version() <= wire.saved_version()
    async with wire.bot():
        await wire.healed()


@pytest.mark.core
async def test_a_button_left_by_a_killed_bot_works_once(wire: Wire) -> None:
    async with wire.bot() as process:
        await wire.begin("zeno")
        await wire.kill(process)
        with pytest.raises(TimeoutError):
            await wire.act(timeout=0.3)
    before, seen, mover = wire.saved_version(), wire.newest(), wire.called()
    async with wire.bot():
        await wire.play(1)
        after = wire.saved_version()
        assert after > before
        await wire.press(mover, seen, seen.custom_id("Roll"))
        await mover.told("has moved on")
        await wire.healed()
        assert wire.saved_version() == after


async def test_a_message_that_only_discord_knows_is_found_again(wire: Wire) -> None:
    posted = next(moment for moment in MOMENTS if moment.request == "post message")
    await killed_at(wire, posted, after=True)
    stray = wire.newest()
    async with wire.bot():
        await wire.healed()
    assert wire.newest().message_id == stray.message_id


async def challenged(wire: Wire) -> None:
    """Ana challenges whoever will play."""
    await wire.ana.slash("challenge", {"game": "zeno"})


def offers(wire: Wire) -> list[Reply]:
    """The messages under which a challenge can be accepted."""
    return [seen for seen in wire.server.channel_messages() if "Accept" in _labels(seen)]


def _labels(seen: Reply) -> list[str | None]:
    return [control.get("label") for control in seen.pressable().values()]


@pytest.mark.parametrize("request_", ["post message", "delete answer"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_killed_when_a_challenge_is_shown(wire: Wire, request_: str, after: bool) -> None:
    async with wire.bot() as process:
        await wire.killed(process, challenged(wire), _held(wire, request_, after=after))
    async with wire.bot():
        await wire.healed()
        (offer,) = offers(wire)
        await wire.ben.press(offer, offer.custom_id("Accept"))
        await wire.shown()
        await wire.healed()
        await wire.play(2)
    assert await wire.kept()


def _held(wire: Wire, request: str, *, after: bool) -> Awaitable[None]:
    gate: Gate = wire.server.faults.hold(request, after=after)
    return gate.reached()


@pytest.mark.parametrize("request_", ["callback", "edit message", "post message"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_killed_when_a_challenge_is_accepted(wire: Wire, request_: str, after: bool) -> None:
    async with wire.bot() as process:
        await challenged(wire)
        await wire.healed()
        (offer,) = offers(wire)
        accepting = wire.ben.press(offer, offer.custom_id("Accept"))
        await wire.killed(process, accepting, _held(wire, request_, after=after))
    async with wire.bot():
        await wire.healed()
        # An acceptance that was not begun is made again; one that was saved has begun the match.
        for left in offers(wire):
            await wire.ben.press(left, left.custom_id("Accept"))
            await wire.shown()
        await wire.healed()
        await wire.play(2)
        await wire.healed()
    assert await wire.kept()


async def test_killed_between_the_acceptance_and_the_first_throw(wire: Wire) -> None:
    async with wire.bot():
        await challenged(wire)
        await wire.healed()
    seat, now = Seat("black", 0, wire.ben.id, "of a bot that was killed"), now_ms()
    async with await Store.open(wire.database) as store:
        await store.people.remember(wire.ben.id, "Ben", now)
        await store.challenges.join(
            1,
            seat,
            1,
            now,
            LIMITS,
            lambda after, match: [
                tasks.show_challenge(after.id, now),
                tasks.show_match(match or 0, now),
            ],
        )
    assert wire.saved_version() == 0
    async with wire.bot():
        await wire.healed()
        await wire.play(4)
        await wire.healed()
    assert await wire.kept()


async def test_a_whole_match_through_kills_has_a_record_that_verifies(
    wire: Wire, tmp_path: Path
) -> None:
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
        await wire.healed()
        end = wire.newest()
        await wire.ana.press(end, end.custom_id("Record"))
        told = await wire.ana.told("", after=end.message_id)
    record = tmp_path / "record.json"
    record.write_bytes(next(file.data for file in told.files if file.name.endswith(".json")))
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "verify", str(record), stdout=asyncio.subprocess.PIPE
    )
    said, _ = await program.communicate()
    assert program.returncode == 0
    assert b"every event follows the rules" in said
