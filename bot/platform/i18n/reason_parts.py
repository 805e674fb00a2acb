"""Parts of the sentences that say why something is refused."""

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any, TypeAlias

from bot.platform.i18n.reader import Reader
from render.characters import shorten_text

Parts: TypeAlias = Mapping[str, Any]
"""What a refusal names, by the names of its parts."""
MAX_TYPED = 40
"""Characters of what was typed that a refusal repeats."""


def clip_typed(text: str) -> str:
    """Shorten typed text to what is needed to recognise it."""
    return shorten_text(text, MAX_TYPED)


def join_alternatives(say: Reader, things: Iterable[str]) -> str:
    """List things of which one is meant: `a`, `a or b`, `a, b or c`."""
    *before, last = things
    if not before:
        return last
    row = reduce(
        lambda row, thing: say.in_context("list", "{before}, {next}", before=row, next=thing),
        before,
    )
    return say.in_context("list", "{one} or {other}", one=row, other=last)


def join_all(say: Reader, things: Iterable[object]) -> str:
    """Write several things as a list in words."""
    return say.format_list([str(thing) for thing in things])


def join_any(say: Reader, things: Iterable[object]) -> str:
    """Write several things of which one may be meant."""
    return join_alternatives(say, map(str, things))


def quote_each(typed: Iterable[str]) -> list[str]:
    """Write each text that was typed as code."""
    return [f"`{each}`" for each in typed]


def format_number(say: Reader, number: int) -> str:
    """Write a number that moves a man, with its article."""
    # English alone has two articles here, by how a number sounds.
    if number in (8, 11, 18):
        return say.in_context("the number that moves a man", "an {n}", n=number)
    return say.in_context("the number that moves a man", "a {n}", n=number)
