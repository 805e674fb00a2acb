"""The short messages by which somebody is called to act."""

from bot.app.sitting import Sitting
from bot.views.card import Card
from bot.views.controls import late_controls
from bot.words import clock as words
from bot.words.reader import Reader


def reminder_card(say: Reader, sitting: Sitting, link: str) -> Card:
    """Return what reminds the one to act; `link` leads to the match's message."""
    return Card(texts=(words.remind(say, sitting, link),), ping=sitting.to_act)


def call_card(say: Reader, sitting: Sitting, link: str) -> Card:
    """Return what calls the one to act where a match's message is changed, which calls nobody."""
    return Card(texts=(words.call(say, sitting, link),), ping=sitting.to_act)


def late_card(say: Reader, sitting: Sitting, link: str) -> Card:
    """Return the card that calls those who wait to claim a match or give more time.

    The first of them is notified.
    """
    return Card(
        texts=(words.claimable(say, sitting, link),),
        controls=late_controls(say, sitting),
        ping=sitting.waiting[0],
    )
