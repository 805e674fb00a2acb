"""What has failed is retried early only when something changes in its own place."""

import asyncio

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.client import now_ms
from tests.bot.conftest import Club
from tests.bot.driver import begin, invited
from tests.bot.test_delivery import act, at_rest

pytestmark = pytest.mark.asyncio

POSTING = discord.Permissions(send_messages=True).value
REACTING = discord.Permissions(add_reactions=True).value


def requests(club: Club) -> int:
    """How many requests the bot has made."""
    return len(club.env.http_requests)


async def soon(club: Club) -> None:
    """Give the bot time for what is due; settling would wait for every back-off as well."""
    await asyncio.sleep(0.05)
    await at_rest(club)


async def mute(club: Club) -> None:
    """Let a match of the club fail to be shown, as after many tries."""
    await begin(club, "zeno")
    backend = club.env.backend
    everyone = club.guild.default_role.id
    backend.set_overwrite(club.channel.id, Overwrite(everyone, OverwriteType.ROLE, deny=POSTING))
    for number in range(6):
        await act(club, number)
        await at_rest(club)
        if [job for job in await club.store.jobs.due(now_ms() + 60_000, 10) if job.error]:
            break
    for job in await club.store.jobs.due(now_ms() + 60_000, 10):
        if job.error:
            await club.store.jobs.put_off(job, now_ms() + 3_600_000, job.error)


async def test_what_happens_elsewhere_or_changes_no_permission_causes_no_request(
    club: Club,
) -> None:
    other = invited(club, "Inn")
    parlour = other.create_text_channel("parlour")
    await mute(club)
    backend = club.env.backend
    before = requests(club)
    for number in range(10):
        # In another server a permission comes and goes; here names change, and roles the bot lacks.
        everyone = other.default_role.id
        backend.set_overwrite(parlour.id, Overwrite(everyone, OverwriteType.ROLE, deny=POSTING))
        backend.delete_overwrite(parlour.id, everyone)
        backend.edit_role(other.id, everyone, {"permissions": POSTING * (number % 2)})
        backend.edit_role(club.guild.id, club.guild.default_role.id, {"hoist": bool(number % 2)})
        await soon(club)
    assert requests(club) == before


async def test_changes_in_the_place_itself_cause_few_requests(club: Club) -> None:
    hall = club.guild.create_text_channel("hall")
    await mute(club)
    backend = club.env.backend
    everyone = club.guild.default_role.id
    before = requests(club)
    for _ in range(10):
        backend.set_overwrite(hall.id, Overwrite(everyone, OverwriteType.ROLE, deny=POSTING))
        backend.delete_overwrite(hall.id, everyone)
        await soon(club)
    # The match is in another channel.
    assert requests(club) == before
    for _ in range(10):
        for denied in (POSTING | REACTING, POSTING):
            overwrite = Overwrite(everyone, OverwriteType.ROLE, deny=denied)
            backend.set_overwrite(club.channel.id, overwrite)
        await soon(club)
    # One try of the match: its message is edited, or posted anew.
    assert 0 < requests(club) - before <= 2
