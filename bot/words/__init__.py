"""The words that people see: `match` tells a match, `reader` says a text in somebody's language."""

from bot.words.match import (
    committed,
    dice,
    heading,
    mention,
    mentions,
    prompt,
    rating_news,
    result,
    revealed,
    status,
    story,
)

__all__ = [
    "committed",
    "dice",
    "heading",
    "mention",
    "mentions",
    "prompt",
    "rating_news",
    "result",
    "revealed",
    "status",
    "story",
]
