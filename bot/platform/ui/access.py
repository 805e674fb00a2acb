"""What people may see and write in a server's channels, before something of theirs is put there.

Whatever can't be known of them is allowed, as for a channel or a thread that the bot doesn't know.
"""

from collections.abc import Mapping

import discord

from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.ui.app_client import AppClient, Interaction
from bot.platform.ui.failures import FAILURES
from bot.platform.ui.membership import (
    UNKNOWN_MEMBER,
    UNKNOWN_USER,
    NoMemberError,
    fetch_member,
)
from bot.platform.ui.places import can_write


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
    return member is not None and not await _can_see(where, member)


async def require_seen_by(
    client: AppClient, guild: int, channel: int, people: Mapping[int, str]
) -> None:
    """Raise DeclinedError, naming one, unless these members can all see a channel."""
    for person, name in people.items():
        if await is_hidden_from(client, guild, channel, person):
            raise DeclinedError(DeclineReason.HIDDEN_FROM, person=name, channel=channel)


async def can_use(interaction: Interaction, channel: int) -> bool:
    """Return whether whoever asks can see another channel of the server, and write in it."""
    where, member = _find_asker_in(interaction, channel)
    if where is None or member is None:
        return True
    return await _can_see(where, member) and can_write(where, where.permissions_for(member))


async def require_sight(interaction: Interaction, channel: int) -> None:
    """Raise DeclinedError unless whoever asks can see another channel of the server."""
    where, member = _find_asker_in(interaction, channel)
    if where is not None and member is not None and not await _can_see(where, member):
        raise DeclinedError(DeclineReason.HIDDEN_FROM_YOU, channel=channel)


async def require_use(interaction: Interaction, channel: int) -> None:
    """Raise DeclinedError unless whoever asks can see another channel, and write in it."""
    await require_sight(interaction, channel)
    if not await can_use(interaction, channel):
        raise DeclinedError(DeclineReason.MAY_NOT_WRITE, channel=channel)


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
) -> bool:
    may = where.permissions_for(member)
    if not may.view_channel:
        return False
    # Who may not join a voice channel sees no message there either.
    if isinstance(where, discord.VoiceChannel | discord.StageChannel):
        return may.connect
    if isinstance(where, discord.Thread) and where.is_private() and not may.manage_threads:
        return await _is_in_thread(where, member)
    return True


async def _is_in_thread(thread: discord.Thread, member: discord.Member) -> bool:
    try:
        await thread.fetch_member(member.id)
    except discord.NotFound as error:
        return error.code not in (UNKNOWN_MEMBER, UNKNOWN_USER)
    except FAILURES:
        return True
    return True
