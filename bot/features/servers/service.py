"""What a server's managers choose: the pace of matches, where they start, who challenges whom."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from bot.platform.context import App, note_server_language
from bot.platform.db.jobs import JobPayload, Subject
from bot.platform.db.preferences import ServerSettings
from bot.platform.db.rows import Job
from bot.platform.features import ExtensionPoint
from bot.platform.i18n.reader import DeclinedError, Reader, escape_text
from bot.platform.people import DiscordPerson
from engine.clock import SECOND

REDRAW_DELAY_MS = 5 * SECOND
"""Milliseconds after which messages are drawn in a new language, as somebody may try several."""
MAX_CHANNELS = 20
"""Channels that can be chosen, and named in one sentence."""

ZoneJobs: TypeAlias = Callable[[int, int], Job]
ChannelLoader: TypeAlias = Callable[[App, int], Awaitable[Sequence[int]]]
RedrawJobs: TypeAlias = Callable[[App, int], Awaitable[Sequence[Job]]]

ZONE_JOBS: ExtensionPoint[ZoneJobs] = ExtensionPoint()
"""What is to be done when a server's time zone has changed, given its id and the present time."""
CHECKED_CHANNELS: ExtensionPoint[ChannelLoader] = ExtensionPoint()
"""The channels in which something is posted besides those where matches start."""
REDRAW_JOBS: ExtensionPoint[RedrawJobs] = ExtensionPoint()
"""The jobs that bring a server's messages up to date, besides those of matches.

They are enqueued when it reads another language. Each is about something by its number.
"""


class GreetServer(JobPayload, kind="greet", about=Subject.SERVER):
    """Tell a server that has invited the bot how to begin, and what it lacks."""

    server: int


class RedrawServer(JobPayload, kind="redraw server", about=Subject.SERVER, needs_server=True):
    """Bring all messages of a server that go on up to date, some at a time.

    Those come next that stand after `after` in the order of the jobs that do it.
    """

    server: int
    after: str = ""


class NotAMemberError(DeclinedError):
    """Somebody lacks the role of those who may challenge each other."""

    role: int
    person: str

    def _format(self, say: Reader) -> str:
        return say(
            "Only members of {role} can challenge each other here, and {person} isn't one. Anyone "
            "can play the computer with `/play`.",
            role=f"<@&{self.role}>",
            person=escape_text(self.person),
        )


class StartElsewhereError(DeclinedError):
    """Matches can be started in certain channels only."""

    channels: tuple[int, ...]

    def _format(self, say: Reader) -> str:
        named = say.format_list([f"<#{channel}>" for channel in self.channels])
        return say(
            "Matches can't be started in this channel. Start yours in {channels}.", channels=named
        )


async def load_settings(app: App, guild: int) -> ServerSettings:
    """Return what a server chose."""
    return await app.store.servers.load_settings(guild)


async def update_server(
    app: App, guild: int, change: Callable[[ServerSettings], ServerSettings]
) -> ServerSettings:
    """Change what a server chose, and bring what follows from it up to date; returns it."""
    before = await app.store.servers.load_settings(guild)
    after = await app.store.servers.update_settings(guild, change)
    note_server_language(app, guild, after.language)
    if after.language != before.language:
        await enqueue_redraw(app, guild)
    if after.zone != before.zone:
        # What happens at an hour by the server's clocks happens by its new ones.
        now = app.clock()
        await app.enqueue(guild, [build(guild, now) for build in ZONE_JOBS.list_functions()])
    return after


async def enqueue_redraw(app: App, guild: int) -> None:
    """Bring a server's messages up to date soon, once however often its language changes."""
    due = app.clock() + REDRAW_DELAY_MS
    await app.enqueue(guild, [RedrawServer(guild).build_job(due)])


async def forget_deleted(app: App, guild: int, gone: int) -> None:
    """Remove a channel or role that no longer exists from a server's choices."""

    def without(before: ServerSettings) -> ServerSettings:
        kept = tuple(channel for channel in before.channels if channel != gone)
        return replace(before, channels=kept, role=None if before.role == gone else before.role)

    before = await app.store.servers.load_settings(guild)
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
        raise StartElsewhereError(server.channels)


def require_member_role(server: ServerSettings, person: DiscordPerson) -> None:
    """Raise DeclinedError if a person is known to lack the role that a server's players need."""
    # Roles that are not known refuse nobody.
    if server.role is not None and person.roles is not None and server.role not in person.roles:
        raise NotAMemberError(role=server.role, person=person.name)
