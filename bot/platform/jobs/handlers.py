"""What does each kind of job, and what becomes of it where Discord refuses."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from inspect import signature
from typing import Any, Concatenate, TypeAlias, TypeVar

import discord

from bot.platform.db.jobs import JOB_KINDS, JobPayload
from bot.platform.db.rows import QueuedJob
from bot.platform.features import load_modules
from bot.platform.i18n.reader import DeclinedError
from bot.platform.jobs.runner import GiveUp, Handler, JobResult, Reschedule, Retry
from bot.platform.outages import POSTPONED_S
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.app_client import THREAD_ARCHIVED, AppClient
from engine.refusal import Refusal

_Payload = TypeVar("_Payload", bound=JobPayload)
_ClientHandler: TypeAlias = Callable[
    Concatenate[AppClient, _Payload, QueuedJob, ...], Awaitable[JobResult]
]

HANDLERS: dict[type[JobPayload], _ClientHandler[Any]] = {}
"""The handlers by what they do, once their modules are loaded."""
_ANSWERING: set[type[JobPayload]] = set()
"""The jobs whose handlers take an answer."""

_PERMANENT_STATUSES = (400, 404)
"""Answers that are the same the next time: a message that Discord rejects, a channel that is gone.

Discord says which by a code of its own. An answer without a code comes from something in front of
Discord, which doesn't know.
"""


def handles(
    payload: type[_Payload],
) -> Callable[[_ClientHandler[_Payload]], _ClientHandler[_Payload]]:
    """Make a function the handler of a kind of job.

    It gets the payload, and the job itself for its id and its tries. It may run any number of
    times. One with a parameter `answer` gets the answer to the action that enqueued the job, at
    its first try; None otherwise.
    """

    def register(handler: _ClientHandler[_Payload]) -> _ClientHandler[_Payload]:
        if payload in HANDLERS:
            raise TypeError(f"the job “{payload.kind}” has two handlers")
        HANDLERS[payload] = handler
        if "answer" in signature(handler).parameters:
            _ANSWERING.add(payload)
        return handler

    return register


def load_job_kinds() -> Mapping[str, type[JobPayload]]:
    """Return what every feature declares as a job, by its stored kind."""
    # Importing a feature's modules registers its jobs and their handlers.
    load_modules()
    return JOB_KINDS


def build_handlers(client: AppClient) -> Mapping[str, Handler]:
    """Return what a client does for each kind of job; raises TypeError if one has no handler."""
    kinds = load_job_kinds()
    if lacking := [kind for kind, payload in kinds.items() if payload not in HANDLERS]:
        raise TypeError(f"no handler is declared for the jobs {', '.join(lacking)}")
    return {kind: partial(_run_handler, client, payload) for kind, payload in kinds.items()}


async def _run_handler(
    client: AppClient,
    payload: type[JobPayload],
    job: QueuedJob,
    answer: InteractionAnswer | None = None,
) -> JobResult:
    if payload.is_timed and not client.app.is_time_known:
        # Not until an instant: by a wrong clock that might be in a hundred days.
        # Without the pause a job that is due already would come back at once, again and again.
        await asyncio.sleep(POSTPONED_S)
        return Reschedule(job)
    if payload.needs_server and job.guild in client.app.lost:
        return Retry("its server cannot be reached")
    try:
        options = {"answer": answer} if payload in _ANSWERING else {}
        return await HANDLERS[payload](client, payload.load(job), job, **options)
    except DeclinedError as error:
        return GiveUp(f"there is nothing to show: {type(error).__name__}")
    except Refusal as error:
        return GiveUp(f"this program does not know the rules: {error}")
    except discord.HTTPException as error:
        # Permissions may come back, a thread may be opened, and a busy Discord recovers: those are
        # tried again, and so is everything in a server that is out of reach.
        lost = job.guild in client.app.lost
        if (
            error.status in _PERMANENT_STATUSES
            and error.code not in (0, THREAD_ARCHIVED)
            and not lost
        ):
            return GiveUp(f"Discord answers {error}")
        raise
