"""The client as the platform knows it."""

import asyncio
from collections import OrderedDict
from pathlib import Path
from typing import TypeAlias

import discord

from bot.platform.context import App
from bot.platform.i18n.reader import Reader, load_reader
from bot.platform.languages import Languages
from bot.platform.lines import Asker
from bot.platform.people import DiscordPerson, clean_name, clean_text
from bot.platform.ui.deletions import Deletions
from bot.platform.ui.exchanges import RequestTracker
from bot.platform.ui.pages import Pages


class AppClient(discord.AutoShardedClient):
    """A client that carries the program it serves."""

    app: App
    exchanges: RequestTracker
    """What became of its requests."""
    locales: Path
    """The folder of the catalogues."""
    under_way: set[asyncio.Task[None]]
    """The answers that are being given, so that the program can wait for them before it ends."""
    deletions: Deletions
    """The messages that others have deleted lately."""
    received: "OrderedDict[int, None]"
    """The latest interactions: after a broken connection Discord sends some of them again."""
    pages: Pages
    """The pages that people can turn."""
    answering: set[int]
    """Those that are being answered."""
    ending: bool = False
    """Whether the program is about to end, and so begins nothing more."""

    def get_reader(self, locale: object) -> Reader:
        """Return the reader of a locale as Discord names it."""
        return load_reader(str(locale), self.locales)

    def get_locale(self, interaction: "Interaction") -> str:
        """Return the language of whoever asks: the one they have chosen, or as Discord says."""
        return self.app.get_part(Languages).people.get(interaction.user.id, str(interaction.locale))

    def get_asker_reader(self, interaction: "Interaction") -> Reader:
        """Return the reader of whoever asks for something."""
        return self.get_reader(self.get_locale(interaction))

    def get_server_reader(self, guild: int, locale: object = "") -> Reader:
        """Return who reads what everyone in a server sees.

        Unless the server has chosen a language, it is as Discord names it, which is `locale` where
        the server is not known.
        """
        known = self.get_guild(guild)
        said = known.preferred_locale if known else locale
        return self.get_reader(self.app.get_part(Languages).servers.get(guild, said))

    async def load_direct_reader(self, person: int, guild: int) -> Reader:
        """Return who reads a direct message that comes by itself, about something in a server."""
        chosen = self.app.get_part(Languages).people.get(person)
        said = chosen or await self.app.store.people.load_locale(person)
        return self.get_reader(said) if said else self.get_server_reader(guild)


Interaction: TypeAlias = discord.Interaction[AppClient]


def make_asker(interaction: "Interaction") -> Asker:
    """Return who asks for something, and where, to take their turn."""
    return Asker(interaction.guild_id or 0, interaction.user.id)


def make_person(user: discord.User | discord.Member) -> DiscordPerson:
    """Return a person as Discord knows them.

    Their roles are included where they are a member of the server.
    """
    roles = frozenset(role.id for role in user.roles) if isinstance(user, discord.Member) else None
    name = clean_name(user.display_name, user.name, user.id)
    return DiscordPerson(user.id, name, user.bot, roles, clean_text(user.name))
