"""What else one can do in a match: the button More, and the question before a match is given up."""

from discord import ButtonStyle

from bot.features.matches.action_buttons import make_action_button
from bot.features.matches.controls import CardPart, build_card_controls, make_ask_button
from bot.features.matches.session import MatchSession
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, Item
from engine.match import Phase


def more_card(say: Reader, session: MatchSession, person: int) -> Card:
    """Return what else somebody can look at or do in a match, for them alone."""
    return Card(
        texts=(say("What would you like to see or do in match {number}?", number=session.id),),
        controls=(
            *build_card_controls(CardPart.MORE, say, session),
            *_build_player_controls(say, session, person),
        ),
    )


def _build_player_controls(say: Reader, session: MatchSession, person: int) -> tuple[Item, ...]:
    """Return the buttons of those who play, but those that would be refused."""
    match = session.match
    sides = session.find_sides(person)
    if not sides or match.phase is Phase.OVER:
        return ()
    controls: list[Item] = []
    if match.thrower is not None and match.drawing is None and sides[0] not in match.offered:
        controls.append(
            make_action_button(session, "offer", say("Offer a draw"), ButtonStyle.secondary)
        )
    label = say("Leave the match…")
    if not session.may_be_left:
        # Translators: button: asks whether the reader wants to give the match up (verb).
        label = say("Resign…")
    controls.append(make_ask_button(session, "resign", label))
    return tuple(controls)


def resign_card(say: Reader, session: MatchSession) -> Card:
    """Return the question whether somebody gives a match up, or leaves it while it is young."""
    if session.may_be_left:
        text = say(
            "Leave match {number}? It's within its first two turns, so it won't count.",
            number=session.id,
        )
        button = make_action_button(session, "abort", say("Leave the match"), ButtonStyle.danger)
    else:
        text = say("Resign match {number}? Your opponent wins it.", number=session.id)
        # Translators: button: gives the match up, which the opponent then wins (verb).
        button = make_action_button(session, "resign", say("Resign"), ButtonStyle.danger)
    return Card(texts=(text,), controls=(button, make_ask_button(session, "stay", say("Play on"))))


def stay_card(say: Reader, session: MatchSession) -> Card:
    """Return what is said to somebody who plays on after all."""
    return Card(texts=(say("Match {number} goes on.", number=session.id),))
