"""What the ids of buttons, menus and forms say.

A modified client can send any id, so nothing in them is taken on trust: each function raises
DeclinedError for what none of our messages shows.
"""

from collections.abc import Sequence
from enum import StrEnum
from inspect import Parameter
from typing import Any, TypeVar

import discord

from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.people import DiscordPerson
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.controls import strip_mark
from bot.platform.ui.layout import Control, list_controls

E = TypeVar("E", bound=StrEnum)

OFF, ON = "0", "1"
"""The parts of ids that turn something off or on."""
MAX_NUMBER = 2**63 - 1
"""The largest number that the database keeps."""


def split_id(rest: str, count: int, least: int | None = None) -> list[str]:
    """Return so many parts of an id, or at least so many; the last is all that is left."""
    found = rest.split(":", count - 1)
    if len(found) < (count if least is None else least):
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
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
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    return int(text)


def parse_switch(text: str) -> bool:
    """Return whether a part of an id turns something on."""
    if text not in (OFF, ON):
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    return text == ON


def parse_choice(kind: type[E], text: str) -> E:
    """Return which of the values of a kind a part of an id is."""
    try:
        return kind(text)
    except ValueError:
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL) from None


def list_selection(interaction: Interaction) -> list[str]:
    """Return the entries picked from a menu; none where a button was pressed."""
    data: Any = interaction.data
    values: list[str] = data.get("values") or []
    return values


def get_selection(interaction: Interaction) -> str:
    """Return the entry picked from a menu."""
    values = list_selection(interaction)
    if not values:
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    return values[0]


def get_selected_ids(interaction: Interaction, kind: str) -> tuple[int, ...]:
    """Return what was picked from a menu of a server's `channels` or `roles`; it may be none."""
    data: Any = interaction.data
    # Discord describes what is picked, and that is all that exists in this server.
    known = data.get("resolved", {}).get(kind, {})
    values = list_selection(interaction)
    if "values" not in data or any(value not in known for value in values):
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    return tuple(map(parse_number, values))


def require_control(interaction: Interaction) -> None:
    """Raise DeclinedError unless the pressed message shows the control that was used.

    Discord sends the message as it knows it, not as the person who presses describes it. An entry
    that was picked must be in the menu, and a form is one that a button of the message has opened.
    """
    if not _shows_control(interaction, require_message(interaction)):
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)


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
    if isinstance(control, discord.ui.Button):
        return not picked
    if not isinstance(control, discord.ui.Select):
        # Discord itself fills menus of channels and roles, and describes what is picked there.
        return True
    return {option.value for option in control.options}.issuperset(picked)


def require_message(interaction: Interaction) -> discord.Message:
    """Return the message whose control was used."""
    if interaction.message is None:
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    return interaction.message


async def require_known_person(app: App, person: int) -> DiscordPerson:
    """Return somebody whom one of our menus or cards names."""
    known = await app.load_person(person)
    if known is None:
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    return known
