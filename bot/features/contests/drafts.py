"""What the forms have in common in which a league, tournament or ladder is prepared.

Nothing is stored before it's created: the form is the only place where a draft exists. Its controls
carry it in their ids, each a piece, so that it is understood after a restart too.
"""

import json
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, ClassVar, Protocol

import discord

from bot.features.contests.competitions import MAX_COMPETITION_NAME_LENGTH
from bot.features.matches.interactions import MAX_OPTIONS_LENGTH, build_pace_menu
from bot.features.matches.texts import format_pace
from bot.platform.i18n.common import capitalise_first
from bot.platform.i18n.reader import Reader, UnknownControlError
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.card import Item, PanelRow
from bot.platform.ui.controls import (
    FORM_TIMEOUT_S,
    MAX_ENTRY_LENGTH,
    MAX_TITLE_LENGTH,
    get_selection,
    get_typed_text,
    list_controls,
    read_fields,
)
from engine.clock import parse_pace
from render.characters import shorten_text, utf16_length

MAX_GAMES_LENGTH = 200
"""Characters of the names of several games."""
MAX_PIECE_LENGTH = 76
"""Characters, as Discord counts them, of the piece of a draft in one id."""


class CompetitionDraft(Protocol):
    """The terms that a form prepares: any dataclass of what JSON can write."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


def build_names_form(
    say: Reader, custom_id: str, title: str, *, name: str, games: str, hint: str
) -> discord.ui.Modal:
    """Return the form in which the name and the games are typed, as `games` with house rules."""
    form = discord.ui.Modal(title=title, custom_id=custom_id, timeout=FORM_TIMEOUT_S)
    name_field: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id="name", default=name, max_length=MAX_COMPETITION_NAME_LENGTH
    )
    games_field: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id="games",
        style=discord.TextStyle.paragraph,
        default=games,
        max_length=MAX_GAMES_LENGTH + MAX_OPTIONS_LENGTH,
    )
    # Translators: label in a form: what the league, tournament or ladder is called (noun).
    label = say("Name")
    form.add_item(
        discord.ui.Label(text=shorten_text(label, MAX_TITLE_LENGTH), component=name_field)
    )
    form.add_item(
        discord.ui.Label(
            # Translators: label in a form: which games, such as backgammon, are played (noun).
            text=shorten_text(say("Games"), MAX_TITLE_LENGTH),
            description=shorten_text(hint, MAX_ENTRY_LENGTH),
            component=games_field,
        )
    )
    return form


def read_names(interaction: Interaction) -> tuple[str, str, str]:
    """Return the name, the games and the house rules that were typed in that form."""
    typed = read_fields(interaction)
    games, _, house_rules = _get_one(typed, "games").partition("\n")
    return _get_one(typed, "name"), games, house_rules


def _get_one(typed: dict[str, list[str]], field: str) -> str:
    values = typed.get(field, [])
    if len(values) != 1:
        raise UnknownControlError
    return values[0]


def build_pace_row(say: Reader, custom_id: str, pace: str) -> PanelRow:
    """Return the menu of paces, below its label."""
    menu = build_pace_menu(
        say, custom_id, parse_pace(pace), lambda by, each: capitalise_first(format_pace(by, each))
    )
    # Translators: label of a menu: how much time each player has in a match (noun).
    return PanelRow(say("**Pace**"), menu)


def build_switches_row(
    say: Reader, custom_id: str, switches: Sequence[tuple[str, str, bool]]
) -> PanelRow:
    """Return a menu of what can be picked or not: its value, its label, and whether it is."""
    options = [
        discord.SelectOption(label=label, value=value, default=is_on)
        for value, label, is_on in switches
    ]
    menu = discord.ui.Select[Any](
        # Translators: in a menu of which nothing is picked.
        placeholder=say("Nothing"),
        custom_id=custom_id,
        min_values=0,
        max_values=len(options),
        options=options,
    )
    # Translators: label of a menu, above what can be picked, as in "it is also rated".
    return PanelRow(say("**Also**"), menu)


def get_value(interaction: Interaction) -> str:
    """Return what was typed, or picked in a menu."""
    if interaction.type is discord.InteractionType.modal_submit:
        return get_typed_text(interaction)
    return get_selection(interaction)


def carry_draft(form: str, draft: CompetitionDraft, controls: Sequence[Item]) -> None:
    """Put a draft into the ids of a form's controls, which say so far what each is for."""
    values = [getattr(draft, each.name) for each in fields(draft)]
    written = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    pieces = [""]
    for character in written:
        if utf16_length(pieces[-1] + character) > MAX_PIECE_LENGTH:
            # A space could be lost at the end of an id.
            kept = pieces[-1].rstrip(" ")
            pieces.append(pieces[-1][len(kept) :])
            pieces[-2] = kept
        pieces[-1] += character
    assert len(pieces) <= len(controls), "the draft is longer than its form"
    for at, control in enumerate(controls):
        piece = pieces[at] if at < len(pieces) else ""
        # `Item` has no such attribute, buttons and menus have.
        control.custom_id = f"{form}:{control.custom_id}:{piece}"  # type: ignore[attr-defined]


def read_draft(form: str, kind: type[CompetitionDraft], message: discord.Message) -> dict[str, Any]:
    """Return the values of the draft that a form carries, by their names.

    Raises DeclinedError for that of another version.
    """
    ids = [each.custom_id or "" for each in list_controls(message)]
    pieces = [each.split(":", 2)[2] for each in ids if each.startswith(f"{form}:")]
    names = [each.name for each in fields(kind)]
    try:
        return dict(zip(names, json.loads("".join(pieces)), strict=True))
    except (ValueError, TypeError):
        raise UnknownControlError from None
