"""The cards of those who follow a match, and the lines of a server's news."""

from bot.app.sitting import Sitting
from bot.app.turns import last_throw
from bot.store import Often
from bot.views.card import Card, Picture, said
from bot.views.controls import going
from bot.views.scene import scene
from bot.words import following as words
from bot.words import match as match_words
from bot.words.common import with_names
from bot.words.reader import Reader
from engine.match import Phase
from render.describe import describe


def following_card(say: Reader, sitting: Sitting, often: Often, link: str | None) -> Card:
    """Return the message to somebody who begins to follow a match.

    `link` leads to the match's message.
    """
    return _board(
        say,
        sitting,
        (words.following(say, sitting, often), match_words.heading(say, sitting)),
        link,
    )


def news_of_turn_card(say: Reader, sitting: Sitting, link: str | None) -> Card:
    """Return what somebody who follows a match is written after a turn, or when it is over."""
    story = match_words.story(say, sitting, last_throw(sitting))
    return _board(
        say,
        sitting,
        (match_words.heading(say, sitting), story, match_words.prompt(say, sitting)),
        link,
    )


def _board(say: Reader, sitting: Sitting, texts: tuple[str, ...], link: str | None) -> Card:
    shown = scene(say, sitting)
    named = tuple(with_names(text, sitting.names) for text in texts)
    return Card(
        texts=named,
        picture=Picture(shown, describe(shown)),
        controls=(going(say, link),) if link else (),
        seats=sitting.seats,
    )


def news_card(say: Reader, sitting: Sitting, link: str | None) -> Card:
    """Return the line in which a server is told that a match has begun, or how it ended."""
    if sitting.match.phase is Phase.OVER:
        return said(words.ended(say, sitting, link))
    return said(words.begun(say, sitting, link))
