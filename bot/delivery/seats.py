"""Whoever is to take a seat is asked in the match's channel."""

from bot.app import play
from bot.app.substitution import Offer
from bot.delivery.outlets import AppClient, Channel
from bot.store import QueuedJob
from bot.views.moderation import seat_card
from engine.match import Phase


async def offer_seat(client: AppClient, job: QueuedJob) -> bool:
    """Ask somebody whether they take a seat, unless the match is over or its holder sits there no more."""
    offer = Offer.read(job.key)
    sitting = await play.load(client.app, offer.match)
    if sitting.match.phase is Phase.OVER or not sitting.sides_of(offer.holder):
        return False
    channel = Channel(client, sitting.row.guild, sitting.row.channel)
    await channel.post(
        seat_card(channel.reader, sitting, offer), f"seat {offer} asked for in job {job.id}"
    )
    return False
