"""Actions that people ask for by interactions, and messages that show an earlier moment."""

import logging
import re
from typing import Any

from bot.features.matches import loading
from bot.features.matches.lookup import refresh_match
from bot.features.matches.reach import find_match_link
from bot.features.matches.service import Action
from bot.platform.errors import DeclinedError
from bot.platform.i18n import refusals
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.controls import is_state_verb, parse_control_id
from bot.platform.ui.dispatch import MESSAGE_REPAIRS
from bot.platform.ui.failures import FAILURES, UnansweredError, describe_error
from bot.platform.ui.layout import list_control_ids, strip_controls
from bot.store import StoreError

log = logging.getLogger(__name__)


def make_action(answer: InteractionAnswer, match: int, version: int | None = None) -> Action:
    """Return what an action in a match needs to know; its cause is the interaction."""
    cause = str(answer.interaction.id)
    return Action(match, answer.person, cause, version, answer.guild)


def _parse_version(interaction: Interaction) -> int:
    """Return the version of a match that a pressed control names, 0 where it names none."""
    data: Any = interaction.data
    verb, _, rest = parse_control_id(data["custom_id"])
    # The ids of these verbs go on with the match and its version.
    found = re.match("[0-9]+:([0-9]+)", rest) if is_state_verb(verb) else None
    return int(found[1]) if found else 0


@MESSAGE_REPAIRS.add()
async def renew_message(answer: InteractionAnswer, match: int) -> bool:
    """Repair a message whose pressed button belongs to an earlier moment.

    Return True where the message itself now says that it is out of date.
    """
    interaction = answer.interaction
    message = interaction.message
    if message is None or message.flags.ephemeral or not answer.may_edit_message:
        return False
    try:
        session = await loading.load_visible_session(
            answer.app, match, answer.guild, answer.person.id
        )
        # A message newer than the live one is about to become it: posted, but not yet recorded. If
        # it shows what has not happened, an older database was restored, which nothing else says.
        is_coming = message.id >= (session.row.message or 0)
        if is_coming and _parse_version(interaction) <= session.match.version:
            await refresh_match(answer.app, session)
            return False
        # What was pressed may have lost its controls since, as every turn does when it is over.
        current = await answer.load_message()
        if not list_control_ids(current):
            return False
        there = await find_match_link(interaction.client, session.row)
        await answer.edit_message(
            strip_controls(current, refusals.format_outdated_message(answer.reader, match, there))
        )
    except (DeclinedError, StoreError, UnansweredError, *FAILURES) as failure:
        log.info("could not renew message %s: %s", message.id, describe_error(failure))
        return False
    return True
