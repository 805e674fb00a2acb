"""A restored backup: the match lives in its newest message.

What was posted since the backup is known as lost.
"""

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.upkeep.test_command import tabula

from .people import Person
from .replies import Reply
from .sessions import PATIENCE
from .tabula import Wire, first_control, live_messages, shown_version

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]

COPY = "copy.sqlite3"
LOST = "restored from an older backup"

Way = Callable[[Wire], Awaitable[None]]


async def by_command(wire: Wire) -> None:
    """Put the backup back by `tabula restore`."""
    there = {"TABULA_DATABASE": wire.database.name}
    status, told = await tabula(wire.database.parent, "restore", COPY, "--replace", **there)
    assert status == 0, told


async def by_hand(wire: Wire) -> None:
    """Put the backup back by copying the file over the other."""
    for end in ("-wal", "-shm"):
        Path(f"{wire.database}{end}").unlink(missing_ok=True)
    shutil.copy(wire.database.with_name(COPY), wire.database)


async def lost_message(wire: Wire, way: Way) -> tuple[Reply, Person]:
    """Play, back up, play on, and restore the backup.

    Returns the live message of the lost time and its player.
    """
    async with wire.bot():
        await wire.begin("zeno")
        await wire.to_a_throw()
        there = {"TABULA_DATABASE": wire.database.name}
        status, told = await tabula(wire.database.parent, "backup", COPY, **there)
        assert status == 0, told
        await wire.play(2)
        await wire.to_a_throw()
        lost = wire.live_message(), wire.called()
    await way(wire)
    return lost


async def until(done: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(PATIENCE):
        while not done():  # noqa: ASYNC110 - the file tells nobody of its changes
            await asyncio.sleep(0.05)


def seen_by_all(wire: Wire) -> list[Reply]:
    """The messages of the channel."""
    return wire.server.channel_messages()


def live_beside(wire: Wire, lost: Reply) -> Reply:
    """The one message but the lost one by which the match can be played."""
    live = live_messages(seen_by_all(wire))
    (found,) = [seen for seen in live if seen.message_id != lost.message_id]
    return found


async def posted_anew(wire: Wire, lost: Reply) -> Reply:
    """Wait until the match is posted anew, and return its message."""
    return await wire.server.message(
        lambda seen: (
            (seen.message_id or 0) > (lost.message_id or 0)
            and shown_version(seen) == wire.saved_version()
        )
    )


@pytest.mark.parametrize("way", [by_command, by_hand])
async def test_a_match_is_posted_anew(wire: Wire, way: Way) -> None:
    lost, player = await lost_message(wire, way)
    before = wire.saved_version()
    assert (shown_version(lost) or 0) > before
    async with wire.bot():
        posted = await posted_anew(wire, lost)
        assert "I was restored from a backup" in posted.text
        await until(lambda: not wire.jobs())
        assert live_beside(wire, lost).message_id == posted.message_id
        await wire.press(player, lost, first_control(lost))
        closed = await wire.server.message(
            lambda seen: seen.message_id == lost.message_id and LOST in seen.text
        )
        assert not closed.pressable()
        assert wire.saved_version() == before
        await wire.healed()
        await wire.play(2)
        await wire.healed()


@pytest.mark.parametrize("way", [by_command, by_hand])
async def test_a_button_of_the_lost_time_is_stale_where_versions_meet(wire: Wire, way: Way) -> None:
    lost, player = await lost_message(wire, way)
    async with wire.bot():
        await posted_anew(wire, lost)
        while wire.saved_version() < (shown_version(lost) or 0):
            before = wire.saved_version()
            await wire.act()
            await until(
                lambda: before < wire.saved_version() == shown_version(wire.newest())  # noqa: B023
            )
        # Zeno's turns are two events each, so the versions of two throws meet.
        assert wire.saved_version() == shown_version(lost)
        played = await wire.kept()
        await wire.press(player, lost, first_control(lost))
        await wire.server.message(
            lambda seen: seen.message_id == lost.message_id and LOST in seen.text
        )
        await wire.healed()
        assert await wire.kept() == played


async def test_an_older_message_points_to_the_newest(wire: Wire) -> None:
    """The match's message from before the backup points to the newest.

    Somebody uses it whose Discord has not shown yet that it is closed.
    """
    async with wire.bot():
        await wire.begin("zeno")
        await wire.to_a_throw()
        older, player = wire.live_message(), wire.called()
        there = {"TABULA_DATABASE": wire.database.name}
        assert (await tabula(wire.database.parent, "backup", COPY, **there))[0] == 0
    await by_command(wire)
    async with wire.bot():
        await posted_anew(wire, older)
        await wire.healed()
        before = wire.saved_version()
        await wire.press(player, older, first_control(older))
        await player.told("has moved on")
        await wire.healed()
        assert wire.saved_version() == before


async def test_a_challenge_is_posted_anew(wire: Wire) -> None:
    async with wire.bot():
        await wire.ana.slash("challenge", {"game": "zeno"})
        offer = await wire.server.message(lambda seen: _accept(seen) is not None)
        there = {"TABULA_DATABASE": wire.database.name}
        assert (await tabula(wire.database.parent, "backup", COPY, **there))[0] == 0
        await wire.ben.press(offer, _accept(offer) or "")
        await wire.shown()
        lost = wire.newest()
    await by_command(wire)
    async with wire.bot():
        anew = await wire.server.message(
            lambda seen: (
                (seen.message_id or 0) > (offer.message_id or 0) and _accept(seen) is not None
            )
        )
        await until(lambda: offer.message_id not in [seen.message_id for seen in seen_by_all(wire)])
        await wire.ben.press(anew, _accept(anew) or "")
        match = await wire.server.message(
            lambda seen: (
                (seen.message_id or 0) > (anew.message_id or 0) and shown_version(seen) is not None
            )
        )
        # The new match has the number of the lost one, whose dice are others.
        await wire.ana.press(lost, lost.custom_id("Dice"))
        await wire.server.message(
            lambda seen: seen.message_id == lost.message_id and LOST in seen.text
        )
        await wire.healed()
        assert wire.live_message().message_id == match.message_id


def _accept(seen: Reply) -> str | None:
    return next((each for each in seen.pressable() if each.endswith(":accept")), None)
