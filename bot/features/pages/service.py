"""Who is on public pages: servers whose managers want it, and people unless they don't."""

from dataclasses import replace

from bot.features.pages.plan import request_pages
from bot.features.preferences.service import change_preferences
from bot.platform.context import App
from bot.platform.people import DiscordPerson
from bot.store import ServerSettings


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
