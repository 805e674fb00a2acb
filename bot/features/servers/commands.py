"""What those do who manage a server: /server look, news, end, substitute and log."""

from typing import TypeAlias

import discord
from discord import app_commands

from bot.features.following.texts import format_news_channel
from bot.features.matches.interactions import make_action
from bot.features.matches.reach import find_match_link, find_match_links
from bot.features.moderation import service as moderation
from bot.features.moderation import texts as words
from bot.features.moderation.cards import log_card
from bot.features.moderation.controls import LOG
from bot.features.moderation.service import LONGEST_REASON
from bot.features.preferences import board_style as board_styles
from bot.features.preferences.commands import NEAR_SIDE_CHOICES, THEMES
from bot.features.rulebook import page_texts as pages
from bot.features.servers import service as servers
from bot.features.substitution import service as substitution
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.ui import views
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.card import Card, text_only_card
from bot.platform.ui.declarations import command, in_servers, press
from bot.platform.ui.dispatch import require_member
from bot.platform.ui.places import find_missing_permissions
from bot.store import DRAW

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
    app_commands.Choice(name="it is a draw", value=DRAW),
    app_commands.Choice(
        name="annul it: it counts for nothing, also when it is over", value=moderation.ANNUL
    ),
]
REASON_DESCRIPTION = "The reason, shown to the players and kept in the log"


@command(group=server)
@app_commands.describe(
    theme="What this server's boards look like",
    near="The side at the bottom",
    numbers="Number the points by their distance from the end for the side to move?",
)
# Without the last one: a public board has no side that is everybody's own.
@app_commands.choices(theme=THEMES, near=NEAR_SIDE_CHOICES[:2])
async def look(
    answer: InteractionAnswer,
    theme: str | None = None,
    near: str | None = None,
    numbers: bool | None = None,
) -> None:
    """See or change how this server's public boards look."""
    chosen = await board_styles.update_style(
        answer.app, views.SERVER, answer.guild, theme, near, numbers
    )
    await answer.send(text_only_card(pages.format_server_board_style(answer.reader, chosen)))


@command(group=server)
@app_commands.describe(
    channel="The channel for match announcements; choose it again to turn them off"
)
async def news(answer: InteractionAnswer, channel: Postable | None = None) -> None:
    """See or change where matches are announced."""
    told = await _choose_news_channel(answer.client, answer.guild, channel.id if channel else None)
    await answer.send(text_only_card(format_news_channel(answer.reader, told)))


async def _choose_news_channel(client: AppClient, guild: int, chosen: int | None) -> int | None:
    """Choose the channel for a server's news, or turn them off if they are posted there already.

    Return the channel from now on. Raises DeclinedError naming the permissions that the bot lacks.
    """
    before = await servers.load_news_channel(client.app, guild)
    if chosen is None:
        return before
    told = None if chosen == before else chosen
    # A line of news has no picture.
    missing = tuple(
        name for name in find_missing_permissions(client, guild, chosen) if name != "attach_files"
    )
    if told and missing:
        raise DeclinedError(DeclineReason.MISSING_PERMISSIONS, permissions=missing, channel=chosen)
    return await servers.update_news_channel(client.app, guild, told)


@command(group=server)
@app_commands.describe(
    match="The number of the match, shown in its messages",
    how="How it ends",
    reason=REASON_DESCRIPTION,
)
@app_commands.choices(how=END_CHOICES)
async def end(
    answer: InteractionAnswer,
    match: int,
    how: str,
    reason: app_commands.Range[str, 1, LONGEST_REASON],
) -> None:
    """End a match in this server: a win, a draw, or annulled."""
    action = make_action(answer, match)
    # Once this returns the ruling is saved, so an answer that fails is logged, and not reported as
    # a failure of the command.
    report = await moderation.end_match(answer.app, action, answer.guild, how, reason)
    with log_answer_failures(answer.interaction):
        there = await find_match_link(answer.client, report.session.row)
        await answer.send(text_only_card(words.format_ruling_reply(answer.reader, match, there)))


@command(group=server)
@app_commands.rename(holder="from", taker="to")
@app_commands.describe(
    match="The number of the match, shown in its messages",
    holder="The player to replace",
    taker="The person to ask to take over",
    reason=REASON_DESCRIPTION,
)
async def substitute(
    answer: InteractionAnswer,
    match: int,
    holder: discord.User,
    taker: discord.User,
    reason: app_commands.Range[str, 1, LONGEST_REASON],
) -> None:
    """Offer a player's seat in a team to somebody else."""
    action, person = make_action(answer, match), require_member(taker)
    report = await substitution.offer_as_moderator(
        answer.app, action, answer.guild, holder.id, person, reason
    )
    with log_answer_failures(answer.interaction):
        there = await find_match_link(answer.client, report.session.row)
        await answer.send(text_only_card(words.format_offer_reply(answer.reader, match, there)))


@command(group=server)
async def log(answer: InteractionAnswer) -> None:
    """See what moderators did to matches here, and why."""
    await answer.send_page(LOG, await _prepare_log_card(answer, 0))


async def _prepare_log_card(answer: InteractionAnswer, number: int) -> Card:
    page = await moderation.load_log_page(answer.app, answer.guild, number)
    links = await find_match_links(answer.client, page.matches.values())
    return log_card(answer.reader, page, links)


@press(LOG, shown=True)
async def turn_log_page(answer: InteractionAnswer, number: int) -> None:
    """Show another page of the log in place of this one."""
    await answer.turn_page(LOG, await _prepare_log_card(answer, number))
