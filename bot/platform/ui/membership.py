"""Where something is asked for, and by whom: in a server of the bot's, or in direct messages."""

from enum import Enum

import discord

from bot.platform.direct import DirectReader, DirectReaders
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.people import DiscordPerson
from bot.platform.ui.app_client import AppClient, Interaction, make_person
from bot.platform.ui.failures import FAILURES
from bot.platform.ui.places import is_direct

UNKNOWN_MEMBER, UNKNOWN_USER = 10007, 10013


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
        raise DeclinedError(DeclineReason.NOT_IN_A_SERVER)
    if not is_bot_member(interaction):
        raise DeclinedError(DeclineReason.BOT_ABSENT)


def get_server_permissions(interaction: Interaction) -> discord.Permissions:
    """Return what whoever asks may do in the whole server, by their roles there at this moment.

    An interaction tells what they may do in its channel, which whoever manages that channel alone
    can widen. A server's owner and administrators may do everything, and who is timed out nothing.
    """
    member = interaction.user
    if not isinstance(member, discord.Member) or not is_bot_member(interaction):
        return discord.Permissions.none()
    return member.guild_permissions


def require_member(user: discord.User | discord.Member) -> DiscordPerson:
    """Return who was named in a command; raises DeclinedError if they have left the server."""
    if not isinstance(user, discord.Member):
        raise DeclinedError(DeclineReason.ABSENT, person=make_person(user).name)
    return make_person(user)


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
        if error.code in (UNKNOWN_MEMBER, UNKNOWN_USER):
            raise NoMemberError from None
        return None
    except FAILURES:
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
        raise DeclinedError(DeclineReason.ABSENT, person=person.name) from None
    return make_person(member) if member else person


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
