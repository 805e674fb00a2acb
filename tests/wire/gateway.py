"""The gateway: hello, identify, resume, heartbeats, and opening interactions."""

import asyncio
import secrets
from typing import Any

from aiohttp import WSMsgType, web

from .channels import gateway_url
from .payloads import FILE_LIMIT, channel, full_member, guild, user
from .sessions import GUILDS, Json, Line, Session, Shard
from .world import DM, MODAL, MODAL_SUBMIT, Channel, Interaction, World

INVALID_SESSION, HELLO, ACK = 9, 10, 11
PRIVILEGED = 1 << 1 | 1 << 8 | 1 << 15
"""The intents that this application was not granted: members, presences, message content."""


class _Refused(Exception):
    """The line is to be closed with `code`."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


async def serve(world: World, request: web.Request) -> web.WebSocketResponse:
    """Speak the gateway's protocol with one connecting bot."""
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    line = Line(socket, request)
    await line.send(HELLO, {"heartbeat_interval": int(world.heartbeat_s * 1000)})
    try:
        async for frame in socket:
            if frame.type == WSMsgType.TEXT:
                await _heard(world, line, frame.json())
    except _Refused as refused:
        await line.close(refused.code)
    finally:
        world.sessions.hang_up(line)
    return socket


async def _heard(world: World, line: Line, said: Json) -> None:
    known = any(session.line is line for session in world.sessions.connected())
    match said["op"]:
        case 1:
            await line.send(ACK, None)
        case 2:
            await _identify(world, line, said["d"])
        case 6:
            await _resume(world, line, said["d"])
        case _ if not known:
            raise _Refused(4003)


async def _identify(world: World, line: Line, said: Json) -> None:
    _check_token(world, said)
    if said["intents"] & PRIVILEGED:
        raise _Refused(4014)
    shard = Shard(*said.get("shard", ()))
    if not 0 <= shard.number < shard.count:
        raise _Refused(4010)
    session = Session(secrets.token_hex(16), said["intents"], shard)
    member = [guild_id for guild_id in world.guilds if guild_id not in world.left]
    own = [guild_id for guild_id in member if shard.serves(guild_id)]
    session.sent.append(("READY", _ready(world, session, own)))
    if session.intents & GUILDS:
        there = [guild_id for guild_id in own if guild_id not in world.unavailable]
        session.sent += [("GUILD_CREATE", guild(world, guild_id)) for guild_id in there]
    world.sessions.open(session)
    await session.take(line, after=0)
    world.changes.note()


def _check_token(world: World, said: Json) -> None:
    if said["token"] != world.token:
        raise _Refused(4004)


def _ready(world: World, session: Session, guilds: list[int]) -> Json:
    return {
        "v": 10,
        "user": {**user(world.bot), "verified": True, "mfa_enabled": True, "email": None},
        "guilds": [{"id": str(guild_id), "unavailable": True} for guild_id in guilds],
        "session_id": session.id,
        "shard": [session.shard.number, session.shard.count],
        "resume_gateway_url": gateway_url(world),
        "application": {"id": str(world.bot.id), "flags": 0},
    }


async def _resume(world: World, line: Line, said: Json) -> None:
    _check_token(world, said)
    session = world.sessions.find(said["session_id"])
    if session is None:
        await line.send(INVALID_SESSION, False)
        return
    await session.take(line, said["seq"])
    await session.dispatch("RESUMED", {})
    world.changes.note()


async def interact(
    world: World, user_id: int, where: Channel, kind: int, data: Json, clicked: Json | None = None
) -> Interaction:
    """Let a person act, on the message `clicked` if given.

    This opens an interaction and sends it to the bot.
    """
    now = asyncio.get_running_loop().time()
    message_id = int(clicked["id"]) if clicked else None
    opened = Interaction(
        world.new_id(), secrets.token_urlsafe(64), kind, where.id, user_id, message_id, now
    )
    if kind == MODAL_SUBMIT:
        opened.trigger = _opener(world, user_id)
    world.interactions[opened.token] = opened
    await world.sessions.dispatch(
        "INTERACTION_CREATE", _payload(world, opened, where, data, clicked), where.guild_id
    )
    return opened


def _owners(world: World, opened: Interaction, where: Channel) -> Json:
    """Return who installed the bot: the guild, or where the bot is no member the person (1)."""
    if where.guild_id in world.left:
        return {"1": str(opened.user_id)}
    return {"0": str(where.guild_id or 0)}


def _opener(world: World, user_id: int) -> Interaction | None:
    own = (one for one in reversed(world.interactions.values()) if one.user_id == user_id)
    return next((one for one in own if one.callback == MODAL), None)


def _payload(
    world: World, opened: Interaction, where: Channel, data: Json, clicked: Json | None
) -> Json:
    account = world.accounts[opened.user_id]
    payload: Json = {
        "id": str(opened.id),
        "application_id": str(world.bot.id),
        "type": opened.type,
        "token": opened.token,
        "version": 1,
        "data": data,
        "channel": channel(world, where),
        "channel_id": str(where.id),
        "attachment_size_limit": FILE_LIMIT,
        "entitlements": [],
        "locale": account.locale,
        "app_permissions": str(world.allowed(where)),
        "context": 1 if where.type == DM else 0,
        "authorizing_integration_owners": _owners(world, opened, where),
    }
    if clicked is not None:
        payload["message"] = clicked
    if where.type == DM:
        return payload | {"user": user(account)}
    place: Any = {"id": str(where.guild_id), "locale": "en-GB", "features": []}
    about = {"guild_id": str(where.guild_id), "guild": place, "guild_locale": "en-GB"}
    return payload | about | {"member": full_member(account)}
