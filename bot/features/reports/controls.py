"""Buttons that ask for reports, and that lead through the turns of a match."""

from collections.abc import Iterator
from typing import Any

import discord
from discord import ButtonStyle

from bot.features.matches.controls import CardPart, card_controls
from bot.features.matches.session import MatchSession
from bot.features.reports.review import ReviewedTurn
from bot.features.reports.service import MatchReport
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Item
from bot.platform.ui.controls import VerbScope, declare_verb

REPORT = declare_verb("report", VerbScope.NUMBER)
"""Ask how a match was played."""
REVIEW = declare_verb("review", VerbScope.NUMBER)
"""Look at one turn of a reported match."""
PLAY_ON = declare_verb("playon", VerbScope.NUMBER)
"""Play on from one turn of a reported match, against the computer."""
OPEN, STEPS, BACK, NEXT, ERROR = "open", "steps", "back", "next", "error"
"""How somebody comes to a turn."""
OPENING = (OPEN, STEPS)
"""The ways that show it in a message of its own."""


def report_controls(say: Reader, session: MatchSession, report: MatchReport) -> tuple[Item, ...]:
    """Return the buttons of a report: through all turns, and to the worst errors."""
    worst = (
        _make_review_button(
            session,
            say("Error {number}", number=number),
            report.find_turn(error),
            OPEN,
            ButtonStyle.secondary,
        )
        for number, error in enumerate(report.worst_errors, 1)
    )
    if not report.turns:
        return ()
    steps = _make_review_button(session, say("Step through"), 1, STEPS, ButtonStyle.primary)
    return (steps, *worst)


def turn_controls(
    say: Reader, session: MatchSession, report: MatchReport, turn: ReviewedTurn
) -> tuple[Item, ...]:
    """Return the buttons that lead from one turn to others; those that lead nowhere are off.

    Where something was to be decided, another plays on from there.
    """
    number = turn.number
    play_on = discord.ui.Button[Any](
        label=say("Play from here"),
        style=ButtonStyle.secondary,
        custom_id=f"{PLAY_ON}:{session.id}:{number}",
    )
    back = number - 1 if number > 1 else None
    onward = number + 1 if number < len(report.turns) else None
    return (
        # Translators: button: shows the previous turn of a match.
        _make_review_button(session, say("Back"), back, BACK, ButtonStyle.secondary),
        # Translators: button: shows the next turn of a match.
        _make_review_button(session, say("Next"), onward, NEXT, ButtonStyle.primary),
        _make_review_button(
            session,
            say("Next error"),
            report.find_next_error(number),
            ERROR,
            ButtonStyle.secondary,
        ),
        *((play_on,) if turn.opening else ()),
    )


@card_controls(CardPart.END, 30)
def _report_control(say: Reader, session: MatchSession) -> Iterator[Item]:
    yield discord.ui.Button(
        # Translators: button: shows how well a match was played (noun; nobody is reported).
        label=say("Report"),
        style=ButtonStyle.secondary,
        custom_id=f"{REPORT}:{session.id}",
    )


def _make_review_button(
    session: MatchSession, label: str, turn: int | None, how: str, style: ButtonStyle
) -> Item:
    # Ids differ also where two buttons lead to the same turn, or nowhere.
    custom_id = f"{REVIEW}:{session.id}:{turn or 0}:{how}"
    return discord.ui.Button(label=label, style=style, custom_id=custom_id, disabled=turn is None)
