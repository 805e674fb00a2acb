"""Blocks: people who do not want to meet.

A person who has blocked another is not challenged by them and does not find their challenges.
"""

from collections.abc import Collection

from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.people import DiscordPerson

MOST_BLOCKED = 100
"""People whom one message can name."""


async def block_person(app: App, person: DiscordPerson, other: DiscordPerson) -> None:
    """Block somebody; raises DeclinedError for a bot, for oneself, and for one too many."""
    if other.bot or other.id == person.id:
        raise DeclinedError(DeclineReason.BLOCK_NOBODY)
    if len(await app.store.blocks.load_blocked(person.id)) >= MOST_BLOCKED:
        raise DeclinedError(DeclineReason.TOO_MANY_BLOCKED, most=MOST_BLOCKED)
    await app.save_people(person, other)
    await app.store.blocks.add(person.id, other.id)


async def require_unblocked(
    app: App, person: DiscordPerson, others: Collection[int], refusal: DeclinedError
) -> None:
    """Raise DeclinedError if a person has blocked one of the others, or is blocked by one.

    The `refusal` is what is raised for the blocked; it does not say that they are.
    """
    found = await app.store.blocks.load_between(person.id, others)
    for by, blocked in found:
        # One's own block comes first: it may be named, and the person who set it can lift it.
        if by == person.id:
            names = await app.load_names([blocked])
            raise DeclinedError(DeclineReason.BLOCKED, person=names[blocked])
    if found:
        raise refusal


async def unblock_person(app: App, person: DiscordPerson, other: int) -> None:
    """Block somebody no longer."""
    await app.store.blocks.remove(person.id, other)


async def load_blocked(app: App, person: DiscordPerson) -> list[int]:
    """Return the ids of those whom a person has blocked."""
    return await app.store.blocks.load_blocked(person.id)
