"""Buttons that ask for hints, allow them, look at one of the best plays, and play it."""

from collections.abc import Iterator

import discord
from discord import ButtonStyle

from bot.features.hints.advice import Advice
from bot.features.hints.service import Hint, has_free_hints, may_decide
from bot.features.matches.action_buttons import make_action_button
from bot.features.matches.controls import CardPart, card_controls
from bot.features.matches.session import MatchSession
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Item
from bot.platform.ui.controls import VerbScope, declare_verb
from engine.events import Chosen, Left
from engine.notation import format_play

HINT = declare_verb("hint", VerbScope.NUMBER)
"""Ask for a hint, or allow hints."""
SHOW = declare_verb("advice", VerbScope.STATE)
"""Look at another of the best plays."""
LONGEST_ID = 90
"""Characters of an id that leave room for the mark of a generation; Discord takes 100."""


@card_controls(CardPart.TURN, 50)
def _hint_controls(say: Reader, session: MatchSession) -> Iterator[Item]:
    if has_free_hints(session) and may_decide(session.match) and not session.is_computer_acting:
        # Translators: button: shows the best plays (noun).
        yield _make_hint_button(session, "ask", say("Hint"), ButtonStyle.secondary)


def allow_hints_control(say: Reader, session: MatchSession) -> Item:
    """Return the button by which hints are allowed in a match."""
    return _make_hint_button(session, "allow", say("Allow hints"), ButtonStyle.primary)


def hint_controls(say: Reader, hint: Hint) -> Iterator[Item]:
    """Yield the buttons by which one of the best plays is looked at, and the one that plays it."""
    match = hint.session.match
    yield from prospect_controls(hint.advice, f"{SHOW}:{hint.session.id}:{match.version}:")
    act, value = _name_action(hint.advice)
    # The same button as in the channel, so that all that is checked there is checked here.
    button = make_action_button(hint.session, act, say("Play this"), ButtonStyle.success, value)
    if len(button.custom_id or "") <= LONGEST_ID:
        yield button


def prospect_controls(advice: Advice, prefix: str) -> Iterator[Item]:
    """Yield the buttons by which one of the best plays is looked at; their ids end in its number.

    Where there is only one, there is nothing to switch between.
    """
    if len(advice.best) > 1:
        for number in range(1, len(advice.best) + 1):
            shown = number == advice.shown + 1
            yield discord.ui.Button(
                label=str(number),
                style=ButtonStyle.primary if shown else ButtonStyle.secondary,
                custom_id=f"{prefix}{number}",
            )


def _name_action(advice: Advice) -> tuple[str, str | None]:
    """Return what the button does that plays what is looked at, and with which value."""
    match advice.prospect.event:
        case Chosen(what, value):
            return what, value
        case Left():
            return "leave", None
    assert advice.play is not None
    return "move", format_play(advice.play.moves, advice.match.rules, advice.match.position)


def _make_hint_button(session: MatchSession, what: str, label: str, style: ButtonStyle) -> Item:
    return discord.ui.Button(label=label, style=style, custom_id=f"{HINT}:{session.id}:{what}")
