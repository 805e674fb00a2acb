"""What is visible in a text: some characters have no shape, and some names have no others."""

import unicodedata
from functools import lru_cache

_FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0\U0001d159")
"""Letters and signs by their category that are blank in every font."""
_VISIBLE = frozenset("LNPS")
"""The first letters of the categories of what has a shape of its own."""


MAX_SKELETONS = 4096
"""Texts of which it is remembered how they look: people's names come again and again."""


def is_visible(character: str) -> bool:
    """Return whether a character has a shape of its own.

    Spaces, fillers, joiners, tags and lone accents have none.
    """
    return unicodedata.category(character)[0] in _VISIBLE and character not in _FILLERS


def has_visible(text: str) -> bool:
    """Whether anybody sees anything of a text."""
    return any(map(is_visible, text))


def utf16_length(text: str) -> int:
    """Return how long a text is for Discord at most: in UTF-16, where an emoji counts twice."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def clip_text(text: str, longest: int) -> str:
    """Return a text without what is too much."""
    # No character counts less than one, so more than this never fits; emoji may still be too long.
    kept = text[:longest]
    while utf16_length(kept) > longest:
        kept = kept[:-1]
    return kept


def shorten_text(text: str, longest: int) -> str:
    """Return a text with an ellipsis in place of what is too much."""
    return text if utf16_length(text) <= longest else f"{clip_text(text, longest - 1)}…"


@lru_cache(MAX_SKELETONS)
def text_skeleton(text: str) -> str:
    """Return what tells texts apart at a glance: plain letters without case, nothing blank."""
    return "".join(filter(is_visible, unicodedata.normalize("NFKC", text))).casefold()
