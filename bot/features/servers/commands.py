"""What those do who manage a server: /server end, substitute, log and stats."""

import discord
from discord import app_commands

from bot.features.matches.interactions import make_action
from bot.features.matches.reach import find_match_link, find_match_links
from bot.features.matches.service import load_session_to_act
from bot.features.moderation import service as moderation
from bot.features.moderation import texts as words
from bot.features.moderation.cards import log_card
from bot.features.moderation.controls import LOG
from bot.features.moderation.service import LONGEST_REASON
from bot.features.statistics import service as statistics
from bot.features.statistics.cards import statistics_card
from bot.features.substitution import service as substitution
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.ui.access import require_seen_by
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.card import Card, text_only_card
from bot.platform.ui.declarations import command, in_servers, press
from bot.platform.ui.membership import get_server_permissions, require_member
from bot.store import DRAW

server = in_servers(
    app_commands.Group(
        name="server",
        description="For server managers: boards and matches in this server",
        default_permissions=discord.Permissions(manage_guild=True),
    )
)
END_CHOICES = [
    app_commands.Choice(name="gold has won", value="gold"),
    app_commands.Choice(name="black has won", value="black"),
    app_commands.Choice(name="it is a draw", value=DRAW),
    app_commands.Choice(
        name="annul it: it counts for nothing, also when it is over", value=moderation.ANNUL
    ),
]
REASON_DESCRIPTION = "The reason, shown to the players and kept in the log"


def _require_moderator(interaction: Interaction) -> None:
    """Raise DeclinedError unless whoever asks may manage the server at this moment.

    A server can offer these commands to anybody, which does not make them its managers.
    """
    if not get_server_permissions(interaction).manage_guild:
        raise DeclinedError(DeclineReason.NOT_A_MODERATOR)


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
    _require_moderator(answer.interaction)
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
    _require_moderator(answer.interaction)
    action, person = make_action(answer, match), require_member(taker)
    row = (await load_session_to_act(answer.app, action)).row
    await require_seen_by(answer.client, row.guild, row.channel, {person.id: person.name})
    report = await substitution.offer_as_moderator(
        answer.app, action, answer.guild, holder.id, person, reason
    )
    with log_answer_failures(answer.interaction):
        there = await find_match_link(answer.client, report.session.row)
        await answer.send(text_only_card(words.format_offer_reply(answer.reader, match, there)))


@command(group=server)
async def log(answer: InteractionAnswer) -> None:
    """See what moderators did to matches here, and why."""
    _require_moderator(answer.interaction)
    await answer.send_page(LOG, await _prepare_log_card(answer, 0))


async def _prepare_log_card(answer: InteractionAnswer, number: int) -> Card:
    page = await moderation.load_log_page(answer.app, answer.guild, number)
    links = await find_match_links(answer.client, page.matches.values())
    return log_card(answer.reader, page, links)


@press(LOG)
async def turn_log_page(answer: InteractionAnswer, number: int) -> None:
    """Show another page of the log in place of this one."""
    _require_moderator(answer.interaction)
    await answer.turn_page(LOG, await _prepare_log_card(answer, number))


@command(group=server, public_option="share")
@app_commands.describe(share="Show it to everyone in this channel (default: only you)")
async def stats(answer: InteractionAnswer, share: bool = False) -> None:
    """See how much is played here, by whom, and which games."""
    _require_moderator(answer.interaction)
    report = await statistics.load_report(answer.app, answer.guild)
    link = await find_match_link(answer.client, report.longest) if report.longest else None
    await answer.send(statistics_card(answer.reader, report, link))
