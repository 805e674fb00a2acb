"""The direct message about a match that can be shown nowhere."""

from collections.abc import Sequence

import discord

from bot.features.matches import reach_texts as words
from bot.features.matches.controls import bring_control
from bot.features.matches.session import MatchSession
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card


def unreachable_card(
    say: Reader,
    session: MatchSession,
    missing: Sequence[str],
    *,
    gone: bool,
    refuge: discord.TextChannel | None,
) -> Card:
    """Return what tells a player why their match is not shown; a button brings it to the refuge."""
    told = words.explain_hidden_match(say, session, missing, gone=gone)
    if refuge is None:
        return Card(texts=(told,))
    return Card(texts=(told,), controls=(bring_control(say, session, refuge.id, refuge.name),))
