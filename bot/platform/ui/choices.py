"""Menus and switches that show what is chosen."""

from collections.abc import Iterable
from typing import Any

import discord
from discord import ButtonStyle, SelectOption

from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Item
from bot.platform.ui.controls import MOST_CHOICES
from bot.platform.ui.ids import OFF, ON


def make_choice_menu(
    custom_id: str, entries: Iterable[tuple[str, str, str]], chosen: str, placeholder: str = ""
) -> Item:
    """Return a menu of values, labels and notes, in which one value is chosen."""
    return discord.ui.Select[Any](
        placeholder=placeholder or None,
        options=[
            SelectOption(
                label=label, value=value, description=note or None, default=value == chosen
            )
            for value, label, note in entries
        ][:MOST_CHOICES],
        custom_id=custom_id,
    )


def make_switch(say: Reader, custom_id: str, *, is_on: bool) -> Item:
    """Return the button that turns something on or off; its id says which."""
    return discord.ui.Button[Any](
        label=say("Turn off") if is_on else say("Turn on"),
        style=ButtonStyle.secondary,
        custom_id=f"{custom_id}:{OFF if is_on else ON}",
    )
