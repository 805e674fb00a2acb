"""The client as the platform knows it."""

import asyncio
from collections import OrderedDict
from pathlib import Path
from typing import TypeAlias

import discord

from bot.platform.context import App
from bot.platform.i18n.reader import Reader, load_reader
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


Interaction: TypeAlias = discord.Interaction[AppClient]


def make_person(user: discord.User | discord.Member) -> DiscordPerson:
    """Return a person as Discord knows them.

    Their roles are included where they are a member of the server.
    """
    roles = frozenset(role.id for role in user.roles) if isinstance(user, discord.Member) else None
    name = clean_name(user.display_name, user.name, user.id)
    return DiscordPerson(user.id, name, user.bot, roles, clean_text(user.name))
