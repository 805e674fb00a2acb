"""Forms, which a command, button or menu opens."""

from typing import Any

import discord

from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.ui.app_client import Interaction
from render.characters import shorten_text

LONGEST_TITLE, LONGEST_PLACEHOLDER = 45, 100
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
        title=shorten_text(title, LONGEST_TITLE), custom_id=custom_id, timeout=FORM_TIMEOUT_S
    )
    field: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id=FIELD,
        max_length=longest,
        placeholder=shorten_text(hint, LONGEST_PLACEHOLDER),
    )
    form.add_item(discord.ui.Label(text=shorten_text(label, LONGEST_TITLE), component=field))
    return form


def get_typed_text(interaction: Interaction) -> str:
    """Return what was typed in a form of one field; raises DeclinedError where there is none."""
    for values in read_fields(interaction).values():
        for value in values:
            return value
    raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)


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
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL) from None
    return fields
