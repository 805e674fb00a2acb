"""Who is on public pages, where those are written, and the wish that they be written soon."""

import asyncio
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.features.preferences.service import change_preferences
from bot.platform.context import App
from bot.platform.db.preferences import ServerSettings
from bot.platform.people import DiscordPerson


@dataclass
class PagePlan:
    """The folder of the pages, None where none are written; `due` is set to write them at once."""

    folder: Path | None = None
    due: asyncio.Event = field(default_factory=asyncio.Event)


def has_pages(app: App) -> bool:
    """Whether the operator has given pages a folder."""
    return app.get_part(PagePlan).folder is not None


def request_pages(app: App) -> None:
    """Let the pages be written without waiting for their next turn."""
    app.get_part(PagePlan).due.set()


async def choose_server_pages(app: App, guild: int, *, are_on: bool) -> None:
    """Let a server have pages, or have none."""

    def apply_choice(before: ServerSettings) -> ServerSettings:
        return replace(before, pages=are_on)

    await app.store.servers.update_settings(guild, apply_choice)
    request_pages(app)


async def choose_own_pages(app: App, person: DiscordPerson, *, is_named: bool) -> None:
    """Let somebody be named on the pages of servers, or be called a player."""
    await change_preferences(app, person, lambda before: replace(before, pages=is_named))
    request_pages(app)


async def has_server_pages(app: App, guild: int) -> bool:
    """Return whether results of a server are on pages."""
    return (await app.store.servers.load_settings(guild)).pages


async def is_named_on_pages(app: App, person: int) -> bool:
    """Return whether the pages of servers name somebody."""
    return (await app.store.preferences.load_preferences(person)).pages
