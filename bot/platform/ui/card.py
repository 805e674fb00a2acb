"""A message as we make it: one card, a value that knows nothing of where it will be said."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias

import discord

from bot.platform.i18n.common import format_remainder
from bot.platform.i18n.reader import Reader
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

    `more` says that so many are left out; those of a page are on no other, so that none should be.
    Each line has a little space above it, unless `joined`.
    """

    lines: tuple[str, ...]
    more: Callable[[int], str]
    joined: bool = False
    is_page: bool = False


def list_lines(say: Reader, lines: Iterable[str], *, joined: bool = False) -> Listing:
    """Return lines of which a message shows as many as have room, and how many are left out."""
    return Listing(tuple(lines), partial(format_remainder, say), joined)


def list_page(say: Reader, lines: Iterable[str], *, joined: bool = False) -> Listing:
    """Return the lines of a page, all of which should have room."""
    return replace(list_lines(say, lines, joined=joined), is_page=True)


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


@dataclass(frozen=True, slots=True)
class MatchMoment:
    """A match after so many of its events, in the generation of the database that has a mark."""

    match: int
    version: int
    mark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One message: its texts, pictures, text below them, choices, controls and small print.

    Each of the texts has a little space above it.

    Each of `illustrated` is a text with a picture of its own, which come before the `picture`.

    `other_files` say the same as the file in other formats.

    Nobody but `ping`, or `pings` where there are several, is notified, even if named in the
    texts. `seats` says on which side of the picture's match somebody plays, for those who prefer to
    sit below. A match that only the `viewer` plays is drawn in their style, if they have chosen
    one, also where everyone sees it.
    `moment` is what the picture shows of a match, which the message keeps unseen.
    """

    texts: tuple[str | Listing, ...]
    illustrated: tuple[tuple[str, Picture], ...] = ()
    picture: Picture | None = None
    below: tuple[str | Listing, ...] = ()
    panel: tuple[PanelRow, ...] = ()
    controls: tuple[Item, ...] = ()
    small: str = ""
    file: CardFile | None = None
    other_files: tuple[CardFile, ...] = ()
    ping: int | None = None
    pings: tuple[int, ...] = ()
    seats: Mapping[int, Side] = field(default_factory=dict)
    viewer: int | None = None
    moment: MatchMoment | None = None


def text_only_card(*texts: str) -> Card:
    """Return a card of nothing but words."""
    return Card(texts=texts)
