"""Notify people whose request was acknowledged, but not done before the program died."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import discord

from bot.platform.context import App
from bot.platform.db.jobs import JobPayload, Subject
from bot.platform.db.rows import Job, QueuedJob
from bot.platform.features import ExtensionPoint
from bot.platform.i18n.reader import Reader
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import Done, JobResult, Reschedule
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.card import text_only_card
from bot.platform.ui.layout import build_layout
from engine.clock import MINUTE

log = logging.getLogger(__name__)

ANSWERED_MS = 15_000
"""Milliseconds after which an interaction that was acknowledged before it was done is checked."""
TOKEN_LIFETIME_MS = 14 * MINUTE
"""Milliseconds in which an interaction can be answered: Discord takes answers for 15 minutes."""
APPLICATION_WEBHOOK: Literal[3] = 3
"""The type of the webhook by which interactions are answered."""
FORGET_PAUSE_S = 0.1
"""Seconds that deletions of notes wait for others, so that a crowd's are few transactions."""


class NotifyInterrupted(JobPayload, kind="tell interrupted", about=Subject.INTERACTION):
    """Tell somebody that the program died before it did what they asked.

    The interaction was acknowledged before it was done: in which run, by whom and when. `by_cause`
    says whether it is saved with the interaction as its cause. The token lets anybody answer in the
    bot's name for a quarter of an hour, and so is written nowhere else.
    """

    interaction: int
    run: str
    at: int
    person: int
    token: str = field(repr=False)
    locale: str
    by_cause: bool


CheckSaved: TypeAlias = Callable[[App, int, str], Awaitable[bool]]
"""Whether something of a person's is saved with that cause."""

SAVED_CHECKS: ExtensionPoint[CheckSaved] = ExtensionPoint()
"""Whether a feature has saved what a person's interaction asked for."""


@dataclass
class InterruptionNotes:
    """Notes of requests that are acknowledged before they are done, many in one transaction.

    What comes while one transaction is under way shares the next.
    """

    _wanted: list[tuple[int, Job, "asyncio.Future[QueuedJob]"]] = field(default_factory=list)
    _done: list[tuple[QueuedJob, "asyncio.Future[None]"]] = field(default_factory=list)
    _writing: asyncio.Task[None] | None = None

    async def add(self, app: App, guild: int, asked: NotifyInterrupted) -> QueuedJob:
        """Save that somebody is to be notified if the program dies before a request is done.

        Raises StoreError where that cannot be saved.
        """
        saved = asyncio.get_running_loop().create_future()
        self._wanted.append((guild, asked.build_job(app.clock() + ANSWERED_MS), saved))
        self._write_soon(app)
        note: QueuedJob = await saved
        return note

    async def delete(self, app: App, note: QueuedJob) -> None:
        """Delete the note of a request that was answered; raises StoreError where it stays."""
        deleted = asyncio.get_running_loop().create_future()
        self._done.append((note, deleted))
        await asyncio.sleep(FORGET_PAUSE_S)
        self._write_soon(app)
        await deleted

    def _write_soon(self, app: App) -> None:
        if self._writing is None and (self._wanted or self._done):
            self._writing = asyncio.create_task(self._write(app), name="note interruptions")

    async def _write(self, app: App) -> None:
        wanted, self._wanted = self._wanted, []
        done, self._done = self._done, []
        waiting: list[asyncio.Future[Any]] = [each for _, _, each in wanted]
        waiting += [each for _, each in done]
        try:
            added = await app.store.jobs.exchange(
                [(guild, job) for guild, job, _ in wanted], [note for note, _ in done]
            )
        except Exception as error:  # noqa: BLE001 - the waiter gets any error
            for each in waiting:
                if not each.done():
                    each.set_exception(error)
        else:
            for (_, _, saved), note in zip(wanted, added, strict=True):
                # One that nobody waits for any more is dropped when it is due.
                if not saved.done():
                    saved.set_result(note)
            for _, deleted in done:
                if not deleted.done():
                    deleted.set_result(None)
        finally:
            self._writing = None
            self._write_soon(app)


async def _is_done(app: App, job: NotifyInterrupted) -> bool:
    for is_saved in SAVED_CHECKS.list_functions():
        if await is_saved(app, job.person, str(job.interaction)):
            return True
    return False


@handles(NotifyInterrupted)
async def notify_interrupted(client: AppClient, job: NotifyInterrupted, _: QueuedJob) -> JobResult:
    """Tell somebody that what they asked was not done.

    Nothing is sent if it is saved, or if it is too late.
    """
    app = client.app
    now = app.clock()
    # The run that took the request still lives, so nothing was interrupted: at most it takes long.
    if job.run == app.run:
        if job.interaction not in client.answering:
            return Done()
        return Reschedule(job.build_job(now + ANSWERED_MS))
    # What was saved has the interaction's id as its cause, so the store knows whether it was done.
    if now - job.at > TOKEN_LIFETIME_MS or await _is_done(app, job):
        return Done()
    card = text_only_card(format_interruption(client.get_reader(job.locale), sure=job.by_cause))
    webhook = discord.Webhook.from_state(
        {"id": client.application_id or 0, "type": APPLICATION_WEBHOOK, "token": job.token},
        client._connection,  # noqa: SLF001 - an interaction's own follow-up has no other way
    )
    try:
        await webhook.send(view=build_layout(card), ephemeral=True)
    except (discord.Forbidden, discord.NotFound) as error:
        # It was never acknowledged, so Discord has shown that there was no answer.
        log.info(
            "user %d could not be notified that interaction %d was interrupted: %s",
            job.person,
            job.interaction,
            error,
        )
    return Done()


def format_interruption(say: Reader, *, sure: bool) -> str:
    """Say that the bot was restarted before something was done.

    `sure` means that it is certain that nothing was saved.
    """
    if sure:
        return say(
            "I was restarted before I could do that, so nothing has changed. Please try again."
        )
    return say(
        "I was restarted while doing that. Check whether it worked, and try again if it didn't."
    )
