"""What a server's managers choose: the pace of matches, where they start, who challenges whom."""

from dataclasses import dataclass, replace

from bot.features.servers.extensions import ZONE_JOBS
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.languages import note_server_language
from bot.platform.people import DiscordPerson
from bot.store import ServerSettings
from engine.clock import Pace

MOST_CHANNELS = 20
"""Channels that can be chosen, and named in one sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerChange:
    """New choices; None for what stays. The role with the server's own id is that of everyone."""

    pace: Pace | None = None
    rated: bool | None = None
    channels: tuple[int, ...] | None = None
    role: int | None = None
    threads: bool | None = None
    single: bool | None = None
    quiet: tuple[int, ...] | None = None
    zone: str | None = None


async def update_server(app: App, guild: int, change: ServerChange) -> ServerSettings:
    """Change what a server chose and return it."""

    def apply_change(before: ServerSettings) -> ServerSettings:
        return replace(
            before,
            pace=change.pace.name if change.pace else before.pace,
            rated=before.rated if change.rated is None else change.rated,
            channels=before.channels if change.channels is None else change.channels,
            role=_update_role(before, guild, change),
            threads=before.threads if change.threads is None else change.threads,
            single=before.single if change.single is None else change.single,
            quiet=before.quiet if change.quiet is None else change.quiet,
            zone=change.zone or before.zone,
        )

    after = await app.store.servers.update_settings(guild, apply_change)
    if change.zone is not None:
        await _follow_zone(app, guild)
    return after


async def reset_server(app: App, guild: int) -> ServerSettings:
    """Let a server have the settings of those that chose nothing, and return them.

    What of it is public is no setting of matches, and stays.
    """
    after = await app.store.servers.update_settings(
        guild, lambda before: ServerSettings(pages=before.pages)
    )
    note_server_language(app, guild, None)
    await _follow_zone(app, guild)
    return after


async def _follow_zone(app: App, guild: int) -> None:
    """Let what happens at an hour by a server's clocks happen by its new ones."""
    now = app.clock()
    await app.enqueue(guild, [build(guild, now) for build in ZONE_JOBS.list_functions()])


async def choose_server_language(app: App, guild: int, language: str | None) -> None:
    """Let everyone in a server read a language, or as Discord says."""
    await app.store.servers.update_settings(
        guild, lambda before: replace(before, language=language)
    )
    note_server_language(app, guild, language)


def _update_role(before: ServerSettings, guild: int, change: ServerChange) -> int | None:
    if change.role is None:
        return before.role
    # Discord gives the role of everyone the server's own id.
    return None if change.role == guild else change.role


async def forget_deleted(app: App, guild: int, gone: int) -> None:
    """Remove a channel or role that no longer exists from a server's choices."""

    def without(before: ServerSettings) -> ServerSettings:
        kept = tuple(channel for channel in before.channels if channel != gone)
        return replace(before, channels=kept, role=None if before.role == gone else before.role)

    before = await app.store.servers.get(guild)
    # Most channels and roles that are deleted are in no list; then nothing is written.
    if without(before) != before:
        await app.store.servers.update_settings(guild, without)


@dataclass(frozen=True, slots=True)
class MissingPermissions:
    """Permissions that the bot needs in a channel and lacks, by Discord's names of them."""

    channel: int
    permissions: tuple[str, ...]


def require_start_place(server: ServerSettings, channel: int, parent: int | None) -> None:
    """Raise DeclinedError unless matches may start in a channel, or in a thread of that parent."""
    # A channel on the list includes its threads, and a thread may be listed by itself.
    if server.channels and not {channel, parent} & set(server.channels):
        raise DeclinedError(DeclineReason.START_ELSEWHERE, channels=server.channels)


def require_member_role(server: ServerSettings, person: DiscordPerson) -> None:
    """Raise DeclinedError if a person is known to lack the role that a server's players need."""
    # Roles that are not known refuse nobody.
    if server.role is not None and person.roles is not None and server.role not in person.roles:
        raise DeclinedError(DeclineReason.NOT_A_MEMBER, role=server.role, person=person.name)


async def load_news_channel(app: App, guild: int) -> int | None:
    """Return the channel in which a server's matches are announced; None for nowhere."""
    return (await app.store.servers.get(guild)).news


async def update_news_channel(app: App, guild: int, channel: int | None) -> int | None:
    """Announce a server's matches in a channel, or nowhere, and return it."""
    chosen = await app.store.servers.update_settings(
        guild, lambda before: replace(before, news=channel)
    )
    return chosen.news
