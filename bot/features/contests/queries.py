"""What is read of contests."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Select, and_, exists, select
from sqlalchemy.sql.elements import ColumnElement

from bot.features.contests.fetching import (
    fetch_first_divisions,
    fetch_origin,
    fetch_view,
    make_contest,
)
from bot.features.contests.rows import Contest, ContestFormat, ContestState, ContestView
from bot.features.contests.tables import entrants
from bot.features.matches.secret_origin import SecretOrigin
from bot.platform.db.database import Database
from bot.platform.db.tables import IS_UNFINISHED, events
from bot.platform.db.tables import contests as table

_ACTS = ("thrown", "played", "chosen", "left")
"""The records of what people do themselves."""
_AUTOMATIC = "throw "
"""How the cause of a throw begins that is made for somebody who wants automatic throws."""


class ContestQueries:
    """Contests as they are at one moment."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, number: int) -> Contest | None:
        """Return a league, or None."""
        found = await self._load_where(table.c.id == number)
        return found[0] if found else None

    async def load_several(self, numbers: set[int]) -> dict[int, Contest]:
        """Return those of some leagues that there are, by their numbers."""
        return {each.id: each for each in await self._load_where(table.c.id.in_(numbers))}

    async def load_view(self, number: int) -> ContestView | None:
        """Return a league with everybody in it, as it is at one moment; None if there is none."""
        return await self._database.read(lambda connection: fetch_view(connection, number))

    async def load_origin(self, match: int) -> SecretOrigin | None:
        """Return where the secret of a league's match comes from; None for other matches."""
        return await self._database.read(lambda connection: fetch_origin(connection, match))

    async def load_by_server(self, guild: int) -> list[Contest]:
        """Return a server's leagues that people can sign up for or that are played."""
        return await self._load_where(and_(table.c.guild == guild, IS_UNFINISHED))

    async def load_latest(
        self, guild: int, most: int, formats: Collection[ContestFormat] = tuple(ContestFormat)
    ) -> list[Contest]:
        """Return a server's contests of some formats and every state, the latest first."""
        theirs = and_(table.c.guild == guild, table.c.format.in_(formats))
        return await self._load(select(table).where(theirs).order_by(table.c.id.desc()).limit(most))

    async def load_by_person(self, person: int) -> list[Contest]:
        """Return the unfinished leagues of every server in which somebody takes part."""
        theirs = exists().where(
            entrants.c.contest == table.c.id,
            entrants.c.person == person,
            entrants.c.left.is_(None),
        )
        return await self._load_where(and_(IS_UNFINISHED, theirs))

    async def load_first_divisions(self, guild: int, person: int, most: int) -> list[ContestView]:
        """Return the latest leagues of a server that are over and that somebody might have won.

        Those are the ones in whose first division they were, and of these all that is returned is
        that division.
        """
        # By the person's own index, however many leagues the server has had.
        theirs = (
            select(entrants.c.contest)
            .join(table)
            .where(entrants.c.person == person, entrants.c.division == 0)
            .where(table.c.guild == guild, table.c.state == ContestState.OVER)
            .order_by(entrants.c.contest.desc())
            .limit(most)
        )
        return await self._database.read(
            lambda connection: fetch_first_divisions(
                connection, list(connection.execute(theirs).scalars())
            )
        )

    async def load_channels(self, numbers: set[int]) -> dict[int, frozenset[int]]:
        """Return the channels in which those leagues are shown."""
        query = select(table.c.id, table.c.channel).where(table.c.id.in_(numbers))
        found = await self._database.read(lambda connection: connection.execute(query).all())
        return {number: frozenset({channel}) for number, channel in found}

    async def find_existing(self, numbers: set[int]) -> set[int]:
        """Return which of those leagues there are."""
        query = select(table.c.id).where(table.c.id.in_(numbers))
        return await self._database.read(
            lambda connection: set(connection.execute(query).scalars())
        )

    async def find_next_season(self, number: int) -> int | None:
        """Return the league that follows one as its next season, if any does."""
        query = select(table.c.id).where(table.c.previous == number)
        return await self._database.read(lambda connection: connection.execute(query).scalar())

    async def _load_where(self, which: ColumnElement[bool]) -> list[Contest]:
        return await self._load(select(table).where(which).order_by(table.c.id))

    async def _load(self, query: Select[*tuple[Any, ...]]) -> list[Contest]:
        return await self._database.read(
            lambda connection: [
                make_contest(connection, row) for row in connection.execute(query).mappings()
            ]
        )

    async def load_actors(self, numbers: Sequence[int]) -> dict[int, set[int]]:
        """Return who has done anything in each of those matches."""
        # What follows from an act by itself has no cause of its own.
        query = select(events.c.match, events.c.person, events.c.record).where(
            events.c.match.in_(numbers),
            events.c.person.is_not(None),
            events.c.cause.not_like(f"{_AUTOMATIC}%"),
        )
        found = await self._database.read(lambda connection: connection.execute(query).all())
        acted: dict[int, set[int]] = {number: set() for number in numbers}
        for match, person, record in found:
            if record["event"] in _ACTS:
                acted[match].add(person)
        return acted
