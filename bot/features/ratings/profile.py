"""What somebody has played: their record game by game, and their ratings over time."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.features.ratings.service import ALL_GAMES, compute_display_rating
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.people import DiscordPerson
from bot.store import RatingRow

MOST_SHOWN = 200
"""Matches of a curve: the latest."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A person's ratings in one scope: by pool, all games first, and one pool over time."""

    scope: str
    pool: str
    records: Sequence[tuple[str, RatingRow]]
    curve: Sequence[int]


async def require_shown_everywhere(app: App, asker: int, person: DiscordPerson) -> None:
    """Raise DeclinedError unless somebody may see another's results in all servers.

    Everybody sees their own, and those of people who chose that in their settings.
    """
    if person.id == asker or (await app.store.preferences.get(person.id)).everywhere:
        return
    raise DeclinedError(DeclineReason.NOT_EVERYWHERE, person=person.name)


async def load_profile(app: App, scope: str, pool: str, person: int) -> Profile:
    """Return what a person has played in a scope, with the course of the rating in one pool."""
    records = await app.store.ratings.load_by_person(scope, person)
    course = await app.store.ratings.load_progress(scope, pool, person)
    ordered = sorted(
        records, key=lambda record: (record[0] != ALL_GAMES, -record[1].games, record[0])
    )
    return Profile(
        scope,
        pool,
        ordered,
        [compute_display_rating(mu, sigma) for mu, sigma in course[-MOST_SHOWN:]],
    )
