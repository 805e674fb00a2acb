"""Finished matches by what they have in common, the newest first."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.sql.elements import ColumnElement

from bot.features.challenges.tables import challenges
from bot.features.contests.tables import pairings
from bot.features.matches.tables import SIGHT_CHANNEL, is_in_sight, matches, seats
from bot.platform.db.database import StorePart


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSearch:
    """What finished matches have in common that are looked for; what is None or empty may be any.

    `person` played in them to the end, and `witness` did as well; `guild` is their server, `game`
    the slug of what was played, `league` or `ladder` the number of theirs. Those in `hidden`
    channels are found only where the `reader` plays in them.
    """

    person: int | None = None
    witness: int | None = None
    guild: int | None = None
    game: str = ""
    league: int | None = None
    ladder: int | None = None
    hidden: frozenset[int] = frozenset()
    reader: int | None = None


class PastMatches(StorePart):
    """The matches that are over."""

    async def count_matches(self, search: MatchSearch) -> int:
        """Return how many matches are found."""
        query = select(func.count()).select_from(matches).where(*_list_conditions(search))
        return await self._database.read(lambda connection: connection.execute(query).scalar_one())

    async def load_channels(self, search: MatchSearch) -> list[int]:
        """Return the channels that decide who sees the matches that are found."""
        query = select(SIGHT_CHANNEL).where(*_list_conditions(search)).distinct()
        return await self._load_column(query)

    async def load_numbers(self, search: MatchSearch, offset: int, limit: int) -> list[int]:
        """Return the numbers of some of the matches that are found, the newest first."""
        query = (
            select(matches.c.id)
            .where(*_list_conditions(search))
            .order_by(matches.c.ended.desc(), matches.c.id.desc())
            .offset(offset)
            .limit(limit)
        )
        return await self._load_column(query)


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
    yield is_in_sight(search.hidden, search.reader)
    if search.game:
        yield matches.c.game == search.game
