"""Presses on messages posted before a backup was restored.

They belong to another generation of the database.
"""

import re

import discord

from bot.app.errors import Declined, MovedOn, Why
from bot.commands.asking import Press, answered, refusing
from bot.commands.ids import message_of, number_of
from bot.delivery.layout import ids, stripped
from bot.delivery.outlets import Answer, Interaction
from bot.views.controls import OF_NUMBER, OF_STATE
from bot.words import refusals


def outdated(interaction: Interaction, verb: str, mark: str) -> Press | None:
    """Return the answer to a press on a control of another generation.

    Return None where the control still means what it says. What a message says that is older than
    the backup is still true, save for the state of a match: that is shown in another message now. A
    modal has no mark, and is submitted within minutes.
    """
    lineage = interaction.client.app.lineage
    if mark == lineage.mark or interaction.type is not discord.InteractionType.component:
        return None
    if verb not in OF_STATE | OF_NUMBER:
        return None
    posted = int(message_of(interaction).created_at.timestamp() * 1000)
    if lineage.is_lost(mark, posted):
        return _close_lost
    return _close_old if verb in OF_STATE else None


async def _close_old(interaction: Interaction, rest: str) -> None:
    """Close a message that shows a match as it was, and point to the one that shows it now."""
    found = re.search("[0-9]+", rest)
    error = MovedOn(number_of(found[0] if found else ""))
    await answered(interaction, refusing(error), everywhere=True)


async def _close_lost(interaction: Interaction, _: str) -> None:
    """Close a message that tells of what the database has lost."""

    async def work(answer: Answer) -> None:
        if message_of(interaction).flags.ephemeral:
            raise Declined(Why.LOST)
        current = await answer.load_pressed()
        if ids(current):
            say = interaction.client.reader(interaction.guild_locale or interaction.locale)
            await answer.replace(stripped(current, refusals.declined(say, Declined(Why.LOST))))

    await answered(interaction, work, everywhere=True)
