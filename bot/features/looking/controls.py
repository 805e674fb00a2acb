"""The buttons and menus of those who look for a game."""

from collections.abc import Iterator, Sequence
from typing import Any

import discord
from discord import ButtonStyle, SelectOption

from bot.features.looking.store import ANY_GAME
from bot.features.looking.texts import format_subject
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Item
from bot.platform.ui.choices import make_button
from bot.platform.ui.controls import LONGEST_ENTRY, MOST_CHOICES
from engine.games import GAMES
from render.characters import shorten_text

SUBSCRIBE = "notify"
"""Subscribe to any game."""
UNSUBSCRIBE = "notifyend"
"""End the subscription picked from the menu."""
UNSUBSCRIBE_ALL = "notifyall"
"""End all subscriptions in a server."""
STOP_NOTICES = "notifystop"
"""End the subscriptions that have led to a direct message: a server's id and a game's slug."""


def list_subscription_controls(say: Reader, subjects: Sequence[str]) -> Iterator[Item]:
    """Yield what can be done with somebody's subscriptions in a server."""
    if ANY_GAME not in subjects:
        yield make_button(say("Subscribe to any game"), f"{SUBSCRIBE}:", ButtonStyle.primary)
    if not subjects:
        return
    yield make_button(say("End all"), f"{UNSUBSCRIBE_ALL}:")
    yield discord.ui.Select[Any](
        placeholder=say("End a subscription"),
        options=[
            SelectOption(
                label=shorten_text(format_subject(say, subject), LONGEST_ENTRY), value=subject
            )
            for subject in subjects[:MOST_CHOICES]
        ],
        custom_id=f"{UNSUBSCRIBE}:",
    )


def list_notice_controls(say: Reader, guild: int, game: str, link: str) -> tuple[Item, ...]:
    """Return the buttons below a notice: to the challenge, and to hear no more of its like."""
    assert game in GAMES
    return (
        discord.ui.Button[Any](label=say("Go to challenge"), url=link),
        make_button(say("Stop these messages"), f"{STOP_NOTICES}:{guild}:{game}"),
    )
