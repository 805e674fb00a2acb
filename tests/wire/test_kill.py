"""The real bot, killed without warning: nothing shown is lost, and the channel heals by itself."""

import asyncio
import sqlite3
import sys
import time
from collections.abc import Awaitable
from contextlib import closing
from pathlib import Path

import pytest

from bot.features.challenges.service import LIMITS, ShowChallenge
from bot.features.challenges.store import Challenges
from bot.features.matches.jobs import ShowMatch
from bot.features.matches.rows import Seat
from bot.platform.db.store import Store
from bot.platform.db.tables import now_ms

from .faults import Gate
from .moments import MOMENTS, TurnMoment
from .replies import Reply
from .tabula import WireHarness

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]

KILLS = 8


async def kill_at_moment(wire: WireHarness, moment: TurnMoment, *, after: bool) -> None:
    """Start the bot, let people play, and kill it at that moment."""
    async with wire.start_bot() as process:
        await wire.begin_match("zeno")
        await wire.play_to_throw()
        await wire.kill_during(
            process, wire.play(100, moment.way), moment.hold_request(wire.server, after=after)
        )


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("moment", MOMENTS, ids=str)
async def test_killed_at_a_moment_of_a_turn(
    wire: WireHarness, moment: TurnMoment, after: bool
) -> None:
    await kill_at_moment(wire, moment, after=after)
    played, seen = await wire.load_events(), wire.get_shown_version()
    # Nobody saw what is not saved; what was acknowledged alone was not begun.
    assert seen <= len(played)
    async with wire.start_bot():
        await wire.wait_for_jobs()
        assert await wire.load_events() == played
        await wire.play(3, moment.way)
        await wire.wait_for_jobs()
    # What was saved stood, throws too, and was not made again.
    assert (await wire.load_events())[: len(played)] == played


async def test_killed_at_any_time_of_a_move(wire: WireHarness) -> None:
    async with wire.start_bot():
        await wire.begin_match("zeno")
    for kill in range(KILLS):
        async with wire.start_bot() as process:
            await wire.wait_for_jobs()
            before = await wire.load_events()
            begun = time.monotonic()
            await wire.play(1)
            usual = time.monotonic() - begun
            assert (await wire.load_events())[: len(before)] == before
            await wire.kill_during(
                process, wire.act_by_control(), asyncio.sleep(usual * kill / (KILLS - 2))
            )
            assert wire.get_shown_version() <= wire.get_saved_version()
    async with wire.start_bot():
        await wire.wait_for_jobs()


@pytest.mark.core
async def test_a_button_left_by_a_killed_bot_works_once(wire: WireHarness) -> None:
    async with wire.start_bot() as process:
        await wire.begin_match("zeno")
        await wire.kill(process)
        with pytest.raises(TimeoutError):
            await wire.act_by_control(timeout=0.3)
    before, reply, mover = (
        wire.get_saved_version(),
        wire.get_newest_message(),
        wire.get_next_player(),
    )
    async with wire.start_bot():
        await wire.play(1)
        after = wire.get_saved_version()
        assert after > before
        told = mover.list_private()
        act = await mover.begin_use(reply, reply.find_custom_id("Roll"))
        await wire.wait_for_acknowledgement(act)
        await wire.wait_for_jobs()
        assert mover.list_private() == told
        assert wire.get_saved_version() == after


async def test_dice_that_a_killed_bot_was_about_to_throw_are_thrown_once(wire: WireHarness) -> None:
    with closing(sqlite3.connect(wire.database, isolation_level=None)) as connection:
        connection.execute("UPDATE habits SET throws = 1")
    async with wire.start_bot() as process:
        await wire.begin_match("zeno")
        mover = wire.get_next_player()
        while wire.get_next_player() is mover:
            await wire.play(1)
        assert "I'll roll for you" in wire.get_newest_message().text
        await wire.kill(process)
    before = wire.get_saved_version()
    async with wire.start_bot():
        await wire.wait_until_shown(after=before)
        await wire.wait_for_jobs()
        await wire.play(1)
    events = [each["event"] for each in await wire.load_events()]
    assert events[before] == "thrown"
    assert "thrown" not in events[before - 1]


async def test_a_message_that_only_discord_knows_is_found_again(wire: WireHarness) -> None:
    posted = next(moment for moment in MOMENTS if moment.request == "post message")
    await kill_at_moment(wire, posted, after=True)
    stray = wire.get_newest_message()
    async with wire.start_bot():
        await wire.wait_for_jobs()
    assert wire.get_newest_message().message_id == stray.message_id


async def send_challenge(wire: WireHarness) -> None:
    """Ana challenges whoever will play."""
    await wire.ana.slash("challenge", {"game": "zeno"})


def list_offers(wire: WireHarness) -> list[Reply]:
    """The messages under which a challenge can be accepted."""
    return [reply for reply in wire.server.list_messages() if "Accept" in reply.list_labels()]


@pytest.mark.parametrize("request_", ["post message", "delete answer"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_killed_when_a_challenge_is_shown(
    wire: WireHarness, request_: str, after: bool
) -> None:
    async with wire.start_bot() as process:
        await wire.kill_during(
            process, send_challenge(wire), _hold_request(wire, request_, after=after)
        )
    async with wire.start_bot():
        await wire.wait_for_jobs()
        (offer,) = list_offers(wire)
        await wire.ben.press(offer, offer.find_custom_id("Accept"))
        await wire.wait_until_shown()
        await wire.wait_for_jobs()
        await wire.play(2)
    assert await wire.load_events()


def _hold_request(wire: WireHarness, request: str, *, after: bool) -> Awaitable[None]:
    gate: Gate = wire.server.faults.hold_request(request, after=after)
    return gate.wait_until_reached()


@pytest.mark.parametrize("request_", ["callback", "edit message", "post message"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_killed_when_a_challenge_is_accepted(
    wire: WireHarness, request_: str, after: bool
) -> None:
    async with wire.start_bot() as process:
        await send_challenge(wire)
        await wire.wait_for_jobs()
        (offer,) = list_offers(wire)
        accepting = wire.ben.press(offer, offer.find_custom_id("Accept"))
        await wire.kill_during(process, accepting, _hold_request(wire, request_, after=after))
    async with wire.start_bot():
        await wire.wait_for_jobs()
        # An acceptance that was not begun is made again; one that was saved has begun the match.
        for left in list_offers(wire):
            await wire.ben.press(left, left.find_custom_id("Accept"))
            await wire.wait_until_shown()
        await wire.wait_for_jobs()
        await wire.play(2)
        await wire.wait_for_jobs()
    assert await wire.load_events()


async def test_killed_between_the_acceptance_and_the_first_throw(wire: WireHarness) -> None:
    async with wire.start_bot():
        await send_challenge(wire)
        await wire.wait_for_jobs()
    seat, now = Seat("black", 0, wire.ben.id, "of a bot that was killed"), now_ms()
    async with await Store.open(wire.database) as store:
        await store.people.save_name(wire.ben.id, "Ben", now)
        await store.get(Challenges).join(
            1,
            seat,
            1,
            now,
            LIMITS,
            lambda after, match: [
                ShowChallenge(after.id).build_job(now),
                ShowMatch(match or 0).build_job(now),
            ],
        )
    assert wire.get_saved_version() == 0
    async with wire.start_bot():
        await wire.wait_for_jobs()
        await wire.play(4)
        await wire.wait_for_jobs()
    assert await wire.load_events()


async def test_a_whole_match_through_kills_has_a_record_that_verifies(
    wire: WireHarness, tmp_path: Path
) -> None:
    async with wire.start_bot() as process:
        await wire.begin_match("twelve-dogs")
        await wire.play(1)
        await wire.kill(process)
    async with wire.start_bot() as process:
        await wire.play(4)
        await wire.kill(process)
    async with wire.start_bot():
        while not wire.is_over():
            await wire.play(1)
        await wire.wait_for_jobs()
        end = wire.get_newest_message()
        await wire.ana.press(end, end.find_custom_id("More…"))
        more = await wire.ana.wait_for_ephemeral("", after=end.message_id)
        await wire.ana.press(more, more.find_custom_id("Record"))
        reply = await wire.ana.wait_for_ephemeral("", after=more.message_id)
    record = tmp_path / "record.json"
    record.write_bytes(next(file.data for file in reply.files if file.name.endswith(".json")))
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "verify", str(record), stdout=asyncio.subprocess.PIPE
    )
    said, _ = await program.communicate()
    assert program.returncode == 0
    assert b"every move is legal" in said
