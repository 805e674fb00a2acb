"""What the ids of buttons, menus and forms say.

A modified client can send any id, so nothing in them is taken on trust: each function raises
Declined for what none of our messages shows.
"""

from enum import StrEnum
from typing import Any, TypeVar

import discord

from bot.app.errors import Declined, Why
from bot.app.ratings import ALL_GAMES, of_pool
from bot.delivery.layout import ids
from bot.delivery.outlets import Interaction
from bot.views.controls import unmarked
from engine.games import GAMES

E = TypeVar("E", bound=StrEnum)

LARGEST = 2**63 - 1
"""The largest number that the database keeps."""


def parts(rest: str, count: int) -> list[str]:
    """Return so many parts of an id; the last is all that is left."""
    found = rest.split(":", count - 1)
    if len(found) != count:
        raise Declined(Why.UNKNOWN_CONTROL)
    return found


def number_of(text: str) -> int:
    """Return the number that a part of an id is."""
    if not (text.isascii() and text.isdigit()) or int(text) > LARGEST:
        raise Declined(Why.UNKNOWN_CONTROL)
    return int(text)


def one_of(kind: type[E], text: str) -> E:
    """Return which of the values of a kind a part of an id is."""
    try:
        return kind(text)
    except ValueError:
        raise Declined(Why.UNKNOWN_CONTROL) from None


def pool_of(text: str) -> str:
    """Return the pool of a leaderboard that a part of an id is."""
    try:
        game, _ = of_pool(text)
    except ValueError:
        raise Declined(Why.UNKNOWN_CONTROL) from None
    if game != ALL_GAMES and game not in GAMES:
        raise Declined(Why.UNKNOWN_CONTROL)
    return text


def picked(interaction: Interaction) -> str:
    """Return the entry picked from a menu."""
    data: Any = interaction.data
    values = data.get("values")
    if not values:
        raise Declined(Why.UNKNOWN_CONTROL)
    value: str = values[0]
    return value


def require_shown(interaction: Interaction, custom_id: str) -> None:
    """Make sure that the pressed message shows the control.

    This is for ids that say by themselves what is allowed. Discord sends the message as it knows
    it, not as the person who presses describes it.
    """
    if custom_id not in map(unmarked, ids(message_of(interaction))):
        raise Declined(Why.UNKNOWN_CONTROL)


def message_of(interaction: Interaction) -> discord.Message:
    """Return the message whose control was used."""
    if interaction.message is None:
        raise Declined(Why.UNKNOWN_CONTROL)
    return interaction.message
