"""A card as Discord components: text above the picture, controls below it, small print last."""

import asyncio
import io
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import discord
from discord.ui.select import BaseSelect

from bot.platform.context import App
from bot.platform.ui.card import Card, Item, Listing, PanelRow, Picture, list_files
from bot.platform.ui.controls import mark_controls
from bot.platform.ui.fitting import arrange_controls, fit_card, format_small_print
from bot.platform.ui.views import load_view
from render.bars import Bars, draw_bars
from render.board import draw_board
from render.bracket import DrawnBracket, draw_bracket
from render.characters import shorten_text
from render.curve import Curve, draw_curve
from render.scene import Scene, View
from render.table import Table, draw_table

Control: TypeAlias = discord.ui.Button[Any] | BaseSelect[Any]
"""A button, or a menu of whatever kind."""

ACCENT = discord.Colour(0xB08D57)
LONGEST_LABEL = 80
LONGEST_PLACEHOLDER = 150
LONGEST_ENTRY = 100
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


async def pack_card(app: App, card: Card, scope: str, owner: int) -> CardPayload:
    """Make a card ready to be sent to a person, or to everyone in a server, by their board style.

    The picture is drawn off the event loop, and the controls are marked by the generation.
    """
    shown = card.picture.shows if card.picture else None
    # A film is finished, and a picture that is kept is not drawn: neither needs a style.
    drawn_here = shown is not None and not isinstance(shown, bytes)
    view = await load_view(app, scope, owner, card.seats) if drawn_here else View()
    if card.picture and card.picture.restyle:
        view = card.picture.restyle(view)
    return await render_card(card, view, app.lineage.mark)


async def render_card(card: Card, look: View, mark: str = "") -> CardPayload:
    """Draw a card's picture off the event loop and lay the card out, with a mark on its controls.

    The mark is that of a generation.
    """
    mark_controls([*card.controls, *(row.control for row in card.panel)], mark)
    files = []
    if card.picture and card.picture.shows is not None:
        drawn = await asyncio.to_thread(_draw_picture, card.picture, look)
        files.append(PackedFile(card.picture.name, drawn, card.picture.said))
    files += [PackedFile(each.name, each.content) for each in list_files(card)]
    return CardPayload(build_layout(card), files, not files and card.picture is not None)


# A post that is tried again, a message in place of a deleted one, or a board for one more
# onlooker: the same picture is not drawn and encoded again.
_draw_scene = lru_cache(maxsize=MAX_PICTURES)(draw_board)
# Standings of 64 people take a quarter of a second, and are looked at again and again.
_draw_table = lru_cache(maxsize=MAX_TABLES)(draw_table)


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


def build_layout(card: Card) -> discord.ui.LayoutView:
    """Lay a card out.

    Controls are handled by their ids, so the view is only a layout: it is stopped before it is
    sent, and discord.py keeps nothing of it in memory.
    """
    layout = discord.ui.LayoutView(timeout=None)
    layout.add_item(discord.ui.Container(*_build_items(fit_card(card)), accent_colour=ACCENT))
    layout.stop()
    return layout


def _build_items(card: Card) -> Iterator[Item]:
    yield from _build_texts(card.texts)
    if card.picture:
        media = f"attachment://{card.picture.name}"
        yield discord.ui.MediaGallery(
            discord.MediaGalleryItem(media, description=card.picture.said)
        )
    for each in list_files(card):
        yield discord.ui.File(f"attachment://{each.name}")
    yield from _build_texts(card.below)
    for choice in card.panel:
        yield from _build_choice(choice)
    yield from _build_rows(card.controls)
    if card.small:
        yield discord.ui.Separator()
        yield discord.ui.TextDisplay(format_small_print(card))


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
        control.label = shorten_text(control.label, LONGEST_LABEL)
    if isinstance(control, discord.ui.Select):
        control.placeholder = shorten_text(control.placeholder or "", LONGEST_PLACEHOLDER) or None
        for option in control.options:
            option.label = shorten_text(option.label, LONGEST_ENTRY)
            option.description = shorten_text(option.description or "", LONGEST_ENTRY) or None


def strip_controls(message: discord.Message, remark: str) -> Card:
    """Return a message without its controls, with a remark below its text."""
    parts = list(discord.ui.LayoutView.from_message(message).walk_children())
    texts = [part.content for part in parts if isinstance(part, discord.ui.TextDisplay)]
    pictures = [
        item for part in parts if isinstance(part, discord.ui.MediaGallery) for item in part.items
    ]
    kept = Picture(None, pictures[0].description or "") if pictures else None
    return Card(texts=(*texts, remark), picture=kept)


def list_control_ids(components: discord.ui.LayoutView | discord.Message) -> set[str]:
    """Return the ids of the controls in a layout or in a message."""
    return {each.custom_id for each in list_controls(components) if each.custom_id}


def list_controls(
    components: discord.ui.LayoutView | discord.Message,
) -> list[Control]:
    """Return the buttons and menus in a layout or in a message."""
    view = (
        components
        if isinstance(components, discord.ui.LayoutView)
        else discord.ui.LayoutView.from_message(components)
    )
    parts = view.walk_children()
    return [item for item in parts if isinstance(item, discord.ui.Button | BaseSelect)]
