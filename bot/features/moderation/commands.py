"""What those do who manage a server: /server end, substitute and log.

A seat changes hands by /match substitute as well, and by the buttons of its offer.
"""

import discord
from discord import app_commands

from bot.features.matches import interactions
from bot.features.matches import service as play
from bot.features.matches.commands import finish_action
from bot.features.matches.places import find_match_link, find_match_links
from bot.features.matches.rows import DRAW
from bot.features.moderation import cards, service
from bot.platform.ui.access import require_manager, require_member, require_seen_by
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.card import Card, text_only_card
from bot.platform.ui.controls import parse_number, require_known_person
from bot.platform.ui.declarations import command, match_group, press, server_group

END_CHOICES = [
    app_commands.Choice(name="gold has won", value="gold"),
    app_commands.Choice(name="black has won", value="black"),
    app_commands.Choice(name="it is a draw", value=DRAW),
    app_commands.Choice(
        name="annul it: it counts for nothing, also when it is over", value=service.ANNUL
    ),
]
REASON_DESCRIPTION = "The reason, shown to the players and kept in the log"


@command(group=server_group, order=10)
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
    reason: app_commands.Range[str, 1, service.MAX_REASON_LENGTH],
) -> None:
    """End a match in this server: a win, a draw, or annulled."""
    require_manager(answer.interaction)
    action = play.build_action(answer, match)
    # Once this returns the ruling is saved, so an answer that fails is logged, and not reported as
    # a failure of the command.
    report = await service.end_match(answer.app, action, answer.guild, how, reason)
    with log_answer_failures(answer.interaction):
        there = await find_match_link(answer.client, report.session.row)
        await answer.send(text_only_card(cards.format_ruling_reply(answer.reader, match, there)))


@command(group=server_group, order=20)
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
    reason: app_commands.Range[str, 1, service.MAX_REASON_LENGTH],
) -> None:
    """Offer a player's seat in a team to somebody else."""
    require_manager(answer.interaction)
    action, person = play.build_action(answer, match), require_member(taker)
    row = (await play.load_session_to_act(answer.app, action)).row
    await require_seen_by(answer.client, row.guild, row.channel, {person.id: person.name})
    report = await service.offer_as_moderator(
        answer.app, action, answer.guild, holder.id, person, reason
    )
    with log_answer_failures(answer.interaction):
        there = await find_match_link(answer.client, report.session.row)
        await answer.send(text_only_card(cards.format_offer_reply(answer.reader, match, there)))


@command(group=server_group, order=30)
async def log(answer: InteractionAnswer) -> None:
    """See what moderators did to matches here, and why."""
    require_manager(answer.interaction)
    await answer.send_page(cards.LOG, await _build_log_card(answer, 0))


async def _build_log_card(answer: InteractionAnswer, number: int) -> Card:
    page = await service.load_log_page(answer.app, answer.guild, number)
    links = await find_match_links(answer.client, page.matches.values())
    return cards.log_card(answer.reader, page, links)


@press(cards.LOG)
async def turn_log_page(answer: InteractionAnswer, number: int) -> None:
    """Show another page of the log in place of this one."""
    require_manager(answer.interaction)
    await answer.turn_page(cards.LOG, await _build_log_card(answer, number))


@command(group=match_group, order=100, name="substitute")
@app_commands.describe(
    player="The person to ask to take your place", match=interactions.MATCH_DESCRIPTION
)
async def hand_over_seat(
    answer: InteractionAnswer, player: discord.User, match: int | None = None
) -> None:
    """Hand over your seat in a team to somebody else."""
    taker = require_member(player)
    service.require_human(taker)
    # The name is asked for again when it is said in which match.
    await answer.app.save_people(taker)
    await interactions.run_in_chosen_match(answer, "substitute", str(taker.id), match)


@interactions.match_action("substitute")
async def _offer_seat(answer: InteractionAnswer, match: int, taker: str) -> None:
    person = await require_known_person(answer.app, parse_number(taker))
    action = play.build_action(answer, match)
    session = await play.load_session_to_act(answer.app, action)
    # Of another server it isn't known whether they are a member.
    service.require_same_server(session, answer.guild)
    row = session.row
    await require_seen_by(answer.client, row.guild, row.channel, {person.id: person.name})
    await finish_action(answer, await service.offer_own_seat(answer.app, action, person))


@press(cards.SEAT, edits_public=True)
async def answer_seat_offer(
    answer: InteractionAnswer, act: str, match: int, holder: int, taker: int, by: int
) -> None:
    """Take a seat that is offered, or leave it to its holder."""
    offer = service.SeatOffer(match, holder, taker, by)
    say, person = answer.public_reader, answer.person.id
    if act == "take":
        report = await service.take_seat(answer.app, play.build_action(answer, match), offer)
        text = cards.format_takeover(say, report.session, offer)
    else:
        await service.leave_seat(answer.app, offer, person)
        text = cards.format_closed_offer(say, offer, person)
    with log_answer_failures(answer.interaction):
        await answer.edit_message(text_only_card(text))
