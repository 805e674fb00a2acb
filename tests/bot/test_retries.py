"""What has failed is retried early only when something changes in its own place."""

import asyncio

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.platform.db.tables import now_ms
from tests.bot.test_delivery import act_directly, wait_for_jobs
from tests.support.club import SimulatedClub
from tests.support.driver import create_second_guild, start_match
from tests.support.stored import load_due

pytestmark = pytest.mark.asyncio

POSTING = discord.Permissions(send_messages=True).value
REACTING = discord.Permissions(add_reactions=True).value


def count_requests(club: SimulatedClub) -> int:
    """How many requests the bot has made."""
    return len(club.env.http_requests)


async def wait_for_due_jobs(club: SimulatedClub) -> None:
    """Give the bot time for what is due; settling would wait for every back-off as well."""
    await asyncio.sleep(0.05)
    await wait_for_jobs(club)


async def block_posting(club: SimulatedClub) -> None:
    """Let a match of the club fail to be shown, as after many tries."""
    await start_match(club, "zeno")
    backend = club.env.backend
    everyone = club.guild.default_role.id
    backend.set_overwrite(club.channel.id, Overwrite(everyone, OverwriteType.ROLE, deny=POSTING))
    for number in range(6):
        await act_directly(club, number)
        await wait_for_jobs(club)
        if [job for job in await load_due(club.store.jobs, now_ms() + 60_000, 10) if job.error]:
            break
    for job in await load_due(club.store.jobs, now_ms() + 60_000, 10):
        if job.error:
            await club.store.jobs.schedule_retry(job, now_ms() + 3_600_000, job.error)


async def test_what_happens_elsewhere_or_changes_no_permission_causes_no_request(
    club: SimulatedClub,
) -> None:
    other = create_second_guild(club, "Inn")
    parlour = other.create_text_channel("parlour")
    await block_posting(club)
    backend = club.env.backend
    before = count_requests(club)
    for number in range(10):
        # In another server a permission comes and goes; here names change, and roles the bot lacks.
        everyone = other.default_role.id
        backend.set_overwrite(parlour.id, Overwrite(everyone, OverwriteType.ROLE, deny=POSTING))
        backend.delete_overwrite(parlour.id, everyone)
        backend.edit_role(other.id, everyone, {"permissions": POSTING * (number % 2)})
        backend.edit_role(club.guild.id, club.guild.default_role.id, {"hoist": bool(number % 2)})
        await wait_for_due_jobs(club)
    assert count_requests(club) == before


async def test_changes_in_the_place_itself_cause_few_requests(club: SimulatedClub) -> None:
    hall = club.guild.create_text_channel("hall")
    await block_posting(club)
    backend = club.env.backend
    everyone = club.guild.default_role.id
    before = count_requests(club)
    for _ in range(10):
        backend.set_overwrite(hall.id, Overwrite(everyone, OverwriteType.ROLE, deny=POSTING))
        backend.delete_overwrite(hall.id, everyone)
        await wait_for_due_jobs(club)
    # The match is in another channel.
    assert count_requests(club) == before
    for _ in range(10):
        for denied in (POSTING | REACTING, POSTING):
            overwrite = Overwrite(everyone, OverwriteType.ROLE, deny=denied)
            backend.set_overwrite(club.channel.id, overwrite)
        await wait_for_due_jobs(club)
    # One try of the match: its message is edited, or posted again.
    assert 0 < count_requests(club) - before <= 2
