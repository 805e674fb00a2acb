"""Places in Discord: what the bot may do there, and links that lead there."""

import discord

from bot.platform.direct import NO_SERVER
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.ui.app_client import Interaction
from bot.store import MatchRow

NEEDED_PERMISSIONS = ("view_channel", "send_messages", "attach_files")
"""What the bot must be allowed in a channel in which a match is played."""
THREAD_PERMISSIONS = ("create_public_threads", "send_messages_in_threads", "read_message_history")
"""What it must be allowed besides to open a thread for each match."""


def require_permissions(interaction: Interaction) -> None:
    """Raise DeclinedError unless whoever asks, and the bot, may post where they ask.

    The permissions that the bot lacks are named.
    """
    require_own_permissions(interaction)
    require_may_write(interaction)


def require_may_write(interaction: Interaction) -> None:
    """Raise DeclinedError unless whoever asks may write where they ask.

    The bot posts there for nobody who couldn't do so themselves.
    """
    if not may_write(interaction):
        raise DeclinedError(DeclineReason.MAY_NOT_WRITE, channel=interaction.channel_id)


def may_write(interaction: Interaction) -> bool:
    """Whether whoever asks may write where they ask; in direct messages everybody may."""
    user = interaction.user
    if not isinstance(user, discord.Member):
        return True
    is_silenced = user.is_timed_out() and not interaction.permissions.administrator
    return not is_silenced and can_write(interaction.channel, interaction.permissions)


def can_write(channel: object, permissions: discord.Permissions) -> bool:
    """Whether somebody with those permissions can write in a channel or thread."""
    if permissions.administrator:
        return True
    # The pictures are the bot's.
    missing = {*list_missing_permissions(channel, permissions)} - {"attach_files"}
    return not missing and not is_thread_locked(channel, permissions)


def require_own_permissions(interaction: Interaction) -> None:
    """Raise DeclinedError if the bot cannot post: in a locked thread, or without some permissions.

    The missing permissions are named.
    """
    if is_thread_locked(interaction.channel, interaction.app_permissions):
        raise DeclinedError(DeclineReason.THREAD_LOCKED)
    missing = list_missing_here(interaction)
    if missing:
        raise DeclinedError(DeclineReason.MISSING_PERMISSIONS, permissions=missing)


def is_direct(interaction: Interaction) -> bool:
    """Whether something is asked for in somebody's direct messages with the bot."""
    # Between two people, or in a group of them, the bot can only answer who asks it.
    return interaction.guild_id is None and interaction.context.dm_channel


def list_missing_here(interaction: Interaction) -> tuple[str, ...]:
    """Return the permissions that the bot needs where it is asked, and lacks."""
    # Nobody gives or takes any in direct messages, and Discord names only a few of them.
    if is_direct(interaction):
        return ()
    return list_missing_permissions(interaction.channel, interaction.app_permissions)


def can_post(client: discord.Client, guild: int, channel: int) -> bool:
    """Whether a channel or thread exists, and takes what the bot posts.

    Direct messages, which have no server, do as far as anybody knows.
    """
    if guild == NO_SERVER:
        return True
    server = client.get_guild(guild)
    where = server.get_channel_or_thread(channel) if server else None
    if where is None:
        return False
    permissions = where.permissions_for(where.guild.me)
    return not list_missing_permissions(where, permissions) and not is_thread_locked(
        where, permissions
    )


def find_missing_permissions(client: discord.Client, guild: int, channel: int) -> tuple[str, ...]:
    """Return the permissions that the bot lacks in a channel, as far as it knows the channel."""
    server = client.get_guild(guild)
    where = server and server.get_channel_or_thread(channel)
    return list_missing_permissions(where, where.permissions_for(where.guild.me)) if where else ()


def list_missing_permissions(channel: object, permissions: discord.Permissions) -> tuple[str, ...]:
    """Return the permissions that the bot needs in a channel or thread, and that those lack."""
    needed: tuple[str, ...] = NEEDED_PERMISSIONS
    # In threads, and a forum's posts are threads, another permission lets somebody write.
    if isinstance(channel, discord.Thread | discord.ForumChannel):
        needed = ("view_channel", "send_messages_in_threads", "attach_files")
    if isinstance(channel, discord.VoiceChannel | discord.StageChannel):
        # Who may not join a voice channel sees no message there either.
        needed = (*NEEDED_PERMISSIONS, "connect")
    return tuple(name for name in needed if not getattr(permissions, name))


def is_thread_locked(channel: object, permissions: discord.Permissions) -> bool:
    """Whether a channel is a locked thread, for somebody who is not among its moderators."""
    return isinstance(channel, discord.Thread) and channel.locked and not permissions.manage_threads


def build_link(guild: int, channel: int, message: int | None) -> str:
    """Return a link to a message, or to its channel without a message."""
    # Only its address is used, for which discord.py needs no state.
    there = discord.PartialMessageable(
        state=None,  # type: ignore[arg-type]
        id=channel,
        guild_id=guild or None,
    )
    return there.jump_url if message is None else f"{there.jump_url}/{message}"


def build_match_link(row: MatchRow) -> str:
    """Point to the message of a match."""
    return build_link(row.guild, row.channel, row.message)
