"""Buttons that begin a match against the computer."""

from typing import Any

import discord
from discord import ButtonStyle

from bot.platform.i18n import common
from bot.platform.i18n.reader import Reader
from bot.platform.people import DEFAULT_LEVEL
from bot.platform.ui.card import Item
from bot.platform.ui.controls import MAX_LABEL_LENGTH, build_button
from engine.games import GAMES
from engine.games.suggested import VARIED_GAMES
from render.characters import shorten_text

PLAY_COMPUTER = "against"
"""Begin a match against the computer."""
PLAY_WAITING = "join"
"""Play whoever waits for an opponent, or else choose a game against the computer."""
PICK_GAME = "pick"
"""Begin a match against the computer at the game that is picked."""


def play_control(say: Reader) -> Item:
    """Return the button that does what `/play` does."""
    # Translators: button: starts a match (verb).
    return build_button(say("Play"), PLAY_WAITING, ButtonStyle.primary)


def computer_controls(say: Reader) -> tuple[Item, ...]:
    """Return the buttons that begin a match against the computer."""
    return tuple(
        discord.ui.Button[Any](
            label=shorten_text(common.format_title(say, GAMES[slug]), MAX_LABEL_LENGTH),
            style=ButtonStyle.primary,
            custom_id=build_computer_control_id(slug),
        )
        for slug in VARIED_GAMES
    )


def build_computer_control_id(slug: str) -> str:
    """Return the id of the button that begins a game against the computer."""
    return f"{PLAY_COMPUTER}:{slug}:{DEFAULT_LEVEL.value}"
