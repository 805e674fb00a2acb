"""Discord's JSON for what the world holds."""

import json
import mimetypes
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .layout import ATTACHMENT, expand_components, find_references
from .replies import MessageFile, Reply
from .sessions import Json
from .world import (
    COMPONENTS_V2,
    DM,
    EPHEMERAL,
    EPOCH_MS,
    LOADING,
    MANAGE_GUILD,
    TEXT,
    THREAD,
    Account,
    Emoji,
    Interaction,
    Message,
    World,
    WorldChannel,
)

FILE_LIMIT = 10 * 1024 * 1024
"""Bytes that one file may have."""
MANAGERS = 1
"""The id of the role by which people have the permission to manage a guild, the same in each."""
OBJECTS: Mapping[str, Json] = json.loads(
    Path(__file__).with_name("objects.json").read_text(encoding="utf-8")
)
"""What is the same in every object of a kind, by the kind."""


def format_time(seconds: float) -> str:
    """Return a Unix time as Discord writes it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def format_creation_time(snowflake: int) -> str:
    """Return the moment that an id carries."""
    return format_time(((snowflake >> 22) + EPOCH_MS) / 1000)


def encode_emoji(world: World, emoji: Emoji) -> Json:
    """Return an emoji of the application."""
    own = {"id": str(emoji.id), "name": emoji.name, "user": encode_user(world.bot)}
    return OBJECTS["emoji"] | own


def encode_user(account: Account) -> Json:
    """Return a user object."""
    return OBJECTS["user"] | {
        "id": str(account.id),
        "username": account.name,
        "global_name": account.name.title(),
        "bot": account.bot,
    }


def encode_member(account: Account) -> Json:
    """Return a guild member without its user, as `resolved` carries it."""
    return OBJECTS["member"] | {
        "roles": [str(MANAGERS)] if account.permissions & MANAGE_GUILD else [],
        "joined_at": format_creation_time(account.id),
        "permissions": str(account.permissions),
    }


def encode_full_member(account: Account) -> Json:
    """Return a guild member with its user."""
    return {**encode_member(account), "user": encode_user(account)}


def encode_channel(world: World, channel: WorldChannel) -> Json:
    """Return a channel, thread or direct-message object."""
    base = OBJECTS["channel"] | {"id": str(channel.id), "type": channel.type}
    if channel.type == DM:
        recipient = world.accounts[channel.recipient_id or 0]
        return {**base, "recipients": [encode_user(recipient)]}
    base |= OBJECTS["guild channel"]
    base |= {"guild_id": str(channel.guild_id), "name": channel.name}
    if channel.type == THREAD:
        return {**base, **_encode_thread(world, channel)}
    return base | OBJECTS["text channel"]


def _encode_thread(world: World, channel: WorldChannel) -> Json:
    written = sum(message.channel_id == channel.id for message in world.messages.values())
    times = {
        "archive_timestamp": format_creation_time(channel.id),
        "create_timestamp": format_creation_time(channel.id),
        "auto_archive_duration": 1440,
    }
    return {
        "parent_id": str(channel.parent_id),
        "owner_id": str(world.bot.id),
        "message_count": written,
        "total_message_sent": written,
        "member_count": 1,
        "thread_metadata": {**times, "archived": channel.archived, "locked": channel.locked},
        "member": {
            "id": str(channel.id),
            "user_id": str(world.bot.id),
            "join_timestamp": format_creation_time(channel.id),
            "flags": 0,
        },
    }


def encode_guild(world: World, guild_id: int) -> Json:
    """Return a guild as GUILD_CREATE carries it: of its members only the bot."""
    everyone = {"id": str(guild_id), "name": "@everyone", "permissions": str(world.permissions)}
    managers = {"id": str(MANAGERS), "name": "Managers", "permissions": str(MANAGE_GUILD)}
    owner = next((str(one.id) for one in world.accounts.values() if not one.bot), str(guild_id))
    own = [one for one in world.channels.values() if one.guild_id == guild_id]
    text = [encode_channel(world, one) for one in own if one.type == TEXT]
    threads = [encode_channel(world, one) for one in own if one.type == THREAD and not one.archived]
    return OBJECTS["guild"] | {
        "id": str(guild_id),
        "name": world.guilds[guild_id],
        "owner_id": owner,
        "member_count": len(world.accounts),
        "joined_at": format_creation_time(world.bot.id),
        "roles": [OBJECTS["role"] | each for each in (everyone, managers)],
        "channels": text,
        "threads": threads,
        "members": [encode_full_member(world.bot)],
    }


def _resolve_addresses(value: Any, addresses: dict[str, str]) -> Any:
    """Return embeds with the CDN's addresses in the place of `attachment://`."""
    if isinstance(value, dict):
        return {key: _resolve_addresses(inner, addresses) for key, inner in value.items()}
    if isinstance(value, list):
        return [_resolve_addresses(inner, addresses) for inner in value]
    return addresses.get(value, value) if isinstance(value, str) else value


def make_file_url(world: World, channel_id: int, file: MessageFile) -> str:
    """Return the signed address of a file on the CDN."""
    return f"{world.api}/cdn/attachments/{channel_id}/{file.id}/{file.name}?ex=0&is=0&hm=0"


def encode_attachment(world: World, channel_id: int, file: MessageFile) -> Json:
    """Return an attachment object."""
    media = encode_media(world, channel_id, file)
    del media["attachment_id"]
    own = {"filename": file.name, "size": len(file.data)}
    return media | own | ({"description": file.description} if file.description else {})


def encode_media(world: World, channel_id: int, file: MessageFile) -> Json:
    """Return a file as a component shows it."""
    url, number = make_file_url(world, channel_id, file), str(file.id)
    kind = mimetypes.guess_type(file.name)[0]
    return {
        "id": number,
        "attachment_id": number,
        "url": url,
        "proxy_url": url,
        "content_type": kind,
    }


def encode_layout(world: World, message: Message) -> tuple[list[Json], list[Json]]:
    """Return a message's embeds and components as Discord gives them back."""
    media = {
        ATTACHMENT + file.name: encode_media(world, message.channel_id, file)
        for file in message.files
    }
    addresses = {name: item["url"] for name, item in media.items()}
    return _resolve_addresses(message.embeds, addresses), expand_components(
        message.components, media
    )


def find_visible_files(message: Message) -> list[MessageFile]:
    """Return the files that people can see.

    In a components-only message a file is visible only if a component shows it.
    """
    if not message.flags & COMPONENTS_V2:
        return message.files
    shown_by_components = find_references(message.components)
    return [file for file in message.files if file.name in shown_by_components]


def encode_message(world: World, message: Message) -> Json:
    """Return a message object.

    Its attachments leave out a file that an embed or component shows.
    """
    embeds, components = encode_layout(world, message)
    hidden = find_references(message.embeds) | find_references(message.components)
    files = [
        encode_attachment(world, message.channel_id, file)
        for file in message.files
        if file.name not in hidden
    ]
    return OBJECTS["message"] | {
        "id": str(message.id),
        "channel_id": str(message.channel_id),
        "timestamp": format_creation_time(message.id),
        "author": encode_user(world.bot),
        "content": message.content,
        "flags": message.flags,
        "embeds": [{"type": "rich", **embed} for embed in embeds],
        "components": components,
        "attachments": files,
        "mentions": [encode_user(world.accounts[ping]) for ping in message.pings],
        "edited_timestamp": format_time(message.edited_at) if message.edited_at else None,
        **({"nonce": message.nonce} if message.nonce else {}),
        **(_encode_origin(world, message, message.interaction) if message.interaction else {}),
    }


def _encode_origin(world: World, message: Message, interaction: Interaction) -> Json:
    app = str(world.bot.id)
    metadata = _encode_metadata(world, message, interaction)
    return {"application_id": app, "webhook_id": app, "interaction_metadata": metadata}


def _encode_metadata(world: World, message: Message, interaction: Interaction) -> Json:
    asked_by = encode_user(world.accounts[interaction.user_id])
    metadata: Json = {"id": str(interaction.id), "type": interaction.type, "user": asked_by}
    # A thread may be gone since.
    channel = world.channels.get(interaction.channel_id)
    guild_id = (channel.guild_id if channel else None) or 0
    metadata["authorizing_integration_owners"] = {"0": str(guild_id)}
    if interaction.original_id not in (None, message.id):
        metadata["original_response_message_id"] = str(interaction.original_id)
    if interaction.message_id is not None:
        metadata["interacted_message_id"] = str(interaction.message_id)
    if interaction.trigger is not None:
        metadata["triggering_interaction_metadata"] = _encode_metadata(
            world, message, interaction.trigger
        )
    return metadata


def make_reply(world: World, message: Message) -> Reply:
    """Return a message as people see it."""
    embeds, components = encode_layout(world, message)
    return Reply(
        channel_id=message.channel_id,
        message_id=message.id,
        content=message.content,
        embeds=tuple(embeds),
        components=tuple(components),
        files=tuple(find_visible_files(message)),
        pings=message.pings,
        ephemeral=bool(message.flags & EPHEMERAL),
        loading=bool(message.flags & LOADING),
        edited=message.edited_at is not None,
    )
