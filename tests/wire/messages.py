"""Making and editing messages: the one place where a body from the wire becomes a message."""

import re
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .limits import check_emoji, check_mentions, check_message, check_upload
from .payloads import FILE_LIMIT
from .replies import ComponentKind, MessageFile, walk_components
from .sessions import Json
from .world import (
    COMPONENTS_V2,
    EPHEMERAL,
    LOADING,
    Interaction,
    Message,
    PushNotification,
    World,
    make_form_error,
)

MENTION = re.compile(r"<@!?(\d+)>")
Uploads = Mapping[int, MessageFile]


def create_message(
    world: World,
    channel_id: int,
    body: Json,
    uploads: Uploads,
    interaction: Interaction | None = None,
) -> Message:
    """Post a message; one with the ephemeral flag is seen by the interaction's person alone."""
    flags = int(body.get("flags") or 0)
    viewer = interaction.user_id if interaction and flags & EPHEMERAL else None
    draft = Message(
        world.build_id(), channel_id, flags=flags, viewer_id=viewer, interaction=interaction
    )
    filled = _apply_body(world, draft, body, uploads)
    world.messages[filled.id] = filled
    _notify_people(world, filled, body)
    return filled


def create_placeholder(world: World, interaction: Interaction, flags: int) -> Message:
    """Post the "is thinking ..." of a deferred answer; only now may it be made ephemeral."""
    message_id, viewer = world.build_id(), interaction.user_id if flags & EPHEMERAL else None
    message = Message(
        message_id, interaction.channel_id, "", flags=flags | LOADING, viewer_id=viewer
    )
    message.interaction = interaction
    world.messages[message_id] = message
    return message


def edit_message(world: World, message: Message, body: Json, uploads: Uploads) -> Message:
    """Change a message by the keys of the body.

    Filling a placeholder is no edit and does notify.
    """
    appears = bool(message.flags & LOADING)
    changed = _apply_body(world, replace(message, flags=message.flags & ~LOADING), body, uploads)
    world.messages[message.id] = changed
    if appears:
        _notify_people(world, changed, body)
    else:
        changed.edited_at = time.time()
    return changed


def _notify_people(world: World, appeared: Message, body: Json) -> None:
    appeared.pings = _find_pings(world, appeared, body.get("allowed_mentions"))
    world.notices += [
        PushNotification(ping, appeared.id, time.monotonic()) for ping in appeared.pings
    ]


def _apply_body(world: World, draft: Message, body: Json, uploads: Uploads) -> Message:
    check_upload(uploads.values(), FILE_LIMIT)
    result = replace(
        draft,
        files=_select_files(
            world, draft.files, body, uploads, fresh=draft.id not in world.messages
        ),
    )
    result.flags |= _check_layout_flag(draft, body)
    if "content" in body:
        result.content = body["content"] or ""
    if "embeds" in body:
        result.embeds = body["embeds"] or []
    if "components" in body:
        result.components = body["components"] or []
    check_message(result)
    # Those that stand already are left alone, whatever became of their emoji.
    check_emoji(body.get("components") or [], world.emoji)
    check_mentions(body.get("allowed_mentions") or {})
    return result


def _check_layout_flag(draft: Message, body: Json) -> int:
    asked = int(body.get("flags") or 0) & COMPONENTS_V2
    if draft.flags & COMPONENTS_V2 and body.get("flags") is not None and not asked:
        raise make_form_error({"flags": "The components flag cannot be removed."})
    return asked


def _select_files(
    world: World, old: list[MessageFile], body: Json, uploads: Uploads, fresh: bool
) -> list[MessageFile]:
    listed = body.get("attachments")
    if listed is None:
        if uploads and not fresh:
            raise make_form_error({"attachments": "An edit must list every file, kept and new."})
        return [*old, *(_store_file(world, file, {}) for file in uploads.values())]
    kept = {file.id: file for file in old}
    return [_find_file(world, entry, kept, uploads) for entry in listed]


def _find_file(
    world: World, entry: Json, kept: Mapping[int, MessageFile], uploads: Uploads
) -> MessageFile:
    number = int(entry["id"])
    if number in kept:
        return kept[number]
    if number not in uploads:
        raise make_form_error({"attachments": f"No file was sent with the id {number}."})
    return _store_file(world, uploads[number], entry)


def _store_file(world: World, file: MessageFile, entry: Json) -> MessageFile:
    return MessageFile(
        entry.get("filename") or file.name, file.data, entry.get("description"), world.build_id()
    )


def _find_pings(world: World, message: Message, allowed: dict[str, Any] | None) -> tuple[int, ...]:
    displays = [
        part["content"]
        for part in walk_components(message.components)
        if part["type"] == ComponentKind.TEXT
    ]
    named = {
        int(found) for found in MENTION.findall("\n".join([message.content, *displays]))
    } & set(world.accounts)
    if message.flags & EPHEMERAL:
        return ()
    if allowed is None or "users" in allowed.get("parse", []):
        return tuple(sorted(named))
    return tuple(sorted(named & {int(one) for one in allowed.get("users", [])}))
