"""Threads that Discord archives while something in them goes on, and threads that are locked.

simcord lets messages of an archived thread be changed, so Discord's refusal is put in its way.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
import simcord
from simcord.backend.models import ThreadMetadata

from bot.features.challenges.service import ShowChallenge
from bot.features.contests.service import ShowContest
from bot.features.ladders.service import ShowLadder
from bot.features.ladders.store import Ladders
from bot.features.matches.jobs import ShowMatch
from bot.features.matches.store import Matches
from bot.platform.db.jobs import JobPayload
from bot.platform.ui.channels import CLOSED_AGAIN_MS
from tests.bot.test_reports import MINUTE
from tests.bot.test_threads import enable_threads
from tests.support.club import SimulatedClub
from tests.support.contests import create_contest
from tests.support.driver import extract_text, give_up, list_direct_texts, start_match

pytestmark = pytest.mark.asyncio

EDITS = "/channels/*/messages/*"
CLOSED: dict[str, Any] = {"status": 400, "code": 50083, "message": "Thread is archived"}
FORBIDDEN: dict[str, Any] = {"status": 403, "code": 50013, "message": "Missing Permissions"}


def get_metadata(club: SimulatedClub, thread: simcord.ChannelHandle) -> ThreadMetadata:
    """Whether a thread is archived and locked."""
    metadata = club.env.backend.channels[thread.id].thread_metadata
    assert metadata is not None
    return metadata


async def open_corner(club: SimulatedClub) -> simcord.ChannelHandle:
    """A thread that somebody has opened."""
    club.env.backend.create_thread(club.channel.id, "corner", club.ana.id)
    await club.env.settle()
    (corner,) = club.channel.threads
    return corner


async def archive(club: SimulatedClub, thread: simcord.ChannelHandle) -> None:
    """Let Discord archive a thread, so that it refuses the next change of a message there."""
    get_metadata(club, thread).archived = True
    club.env.backend.announce_channel_update(thread.id)
    await club.env.settle()
    club.env.inject_error("PATCH", EDITS, **CLOSED)


async def open_league(club: SimulatedClub, thread: simcord.ChannelHandle) -> JobPayload:
    """A league in a thread."""
    await create_contest(club.ana, thread, "league", name="Corner *league*", game="zeno")
    return ShowContest(1)


async def open_ladder(club: SimulatedClub, thread: simcord.ChannelHandle) -> JobPayload:
    """A ladder there."""
    await create_contest(club.ana, thread, "ladder", name="Corner ladder", game="zeno")
    return ShowLadder(1)


async def open_challenge(club: SimulatedClub, thread: simcord.ChannelHandle) -> JobPayload:
    """An open challenge there."""
    await club.ana.slash(thread, "challenge", game="zeno")
    return ShowChallenge(1)


async def open_match(club: SimulatedClub, thread: simcord.ChannelHandle) -> JobPayload:
    """A match there."""
    await start_match(replace(club, channel=thread), "zeno")
    return ShowMatch(1, again=True)


Begin = Callable[[SimulatedClub, simcord.ChannelHandle], Awaitable[JobPayload]]
BEGINNINGS = [open_league, open_ladder, open_challenge, open_match]


async def enqueue(club: SimulatedClub, job: JobPayload) -> None:
    """Have a job done now."""
    await club.bot.app.enqueue(club.guild.id, [job.build_job(club.hands())])
    await club.advance_clock(0)


@pytest.mark.parametrize("begin", BEGINNINGS)
async def test_an_archived_thread_is_opened_and_what_stands_there_updated(
    club: SimulatedClub, begin: Begin
) -> None:
    corner = await open_corner(club)
    job = await begin(club, corner)
    await club.advance_clock(0)
    before = [each.id for each in corner.history()]
    await archive(club, corner)
    await enqueue(club, job)
    assert not get_metadata(club, corner).archived
    # In place: nothing is posted once more, and nothing waits to be tried again.
    assert [each.id for each in corner.history()] == before
    assert await club.store.jobs.load_failed(club.guild.id) == []
    *_, opened, edited = [each.path for each in club.env.http_requests if each.method == "PATCH"]
    assert opened.endswith(f"/channels/{corner.id}")
    assert f"/channels/{corner.id}/messages/" in edited


@pytest.mark.parametrize(
    ("begin", "subject"),
    [
        (open_league, "Corner \\*league\\*"),
        (open_ladder, "Corner ladder"),
        (open_challenge, "your challenge"),
    ],
)
async def test_where_it_may_not_open_a_thread_somebody_is_told_once_what_is_missing(
    club: SimulatedClub, begin: Begin, subject: str
) -> None:
    corner = await open_corner(club)
    job = await begin(club, corner)
    await club.advance_clock(0)
    get_metadata(club, corner).locked = True
    await archive(club, corner)
    club.env.inject_error("PATCH", EDITS, **{**CLOSED, "times": None})
    club.env.inject_error("PATCH", f"/channels/{corner.id}", **{**FORBIDDEN, "times": None})
    text = (
        f"I can't bring {subject} up to date: the thread <#{corner.id}> is locked, and I'm missing "
        "the permission Manage Threads there. Unlock the thread or give me the permission; I'll "
        "try again by myself."
    )

    def count_notices() -> int:
        return list_direct_texts(club.ana).count(text)

    async def fail_until(tries: int) -> None:
        for _ in range(2 * tries):
            await club.advance_clock(MINUTE)
            failed = await club.store.jobs.load_failed(club.guild.id)
            if failed and failed[0].tries >= tries:
                return
        raise AssertionError("it was not tried so often")

    await club.bot.app.enqueue(club.guild.id, [job.build_job(club.hands())])
    for tries in (1, 2, 3):
        await fail_until(tries)
        assert count_notices() == 1
    club.hands.ahead += CLOSED_AGAIN_MS
    await fail_until(4)
    assert count_notices() == 2


async def test_a_match_whose_thread_is_locked_goes_on_in_its_channel(
    club: SimulatedClub,
) -> None:
    await enable_threads(club)
    await start_match(club, "zeno")
    (thread,) = club.channel.threads
    get_metadata(club, thread).locked = True
    await archive(club, thread)
    # Though the bot may open it: whoever locked it didn't want the match there, nor could play.
    club.env.inject_error("POST", f"/channels/{thread.id}/messages", **{**CLOSED, "times": None})
    await enqueue(club, ShowMatch(1, again=True))
    text = extract_text(club.channel.history()[-1])
    assert "This match's thread is locked, so the match continues here." in text
    row = await club.store.get(Matches).load_row(1)
    assert row is not None
    assert row.channel == club.channel.id


async def test_the_thread_of_a_match_that_is_over_stays_archived(club: SimulatedClub) -> None:
    await enable_threads(club)
    await start_match(club, "zeno")
    (thread,) = club.channel.threads
    await give_up(club, club.ana, thread, match=1)
    await club.advance_clock(0)
    await archive(club, thread)
    await enqueue(club, ShowMatch(1, luck=True))
    assert get_metadata(club, thread).archived
    assert await club.store.jobs.load_failed(club.guild.id) == []


async def test_what_is_posted_in_a_thread_that_was_locked_opens_it_where_that_is_allowed(
    club: SimulatedClub,
) -> None:
    corner = await open_corner(club)
    await open_ladder(club, corner)
    await club.advance_clock(0)
    # Somebody has deleted the message, so it is posted anew.
    ladder = (await club.store.get(Ladders).load_open(club.guild.id))[0]
    assert ladder.message is not None
    club.env.backend.delete_message(corner.id, ladder.message)
    await club.env.settle()
    get_metadata(club, corner).archived = True
    club.env.inject_error("POST", f"/channels/{corner.id}/messages", **CLOSED)
    await enqueue(club, ShowLadder(1))
    assert not get_metadata(club, corner).archived
    assert "### Corner ladder" in "".join(map(extract_text, corner.history()))
