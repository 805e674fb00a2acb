"""Buttons that turn a leaderboard's pages."""

from typing import Any

import discord
from discord import ButtonStyle

from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Item

RANKS = "ranks"
"""Turn a leaderboard's pages."""


def leaderboard_controls(
    say: Reader, scope: str, pool: str, number: int, pages: int
) -> tuple[Item, ...]:
    """Return the buttons that turn a leaderboard's pages; none where there is one page."""
    turns = ((say("Back"), number - 1), (say("On"), number + 1))
    return tuple(
        discord.ui.Button[Any](
            label=label, style=ButtonStyle.secondary, custom_id=f"{RANKS}:{scope}:{pool}:{page}"
        )
        for label, page in turns
        if 0 <= page < pages
    )
