"""What one message takes: whole lines, as many as there is room for, measured as they are sent."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby

import discord

from bot.platform.ui.card import Card, Item, Listing, list_files
from render.characters import shorten_text, utf16_length

MOST_TEXT = 4000
"""Characters of all texts of a message together."""
MOST_SMALL_PRINT = 1000
"""Characters of small print."""
MOST_PARTS = 40
"""Components of a message, with those that hold others."""
BUTTONS_PER_ROW = 5
"""Buttons that Discord puts beside each other."""
_ELLIPSIS = "…"


def fit_first_lines(lines: Sequence[str], most: int) -> list[str]:
    """Return the first lines or paragraphs that together take at most so many characters."""
    kept = []
    room = most
    for line in lines:
        # One more for the line break after it.
        room -= utf16_length(line) + 1
        if room < 0:
            break
        kept.append(line)
    return kept


def fit_last_lines(lines: Sequence[str], most: int) -> list[str]:
    """Return the last of them, in their order."""
    return fit_first_lines(lines[::-1], most)[::-1]


def format_small_print(card: Card) -> str:
    """Return a card's small print as it is sent."""
    return "\n".join(f"-# {line}" for line in card.small.splitlines())


def fit_card(card: Card) -> Card:
    """Return a card that Discord takes, its lists as the lines that there is room for.

    Where a message is too long without its lists, its longest text loses its last lines.
    """
    card = replace(card, small=_drop_last_lines(card.small, MOST_SMALL_PRINT))
    parts = (*card.texts, *card.below)
    fixed = [part for part in parts if isinstance(part, str)]
    lists = [part for part in parts if isinstance(part, Listing)]
    # What says that lines are left out has its place before any line has one.
    room = MOST_TEXT - _measure_texts(
        [
            format_small_print(card),
            *(choice.text for choice in card.panel),
            *(each.more(len(each.lines)) for each in lists),
        ]
    )
    kept = _shorten_longest(fixed, room)
    room -= _measure_texts(kept)
    fitted: dict[int, tuple[str, ...]] = {}
    # A short list is shown whole rather than crowded out by a long one.
    for at in sorted(range(len(lists)), key=lambda at: _measure_texts(lists[at].lines)):
        fitted[at] = tuple(_fit_listing(lists[at], room))
        room -= _measure_texts(fitted[at])
    listed = (fitted[at] for at in range(len(lists)))
    shown = [next(listed) if isinstance(part, Listing) else (kept.pop(0),) for part in parts]
    above = len(card.texts)
    texts, below = tuple(chain(*shown[:above])), tuple(chain(*shown[above:]))
    # Each text is a component; joined they say the same in two.
    if _count_components(card, texts, below) > MOST_PARTS:
        texts, below = ("\n".join(filter(None, texts)),), ("\n".join(filter(None, below)),)
    return replace(card, texts=texts, below=below)


def _measure_texts(texts: Iterable[str]) -> int:
    """Return how much room some texts take, each on a line of its own."""
    return sum(utf16_length(text) + 1 for text in texts)


def _fit_listing(listing: Listing, room: int) -> Iterator[str]:
    shown = fit_first_lines(listing.lines, room)
    left = len(listing.lines) - len(shown)
    lines = (*shown, listing.more(left)) if left else tuple(shown)
    yield from ("\n".join(lines),) if listing.joined else lines


def _shorten_longest(texts: Sequence[str], room: int) -> list[str]:
    """Return texts of which the longest are shortened until all of them have room."""
    kept = list(texts)
    while (excess := _measure_texts(kept) - room) > 0:
        at = max(range(len(kept)), key=lambda at: utf16_length(kept[at]))
        kept[at] = _drop_last_lines(kept[at], max(utf16_length(kept[at]) - excess, len(_ELLIPSIS)))
    return kept


def _drop_last_lines(text: str, most: int) -> str:
    """Return a text without its last lines if it is too long.

    The first line is cut where it alone is too long.
    """
    if utf16_length(text) <= most:
        return text
    lines = fit_first_lines(text.splitlines(), most - len(_ELLIPSIS))
    return "\n".join((*lines, _ELLIPSIS)) if lines else shorten_text(text.splitlines()[0], most)


def arrange_controls(controls: Iterable[Item]) -> list[list[Item]]:
    """Return a card's controls in rows: a menu has its own, buttons beside each other share one."""
    rows: list[list[Item]] = []
    for are_buttons, group in groupby(controls, lambda each: isinstance(each, discord.ui.Button)):
        row = list(group)
        width = BUTTONS_PER_ROW if are_buttons else 1
        rows += [row[at : at + width] for at in range(0, len(row), width)]
    return rows


def _count_components(card: Card, texts: Sequence[str], below: Sequence[str]) -> int:
    """Return how many components a card is sent as."""
    rows = len(arrange_controls(card.controls))
    besides = (card.picture is not None) + len(list_files(card)) + 2 * bool(card.small)
    said = sum(map(bool, (*texts, *below)))
    # Each choice has a text and a control, in a section or with the row of a menu.
    choices = 3 * len(card.panel)
    # The 1 is the container around everything; small print (above) comes with a separator.
    return 1 + said + besides + choices + rows + len(card.controls)
