"""Seats that change hands: /match substitute, and the buttons of a seat that is offered."""

import discord
from discord import app_commands

from bot.features.matches.commands import finish_action
from bot.features.matches.interactions import make_action
from bot.features.matches.match_choice import (
    MATCH_DESCRIPTION,
    match_action,
    run_in_chosen_match,
)
from bot.features.matches.service import load_session_to_act
from bot.features.moderation import service as moderation
from bot.features.moderation import texts as words
from bot.features.substitution import service as substitution
from bot.features.substitution.controls import SEAT
from bot.features.substitution.service import SeatOffer
from bot.platform.ui.access import require_seen_by
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.card import text_only_card
from bot.platform.ui.declarations import command, press
from bot.platform.ui.groups import match_group
from bot.platform.ui.ids import parse_number, require_known_person
from bot.platform.ui.membership import require_member


@command(group=match_group)
@app_commands.describe(player="The person to ask to take your place", match=MATCH_DESCRIPTION)
async def substitute(
    answer: InteractionAnswer, player: discord.User, match: int | None = None
) -> None:
    """Hand over your seat in a team to somebody else."""
    taker = require_member(player)
    substitution.require_human(taker)
    # The name is asked for again when it is said in which match.
    await answer.app.save_people(taker)
    await run_in_chosen_match(answer, "substitute", str(taker.id), match)


@match_action("substitute")
async def _offer_seat(answer: InteractionAnswer, match: int, taker: str) -> None:
    person = await require_known_person(answer.app, parse_number(taker))
    action = make_action(answer, match)
    session = await load_session_to_act(answer.app, action)
    # Of another server it isn't known whether they are a member.
    moderation.require_same_server(session, answer.guild)
    row = session.row
    await require_seen_by(answer.client, row.guild, row.channel, {person.id: person.name})
    await finish_action(answer, await substitution.offer_own_seat(answer.app, action, person))


@press(SEAT, edits_public=True)
async def answer_seat_offer(
    answer: InteractionAnswer, act: str, match: int, holder: int, taker: int, by: int
) -> None:
    """Take a seat that is offered, or leave it to its holder."""
    offer = SeatOffer(match, holder, taker, by)
    say, person = answer.public_reader, answer.person.id
    if act == "take":
        report = await substitution.take_seat(answer.app, make_action(answer, match), offer)
        told = words.format_takeover(say, report.session, offer)
    else:
        await substitution.leave_seat(answer.app, offer, person)
        told = words.format_closed_offer(say, offer, person)
    with log_answer_failures(answer.interaction):
        await answer.edit_message(text_only_card(told))
