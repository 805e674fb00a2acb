"""Buttons that ask for hints, and that allow them."""

from collections.abc import Iterator

import discord
from discord import ButtonStyle

from bot.features.hints.service import has_free_hints, may_decide
from bot.features.matches.controls import CardPart, card_controls
from bot.features.matches.session import MatchSession
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Item
from bot.platform.ui.controls import VerbScope, declare_verb

HINT = declare_verb("hint", VerbScope.NUMBER)
"""Ask for a hint, or allow hints."""


@card_controls(CardPart.TURN, 50)
def _hint_controls(say: Reader, session: MatchSession) -> Iterator[Item]:
    if has_free_hints(session) and may_decide(session.match) and not session.is_computer_acting:
        yield _make_hint_button(session, "ask", say("Hint"), ButtonStyle.secondary)


def allow_hints_control(say: Reader, session: MatchSession) -> Item:
    """Return the button by which hints are allowed in a match."""
    return _make_hint_button(session, "allow", say("Allow hints"), ButtonStyle.primary)


def _make_hint_button(session: MatchSession, what: str, label: str, style: ButtonStyle) -> Item:
    return discord.ui.Button(label=label, style=style, custom_id=f"{HINT}:{session.id}:{what}")
