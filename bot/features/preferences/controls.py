"""The menus and buttons of panels on which boards and preferences are chosen."""

from typing import Any

import discord
from discord import ButtonStyle

from bot.features.preferences.board_style import NATURAL
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.i18n import common
from bot.platform.i18n.catalogue_texts import theme_context
from bot.platform.i18n.reader import Reader
from bot.platform.ui import views
from bot.platform.ui.card import Item
from bot.platform.ui.choices import make_choice_menu
from bot.platform.ui.ids import parse_choice
from bot.store import BoardStyle, Reminder
from engine.position import Side
from render.theme import load_themes

PREFERENCE = "preference"
"""Choose one of one's own preferences."""


def make_change_button(say: Reader, custom_id: str) -> Item:
    """Return the button that opens a form in which something is typed."""
    return discord.ui.Button[Any](
        # Translators: button: opens a form in which a setting is typed (verb).
        label=say("Change"),
        style=ButtonStyle.secondary,
        custom_id=custom_id,
    )


def make_reset_button(say: Reader, custom_id: str) -> Item:
    """Return the button that makes everything on a panel as it was at first."""
    return discord.ui.Button[Any](
        label=say("Reset to defaults"), style=ButtonStyle.secondary, custom_id=custom_id
    )


def require_theme(value: str) -> str:
    """Return a theme that was chosen; raises DeclinedError for one that we do not have."""
    if value != NATURAL and value not in load_themes():
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    return value


def require_near_side(value: str, *, own: bool) -> str:
    """Return the side that was chosen to sit at the bottom; one's `own` is none on public boards.

    Raises DeclinedError for anything else.
    """
    if own and value == views.MINE:
        return value
    return parse_choice(Side, value).value


def make_theme_menu(say: Reader, custom_id: str, style: BoardStyle) -> Item:
    """Return the menu of what boards can look like."""
    themes = load_themes()
    entries = [
        (NATURAL, say("The one that suits each board"), ""),
        *(
            (
                theme.name,
                say.in_context(theme_context(theme.name), theme.title),
                say.in_context(theme_context(theme.name), theme.note),
            )
            for theme in themes.values()
        ),
    ]
    # A theme of another version may be missing here; then boards are drawn as by default.
    chosen = style.theme or NATURAL
    return make_choice_menu(custom_id, entries, chosen if chosen in themes else NATURAL)


def make_near_side_menu(say: Reader, custom_id: str, style: BoardStyle, *, own: bool) -> Item:
    """Return the menu of who sits at the bottom; a public board has no side of one's `own`."""
    sides = [(side.value, common.format_side_title(say, side), "") for side in Side]
    mine = [(views.MINE, say("My own side"), "")] if own else []
    return make_choice_menu(custom_id, [*sides, *mine], style.seat)


def make_reminder_menu(say: Reader, custom_id: str, reminder: Reminder) -> Item:
    """Return the menu of how one is reminded that time runs out."""
    entries = [
        (Reminder.CHANNEL.value, say("In the match's channel"), ""),
        (Reminder.DIRECT.value, say("By direct message"), ""),
        # Translators: menu entry: the reader is never reminded that time runs out.
        (Reminder.NEVER.value, say("Never"), ""),
    ]
    return make_choice_menu(custom_id, entries, reminder.value)
