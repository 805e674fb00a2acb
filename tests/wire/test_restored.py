"""A restored backup: the match lives in its newest message.

What was posted since the backup is known as lost.
"""

import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.upkeep.test_command import run_tabula

from .people import WirePerson
from .replies import Reply
from .sessions import poll_until
from .tabula import WireHarness, filter_live_messages, find_match_version

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]

COPY = "copy.sqlite3"
LOST = "restored from an older backup"

RestoreMethod = Callable[[WireHarness], Awaitable[None]]


async def restore_by_command(wire: WireHarness) -> None:
    """Put the backup back by `tabula restore`."""
    there = {"TABULA_DATABASE": wire.database.name}
    status, texts = await run_tabula(wire.database.parent, "restore", COPY, "--replace", **there)
    assert status == 0, texts


async def restore_by_hand(wire: WireHarness) -> None:
    """Put the backup back by copying the file over the other."""
    for end in ("-wal", "-shm"):
        Path(f"{wire.database}{end}").unlink(missing_ok=True)
    shutil.copy(wire.database.with_name(COPY), wire.database)


async def play_and_restore(wire: WireHarness, way: RestoreMethod) -> tuple[Reply, WirePerson]:
    """Play, back up, play on, and restore the backup.

    Returns the live message of the lost time and its player.
    """
    async with wire.start_bot():
        await wire.begin_match("zeno")
        await wire.play_to_throw()
        there = {"TABULA_DATABASE": wire.database.name}
        status, texts = await run_tabula(wire.database.parent, "backup", COPY, **there)
        assert status == 0, texts
        await wire.play(2)
        await wire.play_to_throw()
        lost = wire.get_live_message(), wire.get_next_player()
    await way(wire)
    return lost


def list_messages(wire: WireHarness) -> list[Reply]:
    """The messages of the channel."""
    return wire.server.list_messages()


def get_other_live_message(wire: WireHarness, lost: Reply) -> Reply:
    """The one message but the lost one by which the match can be played."""
    live = filter_live_messages(list_messages(wire))
    (found,) = [reply for reply in live if reply.message_id != lost.message_id]
    return found


async def wait_for_repost(wire: WireHarness, lost: Reply) -> Reply:
    """Wait until the match is posted again, and return its message."""
    return await wire.server.wait_for_message(
        lambda reply: (
            (reply.message_id or 0) > (lost.message_id or 0)
            and find_match_version(reply) == wire.get_saved_version()
        )
    )


@pytest.mark.parametrize("way", [restore_by_command, restore_by_hand])
async def test_a_match_is_posted_anew(wire: WireHarness, way: RestoreMethod) -> None:
    lost, player = await play_and_restore(wire, way)
    before = wire.get_saved_version()
    assert (find_match_version(lost) or 0) > before
    async with wire.start_bot():
        posted = await wait_for_repost(wire, lost)
        assert "I was restored from a backup" in posted.text
        await poll_until(lambda: not wire.list_jobs())
        assert get_other_live_message(wire, lost).message_id == posted.message_id
        await wire.press(player, lost, wire.find_next_control(lost))
        closed = await wire.server.wait_for_message(
            lambda reply: reply.message_id == lost.message_id and LOST in reply.text
        )
        assert not closed.find_controls()
        assert wire.get_saved_version() == before
        await wire.wait_for_jobs()
        await wire.play(2)
        await wire.wait_for_jobs()


@pytest.mark.parametrize("way", [restore_by_command, restore_by_hand])
async def test_a_button_of_the_lost_time_is_stale_where_versions_meet(
    wire: WireHarness, way: RestoreMethod
) -> None:
    lost, player = await play_and_restore(wire, way)
    async with wire.start_bot():
        await wait_for_repost(wire, lost)
        while wire.get_saved_version() < (find_match_version(lost) or 0):
            before = wire.get_saved_version()
            await wire.act_by_control()
            await poll_until(
                lambda before=before: (  # type: ignore[misc]
                    before
                    < wire.get_saved_version()
                    == find_match_version(wire.get_newest_message())
                )
            )
        # Zeno's turns are two events each, so the versions of two throws meet.
        assert wire.get_saved_version() == find_match_version(lost)
        played = await wire.load_events()
        await wire.press(player, lost, wire.find_next_control(lost))
        await wire.server.wait_for_message(
            lambda reply: reply.message_id == lost.message_id and LOST in reply.text
        )
        await wire.wait_for_jobs()
        assert await wire.load_events() == played


async def test_an_older_message_points_to_the_newest(wire: WireHarness) -> None:
    """The match's message from before the backup points to the newest.

    Somebody uses it whose Discord has not shown yet that it is closed.
    """
    async with wire.start_bot():
        await wire.begin_match("zeno")
        await wire.play_to_throw()
        older, player = wire.get_live_message(), wire.get_next_player()
        there = {"TABULA_DATABASE": wire.database.name}
        assert (await run_tabula(wire.database.parent, "backup", COPY, **there))[0] == 0
    await restore_by_command(wire)
    async with wire.start_bot():
        await wait_for_repost(wire, older)
        await wire.wait_for_jobs()
        before = wire.get_saved_version()
        await wire.press(player, older, wire.find_next_control(older))
        await player.wait_for_ephemeral("has moved on")
        await wire.wait_for_jobs()
        assert wire.get_saved_version() == before


async def test_a_challenge_is_posted_anew(wire: WireHarness) -> None:
    async with wire.start_bot():
        await wire.ana.slash("challenge", {"game": "zeno"})
        offer = await wire.server.wait_for_message(lambda reply: _find_accept_id(reply) is not None)
        there = {"TABULA_DATABASE": wire.database.name}
        assert (await run_tabula(wire.database.parent, "backup", COPY, **there))[0] == 0
        await wire.ben.press(offer, _find_accept_id(offer) or "")
        await wire.wait_until_shown()
        lost = wire.get_newest_message()
    await restore_by_command(wire)
    async with wire.start_bot():
        again = await wire.server.wait_for_message(
            lambda reply: (
                (reply.message_id or 0) > (offer.message_id or 0)
                and _find_accept_id(reply) is not None
            )
        )
        await poll_until(
            lambda: offer.message_id not in [reply.message_id for reply in list_messages(wire)]
        )
        await wire.ben.press(again, _find_accept_id(again) or "")
        match = await wire.server.wait_for_message(
            lambda reply: (
                (reply.message_id or 0) > (again.message_id or 0)
                and find_match_version(reply) is not None
            )
        )
        # The new match has the number of the lost one, whose dice are others.
        await wire.ana.press(lost, lost.find_custom_id("More…"))
        await wire.server.wait_for_message(
            lambda reply: reply.message_id == lost.message_id and LOST in reply.text
        )
        await wire.wait_for_jobs()
        assert wire.get_live_message().message_id == match.message_id


def _find_accept_id(reply: Reply) -> str | None:
    return next((each for each in reply.find_controls() if each.endswith(":accept")), None)
