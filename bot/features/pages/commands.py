"""What of a server and of oneself is on public pages: /server pages and /me pages."""

from discord import app_commands

from bot.features.pages import service
from bot.features.pages.plan import has_pages
from bot.features.pages.texts import format_own_pages, format_server_pages
from bot.features.servers.commands import server
from bot.features.servers.settings_commands import require_manager
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import text_only_card
from bot.platform.ui.declarations import command
from bot.platform.ui.groups import me_group

ON = "on"
_CHOICES = [
    app_commands.Choice(name="on", value=ON),
    app_commands.Choice(name="off", value="off"),
]


@command(name="pages", group=server)
@app_commands.describe(state="On or off; leave it out to see the present state")
@app_commands.choices(state=_CHOICES)
async def server_pages(answer: InteractionAnswer, state: str = "") -> None:
    """Choose whether results from here are on public web pages."""
    require_manager(answer.interaction)
    if state:
        await service.choose_server_pages(answer.app, answer.guild, are_on=state == ON)
    are_on = (await answer.app.store.servers.get(answer.guild)).pages
    told = format_server_pages(answer.reader, are_on=are_on, is_written=has_pages(answer.app))
    await answer.send(text_only_card(told))


@command(name="pages", group=me_group, everywhere=True)
@app_commands.describe(state="On or off; leave it out to see the present state")
@app_commands.choices(state=_CHOICES)
async def own_pages(answer: InteractionAnswer, state: str = "") -> None:
    """Choose whether public web pages of servers name you."""
    if state:
        await service.choose_own_pages(answer.app, answer.person, is_named=state == ON)
    is_named = (await answer.app.store.preferences.get(answer.person.id)).pages
    told = format_own_pages(answer.reader, is_named=is_named, is_written=has_pages(answer.app))
    await answer.send(text_only_card(told))
