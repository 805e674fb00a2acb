"""The cards of those who follow a match, and the lines of a server's news."""

from bot.features.following import texts as words
from bot.features.matches import event_texts
from bot.features.matches import texts as match_words
from bot.features.matches.controls import match_link_control
from bot.features.matches.scene import build_scene
from bot.features.matches.session import MatchSession
from bot.features.matches.turns import list_since_throw
from bot.platform.i18n.common import replace_mentions
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, Picture, text_only_card
from bot.store import NotifyWhen
from engine.match import Phase
from render.describe import describe_scene


def follow_card(say: Reader, session: MatchSession, often: NotifyWhen, link: str | None) -> Card:
    """Return the message to somebody who begins to follow a match.

    `link` leads to the match's message.
    """
    return _build_board_card(
        say,
        session,
        (words.format_follow_notice(say, session, often), match_words.format_heading(say, session)),
        link,
    )


def turn_news_card(say: Reader, session: MatchSession, link: str | None) -> Card:
    """Return what somebody who follows a match is written after a turn, or when it is over."""
    story = event_texts.describe_transitions(say, session, list_since_throw(session))
    return _build_board_card(
        say,
        session,
        (match_words.format_heading(say, session), story, match_words.format_prompt(say, session)),
        link,
    )


def _build_board_card(
    say: Reader, session: MatchSession, texts: tuple[str, ...], link: str | None
) -> Card:
    shown = build_scene(say, session)
    # In a direct message Discord may not know the others, and would show their ids.
    named = tuple(replace_mentions(text, session.names) for text in texts)
    return Card(
        texts=named,
        picture=Picture(shown, describe_scene(shown)),
        controls=(match_link_control(say, link),) if link else (),
        seats=session.sides_by_person,
    )


def match_news_card(say: Reader, session: MatchSession, link: str | None) -> Card:
    """Return the line that announces in a server that a match has begun, or how it ended."""
    if session.match.phase is Phase.OVER:
        return text_only_card(words.format_end_news(say, session, link))
    return text_only_card(words.format_start_news(say, session, link))
