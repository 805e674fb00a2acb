"""What a server's managers choose: the pace of matches, where they start, who challenges whom."""

from dataclasses import dataclass, replace

from bot.app.context import App
from bot.app.errors import Declined, Why
from bot.app.people import Person
from bot.store import Server
from engine.clock import Pace

MOST_CHANNELS = 20
"""Channels that can be named in one sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """New choices; None for what stays. The role with the server's own id is that of everyone."""

    pace: Pace | None = None
    rated: bool | None = None
    allow: int | None = None
    forbid: int | None = None
    role: int | None = None
    threads: bool | None = None
    single: bool | None = None
    quiet: tuple[int, ...] | None = None
    zone: str | None = None


async def choose(app: App, guild: int, change: Change) -> Server:
    """Change what a server chose and return it; raises Declined for an impossible choice."""
    if change == Change():
        return await app.store.servers.get(guild)

    def changed(before: Server) -> Server:
        return replace(
            before,
            pace=change.pace.name if change.pace else before.pace,
            rated=before.rated if change.rated is None else change.rated,
            channels=_channels(before, change),
            role=_role(before, guild, change),
            threads=before.threads if change.threads is None else change.threads,
            single=before.single if change.single is None else change.single,
            quiet=before.quiet if change.quiet is None else change.quiet,
            zone=change.zone or before.zone,
        )

    return await app.store.servers.change(guild, changed)


def _channels(before: Server, change: Change) -> tuple[int, ...]:
    if change.forbid is not None and not before.channels:
        raise Declined(Why.EVERYWHERE)
    chosen = [channel for channel in before.channels if channel != change.forbid]
    if change.allow is not None and change.allow not in chosen:
        chosen.append(change.allow)
    if len(chosen) > MOST_CHANNELS:
        raise Declined(Why.TOO_MANY_CHANNELS, most=MOST_CHANNELS)
    return tuple(chosen)


def _role(before: Server, guild: int, change: Change) -> int | None:
    if change.role is None:
        return before.role
    return None if change.role == guild else change.role


async def forget(app: App, guild: int, gone: int) -> None:
    """Remove a channel or role that no longer exists from a server's choices."""

    def without(before: Server) -> Server:
        kept = tuple(channel for channel in before.channels if channel != gone)
        return replace(before, channels=kept, role=None if before.role == gone else before.role)

    before = await app.store.servers.get(guild)
    if without(before) != before:
        await app.store.servers.change(guild, without)


@dataclass(frozen=True, slots=True)
class Lack:
    """Permissions that the bot needs in a channel and lacks, by Discord's names of them."""

    channel: int
    permissions: tuple[str, ...]


def require_place(server: Server, channel: int, parent: int | None) -> None:
    """Raise Declined unless matches may start in a channel, or in a thread of that parent."""
    if server.channels and not {channel, parent} & set(server.channels):
        raise Declined(Why.START_ELSEWHERE, channels=server.channels)


def require_member(server: Server, person: Person) -> None:
    """Raise Declined if a person is known to lack the role that a server's players need."""
    if server.role is not None and person.roles is not None and server.role not in person.roles:
        raise Declined(Why.NOT_A_MEMBER, role=server.role, person=person.name)
