"""A challenge's message, and its lapse."""

import discord

from bot.app import challenge as challenges
from bot.delivery.outlets import UNKNOWN_MESSAGE, AppClient, Channel
from bot.store import QueuedJob
from bot.views.challenge import challenge_card


async def show_challenge(client: AppClient, job: QueuedJob) -> bool:
    """Post a challenge, or bring its message up to date."""
    store = client.app.store
    challenge = await store.challenges.get(int(job.key))
    if challenge is None:
        return False
    people = [seat.person for seat in challenge.seats]
    if challenge.opponent:
        people.append(challenge.opponent)
    names = await store.people.names(people)
    channel = Channel(client, challenge.guild, challenge.channel)
    if challenge.message is None:
        card = challenge_card(channel.reader, challenge, names)
        message = await channel.post(card, f"challenge {challenge.id}")
        await store.challenges.set_message(challenge.id, message, job)
        return True
    card = challenge_card(channel.reader, challenge, names, posted=True)
    try:
        await channel.edit(challenge.message, card)
    except discord.NotFound as error:
        # A challenge whose message somebody deleted can be answered no more, and lapses.
        if error.code != UNKNOWN_MESSAGE:
            raise
    return False


async def lapse(client: AppClient, job: QueuedJob) -> bool:
    """Let a challenge lapse whose time is over."""
    await challenges.lapse(client.app, int(job.key))
    return False
