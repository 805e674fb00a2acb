"""Buttons, and menus and switches that show what is chosen."""

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
    label = say("Turn off") if is_on else say("Turn on")
    return make_button(label, f"{custom_id}:{OFF if is_on else ON}")


def make_button(label: str, custom_id: str, style: ButtonStyle = ButtonStyle.secondary) -> Item:
    """Return a button that does what its id says."""
    return discord.ui.Button[Any](label=label, style=style, custom_id=custom_id)
