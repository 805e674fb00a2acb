"""The short messages by which somebody is called to act."""

from bot.features.matches import clock_texts as words
from bot.features.matches.controls import timeout_controls
from bot.features.matches.session import MatchSession
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card


def reminder_card(say: Reader, session: MatchSession, link: str) -> Card:
    """Return what reminds the one to act; `link` leads to the match's message."""
    return Card(texts=(words.format_reminder(say, session, link),), ping=session.person_to_act)


def timeout_card(say: Reader, session: MatchSession, link: str) -> Card:
    """Return the card that calls those who wait to claim a match or give more time.

    The first of them is notified.
    """
    return Card(
        texts=(words.format_claim_notice(say, session, link),),
        controls=timeout_controls(say, session),
        ping=session.waiting_players[0],
    )
