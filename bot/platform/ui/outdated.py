"""Presses on messages posted before a backup was restored.

They belong to another generation of the database.
"""

import re

import discord

from bot.platform.errors import DeclinedError, DeclineReason, StaleMatchError
from bot.platform.i18n import refusals
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.controls import is_state_verb, list_scoped_verbs
from bot.platform.ui.declarations import Press, press
from bot.platform.ui.ids import parse_number, require_message
from bot.platform.ui.layout import list_control_ids, strip_controls


def find_outdated_press(interaction: Interaction, verb: str, mark: str) -> Press | None:
    """Return the answer to a press on a control of another generation.

    Return None where the control still means what it says. What a message says that is older than
    the backup is still true, save for the state of a match: that is shown in another message now. A
    modal has no mark, and is submitted within minutes.
    """
    lineage = interaction.client.app.lineage
    if mark == lineage.mark or interaction.type is not discord.InteractionType.component:
        return None
    if verb not in list_scoped_verbs():
        return None
    posted = int(require_message(interaction).created_at.timestamp() * 1000)
    if lineage.is_lost(mark, posted):
        return _close_lost
    return _close_old if is_state_verb(verb) else None


@press(everywhere=True, edits_public=True)
async def _close_old(_: InteractionAnswer, rest: str) -> None:
    """Close a message that shows a match as it was, and point to the one that shows it now."""
    found = re.search("[0-9]+", rest)
    raise StaleMatchError(parse_number(found[0] if found else ""))


@press(everywhere=True, edits_public=True)
async def _close_lost(answer: InteractionAnswer) -> None:
    """Close a message that tells of what the database has lost."""
    if require_message(answer.interaction).flags.ephemeral:
        raise DeclinedError(DeclineReason.LOST)
    current = await answer.load_message()
    if list_control_ids(current):
        told = refusals.format_decline(answer.public_reader, DeclinedError(DeclineReason.LOST))
        await answer.edit_message(strip_controls(current, told))
