"""Buttons that begin a match against the computer."""

from typing import Any

import discord
from discord import ButtonStyle

from bot.platform.computers import DEFAULT_LEVEL
from bot.platform.i18n import common
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Item
from bot.platform.ui.controls import LONGEST_LABEL
from engine.games import GAMES
from engine.games.picks import VARIED_GAMES
from render.characters import shorten_text

PLAY_COMPUTER = "against"
"""Begin a match against the computer."""
PICK_GAME = "pick"
"""Begin a match against the computer at the game that is picked."""


def computer_controls(say: Reader) -> tuple[Item, ...]:
    """Return the buttons that begin a match against the computer."""
    return tuple(
        discord.ui.Button[Any](
            label=shorten_text(common.format_title(say, GAMES[slug]), LONGEST_LABEL),
            style=ButtonStyle.primary,
            custom_id=make_computer_control_id(slug),
        )
        for slug in VARIED_GAMES
    )


def make_computer_control_id(slug: str) -> str:
    """Return the id of the button that begins a game against the computer."""
    return f"{PLAY_COMPUTER}:{slug}:{DEFAULT_LEVEL.value}"
