"""What can be seen of a text: some characters have no shape at all, and some names are made of nothing else."""

import unicodedata

_FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0\U0001d159")
"""Letters and signs by their category that are blank in every font."""
_VISIBLE = frozenset("LNPS")
"""The first letters of the categories of what has a shape of its own."""


def is_visible(character: str) -> bool:
    """Whether a character has a shape of its own: spaces, fillers, joiners, tags and lone accents have none."""
    return unicodedata.category(character)[0] in _VISIBLE and character not in _FILLERS


def has_visible(text: str) -> bool:
    """Whether anybody sees anything of a text."""
    return any(map(is_visible, text))


def skeleton(text: str) -> str:
    """Return what tells a text from another at a glance: plain letters without case, nothing that is blank."""
    return "".join(filter(is_visible, unicodedata.normalize("NFKC", text))).casefold()
