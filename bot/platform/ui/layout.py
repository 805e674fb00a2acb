"""A card as Discord components: text above the picture, controls below it, small print last.

A message takes whole lines, as many as there is room for, measured as they are sent.
"""

import asyncio
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, groupby
from typing import Any, NamedTuple

import discord

from bot.platform.context import App
from bot.platform.db.preferences import OWN_DEFAULT_STYLE, OWN_SIDE, PERSON_STYLE
from bot.platform.ui.card import (
    Card,
    CardFile,
    Item,
    Listing,
    MatchMoment,
    PanelRow,
    Picture,
)
from bot.platform.ui.controls import MAX_ENTRY_LENGTH, MAX_LABEL_LENGTH, mark_controls, walk_parts
from bot.platform.ui.icons import NO_ICONS, IconSet, ShownIcon, show_icons
from engine.position import Side
from render.bars import Bars, draw_bars
from render.board import draw_board
from render.bracket import DrawnBracket, draw_bracket
from render.characters import shorten_text, utf16_length
from render.curve import Curve, draw_curve
from render.scene import Scene, View
from render.table import Table, draw_table
from render.theme import load_themes

MAX_TEXT_LENGTH = 4000
"""Characters of all texts of a message together."""
MAX_SMALL_PRINT_LENGTH = 1000
"""Characters of small print."""
MAX_PARTS = 40
"""Components of a message, with those that hold others."""
BUTTONS_PER_ROW = 5
"""Buttons that Discord puts beside each other."""
_ELLIPSIS = "…"

MARKS = range(100_000_000, 200_000_000)
VERSIONS = range(500_000_000, 600_000_000)
MATCHES = range(1_000_000_000, 2_000_000_000)
"""The ids of the parts of a message by which its match is found again; menus have lower ones."""
MARK_LENGTH = 6
"""Hexadecimal digits of a generation's mark."""
ACCENT = discord.Colour(0xB08D57)
MAX_PLACEHOLDER_LENGTH = 150
MAX_PICTURES = 64
"""Pictures that are kept, of some 50 KB each."""
MAX_TABLES = 16
"""Pictures of tables that are kept, of 170 KB at most."""


class PackedFile(NamedTuple):
    """A file of a message, and what it says to those who cannot see it."""

    name: str
    content: bytes
    said: str | None = None


class CardPayload(NamedTuple):
    """A card ready to be sent: its components, and the files that they refer to.

    Where it keeps the picture of the message that it changes, it uploads nothing.
    """

    layout: discord.ui.LayoutView
    files: Sequence[PackedFile]
    keeps_picture: bool

    def open_files(self) -> list[discord.File]:
        """Return the files for one request, which closes them."""
        return [
            discord.File(io.BytesIO(each.content), each.name, description=each.said)
            for each in self.files
        ]

    def build_edit(self) -> dict[str, Any]:
        """Return the arguments that change a message to this card; they notify nobody."""
        changes: dict[str, Any] = {
            "view": self.layout,
            "allowed_mentions": discord.AllowedMentions.none(),
        }
        if not self.keeps_picture:
            changes["attachments"] = self.open_files()
        return changes


async def load_view(app: App, scope: str, owner: int, seats: Mapping[int, Side]) -> View:
    """Return the view that a person or a server has chosen; `seats` says who sits where."""
    look = await app.store.board_styles.load_style(scope, owner)
    # An onlooker has no side of their own, and looks from gold's.
    below = seats.get(owner, Side.GOLD) if look.seat == OWN_SIDE else Side(look.seat)
    # A theme that a newer or older version knew may be gone.
    return View(load_themes().get(look.theme or ""), below, look.numbered)


async def pack_card(app: App, card: Card, scope: str, owner: int) -> CardPayload:
    """Make a card ready to be sent to a person, or to everyone in a server, by their board style.

    The picture is drawn off the event loop, and the controls are marked by the generation.
    """
    # A film is finished, and a picture that is kept is not drawn: neither needs a style.
    drawn_here = any(not isinstance(each.shows, bytes | None) for each in _list_pictures(card))
    if drawn_here and card.viewer is not None:
        own = await app.store.board_styles.load_style(PERSON_STYLE, card.viewer)
        if own != OWN_DEFAULT_STYLE:
            scope, owner = PERSON_STYLE, card.viewer
    view = await load_view(app, scope, owner, card.seats) if drawn_here else View()
    if card.picture and card.picture.restyle:
        view = card.picture.restyle(view)
    return await render_card(card, view, app.lineage.mark, app.get_part(IconSet).shown)


async def render_card(
    card: Card, look: View, mark: str = "", icons: Mapping[str, ShownIcon] = NO_ICONS
) -> CardPayload:
    """Draw a card's picture off the event loop and lay the card out, with a mark on its controls.

    The mark is that of a generation; `icons` are those that Discord has.
    """
    mark_controls([*card.controls, *(row.control for row in card.panel)], mark)
    if card.moment:
        card = replace(card, moment=replace(card.moment, mark=mark))
    files = []
    for picture in _list_pictures(card):
        if picture.shows is not None:
            drawn = await asyncio.to_thread(_draw_picture, picture, look)
            files.append(PackedFile(picture.name, drawn, picture.said))
    files += [PackedFile(each.name, each.content) for each in _list_files(card)]
    return CardPayload(build_layout(card, icons), files, not files and card.picture is not None)


# A post that is tried again, a message in place of a deleted one, or a board for one more
# onlooker: the same picture is not drawn and encoded again.
_draw_scene = lru_cache(maxsize=MAX_PICTURES)(draw_board)
# Standings of 64 people take a quarter of a second, and are looked at again and again.
_draw_table = lru_cache(maxsize=MAX_TABLES)(draw_table)


def _list_pictures(card: Card) -> tuple[Picture, ...]:
    """Return the pictures of a card in their order."""
    return (
        *(picture for _, picture in card.illustrated),
        *([card.picture] if card.picture else []),
    )


def _list_files(card: Card) -> tuple[CardFile, ...]:
    """Return the files that go with a card, its own first."""
    return (*([card.file] if card.file else []), *card.other_files)


def _draw_picture(picture: Picture, look: View) -> bytes:
    match picture.shows:
        case bytes(film):
            return film
        case Scene() as scene:
            return _draw_scene(scene, look)
        case Bars() as bars:
            return draw_bars(bars, look)
        case Curve() as curve:
            return draw_curve(curve, look)
        case Table() as table:
            return _draw_table(table, look)
        case DrawnBracket() as bracket:
            return draw_bracket(bracket, look)
    raise ValueError("a picture that is kept is not drawn")


def build_layout(card: Card, icons: Mapping[str, ShownIcon] = NO_ICONS) -> discord.ui.LayoutView:
    """Lay a card out.

    Controls are handled by their ids, so the view is only a layout: it is stopped before it is
    sent, and discord.py keeps nothing of it in memory.
    """
    show_icons([*card.controls, *(row.control for row in card.panel)], icons)
    layout = discord.ui.LayoutView(timeout=None)
    container: discord.ui.Container[Any] = discord.ui.Container(
        *_build_items(fit_card(card)), accent_colour=ACCENT
    )
    if card.moment:
        _number_parts(container, card.moment)
    layout.add_item(container)
    layout.stop()
    return layout


def _number_parts(container: discord.ui.Container[Any], moment: MatchMoment) -> None:
    """Say in the ids of a message's parts which match it shows, and when.

    Nobody sees them, and a message keeps them without its buttons.
    """
    if moment.match >= len(MATCHES):
        return
    container.id = MATCHES[moment.match]
    for kind, number in (
        (discord.ui.TextDisplay, VERSIONS[moment.version]),
        (discord.ui.MediaGallery, MARKS[int(moment.mark, 16)] if moment.mark else None),
    ):
        part = next((each for each in container.children if isinstance(each, kind)), None)
        if part is not None:
            part.id = number


def find_moment(message: discord.Message) -> MatchMoment | None:
    """Return the match that a message of ours shows, and when; None for any other message."""
    ids = [getattr(part, "id", None) or 0 for part in walk_parts(message.components)]
    match, version, mark = (
        next((each - kind.start for each in ids if each in kind), None)
        for kind in (MATCHES, VERSIONS, MARKS)
    )
    if match is None or version is None:
        return None
    return MatchMoment(match, version, "" if mark is None else f"{mark:0{MARK_LENGTH}x}")


def _build_items(card: Card) -> Iterator[Item]:
    yield from _build_texts(card.texts)
    for text, picture in card.illustrated:
        yield discord.ui.TextDisplay(text)
        yield _build_gallery(picture)
    if card.picture:
        yield _build_gallery(card.picture)
    for each in _list_files(card):
        yield discord.ui.File(f"attachment://{each.name}")
    yield from _build_texts(card.below)
    for choice in card.panel:
        yield from _build_choice(choice)
    yield from _build_rows(card.controls)
    if card.small:
        yield discord.ui.Separator()
        yield discord.ui.TextDisplay(format_small_print(card))


def _build_gallery(picture: Picture) -> Item:
    media = discord.MediaGalleryItem(f"attachment://{picture.name}", description=picture.said)
    return discord.ui.MediaGallery(media)


def _build_texts(texts: Iterable[str | Listing]) -> Iterator[Item]:
    # `fit_card` has made texts of all lists, and Discord takes no empty text.
    yield from (discord.ui.TextDisplay(text) for text in texts if isinstance(text, str) and text)


def _build_choice(choice: PanelRow) -> Iterator[Item]:
    _clip_label(choice.control)
    if isinstance(choice.control, discord.ui.Button):
        yield discord.ui.Section(choice.text, accessory=choice.control)
        return
    yield discord.ui.TextDisplay(choice.text)
    yield discord.ui.ActionRow(choice.control)


def _build_rows(controls: tuple[Item, ...]) -> Iterator[Item]:
    for row in arrange_controls(controls):
        for control in row:
            _clip_label(control)
        yield discord.ui.ActionRow(*row)


def _clip_label(control: Item) -> None:
    """Shorten a control's label to Discord's limit, in any language."""
    if isinstance(control, discord.ui.Button) and control.label:
        control.label = shorten_text(control.label, MAX_LABEL_LENGTH)
    if isinstance(control, discord.ui.Select):
        control.placeholder = (
            shorten_text(control.placeholder or "", MAX_PLACEHOLDER_LENGTH) or None
        )
        for option in control.options:
            option.label = shorten_text(option.label, MAX_ENTRY_LENGTH)
            option.description = shorten_text(option.description or "", MAX_ENTRY_LENGTH) or None


def strip_controls(message: discord.Message, remark: str) -> Card:
    """Return a message without its controls, with a remark below its text."""
    parts = list(discord.ui.LayoutView.from_message(message).walk_children())
    texts = [part.content for part in parts if isinstance(part, discord.ui.TextDisplay)]
    pictures = [
        item for part in parts if isinstance(part, discord.ui.MediaGallery) for item in part.items
    ]
    kept = Picture(None, pictures[0].description or "") if pictures else None
    return Card(texts=(*texts, remark), picture=kept, moment=find_moment(message))


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
    card = replace(card, small=_drop_last_lines(card.small, MAX_SMALL_PRINT_LENGTH))
    parts = (*card.texts, *card.below)
    fixed = [part for part in parts if isinstance(part, str)]
    lists = [part for part in parts if isinstance(part, Listing)]
    # What says that lines are left out has its place before any line has one.
    room = MAX_TEXT_LENGTH - _measure_texts(
        [
            format_small_print(card),
            *(choice.text for choice in card.panel),
            *(text for text, _ in card.illustrated),
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
    if _count_components(card, texts, below) > MAX_PARTS:
        texts, below = ("\n".join(filter(None, texts)),), ("\n".join(filter(None, below)),)
    return replace(card, texts=texts, below=below)


def _measure_texts(texts: Iterable[str]) -> int:
    """Return how much room some texts take, each on a line of its own."""
    return sum(utf16_length(text) + 1 for text in texts)


def _fit_listing(listing: Listing, room: int) -> Iterator[str]:
    texts = fit_first_lines(listing.lines, room)
    left = len(listing.lines) - len(texts)
    lines = (*texts, listing.more(left)) if left else tuple(texts)
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
    pictures = (card.picture is not None) + 2 * len(card.illustrated)
    besides = pictures + len(_list_files(card)) + 2 * bool(card.small)
    said = sum(map(bool, (*texts, *below)))
    # Each choice has a text and a control, in a section or with the row of a menu.
    choices = 3 * len(card.panel)
    # The 1 is the container around everything; small print (above) comes with a separator.
    return 1 + said + besides + choices + rows + len(card.controls)
