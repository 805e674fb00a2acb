"""Finished matches by what they have in common, the newest first."""

from collections.abc import Iterator

from sqlalchemy import func, select
from sqlalchemy.sql.elements import ColumnElement

from bot.features.contests.tables import pairings
from bot.features.history.rows import MatchSearch
from bot.platform.db.database import Database
from bot.platform.db.tables import challenges, matches, seats


class PastMatches:
    """The matches that are over."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def count_matches(self, search: MatchSearch) -> int:
        """Return how many matches are found."""
        query = select(func.count()).select_from(matches).where(*_list_conditions(search))
        return await self._database.read(lambda connection: connection.execute(query).scalar_one())

    async def load_numbers(self, search: MatchSearch, offset: int, limit: int) -> list[int]:
        """Return the numbers of some of the matches that are found, the newest first."""
        query = (
            select(matches.c.id)
            .where(*_list_conditions(search))
            .order_by(matches.c.ended.desc(), matches.c.id.desc())
            .offset(offset)
            .limit(limit)
        )
        return await self._database.read(
            lambda connection: list(connection.execute(query).scalars())
        )


def _list_conditions(search: MatchSearch) -> Iterator[ColumnElement[bool]]:
    yield matches.c.ended.is_not(None)
    for person in (search.person, search.witness):
        if person is not None:
            yield matches.c.id.in_(select(seats.c.match).where(seats.c.person == person))
    if search.league is not None:
        # Through its pairings, which have an index by league: few matches belong to one, so the
        # matches themselves have none.
        theirs = select(pairings.c.match).where(pairings.c.contest == search.league)
        yield matches.c.id.in_(theirs)
    if search.ladder is not None:
        # Through its challenges, which have an index by ladder, for the same reason.
        theirs = select(challenges.c.match).where(challenges.c.ladder == search.ladder)
        yield matches.c.id.in_(theirs)
    if search.guild is not None:
        yield matches.c.guild == search.guild
    if search.game:
        yield matches.c.game == search.game
