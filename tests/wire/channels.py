"""REST with the bot's token: who am I, channels, messages, threads, direct messages, members."""

import time

from .endpoints import ApiAnswer, Call, Route
from .limits import check_nonce
from .messages import create_message, edit_message
from .payloads import (
    OBJECTS,
    encode_channel,
    encode_full_member,
    encode_guild,
    encode_message,
    encode_user,
)
from .sessions import GUILDS, Json
from .world import (
    ATTACH,
    DM,
    EPHEMERAL,
    MANAGE_THREADS,
    SEND,
    SEND_IN_THREADS,
    THREAD,
    VIEW,
    Account,
    ApiError,
    Message,
    Nonce,
    World,
    WorldChannel,
)

EDITABLE_KEYS = {"name", "archived", "locked"}
"""What of a channel or thread can be changed."""


async def _get_bot_user(world: World, call: Call) -> ApiAnswer:
    return 200, encode_user(world.bot) | OBJECTS["own user"]


async def _get_application(world: World, call: Call) -> ApiAnswer:
    return 200, OBJECTS["application"] | {
        "id": str(world.bot.id),
        "name": world.bot.name,
        "owner": encode_user(world.bot) | {"bot": False},
        "verify_key": "0" * 64,
    }


async def _get_gateway(world: World, call: Call) -> ApiAnswer:
    limit = OBJECTS["session start limit"] | {"max_concurrency": world.shards}
    return 200, {
        "url": make_gateway_url(world),
        "shards": world.shards,
        "session_start_limit": limit,
    }


def make_gateway_url(world: World) -> str:
    """Return the websocket address to connect to, also for a resume."""
    return world.api.replace("http", "ws", 1) + "/gateway/"


def _find_account(world: World, call: Call) -> Account:
    account = world.accounts.get(int(call.params["user"]))
    if account is None:
        raise ApiError(404, 10013, "Unknown User")
    return account


async def _get_user(world: World, call: Call) -> ApiAnswer:
    return 200, encode_user(_find_account(world, call))


async def _get_member(world: World, call: Call) -> ApiAnswer:
    return 200, encode_full_member(_find_account(world, call))


async def _get_guild(world: World, call: Call) -> ApiAnswer:
    guild_id = int(call.params["guild"])
    if guild_id not in world.guilds or guild_id in world.left:
        raise ApiError(404, 10004, "Unknown Guild")
    return 200, encode_guild(world, guild_id)


def _find_channel(world: World, call: Call) -> WorldChannel:
    found = world.get_channel(int(call.params["channel"]))
    if found.guild_id in world.unavailable:
        raise ApiError(503, 0, "503: Service Unavailable")
    if found.guild_id in world.left or not world.get_permissions(found) & VIEW:
        raise ApiError(403, 50001, "Missing Access")
    return found


def _find_message(world: World, call: Call) -> Message:
    found = world.get_message(_find_channel(world, call).id, int(call.params["message"]))
    if found.flags & EPHEMERAL:
        raise ApiError(404, 10008, "Unknown Message")
    return found


def _find_editable_message(world: World, call: Call) -> Message:
    found = _find_message(world, call)
    if _find_channel(world, call).archived:
        raise ApiError(400, 50083, "Thread is archived")
    return found


async def _get_channel(world: World, call: Call) -> ApiAnswer:
    return 200, encode_channel(world, _find_channel(world, call))


async def _edit_channel(world: World, call: Call) -> ApiAnswer:
    channel = _find_channel(world, call)
    if channel.type == THREAD and "archived" in call.body:
        # Whoever may write in a thread opens it, unless it was locked.
        _require_permission(world, channel, MANAGE_THREADS if channel.locked else SEND_IN_THREADS)
    await update_channel(world, channel, call.body)
    return 200, encode_channel(world, channel)


async def update_channel(world: World, channel: WorldChannel, changes: Json) -> None:
    """Change a channel or thread, and tell the bot."""
    for key in EDITABLE_KEYS & set(changes):
        setattr(channel, key, changes[key])
    event = "THREAD_UPDATE" if channel.type == THREAD else "CHANNEL_UPDATE"
    await world.sessions.dispatch(event, encode_channel(world, channel), channel.guild_id, GUILDS)


def _require_permission(world: World, where: WorldChannel, permission: int) -> None:
    if not world.get_permissions(where) & permission:
        raise ApiError(403, 50013, "Missing Permissions")


def _require_upload_permission(world: World, where: WorldChannel, call: Call) -> None:
    if call.files:
        _require_permission(world, where, ATTACH)


async def _send_message(world: World, call: Call) -> ApiAnswer:
    target = _find_channel(world, call)
    _require_permission(world, target, SEND_IN_THREADS if target.type == THREAD else SEND)
    _require_upload_permission(world, target, call)
    if target.archived and target.locked:
        raise ApiError(400, 50083, "Thread is archived")
    message = _find_by_nonce(world, target, call.body) or _post_message(world, target, call)
    if target.archived:
        await update_channel(world, target, {"archived": False})
    return 200, encode_message(world, message)


def _post_message(world: World, target: WorldChannel, call: Call) -> Message:
    nonce = call.body.get("nonce")
    check_nonce(nonce)
    message = create_message(world, target.id, call.body, call.files)
    if nonce is not None:
        message.nonce = str(nonce)
        world.nonces[target.id, message.nonce] = Nonce(message.id, time.monotonic())
    return message


def _find_by_nonce(world: World, target: WorldChannel, body: Json) -> Message | None:
    """Return what was posted under the same nonce.

    Raises ApiError 10008 when it has been deleted since.
    """
    # Discord does not post it again either:
    # discord/discord-api-docs#6647, ypisetsky on 8 February 2024.
    known = (
        world.nonces.get((target.id, str(body.get("nonce")))) if body.get("enforce_nonce") else None
    )
    if known is None or time.monotonic() - known.at > world.nonce_life_s:
        return None
    return world.get_message(target.id, known.message_id)


async def _get_message(world: World, call: Call) -> ApiAnswer:
    return 200, encode_message(world, _find_message(world, call))


async def _edit_message(world: World, call: Call) -> ApiAnswer:
    message = _find_editable_message(world, call)
    _require_upload_permission(world, _find_channel(world, call), call)
    return 200, encode_message(world, edit_message(world, message, call.body, call.files))


async def _delete_message(world: World, call: Call) -> ApiAnswer:
    del world.messages[_find_editable_message(world, call).id]
    return 204, None


async def _start_typing(world: World, call: Call) -> ApiAnswer:
    _find_channel(world, call)
    return 204, None


async def _create_thread(world: World, call: Call) -> ApiAnswer:
    parent = _find_channel(world, call)
    if parent.type == DM or parent.type == THREAD:
        raise ApiError(400, 50024, "Cannot execute action on this channel type")
    under = _find_message(world, call).id if "message" in call.params else None
    if under in world.channels:
        raise ApiError(400, 160004, "A thread has already been created for this message")
    channel = world.add_channel(THREAD, call.body["name"], parent_id=parent.id)
    if under is not None:
        _assign_thread_id(world, channel, under)
    shown = {**encode_channel(world, channel), "newly_created": True}
    await world.sessions.dispatch("THREAD_CREATE", shown, channel.guild_id, GUILDS)
    return 201, encode_channel(world, channel)


def _assign_thread_id(world: World, channel: WorldChannel, message_id: int) -> None:
    del world.channels[channel.id]
    channel.id = message_id
    world.channels[message_id] = channel


async def _add_to_thread(world: World, call: Call) -> ApiAnswer:
    _find_channel(world, call), _find_account(world, call)
    return 204, None


async def _open_dm(world: World, call: Call) -> ApiAnswer:
    recipient = int(call.body["recipient_id"])
    if recipient not in world.accounts:
        raise ApiError(400, 50033, "Invalid Recipient(s)")
    return 200, encode_channel(world, world.get_dm_channel(recipient))


MESSAGE_PATH = "/channels/{channel}/messages/{message}"
ROUTES: list[Route] = [
    ("GET", "/users/@me", _get_bot_user),
    ("GET", "/oauth2/applications/@me", _get_application),
    ("GET", "/gateway/bot", _get_gateway),
    ("GET", "/users/{user}", _get_user),
    ("GET", "/guilds/{guild}", _get_guild),
    ("GET", "/guilds/{guild}/members/{user}", _get_member),
    ("POST", "/users/@me/channels", _open_dm),
    ("GET", "/channels/{channel}", _get_channel),
    ("PATCH", "/channels/{channel}", _edit_channel),
    ("POST", "/channels/{channel}/typing", _start_typing),
    ("POST", "/channels/{channel}/threads", _create_thread),
    ("PUT", "/channels/{channel}/thread-members/{user}", _add_to_thread),
    ("POST", "/channels/{channel}/messages", _send_message),
    ("POST", MESSAGE_PATH + "/threads", _create_thread),
    ("GET", MESSAGE_PATH, _get_message),
    ("PATCH", MESSAGE_PATH, _edit_message),
    ("DELETE", MESSAGE_PATH, _delete_message),
]
