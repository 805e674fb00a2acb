"""Notify people whose request was acknowledged, but not done before the program died."""

import logging
from typing import Literal

import discord

from bot.platform.i18n.refusals import format_interruption
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.kinds import ANSWERED_MS, NotifyInterrupted
from bot.platform.jobs.runner import Done, JobResult, Reschedule
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.card import text_only_card
from bot.platform.ui.layout import build_layout
from bot.store import QueuedJob
from engine.clock import MINUTE

log = logging.getLogger(__name__)

TOKEN_LIFETIME_MS = 14 * MINUTE
"""Milliseconds in which an interaction can be answered: Discord takes answers for 15 minutes."""
APPLICATION_WEBHOOK: Literal[3] = 3
"""The type of the webhook by which interactions are answered."""


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
        return Reschedule(job.make_job(now + ANSWERED_MS))
    # What was saved has the interaction's id as its cause, so the store knows whether it was done.
    if now - job.at > TOKEN_LIFETIME_MS or await app.store.matches.is_saved(
        job.person, str(job.interaction)
    ):
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
