"""What people read when something is refused or goes wrong: one sentence, for them alone."""

import logging
import secrets
from typing import Any

import discord

from bot.app.errors import Declined
from bot.store import StoreError
from engine.refusal import Refusal

log = logging.getLogger(__name__)

PERMISSIONS = ("view_channel", "attach_files", "embed_links")


async def refuse(interaction: discord.Interaction[Any], error: Exception) -> None:
    """Tell the one who asked why nothing happened; an error of ours goes to the log under a short reference."""
    sentence = _sentence(error)
    try:
        if interaction.response.is_done():
            await interaction.followup.send(sentence, ephemeral=True)
        else:
            await interaction.response.send_message(sentence, ephemeral=True)
    except discord.HTTPException:
        log.warning("could not tell %s: %s", interaction.user.id, sentence, exc_info=True)


def _sentence(error: Exception) -> str:
    error = getattr(error, "original", error)
    match error:
        case Refusal(sentence=sentence, legal=legal):
            now = f" Legal now: {', '.join(f'`{text}`' for text in legal)}." if legal else ""
            return discord.utils.escape_mentions(f"{_capital(sentence)}.{now}")
        case Declined():
            return str(error)
        case StoreError(sentence=sentence):
            log.error("the store: %s", error, exc_info=error)
            return f"That did not work: {sentence}."
        case discord.app_commands.TransformerError():
            return "That person is not in this server; name somebody who is, or nobody to leave it open."
        case discord.Forbidden():
            return "I may not do that in this channel: a moderator can allow me to View Channel and Attach Files here."
    reference = secrets.token_hex(3)
    log.error("error %s", reference, exc_info=error)
    return f"Something went wrong on my side; the match is as it was. If it goes on, report the reference {reference}."


def _capital(sentence: str) -> str:
    typed, colon, rest = sentence.partition(": ")
    if colon and " " not in typed:
        return f"`{typed}`: {rest}"
    return sentence[:1].upper() + sentence[1:]


def require_permissions(interaction: discord.Interaction[Any]) -> None:
    """Raise Declined naming the permissions that the bot lacks in this channel, and who can grant them."""
    missing = [name for name in PERMISSIONS if not getattr(interaction.app_permissions, name)]
    if missing:
        named = " and ".join(name.replace("_", " ").title() for name in missing)
        raise Declined(
            f"I lack the permission {named} in this channel; a moderator can grant it in the channel's settings, "
            "under Permissions."
        )
