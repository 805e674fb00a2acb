"""What each kind of job does, and what becomes of it where Discord refuses."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TypeAlias

import discord

from bot.app import computers_turn, moderation, outages, tasks
from bot.app.errors import DeclinedError
from bot.delivery.challenges import lapse_challenge, repost_challenge, show_challenge
from bot.delivery.clocks import mention_player, remove_message, throw_automatically, watch_clock
from bot.delivery.following import announce_match, notify_follower, notify_followers
from bot.delivery.interruptions import notify_interrupted
from bot.delivery.matches import close_turn, show_match
from bot.delivery.outlets import THREAD_ARCHIVED, AppClient
from bot.delivery.reach import notify_place_lost
from bot.delivery.reports import make_report
from bot.delivery.seats import offer_seat
from bot.delivery.threads import archive_thread
from bot.delivery.welcome import greet_server
from bot.jobs import Handler, PermanentJobError, UnreachableServerError
from bot.store import QueuedJob
from engine.refusal import Refusal

_ClientHandler: TypeAlias = Callable[[AppClient, QueuedJob], Awaitable[bool]]


async def _play_computer_turn(client: AppClient, job: QueuedJob) -> bool:
    await computers_turn.play_turn(client.app, int(job.key))
    return False


async def _recalculate_ratings(client: AppClient, job: QueuedJob) -> bool:
    await moderation.rerate_matches(client.app, int(job.key))
    return False


_HANDLERS: Mapping[str, _ClientHandler] = {
    tasks.SHOW_MATCH: show_match,
    tasks.CLOSE_TURN: close_turn,
    tasks.NOTIFY_HINDERED: notify_place_lost,
    tasks.SHOW_CHALLENGE: show_challenge,
    tasks.CALL_CHALLENGED: repost_challenge,
    tasks.LAPSE: lapse_challenge,
    tasks.REPORT: make_report,
    tasks.WATCH: watch_clock,
    tasks.CALL: mention_player,
    tasks.THROW: throw_automatically,
    tasks.REMOVE: remove_message,
    tasks.NOTIFY_FOLLOWERS: notify_followers,
    tasks.NOTIFY_FOLLOWER: notify_follower,
    tasks.ANNOUNCE_MATCH: announce_match,
    tasks.NOTIFY_INTERRUPTED: notify_interrupted,
    tasks.GREET: greet_server,
    tasks.ARCHIVE: archive_thread,
    tasks.OFFER_SEAT: offer_seat,
    tasks.COMPUTER: _play_computer_turn,
    tasks.RATE_ANEW: _recalculate_ratings,
}

_TIMED_KINDS = (tasks.WATCH, tasks.CALL, tasks.CALL_CHALLENGED, tasks.LAPSE, tasks.THROW)
"""What is done because its time has come, and so not while the clock may be wrong."""

_SERVER_KINDS = (
    *(tasks.SHOW_MATCH, tasks.CLOSE_TURN, tasks.NOTIFY_HINDERED, tasks.SHOW_CHALLENGE),
    *(tasks.CALL_CHALLENGED, tasks.CALL, tasks.REMOVE, tasks.ANNOUNCE_MATCH, tasks.ARCHIVE),
    tasks.OFFER_SEAT,
)
"""What is posted or changed in a server, and so not tried while the server cannot be reached."""

KINDS = frozenset(_HANDLERS)
"""The kinds of jobs that this program can do."""

_PERMANENT_STATUSES = (400, 404)
"""Answers that are the same the next time: a message that Discord rejects, a channel that is gone.

Discord says which by a code of its own. An answer without a code comes from something in front of
Discord, which doesn't know.
"""


def make_handlers(client: AppClient) -> Mapping[str, Handler]:
    """Return what a client does for each kind of job."""
    return {kind: partial(_run_handler, client, work) for kind, work in _HANDLERS.items()}


async def _run_handler(client: AppClient, work: _ClientHandler, job: QueuedJob) -> bool:
    if job.kind in _TIMED_KINDS and client.app.has_clock_jumped:
        return await outages.postpone_job(client.app, job)
    if job.kind in _SERVER_KINDS and job.guild in client.app.lost:
        raise UnreachableServerError("its server cannot be reached")
    try:
        return await work(client, job)
    except DeclinedError as error:
        raise PermanentJobError(f"there is nothing to show: {error.why}") from error
    except Refusal as error:
        raise PermanentJobError(f"this program does not know the rules: {error}") from error
    except discord.HTTPException as error:
        # Permissions may come back, a thread may be opened, and a busy Discord recovers: those are
        # tried again, and so is everything in a server that is out of reach.
        lost = job.guild in client.app.lost
        if (
            error.status in _PERMANENT_STATUSES
            and error.code not in (0, THREAD_ARCHIVED)
            and not lost
        ):
            raise PermanentJobError(f"Discord answers {error}") from error
        raise
