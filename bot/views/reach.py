"""The direct message about a match that can be shown nowhere."""

from collections.abc import Sequence

import discord

from bot.app.sitting import Sitting
from bot.views.card import Card
from bot.views.controls import bring_control
from bot.words import reach as words
from bot.words.reader import Reader


def hindered_card(
    say: Reader,
    sitting: Sitting,
    missing: Sequence[str],
    *,
    gone: bool,
    refuge: discord.TextChannel | None,
) -> Card:
    """Return what tells a player why their match is not shown; a button brings it to the refuge."""
    told = words.hindered(say, sitting, missing, gone=gone)
    if refuge is None:
        return Card(texts=(told,))
    return Card(texts=(told,), controls=(bring_control(say, sitting, refuge.id, refuge.name),))
