"""Buttons that turn a leaderboard's pages."""

from typing import Any

import discord
from discord import ButtonStyle

from bot.features.ratings.seasons import Season
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Item

RANKS = "ranks"
"""Turn a leaderboard's pages."""


def leaderboard_controls(
    say: Reader, scope: str, pool: str, season: Season | None, number: int, pages: int
) -> tuple[Item, ...]:
    """Return the buttons that turn a leaderboard's pages; none where there is one page."""
    # The buttons of all time have no such part, nor have those of earlier versions.
    of_season = f":{season}" if season else ""
    turns = (
        # Translators: button: shows the previous page of a leaderboard.
        (say("Back"), number - 1),
        # Translators: button: shows the next page of a leaderboard.
        (say("Next"), number + 1),
    )
    return tuple(
        discord.ui.Button[Any](
            label=label,
            style=ButtonStyle.secondary,
            custom_id=f"{RANKS}:{scope}:{pool}:{page}{of_season}",
        )
        for label, page in turns
        if 0 <= page < pages
    )
