"""The messages about people's data."""

from typing import Any

import discord
from discord import ButtonStyle

from bot.features.privacy import texts as words
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, CardFile, text_only_card

DELETION = "delete-data"
"""Answer the question whether one's data is to be deleted."""
SERVER_DELETION = "delete-server"
"""Answer the question whether a server's data is to be deleted."""
CONFIRM, DECLINE = "yes", "no"


def privacy_card(say: Reader) -> Card:
    """Return what is stored of people."""
    return text_only_card(words.format_privacy(say))


def deletion_card(say: Reader) -> Card:
    """Return the question whether somebody wants their data deleted."""
    delete = discord.ui.Button[Any](
        label=say("Delete my data"), style=ButtonStyle.danger, custom_id=f"{DELETION}:{CONFIRM}"
    )
    keep = discord.ui.Button[Any](
        label=say("Keep it"), style=ButtonStyle.secondary, custom_id=f"{DELETION}:{DECLINE}"
    )
    return Card(texts=words.format_deletion_question(say), controls=(delete, keep))


def export_card(say: Reader, file: CardFile, number: int, count: int) -> Card:
    """Return a message with a part of somebody's data."""
    return Card(texts=(words.format_export_part(say, number, count),), file=file)


def server_deletion_card(say: Reader, server: str) -> Card:
    """Return the question whether a server's data is to be deleted."""
    delete = discord.ui.Button[Any](
        label=say("Delete this server's data"),
        style=ButtonStyle.danger,
        custom_id=f"{SERVER_DELETION}:{CONFIRM}",
    )
    keep = discord.ui.Button[Any](
        label=say("Keep it"),
        style=ButtonStyle.secondary,
        custom_id=f"{SERVER_DELETION}:{DECLINE}",
    )
    texts = words.format_server_deletion_question(say, server)
    return Card(texts=texts, controls=(delete, keep))
