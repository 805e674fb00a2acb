"""Requests as anybody may send them with a client of their own, and all that comes of them.

simcord's people can only do what Discord's own clients offer. Here somebody sends any command, id,
form or half-typed option with any message that they see, from wherever they are.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from copy import deepcopy
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import discord
from simcord import InteractionResult
from simcord.backend import serializers
from simcord.interactions import base_payload

from tests.support.club import SimulatedClub

COMMAND, COMPONENT, AUTOCOMPLETE, FORM = 2, 3, 4, 5
BUTTON, STRING_SELECT = 2, 3
SUBCOMMAND = 1
PERSON_MENU, MESSAGE_MENU = 2, 3
GROUP_MESSAGE_CONTEXT = 2
UNKNOWN_GUILD = 4_242

Row = tuple[Any, ...]
Rows = Mapping[str, frozenset[Row]]
"""All rows of a database by their table."""


class Place(Enum):
    """Where somebody asks."""

    SERVER = "server"
    DIRECT = "direct messages with the bot"
    GROUP = "direct messages between people, as somebody who installed the bot for themselves"
    OUTSIDE = "a server that the bot is no member of"


@dataclass(frozen=True)
class Actor:
    """Somebody, and from where they ask."""

    name: str
    person: int
    guild: int
    channel: int
    place: Place = Place.SERVER


@dataclass(frozen=True)
class ForgedRequest:
    """What is sent: the kind of an interaction, its data, and the message that it comes with."""

    name: str
    kind: int
    data: Mapping[str, Any]
    message: int | None = None
    people: tuple[int, ...] = ()
    """Who is named by options."""
    target: tuple[int, int] | None = None
    """The channel and the message whose menu is used."""


@dataclass(frozen=True)
class NamedPerson:
    """Somebody whom an option of a command names."""

    id: int


@dataclass(frozen=True)
class ShownReply:
    """What the one who asked is shown: texts, controls and files as one text, and the choices."""

    text: str
    choices: tuple[str, ...] = ()


def make_command(name: str, options: Mapping[str, Any], *, focused: str = "") -> ForgedRequest:
    """Return a command with its options, or with one of them half typed."""
    group, _, leaf = name.rpartition(" ")
    given = [_make_option(key, value, key == focused) for key, value in options.items()]
    data: dict[str, Any] = {"id": "1", "name": group or leaf, "type": 1, "options": given}
    if group:
        data["options"] = [{"name": leaf, "type": SUBCOMMAND, "options": given}]
    named = [value.id for value in options.values() if isinstance(value, NamedPerson)]
    kind = AUTOCOMPLETE if focused else COMMAND
    return ForgedRequest(f"/{name} {focused}".strip(), kind, data, people=tuple(named))


def make_menu_use(name: str, person: int) -> ForgedRequest:
    """Return the use of an entry of the menu that a person's name opens."""
    data = {"id": "1", "name": name, "type": PERSON_MENU, "target_id": str(person)}
    return ForgedRequest(name, COMMAND, data, people=(person,))


def make_message_use(name: str, channel: int, message: int) -> ForgedRequest:
    """Return the use of an entry of the menu of a message."""
    data = {"id": "1", "name": name, "type": MESSAGE_MENU, "target_id": str(message)}
    return ForgedRequest(f"{name} {message}", COMMAND, data, target=(channel, message))


def _make_option(name: str, value: Any, focused: bool) -> dict[str, Any]:
    kinds: dict[type, int] = {bool: 5, int: 4, str: 3, NamedPerson: 6}
    kind = kinds[type(value)]
    plain = str(value.id) if isinstance(value, NamedPerson) else value
    return {"name": name, "type": kind, "value": plain, **({"focused": True} if focused else {})}


def make_presses(
    custom_id: str, message: int | None, picked: Sequence[str]
) -> Iterator[ForgedRequest]:
    """Yield what can be sent under an id with a message: a button, a menu's entry and a form."""
    yield ForgedRequest(
        custom_id, COMPONENT, {"custom_id": custom_id, "component_type": BUTTON}, message
    )
    for value in picked:
        menu = {"custom_id": custom_id, "component_type": STRING_SELECT, "values": [value]}
        yield ForgedRequest(f"{custom_id} -> {value}", COMPONENT, menu, message)
    field = {"type": 4, "custom_id": "text", "value": "for no reason"}
    label = {"type": 18, "component": field}
    form = {"custom_id": custom_id, "components": [label]}
    yield ForgedRequest(f"form {custom_id}", FORM, form, message)


def send(club: SimulatedClub, actor: Actor, request: ForgedRequest) -> InteractionResult:
    """Send something without waiting for what comes of it."""
    backend = club.env.backend
    data = deepcopy(dict(request.data))
    if request.people:
        data["resolved"] = _resolve_people(club, actor, request.people)
    if request.target is not None:
        target = backend.get_message(*request.target)
        described = dict(serializers.message_payload(backend, target))
        data["resolved"] = {"messages": {str(target.id): described}}
    record, payload = base_payload(
        backend,
        type=request.kind,
        channel_id=actor.channel,
        guild_id=actor.guild or None,
        user_id=actor.person,
        data=data,
    )
    if request.message is not None:
        shown = backend.get_message(actor.channel, request.message)
        payload["message"] = dict(serializers.message_payload(backend, shown))
        record.source_message_id = request.message
    if actor.place is Place.GROUP:
        payload["context"] = GROUP_MESSAGE_CONTEXT
        payload["authorizing_integration_owners"] = {"1": str(actor.person)}
    if actor.place is Place.OUTSIDE:
        member = {**_get_member(club, actor), "permissions": str(discord.Permissions.all().value)}
        payload.update(guild_id=str(UNKNOWN_GUILD), guild_locale="en-US", context=0, member=member)
        payload.pop("user", None)
    backend.emit("INTERACTION_CREATE", payload)
    return InteractionResult(club.env, record)


def _get_member(club: SimulatedClub, actor: Actor) -> dict[str, Any]:
    guild = club.env.backend.get_guild(club.guild.id)
    return dict(serializers.member_payload(club.env.backend, guild, guild.members[actor.person]))


def _resolve_people(
    club: SimulatedClub, actor: Actor, people: Sequence[int]
) -> dict[str, dict[str, Any]]:
    """Return how Discord describes those who are named: as members only where they are some."""
    backend = club.env.backend
    users = {str(each): dict(serializers.user_payload(backend.get_user(each))) for each in people}
    if actor.place is not Place.SERVER:
        return {"users": users}
    guild = backend.get_guild(actor.guild)
    members = {
        str(each): dict(
            serializers.member_payload(backend, guild, guild.members[each], with_user=False)
        )
        for each in people
        if each in guild.members
    }
    return {"users": users, "members": members}


async def read_reply(result: InteractionResult) -> ShownReply:
    """Return all that is shown to the one who asked."""
    answer = [*filter(None, [result.response]), *result.followups]
    texts = [json.dumps(result.modal)] if result.modal else []
    for each in answer:
        texts.append(json.dumps(each.components, ensure_ascii=False))
        texts += [(await file.read()).decode("utf-8", "replace") for file in each.attachments]
    choices = tuple(f"{each['name']} {each['value']}" for each in result.autocomplete_choices or ())
    return ShownReply("\n".join(texts), choices)


DERIVED = {"ladders": {"last_event", "counted_until"}}
"""Columns that only say how far a table's other rows have been counted."""


def load_rows(path: Path) -> Rows:
    """Return every row of every table, without what is derived from others."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {name: _load_table(connection, name) for (name,) in names}


def _load_table(connection: sqlite3.Connection, name: str) -> frozenset[Row]:
    columns = [each[1] for each in connection.execute(f'PRAGMA table_info("{name}")')]
    kept = ", ".join(f'"{each}"' for each in columns if each not in DERIVED.get(name, ()))
    return frozenset(connection.execute(f'SELECT {kept} FROM "{name}"').fetchall())


@dataclass(frozen=True)
class Change:
    """A row that is no longer as it was, or that was not there."""

    table: str
    row: Row
    is_new: bool


def list_changes(before: Rows, after: Rows) -> list[Change]:
    """Return the rows that went, and those that came."""
    return [
        Change(table, row, is_new)
        for table in after
        for is_new, rows in (
            (False, before[table] - after[table]),
            (True, after[table] - before[table]),
        )
        for row in rows
    ]


def load_messages(club: SimulatedClub, *, but_of: int = 0) -> dict[int, str]:
    """Return every message that stands, save those that one person alone sees."""
    own = club.env.backend.dm_channels.get(but_of)
    return {
        message.id: json.dumps(
            [message.content, message.components, [each["id"] for each in message.attachments]],
            ensure_ascii=False,
            default=str,
        )
        for channel, posted in club.env.backend.messages.items()
        if channel != own
        for message in posted.values()
        if not (message.is_ephemeral and message.visible_to(but_of))
    }
