"""Ratings are calculated again, and somebody is asked to take a seat in the match's channel."""

import discord

from bot.features.matches import loading
from bot.features.matches.places import check_places, is_place_lost, is_unshowable
from bot.features.moderation import service
from bot.features.moderation.cards import seat_offer_card
from bot.features.moderation.service import OfferSeat, RerateMatches, SeatOffer
from bot.features.preferences.store import Blocks
from bot.platform.db.rows import QueuedJob
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import Done, JobResult, Retry
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.channels import ServerChannel
from engine.match import Phase


@handles(RerateMatches)
async def rerate_matches(client: AppClient, job: RerateMatches, _: QueuedJob) -> JobResult:
    """Rate all matches again that ended after an annulled one."""
    await service.rerate_matches(client.app, job.match)
    return Done()


@handles(OfferSeat)
async def offer_seat(client: AppClient, job: OfferSeat, queued: QueuedJob) -> JobResult:
    """Ask somebody to take a seat, unless the match is over or its holder no longer sits there."""
    offer = SeatOffer(job.match, job.holder, job.taker, job.by)
    session = await loading.load_session(client.app, offer.match)
    if session.match.phase is Phase.OVER or not session.find_sides(offer.holder):
        return Done()
    # It may have waited a long time, and nobody is called across a block.
    others = [each for each in session.human_players if each != offer.holder]
    if await client.app.store.get(Blocks).load_between(offer.taker, [*others, offer.by]):
        return Done()
    if await is_unshowable(client.app, session):
        # The back-off waits until the match has a place again, where all its players see the offer.
        return Retry("its match can be shown nowhere")
    channel = ServerChannel(client, session.row.guild, session.row.channel)
    card = seat_offer_card(channel.reader, session, offer)
    try:
        await channel.post(card, f"seat {offer} asked for in job {queued.id}")
    except discord.HTTPException as error:
        if not is_place_lost(error):
            raise
        # It is found out where the match goes on, and somebody is asked there.
        await check_places(client, [session.row])
        return Retry("the place of its match is lost")
    return Done()
