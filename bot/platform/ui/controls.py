"""Buttons, menus and switches, which work after any restart, and forms; and what their ids say.

A control carries in its id all that is needed to act on it. An id begins with its verb. Those of a
match's controls name the match and its version, so that one from an earlier moment is known as
stale. After the verb comes the mark of the database's generation where it is not the first:
`match.3fa9c1:8:12:roll`.

A modified client can send any id, so nothing in them is taken on trust: what reads one raises
DeclinedError for what none of our messages shows.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum, StrEnum
from inspect import Parameter
from textwrap import wrap
from typing import Any, NamedTuple, TypeAlias, TypeVar

import discord
from discord import ButtonStyle, SelectOption
from discord.ui.select import BaseSelect

from bot.platform.context import App
from bot.platform.i18n.common import Paging, keep_together
from bot.platform.i18n.reader import Reader, UnknownControlError
from bot.platform.people import DiscordPerson
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.card import Item
from bot.platform.ui.icons import IconEmoji
from render.characters import shorten_text

OFF, ON = "0", "1"
"""The parts of ids that turn something off or on."""
MAX_CHOICES = 25
"""Entries that one menu can have."""
MAX_LABEL_LENGTH = 80
MAX_ENTRY_LENGTH = 100


class MenuId(NamedTuple):
    """By what a menu is known: what it does, to us, and its number, to Discord."""

    custom_id: str
    id: int


class VerbScope(Enum):
    """What the ids of a verb mean in another generation of the database than their own."""

    NUMBER = "number"
    """They name a match or a challenge, of which another generation may have another one."""
    STATE = "state"
    """They fit one state of a match, which another generation does not have."""
    ACTION = "action"
    """The same, and what they do is saved with the interaction as its cause, or not at all."""


_SCOPES: dict[str, VerbScope] = {}


def declare_verb(verb: str, scope: VerbScope) -> str:
    """Declare how far the ids that begin with a verb are valid, and return the verb.

    The ids of any other verb mean the same in every generation.
    """
    _SCOPES[verb] = scope
    return verb


def list_scoped_verbs() -> frozenset[str]:
    """Return the verbs whose ids are valid in one generation alone."""
    return frozenset(_SCOPES)


def is_state_verb(verb: str) -> bool:
    """Return whether ids that begin with a verb fit one state of a match."""
    return _SCOPES.get(verb) in (VerbScope.STATE, VerbScope.ACTION)


def is_action_verb(verb: str) -> bool:
    """Return whether what ids of a verb do is saved with the interaction as its cause."""
    return _SCOPES.get(verb) is VerbScope.ACTION


class ControlId(NamedTuple):
    """What an id says: its verb, the mark of the generation in which it was made, and the rest."""

    verb: str
    mark: str
    rest: str


def parse_control_id(custom_id: str) -> ControlId:
    """Return what an id says."""
    head, _, rest = custom_id.partition(":")
    verb, _, mark = head.partition(".")
    return ControlId(verb, mark, rest)


def strip_mark(custom_id: str) -> str:
    """Return an id without the mark of its generation."""
    verb, _, rest = parse_control_id(custom_id)
    return f"{verb}:{rest}"


def mark_controls(controls: Sequence[Item], mark: str) -> None:
    """Put the mark of a generation into the ids of the controls that only mean something there."""
    for control in controls:
        custom_id = getattr(control, "custom_id", None)
        if custom_id is None:
            continue
        verb, _, rest = parse_control_id(custom_id)
        if mark and verb in _SCOPES:
            # `Item` has no such attribute, buttons and menus have.
            control.custom_id = f"{verb}.{mark}:{rest}"  # type: ignore[attr-defined]


class MenuEntry(NamedTuple):
    """A play to type, with a note and the name of its icon, or none."""

    text: str
    note: str = ""
    icon: str = ""


def build_menu(name: MenuId, placeholder: str, entries: Sequence[MenuEntry]) -> Item:
    """Return a menu of plays to type."""
    return discord.ui.Select(
        placeholder=placeholder,
        options=[
            SelectOption(
                label=keep_together(each.text),
                value=each.text,
                description=each.note or None,
                emoji=IconEmoji(each.icon) if each.icon else None,
            )
            for each in entries
        ],
        custom_id=name.custom_id,
        id=name.id,
    )


def split_entry(text: str) -> tuple[str, str]:
    """Return what of a text has room in the label of an entry, and the rest for its note."""
    first, *rest = wrap(text, MAX_ENTRY_LENGTH) or [""]
    return first, " ".join(rest)


def build_choice_menu(
    custom_id: str, entries: Iterable[tuple[str, str, str]], chosen: str, placeholder: str = ""
) -> Item:
    """Return a menu of values, labels and notes, in which one value is chosen; "" for none."""
    return discord.ui.Select[Any](
        placeholder=placeholder or None,
        options=[
            SelectOption(
                label=shorten_text(label, MAX_ENTRY_LENGTH),
                value=value,
                description=shorten_text(note, MAX_ENTRY_LENGTH) or None,
                default=value == chosen,
            )
            for value, label, note in entries
        ][:MAX_CHOICES],
        custom_id=custom_id,
    )


def build_page_buttons(
    paging: Paging, before: str, after: str, build_id: Callable[[int], str]
) -> tuple[Item, ...]:
    """Return the buttons that turn to the pages before and after one, where there are any."""
    turns = ((before, paging.number - 1), (after, paging.number + 1))
    return tuple(
        build_button(label, build_id(number))
        for label, number in turns
        if 0 <= number < paging.pages
    )


def build_switch(say: Reader, custom_id: str, *, is_on: bool) -> Item:
    """Return the button that turns something on or off; its id says which."""
    label = say("Turn off") if is_on else say("Turn on")
    return build_button(label, f"{custom_id}:{OFF if is_on else ON}")


def build_button(label: str, custom_id: str, style: ButtonStyle = ButtonStyle.secondary) -> Item:
    """Return a button that does what its id says."""
    return discord.ui.Button[Any](label=label, style=style, custom_id=custom_id)


MAX_TITLE_LENGTH, MAX_PLACEHOLDER_LENGTH = 45, 100
"""Characters that Discord shows of a form's title or label, and of the hint in a field."""
FORM_TIMEOUT_S = 900.0
FIELD = "text"
"""The id of the field."""


def build_text_form(
    custom_id: str, *, title: str, label: str, hint: str, longest: int
) -> discord.ui.Modal:
    """Return a form of one text field.

    What is typed comes back under that id, so that it is understood after a restart too.
    """
    form = discord.ui.Modal(
        title=shorten_text(title, MAX_TITLE_LENGTH), custom_id=custom_id, timeout=FORM_TIMEOUT_S
    )
    field: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id=FIELD,
        max_length=longest,
        placeholder=shorten_text(hint, MAX_PLACEHOLDER_LENGTH),
    )
    form.add_item(discord.ui.Label(text=shorten_text(label, MAX_TITLE_LENGTH), component=field))
    return form


def get_typed_text(interaction: Interaction) -> str:
    """Return what was typed in a form of one field; raises DeclinedError where there is none."""
    for values in read_fields(interaction).values():
        for value in values:
            return value
    raise UnknownControlError


def read_fields(interaction: Interaction) -> dict[str, list[str]]:
    """Return what was typed, picked or ticked in a form, by the ids of its fields.

    Raises DeclinedError for what is no form of ours.
    """
    # The library has no view of this form after a restart, so its answer is read as Discord sends
    # it.
    data: Any = interaction.data
    fields: dict[str, list[str]] = {}
    try:
        for label in data["components"]:
            field = label["component"]
            value = field["values"] if "values" in field else field["value"]
            values = value if isinstance(value, list) else [value]
            fields[str(field["custom_id"])] = [str(each) for each in values if each is not None]
    except (KeyError, TypeError):
        raise UnknownControlError from None
    return fields


Control: TypeAlias = discord.Button | discord.SelectMenu
"""A button, or a menu of whatever kind."""


def list_control_ids(components: discord.ui.LayoutView | discord.Message) -> set[str]:
    """Return the ids of the controls in a layout or in a message."""
    if isinstance(components, discord.Message):
        return {each.custom_id for each in list_controls(components) if each.custom_id}
    items = components.walk_children()
    controls = [item for item in items if isinstance(item, discord.ui.Button | BaseSelect)]
    return {each.custom_id for each in controls if each.custom_id}


def list_controls(message: discord.Message) -> list[Control]:
    """Return the buttons and menus in a message."""
    # Not by a view of it: every press is looked at, and a view takes ten times as long to make.
    parts = walk_parts(message.components)
    return [part for part in parts if isinstance(part, discord.Button | discord.SelectMenu)]


def walk_parts(parts: Iterable[object]) -> Iterator[object]:
    """Yield the parts of a message with those that they hold."""
    for part in parts:
        yield part
        yield from walk_parts(getattr(part, "children", ()))
        if accessory := getattr(part, "accessory", None):
            yield accessory


E = TypeVar("E", bound=StrEnum)

MAX_NUMBER = 2**63 - 1
"""The largest number that the database keeps."""


def split_id(rest: str, count: int, least: int | None = None) -> list[str]:
    """Return so many parts of an id, or at least so many; the last is all that is left."""
    found = rest.split(":", count - 1)
    if len(found) < (count if least is None else least):
        raise UnknownControlError
    return found


def parse_parts(rest: str, parts: Sequence[Parameter]) -> list[Any]:
    """Return the parts of an id as a function takes them; those with a default can be missing."""
    if not parts:
        return []
    least = sum(part.default is Parameter.empty for part in parts)
    found = split_id(rest, len(parts), least)
    # Not strict: the last parts may be missing if they have a default.
    return [_parse_part(part.annotation, text) for part, text in zip(parts, found, strict=False)]


def _parse_part(kind: type, text: str) -> Any:  # noqa: ANN401 - a value of the kind
    if kind is int:
        return parse_number(text)
    return text if kind is str else parse_choice(kind, text)


def parse_number(text: str) -> int:
    """Return the number that a part of an id is."""
    # `isdigit` alone accepts `²`, which `int` refuses, and the digits of other scripts.
    if not (text.isascii() and text.isdigit()) or int(text) > MAX_NUMBER:
        raise UnknownControlError
    return int(text)


def parse_switch(text: str) -> bool:
    """Return whether a part of an id turns something on."""
    if text not in (OFF, ON):
        raise UnknownControlError
    return text == ON


def parse_choice(kind: type[E], text: str) -> E:
    """Return which of the values of a kind a part of an id is."""
    try:
        return kind(text)
    except ValueError:
        raise UnknownControlError from None


def list_selection(interaction: Interaction) -> list[str]:
    """Return the entries picked from a menu; none where a button was pressed."""
    data: Any = interaction.data
    values: list[str] = data.get("values") or []
    return values


def get_selection(interaction: Interaction) -> str:
    """Return the entry picked from a menu."""
    values = list_selection(interaction)
    if not values:
        raise UnknownControlError
    return values[0]


def get_selected_ids(interaction: Interaction, kind: str) -> tuple[int, ...]:
    """Return what was picked from a menu of a server's `channels` or `roles`; it may be none."""
    data: Any = interaction.data
    # Discord describes what is picked, and that is all that exists in this server.
    known = data.get("resolved", {}).get(kind, {})
    values = list_selection(interaction)
    if "values" not in data or any(value not in known for value in values):
        raise UnknownControlError
    return tuple(map(parse_number, values))


def require_control(interaction: Interaction) -> None:
    """Raise DeclinedError unless the pressed message shows the control that was used.

    Discord sends the message as it knows it, not as the person who presses describes it. An entry
    that was picked must be in the menu, and a form is one that a button of the message has opened.
    """
    if not _shows_control(interaction, require_message(interaction)):
        raise UnknownControlError


def _shows_control(interaction: Interaction, message: discord.Message) -> bool:
    data: Any = interaction.data
    used = data["custom_id"]
    controls = list_controls(message)
    if interaction.type is discord.InteractionType.modal_submit:
        # A form has the id of the button or menu that opened it, without a mark.
        return used in {strip_mark(each.custom_id or "") for each in controls}
    return any(
        each.custom_id == used and _offers_entries(each, data.get("values", ()))
        for each in controls
    )


def _offers_entries(control: Control, picked: Sequence[str]) -> bool:
    if isinstance(control, discord.Button):
        return not picked
    if control.type is not discord.ComponentType.select:
        # Discord itself fills menus of channels and roles, and describes what is picked there.
        return True
    return {option.value for option in control.options}.issuperset(picked)


def require_message(interaction: Interaction) -> discord.Message:
    """Return the message whose control was used."""
    if interaction.message is None:
        raise UnknownControlError
    return interaction.message


async def require_known_person(app: App, person: int) -> DiscordPerson:
    """Return somebody whom one of our menus or cards names."""
    known = await app.load_person(person)
    if known is None:
        raise UnknownControlError
    return known
