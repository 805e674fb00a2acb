"""A message as we make it: one card, a value that knows nothing of where it will be said."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import discord

from engine.position import Side
from render.bars import Bars
from render.bracket import DrawnBracket
from render.curve import Curve
from render.scene import Scene, View
from render.table import Table

Item: TypeAlias = discord.ui.Item[Any]

BARS_FILE = "bars.png"
BOARD_FILE = "board.png"
BRACKET_FILE = "bracket.png"
CURVE_FILE = "curve.png"
REPLAY_FILE = "match.gif"
TABLE_FILE = "table.png"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture and what it says to those who cannot see it.

    `shows` is what is drawn, or the bytes of a film; None where the message keeps the picture that
    it has. `restyle` changes the view that the reader has chosen.
    """

    shows: Scene | Bars | Curve | Table | DrawnBracket | bytes | None
    said: str
    name: str = BOARD_FILE
    restyle: Callable[[View], View] | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of which a message shows as many lines as it has room for.

    `more` says that so many are left out. Each line has a little space above it, unless `joined`.
    """

    lines: tuple[str, ...]
    more: Callable[[int], str]
    joined: bool = False


@dataclass(frozen=True, slots=True)
class CardFile:
    """A file that goes with a message."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class PanelRow:
    """One choice of a panel: what holds now, with a button beside it or a menu below it."""

    text: str
    control: Item


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One message: its texts, picture, text below it, choices, controls and small print.

    Each of the texts has a little space above it.

    `other_files` say the same as the file in other formats.

    Nobody but `ping` is notified, whoever is named in the texts. `seats` says on which side of the
    picture's match somebody plays, for those who prefer to sit below.
    """

    texts: tuple[str | Listing, ...]
    picture: Picture | None = None
    below: tuple[str | Listing, ...] = ()
    panel: tuple[PanelRow, ...] = ()
    controls: tuple[Item, ...] = ()
    small: str = ""
    file: CardFile | None = None
    other_files: tuple[CardFile, ...] = ()
    ping: int | None = None
    seats: Mapping[int, Side] = field(default_factory=dict)


def list_files(card: Card) -> tuple[CardFile, ...]:
    """Return the files that go with a card, its own first."""
    return (*([card.file] if card.file else []), *card.other_files)


def text_only_card(*texts: str) -> Card:
    """Return a card of nothing but words."""
    return Card(texts=texts)
