"""What those do who manage a server: /server look, news, end, substitute and log."""

from dataclasses import replace
from typing import TypeAlias

import discord
from discord import app_commands

from bot.app import looks, moderation, ratings, substitution
from bot.app.errors import DeclinedError, DeclineReason
from bot.app.moderation import LONGEST_REASON, RulingPage
from bot.commands.asking import Commands, Presses, in_servers, make_action, require_member, respond
from bot.commands.ids import parse_number, require_control
from bot.commands.settings import NEAR_SIDE_CHOICES, THEMES
from bot.delivery.outlets import (
    AppClient,
    Interaction,
    InteractionAnswer,
    find_missing_permissions,
    log_answer_failures,
)
from bot.delivery.reach import find_match_link, find_match_links
from bot.views import controls
from bot.views.card import Card, text_only_card
from bot.views.moderation import log_card
from bot.words import moderation as words
from bot.words import pages
from bot.words.following import format_news_channel

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
END_CHOICES = [
    app_commands.Choice(name="gold has won", value="gold"),
    app_commands.Choice(name="black has won", value="black"),
    app_commands.Choice(name="it is a draw", value=ratings.DRAW),
    app_commands.Choice(
        name="annul it: it counts for nothing, also when it is over", value=moderation.ANNUL
    ),
]
REASON_DESCRIPTION = "The reason, shown to the players and kept in the log"


@server.command()
@app_commands.describe(
    theme="What this server's boards look like",
    near="The side at the bottom",
    numbers="Number the points by their distance from the end for the side to move?",
)
@app_commands.choices(theme=THEMES, near=NEAR_SIDE_CHOICES[:2])
async def look(
    interaction: Interaction,
    theme: str | None = None,
    near: str | None = None,
    numbers: bool | None = None,
) -> None:
    """See or change how this server's public boards look."""

    async def work(answer: InteractionAnswer) -> None:
        guild = interaction.guild_id or 0
        chosen = await looks.update_style(
            interaction.client.app, looks.SERVER, guild, theme, near, numbers
        )
        await answer.send(text_only_card(pages.format_server_board_style(answer.reader, chosen)))

    await respond(interaction, work)


@server.command()
@app_commands.describe(
    channel="The channel for match announcements; choose it again to turn them off"
)
async def news(interaction: Interaction, channel: Postable | None = None) -> None:
    """See or change where matches are announced."""

    async def work(answer: InteractionAnswer) -> None:
        guild = interaction.guild_id or 0
        told = await _choose_news_channel(
            interaction.client, guild, channel.id if channel else None
        )
        await answer.send(text_only_card(format_news_channel(answer.reader, told)))

    await respond(interaction, work)


async def _choose_news_channel(client: AppClient, guild: int, chosen: int | None) -> int | None:
    """Choose the channel for a server's news, or turn them off if they are posted there already.

    Return the channel from now on. Raises Declined naming the permissions that the bot lacks there.
    """
    before = (await client.app.store.servers.get(guild)).news
    if chosen is None:
        return before
    told = None if chosen == before else chosen
    # A line of news has no picture.
    missing = tuple(
        name for name in find_missing_permissions(client, guild, chosen) if name != "attach_files"
    )
    if told and missing:
        raise DeclinedError(DeclineReason.MISSING_PERMISSIONS, permissions=missing, channel=chosen)
    return (
        await client.app.store.servers.update_settings(
            guild, lambda server: replace(server, news=told)
        )
    ).news


@server.command()
@app_commands.describe(
    match="The number of the match, shown in its messages",
    how="How it ends",
    reason=REASON_DESCRIPTION,
)
@app_commands.choices(how=END_CHOICES)
async def end(
    interaction: Interaction,
    match: int,
    how: str,
    reason: app_commands.Range[str, 1, LONGEST_REASON],
) -> None:
    """End a match in this server: a win, a draw, or annulled."""

    async def work(answer: InteractionAnswer) -> None:
        action = make_action(interaction, match)
        report = await moderation.end_match(
            interaction.client.app, action, interaction.guild_id or 0, how, reason
        )
        with log_answer_failures(interaction):
            there = await find_match_link(interaction.client, report.session.row)
            await answer.send(
                text_only_card(words.format_ruling_reply(answer.reader, match, there))
            )

    await respond(interaction, work)


@server.command()
@app_commands.rename(holder="from", taker="to")
@app_commands.describe(
    match="The number of the match, shown in its messages",
    holder="The player to replace",
    taker="The person to ask to take over",
    reason=REASON_DESCRIPTION,
)
async def substitute(
    interaction: Interaction,
    match: int,
    holder: discord.User,
    taker: discord.User,
    reason: app_commands.Range[str, 1, LONGEST_REASON],
) -> None:
    """Offer a player's seat in a team to somebody else."""

    async def work(answer: InteractionAnswer) -> None:
        action = make_action(interaction, match)
        guild = interaction.guild_id or 0
        app = interaction.client.app
        report = await substitution.offer_as_moderator(
            app, action, guild, holder.id, require_member(taker), reason
        )
        with log_answer_failures(interaction):
            there = await find_match_link(interaction.client, report.session.row)
            await answer.send(text_only_card(words.format_offer_reply(answer.reader, match, there)))

    await respond(interaction, work)


@server.command()
async def log(interaction: Interaction) -> None:
    """See what moderators did to matches here, and why."""

    async def work(answer: InteractionAnswer) -> None:
        card = await _prepare_log_card(answer, await _load_log_page(interaction, 0))
        await answer.send_page(controls.LOG, card)

    await respond(interaction, work)


async def _load_log_page(interaction: Interaction, number: int) -> RulingPage:
    return await moderation.load_log_page(interaction.client.app, interaction.guild_id or 0, number)


async def _prepare_log_card(answer: InteractionAnswer, page: RulingPage) -> Card:
    links = await find_match_links(answer.interaction.client, page.matches.values())
    return log_card(answer.reader, page, links)


async def _handle_log(interaction: Interaction, rest: str) -> None:
    """Show another page of the log in place of this one: `page`."""
    require_control(interaction, f"{controls.LOG}:{rest}")

    async def work(answer: InteractionAnswer) -> None:
        card = await _prepare_log_card(
            answer, await _load_log_page(interaction, parse_number(rest))
        )
        await answer.turn_page(controls.LOG, card)

    await respond(interaction, work)


COMMANDS: Commands = (server,)
PRESSES: Presses = {controls.LOG: _handle_log}
