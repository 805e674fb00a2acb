"""Comparing the names of games as people type them."""

import re
from unicodedata import combining, normalize

from engine.folding import fold_text

ARTICLES = frozenset(
    {
        *("the", "el", "la", "los", "las", "le", "les", "l"),
        *("il", "lo", "i", "gli", "der", "die", "das", "o", "os", "as"),
    }
)
"""Of the languages in which the bot speaks."""


def fold_name(name: str, *, with_article: bool = False) -> str:
    """Return a name without case, accents, spaces and signs, and without an article before it.

    `Zeno’s Game` and `zenos-game` are one name, and so are `The English Game` and `English game`.
    """
    letters = (each for each in normalize("NFKD", fold_text(name)) if not combining(each))
    words = re.findall(r"[^\W_]+", "".join(letters))
    # An article alone stays, or nothing would be left to compare.
    if len(words) > 1 and words[0] in ARTICLES and not with_article:
        words = words[1:]
    return "".join(words)


def has_matching_name(names: tuple[str, ...], typed: str) -> bool:
    """Whether one of these names holds what was typed so far."""
    # What is typed so far may be no more than the article, which the full name then has to hold.
    return any(fold_name(typed) in fold_name(name, with_article=True) for name in names)
