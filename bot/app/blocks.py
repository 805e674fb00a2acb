"""Blocks: people who do not wish to meet.

A person who has blocked another is not challenged by them and does not find their challenges.
"""

from collections.abc import Collection

from bot.app.context import App
from bot.app.errors import Declined, Why
from bot.app.people import Person

MOST_BLOCKED = 100
"""People whom one message can name."""


async def block(app: App, person: Person, other: Person) -> None:
    """Block somebody; raises Declined for a bot, for oneself, and for one too many."""
    if other.bot or other.id == person.id:
        raise Declined(Why.BLOCK_NOBODY)
    if len(await app.store.blocks.of(person.id)) >= MOST_BLOCKED:
        raise Declined(Why.TOO_MANY_BLOCKED, most=MOST_BLOCKED)
    await app.remember(person, other)
    await app.store.blocks.add(person.id, other.id)


async def require_unblocked(
    app: App, person: Person, others: Collection[int], refusal: Declined
) -> None:
    """Raise Declined if a person has blocked one of the others, or is blocked by one.

    The `refusal` is what is raised for the blocked; it does not say that they are.
    """
    found = await app.store.blocks.between(person.id, others)
    for by, blocked in found:
        if by == person.id:
            names = await app.names([blocked])
            raise Declined(Why.BLOCKED, person=names[blocked])
    if found:
        raise refusal
