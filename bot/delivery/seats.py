"""Offers of seats: the person is asked in the match's channel."""

import discord

from bot.app import play
from bot.app.substitution import Offer
from bot.delivery.outlets import AppClient, Channel
from bot.delivery.reach import check, is_place_lost, is_unshown
from bot.jobs import Unreachable
from bot.store import QueuedJob
from bot.views.moderation import seat_card
from engine.match import Phase


async def offer_seat(client: AppClient, job: QueuedJob) -> bool:
    """Ask somebody to take a seat, unless the match is over or its holder no longer sits there."""
    offer = Offer.read(job.key)
    sitting = await play.load(client.app, offer.match)
    if sitting.match.phase is Phase.OVER or not sitting.sides_of(offer.holder):
        return False
    if await is_unshown(client.app, sitting):
        raise Unreachable("its match can be shown nowhere")
    channel = Channel(client, sitting.row.guild, sitting.row.channel)
    card = seat_card(channel.reader, sitting, offer)
    try:
        await channel.post(card, f"seat {offer} asked for in job {job.id}")
    except discord.HTTPException as error:
        if not is_place_lost(error):
            raise
        # It is found out where the match goes on, and somebody is asked there.
        await check(client, [sitting.row])
        raise Unreachable("the place of its match is lost") from error
    return False
