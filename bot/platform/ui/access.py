"""Where something is asked for and by whom, and what people may see and write there.

Before something of theirs is put there, whatever can't be known of them is allowed, as for a
channel or a thread that the bot doesn't know. Before they are shown what stands there, it isn't.
"""

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, TypeVar

import discord
from cachetools import LRUCache

from bot.platform.context import ChannelSight, DirectReader, DirectReaders, find_hidden_channels
from bot.platform.i18n.reader import DeclinedError, Reader, escape_text, mark_text
from bot.platform.people import DiscordPerson
from bot.platform.ui import app_client
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.app_client import AppClient, Interaction
from bot.platform.ui.channels import MayNotWriteError, can_write, is_direct


class PersonAbsentError(DeclinedError):
    person: str
    sentence = mark_text(
        "{person} isn't in this server. Choose somebody who is, or leave the opponent out so "
        "that anyone can accept."
    )


class BotAbsentError(DeclinedError):
    sentence = mark_text(
        "I'm not a member of this server, so that doesn't work here. A server manager can "
        "invite me; `/rules`, `/puzzle` and, in our direct messages, `/play` against the computer "
        "work anyway."
    )


class NotInServerError(DeclinedError):
    sentence = mark_text(
        "That works in the channels of a server that has invited me. Against the computer you "
        "can also play in our direct messages, with `/play`."
    )


def is_bot_member(interaction: Interaction) -> bool:
    """Return whether something is asked for in a server of which the bot is a member.

    The permissions that come with an interaction don't show it: where the bot was authorised
    without its own account, or installed by a person for themselves, Discord sends those that it
    would have.
    """
    guild = interaction.guild_id
    return guild is not None and interaction.client.get_guild(guild) is not None


def require_server(interaction: Interaction) -> None:
    """Raise DeclinedError unless this is asked for in a server of which the bot is a member."""
    if interaction.guild_id is None:
        raise NotInServerError
    if not is_bot_member(interaction):
        raise BotAbsentError


def get_server_permissions(interaction: Interaction) -> discord.Permissions:
    """Return what whoever asks may do in the whole server, by their roles there at this moment.

    An interaction says what they may do in its channel, which the managers of that channel alone
    can widen. A server's owner and administrators may do everything, timed-out members nothing.
    """
    member = interaction.user
    if not isinstance(member, discord.Member) or not is_bot_member(interaction):
        return discord.Permissions.none()
    return member.guild_permissions


def require_member(user: discord.User | discord.Member) -> DiscordPerson:
    """Return who was named in a command; raises DeclinedError if they have left the server."""
    if not isinstance(user, discord.Member):
        raise PersonAbsentError(app_client.build_person(user).name)
    return app_client.build_person(user)


class NoMemberError(Exception):
    """Discord says that somebody is not a member of a server."""


async def fetch_member(client: AppClient, guild: int, person: int) -> discord.Member | None:
    """Return somebody as a member of a server; None where Discord doesn't tell.

    Raises NoMemberError if they are none. The bot isn't sent who comes and goes, so it asks.
    """
    server = client.get_guild(guild)
    try:
        return await server.fetch_member(person) if server else None
    except discord.NotFound as error:
        if error.code in (app_client.UNKNOWN_MEMBER, app_client.UNKNOWN_USER):
            raise NoMemberError from None
        return None
    except app_client.FAILURES:
        return None


async def is_member(client: AppClient, guild: int, person: int) -> bool:
    """Return whether somebody is in a server; where Discord doesn't tell, they count as present."""
    try:
        await fetch_member(client, guild, person)
    except NoMemberError:
        return False
    return True


async def require_current_member(interaction: Interaction, person: DiscordPerson) -> DiscordPerson:
    """Return a person as a member of the server; raises DeclinedError if they have left it.

    Where Discord doesn't tell, they count as they were.
    """
    try:
        member = await fetch_member(interaction.client, interaction.guild_id or 0, person.id)
    except NoMemberError:
        raise PersonAbsentError(person.name) from None
    return app_client.build_person(member) if member else person


class Where(Enum):
    """Where something works that people ask for; elsewhere one sentence says so."""

    SERVERS = "servers"
    """In servers that the bot is a member of."""
    DIRECT = "direct"
    """There, and in somebody's direct messages with the bot."""
    EVERYWHERE = "everywhere"
    """Also where the bot is no member, for those who have installed it for themselves."""


def require_place(interaction: Interaction, where: Where) -> None:
    """Raise DeclinedError if something that is asked for does not work here."""
    if is_direct(interaction):
        reader = DirectReader(interaction.user.id, interaction.client.get_locale(interaction))
        interaction.client.app.get_part(DirectReaders).note(interaction.channel_id or 0, reader)
        if where is Where.DIRECT:
            return
    if where is not Where.EVERYWHERE:
        require_server(interaction)


class NotAManagerError(DeclinedError):
    sentence = mark_text("Only people with the permission Manage Server can do that.")


def require_manager(interaction: Interaction) -> None:
    """Raise DeclinedError unless whoever asks may manage the server at this moment.

    A server can offer these commands to anybody, which does not make them its managers.
    """
    require_server(interaction)
    if not get_server_permissions(interaction).manage_guild:
        raise NotAManagerError


log = logging.getLogger(__name__)


class HiddenFromPlayerError(DeclinedError):
    """Somebody can't see a channel."""

    person: str
    channel: int

    def _format(self, say: Reader) -> str:
        return say(
            "{person} can't see {channel}. Use a channel that all the players can see.",
            person=escape_text(self.person),
            channel=f"<#{self.channel}>",
        )


class HiddenFromYouError(DeclinedError):
    """Whoever asks can't see a channel."""

    channel: int

    def _format(self, say: Reader) -> str:
        return say(
            "You can't see {channel}, where the matches are played. Ask a moderator to let you in.",
            channel=f"<#{self.channel}>",
        )


class NotSeenHereError(DeclinedError):
    """Not everyone who would read an answer may see what it shows."""

    channel: int

    def _format(self, say: Reader) -> str:
        return say(
            "Not everyone here can see {channel}, so I won't show here what is played there. Share "
            "it in that channel.",
            channel=f"<#{self.channel}>",
        )


class _InChannel(Protocol):
    """What stands in a channel."""

    @property
    def channel(self) -> int:
        """The channel."""


_Shown = TypeVar("_Shown", bound=_InChannel)

MAX_VISITORS, MAX_THREADS = 256, 2_000
"""Who has asked for something lately, and the threads that had to be fetched, kept in memory."""
VISIT_S = 60.0
"""Seconds for which somebody's roles count as those with which they asked for something."""


async def is_hidden_from(client: AppClient, guild: int, channel: int, person: int) -> bool:
    """Return whether a member of a server can't see one of its channels or threads.

    Somebody who has left the server sees none of it, which is no matter of the channel.
    """
    where = _find_channel(client, guild, channel)
    if where is None or _is_open_to_all(where):
        return False
    try:
        member = await fetch_member(client, guild, person)
    except NoMemberError:
        return False
    return member is not None and await _can_see(where, member) is False


async def is_within_reach(client: AppClient, guild: int, channel: int, person: int) -> bool:
    """Return whether somebody is in a server, and can see a channel there."""
    if not await is_member(client, guild, person):
        return False
    return not await is_hidden_from(client, guild, channel, person)


async def is_seen_by(client: AppClient, guild: int, channel: int, member: discord.Member) -> bool:
    """Return whether a member can see a channel or thread; also where that isn't known."""
    where = _find_channel(client, guild, channel)
    return where is None or await _can_see(where, member) is not False


async def require_seen_by(
    client: AppClient, guild: int, channel: int, people: Mapping[int, str]
) -> None:
    """Raise DeclinedError, naming one, unless these members can all see a channel."""
    for person, name in people.items():
        if await is_hidden_from(client, guild, channel, person):
            raise HiddenFromPlayerError(person=name, channel=channel)


async def can_use(interaction: Interaction, channel: int) -> bool:
    """Return whether whoever asks can see another channel of the server, and write in it."""
    where, member = _find_asker_in(interaction, channel)
    if where is None or member is None:
        return True
    if await _can_see(where, member) is False:
        return False
    return can_write(where, where.permissions_for(member))


async def require_sight(interaction: Interaction, channel: int) -> None:
    """Raise DeclinedError unless whoever asks can see another channel of the server."""
    where, member = _find_asker_in(interaction, channel)
    if where is not None and member is not None and await _can_see(where, member) is False:
        raise HiddenFromYouError(channel)


async def require_shown(answer: InteractionAnswer, channel: int, *, is_own: bool = False) -> None:
    """Raise DeclinedError unless all who read an answer may see what stands in another channel.

    The person may where it `is_own`, but not show it to others who can't see that channel.
    """
    sight = answer.app.get_part(ChannelSight)
    if not answer.private:
        if not await sight.is_open(answer.guild, channel, answer.channel):
            raise NotSeenHereError(channel)
    elif not is_own and not await sight.can_see(answer.guild, channel, answer.person.id):
        raise HiddenFromYouError(channel)


async def keep_shown(interaction: Interaction, found: Sequence[_Shown]) -> list[_Shown]:
    """Return those contests, or ladders, whose channels whoever types an option can see."""
    note_visit(interaction)
    hidden = await find_hidden_channels(
        interaction.client.app,
        interaction.guild_id or 0,
        {each.channel for each in found},
        interaction.user.id,
    )
    return [each for each in found if each.channel not in hidden]


async def require_use(interaction: Interaction, channel: int) -> None:
    """Raise DeclinedError unless whoever asks can see another channel, and write in it."""
    await require_sight(interaction, channel)
    if not await can_use(interaction, channel):
        raise MayNotWriteError(channel)


def _find_asker_in(
    interaction: Interaction, channel: int
) -> tuple[discord.abc.GuildChannel | discord.Thread | None, discord.Member | None]:
    """Return a channel of the server, and who asks; nothing for the channel where they ask."""
    user = interaction.user
    if channel == interaction.channel_id or not isinstance(user, discord.Member):
        return None, None
    return _find_channel(interaction.client, interaction.guild_id or 0, channel), user


def _find_channel(
    client: AppClient, guild: int, channel: int
) -> discord.abc.GuildChannel | discord.Thread | None:
    """Return a channel or thread of which it can be known who sees it."""
    server = client.get_guild(guild)
    where = server.get_channel_or_thread(channel) if server else None
    if isinstance(where, discord.Thread) and where.parent is None:
        return None
    return where


def _is_open_to_all(where: discord.abc.GuildChannel | discord.Thread) -> bool:
    """Return whether every member sees a channel, so that Discord need not be asked for one."""
    if isinstance(where, discord.Thread) and where.is_private():
        return False
    channel = where.parent if isinstance(where, discord.Thread) else where
    if channel is None:
        return False
    may = channel.permissions_for(where.guild.default_role)
    needed = ["view_channel"]
    if isinstance(channel, discord.VoiceChannel | discord.StageChannel):
        needed.append("connect")
    rules = channel.overwrites.values()
    return all(
        getattr(may, name) and all(getattr(each, name) is not False for each in rules)
        for name in needed
    )


async def _can_see(
    where: discord.abc.GuildChannel | discord.Thread, member: discord.Member
) -> bool | None:
    """Return whether a member sees a channel; None where Discord doesn't tell."""
    may = where.permissions_for(member)
    if not may.view_channel:
        return False
    # Who may not join a voice channel sees no message there either.
    if isinstance(where, discord.VoiceChannel | discord.StageChannel):
        return may.connect
    if isinstance(where, discord.Thread) and where.is_private() and not may.manage_threads:
        return await _is_in_thread(where, member)
    return True


async def _is_in_thread(thread: discord.Thread, member: discord.Member) -> bool | None:
    try:
        await thread.fetch_member(member.id)
    except discord.NotFound as error:
        return False if error.code in (app_client.UNKNOWN_MEMBER, app_client.UNKNOWN_USER) else None
    except app_client.FAILURES:
        return None
    return True


@dataclass(frozen=True, slots=True)
class _Visit:
    """A member as Discord described them when they last asked for something, where and when."""

    member: discord.Member
    channel: int
    at: float


class DiscordSight(ChannelSight):
    """Who sees which channels and threads, as Discord tells it.

    Channels, roles and active threads are known without a request, and so is the person who has
    just asked for something. An archived thread is fetched once.
    """

    def __init__(self, client: AppClient) -> None:
        self._client = client
        self._visits: LRUCache[tuple[int, int], _Visit] = LRUCache(MAX_VISITORS)
        self._threads: LRUCache[int, discord.Thread | None] = LRUCache(MAX_THREADS)
        """Threads that the library has forgotten; None for a channel or thread that is gone."""

    def note_visit(self, interaction: Interaction) -> None:
        """Remember which roles somebody has who asks for something."""
        member = interaction.user
        if isinstance(member, discord.Member):
            visit = _Visit(member, interaction.channel_id or 0, time.monotonic())
            self._visits[member.guild.id, member.id] = visit

    async def can_see(self, guild: int, channel: int, person: int) -> bool:
        """Return whether a member of a server sees a channel or thread of it."""
        visit = self._find_visit(guild, person)
        if visit and visit.channel == channel:
            return True
        where = await self._find_channel(guild, channel)
        if where is None:
            return False
        if _is_open_to_all(where):
            return True
        try:
            member = visit.member if visit else await fetch_member(self._client, guild, person)
        except NoMemberError:
            return False
        return member is not None and await _can_see(where, member) is True

    def _find_visit(self, guild: int, person: int) -> _Visit | None:
        visit = self._visits.get((guild, person))
        return visit if visit and time.monotonic() - visit.at < VISIT_S else None

    async def is_open(self, guild: int, channel: int, to: int | None = None) -> bool:
        """Return whether all members see a channel, or all those who see the channel `to`."""
        if to == channel:
            return True
        where = await self._find_channel(guild, channel)
        if where is None:
            return False
        if to is None or _is_open_to_all(where):
            return _is_open_to_all(where)
        other = await self._find_channel(guild, to)
        return other is not None and _is_seen_by_all_of(where, other)

    async def _find_channel(
        self, guild: int, channel: int
    ) -> discord.abc.GuildChannel | discord.Thread | None:
        """Return a channel, or a thread even if it is archived; None where it isn't known."""
        if where := _find_channel(self._client, guild, channel):
            return where
        server = self._client.get_guild(guild)
        if server is None or server.unavailable:
            return None
        if channel not in self._threads:
            await self._fetch_thread(server, channel)
        thread = self._threads.get(channel)
        # Its channel may be gone since; and who sees it depends on that.
        return thread if thread and thread.parent else None

    async def _fetch_thread(self, server: discord.Guild, channel: int) -> None:
        found = None
        try:
            fetched = await server.fetch_channel(channel)
        except (discord.NotFound, discord.Forbidden) as error:
            if error.code == 0:
                # That is not Discord's own answer.
                return
        except (discord.InvalidData, *app_client.FAILURES) as error:
            log.info("could not fetch channel %d: %s", channel, error)
            return
        else:
            found = fetched if isinstance(fetched, discord.Thread) else None
        self._threads[channel] = found


def note_visit(interaction: Interaction) -> None:
    """Remember which roles somebody has who asks for something, for what they are shown."""
    sight = interaction.client.app.get_part(ChannelSight)
    if isinstance(sight, DiscordSight):
        sight.note_visit(interaction)


def _is_seen_by_all_of(
    where: discord.abc.GuildChannel | discord.Thread,
    other: discord.abc.GuildChannel | discord.Thread,
) -> bool:
    """Return whether everybody who sees another channel is sure to see this one."""
    if isinstance(where, discord.Thread):
        if where.is_private() or where.parent is None:
            return False
        where = where.parent
    if isinstance(other, discord.Thread):
        if other.parent is None:
            return False
        other = other.parent
    # In a server that shows its channels to certain roles alone most are seen by the same people.
    return where == other or _list_sight_rules(where) == _list_sight_rules(other)


def _list_sight_rules(channel: discord.abc.GuildChannel) -> dict[int, tuple[bool | None, ...]]:
    """Return what a channel's own rules say of who sees it, by role and member."""
    needed = ["view_channel"]
    if isinstance(channel, discord.VoiceChannel | discord.StageChannel):
        needed.append("connect")
    rules = {
        target.id: tuple(getattr(rule, name) for name in needed)
        for target, rule in channel.overwrites.items()
    }
    return {
        target: rule for target, rule in rules.items() if any(each is not None for each in rule)
    }
