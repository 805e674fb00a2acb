"""REST with the bot's token: who am I, channels, messages, threads, direct messages, members."""

from .endpoints import Answer, Call, Route
from .messages import create, edit
from .payloads import channel, full_member, guild, message, user
from .sessions import GUILDS, Json
from .world import DM, EPHEMERAL, THREAD, Account, ApiError, Channel, Message, World


async def _me(world: World, call: Call) -> Answer:
    return 200, {**user(world.bot), "verified": True, "mfa_enabled": True, "locale": "en-GB", "email": None}


async def _application(world: World, call: Call) -> Answer:
    owner = {**user(world.bot), "bot": False}
    flags: Json = {"bot_public": True, "bot_require_code_grant": False, "interactions_endpoint_url": None, "flags": 0}
    names: Json = {"name": world.bot.name, "description": "", "icon": None, "verify_key": "0" * 64, "hook": True}
    return 200, {"id": str(world.bot.id), **names, **flags, "owner": owner, "team": None, "summary": ""}


async def _gateway(world: World, call: Call) -> Answer:
    limit = {"total": 1000, "remaining": 999, "reset_after": 14_400_000, "max_concurrency": 1}
    return 200, {"url": gateway_url(world), "shards": 1, "session_start_limit": limit}


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
    return 200, guild(world)


def _channel(world: World, call: Call) -> Channel:
    return world.channel(int(call.params["channel"]))


def _message(world: World, call: Call) -> Message:
    found = world.message(_channel(world, call).id, int(call.params["message"]))
    if found.flags & EPHEMERAL:
        raise ApiError(404, 10008, "Unknown Message")
    return found


def _editable(world: World, call: Call) -> Message:
    if _channel(world, call).archived:
        raise ApiError(400, 50083, "Thread is archived")
    return _message(world, call)


async def _show_channel(world: World, call: Call) -> Answer:
    return 200, channel(world, _channel(world, call))


async def _change_channel(world: World, call: Call) -> Answer:
    shown = _channel(world, call)
    shown.name = call.body.get("name", shown.name)
    shown.archived = call.body.get("archived", shown.archived)
    shown.locked = call.body.get("locked", shown.locked)
    event = "THREAD_UPDATE" if shown.type == THREAD else "CHANNEL_UPDATE"
    await world.sessions.dispatch(event, channel(world, shown), GUILDS)
    return 200, channel(world, shown)


async def _send(world: World, call: Call) -> Answer:
    target = _channel(world, call)
    if target.archived and target.locked:
        raise ApiError(400, 50083, "Thread is archived")
    known = _sent_before(world, target, call.body) or create(world, target.id, call.body, call.files)
    target.archived = False
    return 200, message(world, known)


def _sent_before(world: World, target: Channel, body: Json) -> Message | None:
    if not (body.get("enforce_nonce") and body.get("nonce")):
        return None
    in_channel = (known for known in world.messages.values() if known.channel_id == target.id)
    return next((known for known in in_channel if known.nonce == body["nonce"]), None)


async def _show(world: World, call: Call) -> Answer:
    return 200, message(world, _message(world, call))


async def _edit(world: World, call: Call) -> Answer:
    return 200, message(world, edit(world, _editable(world, call), call.body, call.files))


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
    await world.sessions.dispatch("THREAD_CREATE", {**channel(world, made), "newly_created": True}, GUILDS)
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
