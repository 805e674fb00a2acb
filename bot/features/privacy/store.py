"""A person's data across all tables: collected, deleted, and when it was last given to them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sqlalchemy import Column, Connection, Table, delete, func, select

from bot.features.ladders.tables import events as ladder_events
from bot.features.matches.seat_rows import fetch_matches, select_with_seats
from bot.features.privacy.collecting import PersonalRows, collect_rows, list_matches
from bot.features.privacy.erasing import erase_contribution, erase_person
from bot.features.privacy.server_rows import collect_server_rows, erase_server, find_servers
from bot.platform.db.columns import BIG
from bot.platform.db.database import Database
from bot.platform.db.jobs import enqueue_jobs
from bot.platform.db.rows import DELETED_CONTRIBUTION, Job, MatchRow, QueuedJob, Seat
from bot.platform.db.statements import make_upsert, overwrite_deleted
from bot.platform.db.tables import challenges, ladders, matches, metadata, presences, seats

table = Table(
    "data_exports",
    metadata,
    Column("person", BIG, primary_key=True, autoincrement=False),
    Column("at", BIG, nullable=False),
)

FollowUp: TypeAlias = Callable[[int], Sequence[Job]]
"""Returns the jobs that follow when somebody's data is deleted, given their pseudonym."""


@dataclass(frozen=True, slots=True)
class PastProof:
    """That all throws of a match were recomputed at an instant; `throws` is None if one was wrong.

    Then a contribution is deleted: that of a seat, by its side and number.
    """

    match: int
    side: str
    number: int
    at: int
    throws: int | None


@dataclass(frozen=True, slots=True)
class ErasureResult:
    """The pseudonym that somebody has now, None if nobody needs one, and the jobs that follow."""

    pseudonym: int | None
    jobs: tuple[QueuedJob, ...] = ()


class PersonalData:
    """People's data by their id."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin_export(self, person: int, now: int, pause: int) -> bool:
        """Keep that somebody asks for their data; False if they did within the pause before."""

        def work(connection: Connection) -> bool:
            asked = make_upsert(connection.dialect.name, table).values(person=person, at=now)
            kept = asked.on_conflict_do_update(
                index_elements=[table.c.person],
                set_={"at": now},
                where=table.c.at <= now - pause,
            )
            return connection.execute(kept).rowcount == 1

        return await self._database.write(work)

    async def forget_export(self, person: int) -> None:
        """Let somebody ask for their data again, as it did not reach them."""
        gone = delete(table).where(table.c.person == person)
        await self._database.write(lambda connection: connection.execute(gone))

    async def collect(self, person: int) -> tuple[PersonalRows, list[int]]:
        """Return what is stored of somebody at one moment, and the matches they ever sat in."""
        async with self._database.open_read_transaction() as moment:
            rows = await moment.run_sync(collect_rows, person)
            return rows, await moment.run_sync(list_matches, person)

    async def load_ladders(self, person: int) -> list[int]:
        """Return the open ladders on which somebody has ever been."""
        joined = select(ladder_events.c.ladder).where(ladder_events.c.person == person)
        query = select(ladders.c.id).where(ladders.c.closed.is_(None), ladders.c.id.in_(joined))
        return await self._database.read(
            lambda connection: sorted(connection.execute(query).scalars())
        )

    async def load_with_words(self, person: int) -> list[MatchRow]:
        """Return the matches to whose dice somebody gave a word, as the first in their seat."""
        word = select(seats.c.match).where(seats.c.contribution.like("% %"))

        def work(connection: Connection) -> list[MatchRow]:
            played = list_matches(connection, person)
            query = select_with_seats(
                matches, seats, matches.c.id.in_(played) & matches.c.id.in_(word)
            )
            return fetch_matches(connection, query)

        found = await self._database.read(work)
        return [row for row in found if find_words(row, person)]

    async def erase_contributions(self, proofs: Sequence[PastProof]) -> None:
        """Delete contributions to the dice, and keep what was proved before."""

        def work(connection: Connection) -> None:
            for proof in proofs:
                values = {
                    "contribution": DELETED_CONTRIBUTION,
                    "proof_checked": proof.at,
                    "proof_throws": proof.throws,
                }
                seat = proof.side, proof.number
                with overwrite_deleted(connection):
                    erase_contribution(connection, proof.match, seat, values)

        await self._database.write(work)

    async def erase(self, person: int, now: int, follow_up: FollowUp) -> ErasureResult:
        """Take somebody out of every table, and enqueue what follows under their pseudonym."""

        def work(connection: Connection) -> ErasureResult:
            with overwrite_deleted(connection):
                pseudonym = erase_person(connection, person, now)
            if pseudonym is None:
                return ErasureResult(None)
            return ErasureResult(pseudonym, enqueue_jobs(connection, 0, follow_up(pseudonym)))

        return await self._database.write(work)

    async def find_servers(self, kind: str) -> set[int]:
        """Return the servers that have chosen, organised or made anything.

        Those that a job of that kind is about already are left out.
        """
        return await self._database.read(lambda connection: find_servers(connection, kind))

    async def collect_server(self, guild: int) -> PersonalRows:
        """Return what is stored of a server at one moment."""
        async with self._database.open_read_transaction() as moment:
            return await moment.run_sync(collect_server_rows, guild)

    async def erase_server(self, guild: int, now: int) -> int:
        """Take a server out of every table, and return the number that stands for it."""

        def work(connection: Connection) -> int:
            with overwrite_deleted(connection):
                return erase_server(connection, guild, now)

        return await self._database.write(work)

    async def load_newest_instant(self) -> int:
        """Return the newest instant of which the database knows; 0 if it knows of none."""
        instants = (
            select(func.max(presences.c.at)).scalar_subquery(),
            select(func.max(matches.c.touched)).scalar_subquery(),
            select(func.max(challenges.c.created)).scalar_subquery(),
        )
        row = await self._database.read(
            lambda connection: connection.execute(select(*instants)).one()
        )
        return max((instant for instant in row if instant is not None), default=0)


def find_words(row: MatchRow, person: int) -> tuple[Seat, ...]:
    """Return the seats in which somebody gave a word to the dice of a match."""
    return tuple(
        seat for seat in row.seats_at(0) if seat.person == person and " " in seat.contribution
    )
