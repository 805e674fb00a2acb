"""What those do who manage a server: /server look, news, end, substitute and log."""

from dataclasses import replace
from typing import TypeAlias

import discord
from discord import app_commands

from bot.app import looks, moderation, ratings, substitution
from bot.app.errors import Declined, Why
from bot.app.moderation import LONGEST_REASON, Page
from bot.commands.asking import Commands, Presses, action_of, answered, in_servers, present
from bot.commands.ids import number_of, require_shown
from bot.commands.settings import SEATS, THEMES
from bot.delivery.outlets import Answer, AppClient, Interaction, after_saving, missing_permissions
from bot.delivery.reach import link_of, links_of
from bot.views import controls
from bot.views.card import Card, said
from bot.views.moderation import log_card
from bot.words import moderation as words
from bot.words import pages
from bot.words.following import news_channel

server = in_servers(
    app_commands.Group(
        name="server",
        description="For server managers: boards and matches in this server",
        default_permissions=discord.Permissions(manage_guild=True),
    )
)
Postable: TypeAlias = (
    discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread
)
"""What messages can be posted in."""
WAYS = [
    app_commands.Choice(name="gold has won", value="gold"),
    app_commands.Choice(name="black has won", value="black"),
    app_commands.Choice(name="it is a draw", value=ratings.DRAW),
    app_commands.Choice(
        name="annul it: it counts for nothing, also when it is over", value=moderation.ANNUL
    ),
]
REASON = "The reason, shown to the players and kept in the log"


@server.command()
@app_commands.describe(
    theme="What this server's boards look like",
    near="The side at the bottom",
    numbers="Number the points by their distance from the end for the side to move?",
)
@app_commands.choices(theme=THEMES, near=SEATS[:2])
async def look(
    interaction: Interaction,
    theme: str | None = None,
    near: str | None = None,
    numbers: bool | None = None,
) -> None:
    """See or change how this server's public boards look."""

    async def work(answer: Answer) -> None:
        guild = interaction.guild_id or 0
        chosen = await looks.choose(
            interaction.client.app, looks.SERVER, guild, theme, near, numbers
        )
        await answer.tell(said(pages.server_look(answer.reader, chosen)))

    await answered(interaction, work)


@server.command()
@app_commands.describe(
    channel="The channel for match announcements; choose it again to turn them off"
)
async def news(interaction: Interaction, channel: Postable | None = None) -> None:
    """See or change where matches are announced."""

    async def work(answer: Answer) -> None:
        guild = interaction.guild_id or 0
        told = await _news(interaction.client, guild, channel.id if channel else None)
        await answer.tell(said(news_channel(answer.reader, told)))

    await answered(interaction, work)


async def _news(client: AppClient, guild: int, chosen: int | None) -> int | None:
    """Choose the channel for a server's news, or turn them off if they are posted there already.

    Return the channel from now on. Raises Declined naming the permissions that the bot lacks there.
    """
    before = (await client.app.store.servers.get(guild)).news
    if chosen is None:
        return before
    told = None if chosen == before else chosen
    # A line of news has no picture.
    missing = tuple(
        name for name in missing_permissions(client, guild, chosen) if name != "attach_files"
    )
    if told and missing:
        raise Declined(Why.MISSING_PERMISSIONS, permissions=missing, channel=chosen)
    return (
        await client.app.store.servers.change(guild, lambda server: replace(server, news=told))
    ).news


@server.command()
@app_commands.describe(
    match="The number of the match, shown in its messages", how="How it ends", reason=REASON
)
@app_commands.choices(how=WAYS)
async def end(
    interaction: Interaction,
    match: int,
    how: str,
    reason: app_commands.Range[str, 1, LONGEST_REASON],
) -> None:
    """End a match in this server: a win, a draw, or annulled."""

    async def work(answer: Answer) -> None:
        action = action_of(interaction, match)
        report = await moderation.end(
            interaction.client.app, action, interaction.guild_id or 0, how, reason
        )
        with after_saving(interaction):
            there = await link_of(interaction.client, report.sitting.row)
            await answer.tell(said(words.ruled(answer.reader, match, there)))

    await answered(interaction, work)


@server.command()
@app_commands.rename(holder="from", taker="to")
@app_commands.describe(
    match="The number of the match, shown in its messages",
    holder="The player to replace",
    taker="The person to ask to take over",
    reason=REASON,
)
async def substitute(
    interaction: Interaction,
    match: int,
    holder: discord.User,
    taker: discord.User,
    reason: app_commands.Range[str, 1, LONGEST_REASON],
) -> None:
    """Offer a player's seat in a team to somebody else."""

    async def work(answer: Answer) -> None:
        action = action_of(interaction, match)
        guild = interaction.guild_id or 0
        app = interaction.client.app
        report = await substitution.order(app, action, guild, holder.id, present(taker), reason)
        with after_saving(interaction):
            there = await link_of(interaction.client, report.sitting.row)
            await answer.tell(said(words.seat_asked(answer.reader, match, there)))

    await answered(interaction, work)


@server.command()
async def log(interaction: Interaction) -> None:
    """See what moderators did to matches here, and why."""

    async def work(answer: Answer) -> None:
        card = await _log_card(answer, await _page(interaction, 0))
        await answer.tell_page(controls.LOG, card)

    await answered(interaction, work)


async def _page(interaction: Interaction, number: int) -> Page:
    return await moderation.log(interaction.client.app, interaction.guild_id or 0, number)


async def _log_card(answer: Answer, page: Page) -> Card:
    links = await links_of(answer.interaction.client, page.matches.values())
    return log_card(answer.reader, page, links)


async def _turn_log(interaction: Interaction, rest: str) -> None:
    """Show another page of the log in place of this one: `page`."""
    require_shown(interaction, f"{controls.LOG}:{rest}")

    async def work(answer: Answer) -> None:
        card = await _log_card(answer, await _page(interaction, number_of(rest)))
        await answer.turn_page(controls.LOG, card)

    await answered(interaction, work)


COMMANDS: Commands = (server,)
PRESSES: Presses = {controls.LOG: _turn_log}
