"""How many matches a person may have running."""

from collections.abc import Collection

from sqlalchemy import Connection, func, select

from bot.platform.db.errors import LimitExceededError
from bot.platform.db.rows import Limits
from bot.platform.db.tables import matches, seats


def require_match_limit(connection: Connection, persons: Collection[int], limits: Limits) -> None:
    """Raise LimitExceededError if one of those (locked) people has too many running matches.

    Those of leagues do not count.
    """
    counted = [person for person in persons if person not in limits.exempt]
    running = (
        select(seats.c.person)
        .join(matches)
        # A league begins many matches at once, which nobody takes on one by one.
        .where(seats.c.person.in_(counted), matches.c.ended.is_(None), matches.c.contest.is_(None))
        .group_by(seats.c.person)
        .having(func.count() >= limits.running)
    )
    full = set(connection.execute(running).scalars())
    for person in counted:
        if person in full:
            raise LimitExceededError(person, "running", limits.running)
