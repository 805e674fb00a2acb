"""What each kind of job does, and what becomes of it where Discord refuses."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TypeAlias

import discord

from bot.app import computers_turn, moderation, outages, tasks
from bot.app.errors import Declined
from bot.delivery.challenges import call_challenged, lapse, show_challenge
from bot.delivery.clocks import call, remove, throw, watch
from bot.delivery.following import tell_follower, tell_followers, tell_news
from bot.delivery.interruptions import tell_interrupted
from bot.delivery.matches import close_turn, show_match
from bot.delivery.outlets import THREAD_ARCHIVED, AppClient
from bot.delivery.reach import tell_hindered
from bot.delivery.reports import make_report
from bot.delivery.seats import offer_seat
from bot.delivery.threads import archive
from bot.delivery.welcome import greet
from bot.jobs import GiveUp, Handler, Unreachable
from bot.store import QueuedJob
from engine.refusal import Refusal

_Work: TypeAlias = Callable[[AppClient, QueuedJob], Awaitable[bool]]


async def _let_computer_play(client: AppClient, job: QueuedJob) -> bool:
    await computers_turn.play_on(client.app, int(job.key))
    return False


async def _rate_anew(client: AppClient, job: QueuedJob) -> bool:
    await moderation.rate_anew(client.app, int(job.key))
    return False


_WORK: Mapping[str, _Work] = {
    tasks.SHOW_MATCH: show_match,
    tasks.CLOSE_TURN: close_turn,
    tasks.TELL_HINDERED: tell_hindered,
    tasks.SHOW_CHALLENGE: show_challenge,
    tasks.CALL_CHALLENGED: call_challenged,
    tasks.LAPSE: lapse,
    tasks.REPORT: make_report,
    tasks.WATCH: watch,
    tasks.CALL: call,
    tasks.THROW: throw,
    tasks.REMOVE: remove,
    tasks.TELL_FOLLOWERS: tell_followers,
    tasks.TELL_FOLLOWER: tell_follower,
    tasks.TELL_NEWS: tell_news,
    tasks.TELL_INTERRUPTED: tell_interrupted,
    tasks.GREET: greet,
    tasks.ARCHIVE: archive,
    tasks.OFFER_SEAT: offer_seat,
    tasks.COMPUTER: _let_computer_play,
    tasks.RATE_ANEW: _rate_anew,
}

_BY_TIME = (tasks.WATCH, tasks.CALL, tasks.CALL_CHALLENGED, tasks.LAPSE, tasks.THROW)
"""What is done because its time has come, and so not while the clock may be wrong."""

_IN_SERVER = (
    *(tasks.SHOW_MATCH, tasks.CLOSE_TURN, tasks.TELL_HINDERED, tasks.SHOW_CHALLENGE),
    *(tasks.CALL_CHALLENGED, tasks.CALL, tasks.REMOVE, tasks.TELL_NEWS, tasks.ARCHIVE),
    tasks.OFFER_SEAT,
)
"""What is posted or changed in a server, and so not tried while the server cannot be reached."""

KINDS = frozenset(_WORK)
"""The kinds of jobs that this program can do."""

_NEVER = (400, 404)
"""Answers that are the same the next time: a message that Discord rejects, a channel that is gone.

Discord says which by a code of its own. An answer without a code comes from something in front of
Discord, which doesn't know.
"""


def handlers(client: AppClient) -> Mapping[str, Handler]:
    """Return what a client does for each kind of job."""
    return {kind: partial(_delivered, client, work) for kind, work in _WORK.items()}


async def _delivered(client: AppClient, work: _Work, job: QueuedJob) -> bool:
    if job.kind in _BY_TIME and client.app.clock_was_set:
        return await outages.postpone(client.app, job)
    if job.kind in _IN_SERVER and job.guild in client.app.lost:
        raise Unreachable("its server cannot be reached")
    try:
        return await work(client, job)
    except Declined as error:
        raise GiveUp(f"there is nothing to show: {error.why}") from error
    except Refusal as error:
        raise GiveUp(f"this program does not know the rules: {error}") from error
    except discord.HTTPException as error:
        # Permissions may come back, a thread may be opened, and a busy Discord recovers: those are
        # tried again, and so is everything in a server that is out of reach.
        lost = job.guild in client.app.lost
        if error.status in _NEVER and error.code not in (0, THREAD_ARCHIVED) and not lost:
            raise GiveUp(f"Discord answers {error}") from error
        raise
