"""Buttons that ask for reports."""

from collections.abc import Iterator

import discord
from discord import ButtonStyle

from bot.features.matches.controls import CardPart, card_controls
from bot.features.matches.session import MatchSession
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Item
from bot.platform.ui.controls import VerbScope, declare_verb

REPORT = declare_verb("report", VerbScope.NUMBER)
"""Ask how a match was played."""


def error_controls(say: Reader, session: MatchSession, count: int) -> tuple[Item, ...]:
    """Return the buttons that show the worst errors of a match, so many."""
    return tuple(
        _make_report_button(session, say("Error {number}", number=number), number)
        for number in range(1, count + 1)
    )


@card_controls(CardPart.END, 30)
def _report_control(say: Reader, session: MatchSession) -> Iterator[Item]:
    yield _make_report_button(session, say("Report"))


def _make_report_button(session: MatchSession, label: str, error: int | None = None) -> Item:
    custom_id = f"{REPORT}:{session.id}" if error is None else f"{REPORT}:{session.id}:{error}"
    return discord.ui.Button(label=label, style=ButtonStyle.secondary, custom_id=custom_id)
