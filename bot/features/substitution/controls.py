"""Buttons of a seat that is offered."""

import discord
from discord import ButtonStyle

from bot.features.substitution.service import SeatOffer
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Item
from bot.platform.ui.controls import VerbScope, declare_verb

SEAT = declare_verb("seat", VerbScope.STATE)
"""Take a seat that is offered, or not."""


def seat_controls(say: Reader, offer: SeatOffer) -> tuple[Item, ...]:
    """Return the buttons that take a seat, or leave it to its holder."""
    return (
        discord.ui.Button(
            label=say("Take the seat"), style=ButtonStyle.success, custom_id=f"{SEAT}:take:{offer}"
        ),
        discord.ui.Button(
            label=say("Leave it"), style=ButtonStyle.secondary, custom_id=f"{SEAT}:leave:{offer}"
        ),
    )
