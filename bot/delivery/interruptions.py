"""Notify people whose request was acknowledged, but not done before the program died."""

import logging
from typing import Literal

import discord

from bot.app import tasks
from bot.app.tasks import InterruptedRequest
from bot.delivery.layout import build_layout
from bot.delivery.outlets import AppClient
from bot.store import QueuedJob
from bot.views.card import text_only_card
from bot.words.refusals import format_interruption
from engine.clock import MINUTE

log = logging.getLogger(__name__)

TOKEN_LIFETIME_MS = 14 * MINUTE
"""Milliseconds in which an interaction can be answered: Discord takes answers for 15 minutes."""
APPLICATION_WEBHOOK: Literal[3] = 3
"""The type of the webhook by which interactions are answered."""


async def notify_interrupted(client: AppClient, job: QueuedJob) -> bool:
    """Tell somebody that what they asked was not done.

    Nothing is sent if it is saved, or if it is too late.
    """
    app = client.app
    asked = InterruptedRequest(**job.detail)
    now = app.clock()
    if asked.run == app.run:
        if int(job.key) not in client.answering:
            return False
        later = tasks.notify_interrupted_job(int(job.key), asked, now + tasks.ANSWERED_MS)
        renewed = await app.store.jobs.replace(job, later)
        app.take(renewed)
        return bool(renewed)
    if now - asked.at > TOKEN_LIFETIME_MS or await app.store.matches.is_saved(
        asked.person, job.key
    ):
        return False
    card = text_only_card(format_interruption(client.get_reader(asked.locale), sure=asked.by_cause))
    webhook = discord.Webhook.from_state(
        {"id": client.application_id or 0, "type": APPLICATION_WEBHOOK, "token": asked.token},
        client._connection,  # noqa: SLF001 - an interaction's own follow-up has no other way
    )
    try:
        await webhook.send(view=build_layout(card), ephemeral=True)
    except (discord.Forbidden, discord.NotFound) as error:
        # It was never acknowledged, and whoever asked has read that there was no answer.
        log.info(
            "%d is not told that interaction %s was interrupted: %s", asked.person, job.key, error
        )
    return False
