"""REST with the bot's token: who am I, channels, messages, threads, direct messages, members."""

import time

from .endpoints import Answer, Call, Route
from .limits import check_nonce
from .messages import create, edit
from .payloads import channel, full_member, guild, message, user
from .sessions import GUILDS, Json
from .world import (
    ATTACH,
    DM,
    EPHEMERAL,
    SEND,
    SEND_IN_THREADS,
    THREAD,
    VIEW,
    Account,
    ApiError,
    Channel,
    Message,
    Nonce,
    World,
)

CHANGEABLE = {"name", "archived", "locked"}
"""What of a channel or thread can be changed."""


async def _me(world: World, call: Call) -> Answer:
    return 200, {
        **user(world.bot),
        "verified": True,
        "mfa_enabled": True,
        "locale": "en-GB",
        "email": None,
    }


async def _application(world: World, call: Call) -> Answer:
    names: Json = {
        "id": str(world.bot.id),
        "name": world.bot.name,
        "description": "",
        "icon": None,
        "type": None,
    }
    flags: Json = {
        "bot_public": True,
        "bot_require_code_grant": False,
        "flags": 0,
        "flags_new": "0",
        "hook": True,
    }
    links: Json = {
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "redirect_uris": [],
    }
    counts = dict.fromkeys(
        (f"approximate_{what}_count" for what in ("guild", "user_install", "user_authorization")), 1
    )
    owner: Json = {
        "owner": {**user(world.bot), "bot": False},
        "team": None,
        "summary": "",
        "verify_key": "0" * 64,
    }
    scopes: Json = {
        "explicit_content_filter": 0,
        "eligible_oauth2_scopes": ["applications.commands", "bot"],
    }
    return 200, {**names, **flags, **links, **counts, **owner, **scopes}


async def _gateway(world: World, call: Call) -> Answer:
    limit = {
        "total": 1000,
        "remaining": 999,
        "reset_after": 14_400_000,
        "max_concurrency": world.shards,
    }
    return 200, {"url": gateway_url(world), "shards": world.shards, "session_start_limit": limit}


def gateway_url(world: World) -> str:
    """Return the websocket address to connect to, also for a resume."""
    return world.api.replace("http", "ws", 1) + "/gateway/"


def _account(world: World, call: Call) -> Account:
    account = world.accounts.get(int(call.params["user"]))
    if account is None:
        raise ApiError(404, 10013, "Unknown User")
    return account


async def _user(world: World, call: Call) -> Answer:
    return 200, user(_account(world, call))


async def _member(world: World, call: Call) -> Answer:
    return 200, full_member(_account(world, call))


async def _guild(world: World, call: Call) -> Answer:
    guild_id = int(call.params["guild"])
    if guild_id not in world.guilds or guild_id in world.left:
        raise ApiError(404, 10004, "Unknown Guild")
    return 200, guild(world, guild_id)


def _channel(world: World, call: Call) -> Channel:
    found = world.channel(int(call.params["channel"]))
    if found.guild_id in world.unavailable:
        raise ApiError(503, 0, "503: Service Unavailable")
    if found.guild_id in world.left or not world.allowed(found) & VIEW:
        raise ApiError(403, 50001, "Missing Access")
    return found


def _message(world: World, call: Call) -> Message:
    found = world.message(_channel(world, call).id, int(call.params["message"]))
    if found.flags & EPHEMERAL:
        raise ApiError(404, 10008, "Unknown Message")
    return found


def _editable(world: World, call: Call) -> Message:
    found = _message(world, call)
    if _channel(world, call).archived:
        raise ApiError(400, 50083, "Thread is archived")
    return found


async def _show_channel(world: World, call: Call) -> Answer:
    return 200, channel(world, _channel(world, call))


async def _change_channel(world: World, call: Call) -> Answer:
    shown = _channel(world, call)
    await update_channel(world, shown, call.body)
    return 200, channel(world, shown)


async def update_channel(world: World, shown: Channel, changes: Json) -> None:
    """Change a channel or thread, and tell the bot."""
    for key in CHANGEABLE & set(changes):
        setattr(shown, key, changes[key])
    event = "THREAD_UPDATE" if shown.type == THREAD else "CHANNEL_UPDATE"
    await world.sessions.dispatch(event, channel(world, shown), shown.guild_id, GUILDS)


def _require(world: World, where: Channel, permission: int) -> None:
    if not world.allowed(where) & permission:
        raise ApiError(403, 50013, "Missing Permissions")


def _require_upload(world: World, where: Channel, call: Call) -> None:
    if call.files:
        _require(world, where, ATTACH)


async def _send(world: World, call: Call) -> Answer:
    target = _channel(world, call)
    _require(world, target, SEND_IN_THREADS if target.type == THREAD else SEND)
    _require_upload(world, target, call)
    if target.archived and target.locked:
        raise ApiError(400, 50083, "Thread is archived")
    posted = _sent_before(world, target, call.body) or _post(world, target, call)
    if target.archived:
        await update_channel(world, target, {"archived": False})
    return 200, message(world, posted)


def _post(world: World, target: Channel, call: Call) -> Message:
    nonce = call.body.get("nonce")
    check_nonce(nonce)
    posted = create(world, target.id, call.body, call.files)
    if nonce is not None:
        posted.nonce = str(nonce)
        world.nonces[target.id, posted.nonce] = Nonce(posted.id, time.monotonic())
    return posted


def _sent_before(world: World, target: Channel, body: Json) -> Message | None:
    """Return what was posted under the same nonce.

    Raises ApiError 10008 when it has been deleted since.
    """
    # Discord does not post it anew either:
    # discord/discord-api-docs#6647, ypisetsky on 8 February 2024.
    known = (
        world.nonces.get((target.id, str(body.get("nonce")))) if body.get("enforce_nonce") else None
    )
    if known is None or time.monotonic() - known.at > world.nonce_life_s:
        return None
    return world.message(target.id, known.message_id)


async def _show(world: World, call: Call) -> Answer:
    return 200, message(world, _message(world, call))


async def _edit(world: World, call: Call) -> Answer:
    shown = _editable(world, call)
    _require_upload(world, _channel(world, call), call)
    return 200, message(world, edit(world, shown, call.body, call.files))


async def _delete(world: World, call: Call) -> Answer:
    del world.messages[_editable(world, call).id]
    return 204, None


async def _typing(world: World, call: Call) -> Answer:
    _channel(world, call)
    return 204, None


async def _thread(world: World, call: Call) -> Answer:
    parent = _channel(world, call)
    if parent.type == DM or parent.type == THREAD:
        raise ApiError(400, 50024, "Cannot execute action on this channel type")
    made = world.add_channel(THREAD, call.body["name"], parent_id=parent.id)
    if "message" in call.params:
        _rekey(world, made, _message(world, call).id)
    shown = {**channel(world, made), "newly_created": True}
    await world.sessions.dispatch("THREAD_CREATE", shown, made.guild_id, GUILDS)
    return 201, channel(world, made)


def _rekey(world: World, made: Channel, message_id: int) -> None:
    if message_id in world.channels:
        raise ApiError(400, 160004, "A thread has already been created for this message")
    del world.channels[made.id]
    made.id = message_id
    world.channels[message_id] = made


async def _add_to_thread(world: World, call: Call) -> Answer:
    _channel(world, call), _account(world, call)
    return 204, None


async def _open_dm(world: World, call: Call) -> Answer:
    recipient = int(call.body["recipient_id"])
    if recipient not in world.accounts:
        raise ApiError(400, 50033, "Invalid Recipient(s)")
    return 200, channel(world, world.dm(recipient))


MESSAGE = "/channels/{channel}/messages/{message}"
ROUTES: list[Route] = [
    ("GET", "/users/@me", _me),
    ("GET", "/oauth2/applications/@me", _application),
    ("GET", "/gateway/bot", _gateway),
    ("GET", "/users/{user}", _user),
    ("GET", "/guilds/{guild}", _guild),
    ("GET", "/guilds/{guild}/members/{user}", _member),
    ("POST", "/users/@me/channels", _open_dm),
    ("GET", "/channels/{channel}", _show_channel),
    ("PATCH", "/channels/{channel}", _change_channel),
    ("POST", "/channels/{channel}/typing", _typing),
    ("POST", "/channels/{channel}/threads", _thread),
    ("PUT", "/channels/{channel}/thread-members/{user}", _add_to_thread),
    ("POST", "/channels/{channel}/messages", _send),
    ("POST", MESSAGE + "/threads", _thread),
    ("GET", MESSAGE, _show),
    ("PATCH", MESSAGE, _edit),
    ("DELETE", MESSAGE, _delete),
]
