"""Buttons that turn the pages of a server's log."""

from typing import Any

import discord
from discord import ButtonStyle

from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Item

LOG = "log"
"""Turn the pages of a server's log."""


def log_controls(say: Reader, number: int, pages: int) -> tuple[Item, ...]:
    """Return the buttons that turn the pages of a server's log; none where there is one page."""
    turns = (
        # Translators: button: shows the page with later decisions of moderators.
        (say("Newer"), number - 1),
        # Translators: button: shows the page with earlier decisions of moderators.
        (say("Older"), number + 1),
    )
    return tuple(
        discord.ui.Button[Any](label=label, style=ButtonStyle.secondary, custom_id=f"{LOG}:{page}")
        for label, page in turns
        if 0 <= page < pages
    )
