"""Buttons and menus, which work after any restart.

Each carries in its id all that is needed to act on it. An id begins with its verb. Those of a
match's controls name the match and its version, so that one from an earlier moment is known as
stale. After the verb comes the mark of the database's generation where it is not the first:
`match.3fa9c1:8:12:roll`.
"""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

import discord
from discord import SelectOption

from bot.platform.i18n.common import keep_together
from bot.platform.ui.card import Item

MOST_CHOICES = 25
"""Entries that one menu can have."""
LONGEST_LABEL = 80
LONGEST_ENTRY = 100


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


def make_menu(name: MenuId, placeholder: str, entries: Sequence[tuple[str, str]]) -> Item:
    """Return a menu of plays to type, each with a note, or none."""
    return discord.ui.Select(
        placeholder=placeholder,
        options=[
            SelectOption(label=keep_together(text), value=text, description=note or None)
            for text, note in entries
        ],
        custom_id=name.custom_id,
        id=name.id,
    )
