"""The gateway: hello, identify, resume, heartbeats, and opening interactions."""

import asyncio
import secrets
from typing import Any

from aiohttp import WSMsgType, web

from .channels import make_gateway_url
from .payloads import FILE_LIMIT, encode_channel, encode_full_member, encode_guild, encode_user
from .sessions import GUILDS, GatewayConnection, GatewaySession, Json, Shard
from .world import DM, MODAL, MODAL_SUBMIT, Interaction, World, WorldChannel

INVALID_SESSION, HELLO, ACK = 9, 10, 11
PRIVILEGED_INTENTS = 1 << 1 | 1 << 8 | 1 << 15
"""The intents that this application was not granted: members, presences, message content."""


class _GatewayCloseError(Exception):
    """The line is to be closed with `code`."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


async def serve_gateway(world: World, request: web.Request) -> web.WebSocketResponse:
    """Speak the gateway's protocol with one connecting bot."""
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    line = GatewayConnection(socket, request)
    await line.send(HELLO, {"heartbeat_interval": int(world.heartbeat_s * 1000)})
    try:
        async for frame in socket:
            if frame.type == WSMsgType.TEXT:
                await _handle_payload(world, line, frame.json())
    except _GatewayCloseError as refused:
        await line.close(refused.code)
    finally:
        world.sessions.detach_connection(line)
    return socket


async def _handle_payload(world: World, line: GatewayConnection, payload: Json) -> None:
    known = any(session.line is line for session in world.sessions.list_connected())
    match payload["op"]:
        case 1:
            await line.send(ACK, None)
        case 2:
            await _handle_identify(world, line, payload["d"])
        case 6:
            await _handle_resume(world, line, payload["d"])
        case _ if not known:
            raise _GatewayCloseError(4003)


async def _handle_identify(world: World, line: GatewayConnection, payload: Json) -> None:
    _check_token(world, payload)
    if payload["intents"] & PRIVILEGED_INTENTS:
        raise _GatewayCloseError(4014)
    shard = Shard(*payload.get("shard", ()))
    if not 0 <= shard.number < shard.count:
        raise _GatewayCloseError(4010)
    session = GatewaySession(secrets.token_hex(16), payload["intents"], shard)
    member = [guild_id for guild_id in world.guilds if guild_id not in world.left]
    own = [guild_id for guild_id in member if shard.has_guild(guild_id)]
    session.sent.append(("READY", _make_ready(world, session, own)))
    if session.intents & GUILDS:
        there = [guild_id for guild_id in own if guild_id not in world.unavailable]
        session.sent += [("GUILD_CREATE", encode_guild(world, guild_id)) for guild_id in there]
    world.sessions.add(session)
    await session.attach_connection(line, after=0)
    world.changes.notify()


def _check_token(world: World, payload: Json) -> None:
    if payload["token"] != world.token:
        raise _GatewayCloseError(4004)


def _make_ready(world: World, session: GatewaySession, guilds: list[int]) -> Json:
    return {
        "v": 10,
        "user": {**encode_user(world.bot), "verified": True, "mfa_enabled": True, "email": None},
        "guilds": [{"id": str(guild_id), "unavailable": True} for guild_id in guilds],
        "session_id": session.id,
        "shard": [session.shard.number, session.shard.count],
        "resume_gateway_url": make_gateway_url(world),
        "application": {"id": str(world.bot.id), "flags": 0},
    }


async def _handle_resume(world: World, line: GatewayConnection, payload: Json) -> None:
    _check_token(world, payload)
    session = world.sessions.find(payload["session_id"])
    if session is None:
        await line.send(INVALID_SESSION, False)
        return
    await session.attach_connection(line, payload["seq"])
    await session.dispatch("RESUMED", {})
    world.changes.notify()


async def send_interaction(
    world: World,
    user_id: int,
    where: WorldChannel,
    kind: int,
    data: Json,
    clicked: Json | None = None,
) -> Interaction:
    """Let a person act, on the message `clicked` if given.

    This opens an interaction and sends it to the bot.
    """
    now = asyncio.get_running_loop().time()
    message_id = int(clicked["id"]) if clicked else None
    interaction = Interaction(
        world.build_id(), secrets.token_urlsafe(64), kind, where.id, user_id, message_id, now
    )
    if kind == MODAL_SUBMIT:
        interaction.trigger = _find_opener(world, user_id)
    world.interactions[interaction.token] = interaction
    await world.sessions.dispatch(
        "INTERACTION_CREATE",
        _make_interaction(world, interaction, where, data, clicked),
        where.guild_id,
    )
    return interaction


def _find_owners(world: World, interaction: Interaction, where: WorldChannel) -> Json:
    """Return who installed the bot: the guild, or where the bot is no member the person (1)."""
    if where.guild_id in world.left:
        return {"1": str(interaction.user_id)}
    return {"0": str(where.guild_id or 0)}


def _find_opener(world: World, user_id: int) -> Interaction | None:
    own = (one for one in reversed(world.interactions.values()) if one.user_id == user_id)
    return next((one for one in own if one.callback == MODAL), None)


def _make_interaction(
    world: World, interaction: Interaction, where: WorldChannel, data: Json, clicked: Json | None
) -> Json:
    account = world.accounts[interaction.user_id]
    payload: Json = {
        "id": str(interaction.id),
        "application_id": str(world.bot.id),
        "type": interaction.type,
        "token": interaction.token,
        "version": 1,
        "data": data,
        "channel": encode_channel(world, where),
        "channel_id": str(where.id),
        "attachment_size_limit": FILE_LIMIT,
        "entitlements": [],
        "locale": account.locale,
        "app_permissions": str(world.get_permissions(where)),
        "context": 1 if where.type == DM else 0,
        "authorizing_integration_owners": _find_owners(world, interaction, where),
    }
    if clicked is not None:
        payload["message"] = clicked
    if where.type == DM:
        return payload | {"user": encode_user(account)}
    place: Any = {"id": str(where.guild_id), "locale": "en-GB", "features": []}
    about = {"guild_id": str(where.guild_id), "guild": place, "guild_locale": "en-GB"}
    return payload | about | {"member": encode_full_member(account)}
