"""A person's or a server's data across all tables: collected, exported and deleted.

What a server chose and wrote is deleted. What its members played there stays theirs, under a
number that stands for a server of which nothing is known.
"""

from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.features.challenges.tables import challenge_seats, challenges
from bot.features.contests.tables import entrants
from bot.features.ladders.tables import events as ladder_events
from bot.features.ladders.tables import ladders
from bot.features.matches.rows import DELETED_CONTRIBUTION, MatchRow, Seat
from bot.features.matches.store import load_matches, select_with_seats
from bot.features.matches.tables import matches, seats
from bot.features.privacy.store import erasing
from bot.features.ratings.service import build_season_scope, build_server_scope, list_seasons
from bot.platform.db.database import StorePart, build_upsert, writing
from bot.platform.db.exclusions import ExclusionScope, readmit_everybody
from bot.platform.db.jobs import enqueue_jobs
from bot.platform.db.rows import Job, QueuedJob
from bot.platform.db.shards import MIN_SERVER, fold_server
from bot.platform.db.tables import (
    BIG,
    OWN,
    OWNER,
    PLACE,
    Erasure,
    PersonalColumn,
    ServerErasure,
    find_server_rule,
    get_rule,
    jobs,
    list_personal_columns,
    list_server_tables,
    load_metadata,
    metadata,
    presences,
    program_metadata,
    stoppages,
)

SERVER_SCOPE = "server"
"""The scope of ids that are a server's."""

Rows: TypeAlias = list[dict[str, Any]]
"""Rows of a table, by the names of their columns."""
BATCH_ROWS = 200
"""How many rows of a table are read at a time."""
LARGEST_EXACT = 2**53
"""From here on whole numbers are written as texts, since most programs read them inexactly."""
_TAKEN_PART = {
    "challenges": (challenge_seats.c.challenge, challenge_seats.c.person),
    "contests": (entrants.c.contest, entrants.c.person),
    "ladders": (ladder_events.c.ladder, ladder_events.c.person),
}
"""Columns by which somebody takes part in what their other rows name."""

table = sa.Table(
    "data_exports",
    metadata,
    sa.Column("person", BIG, primary_key=True, autoincrement=False, info=OWNER),
    sa.Column("at", BIG, nullable=False, info=OWN),
)

FollowUp: TypeAlias = Callable[[int | None], Sequence[Job]]
"""Returns the jobs that follow when somebody's data is deleted, given the pseudonym they have."""


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


class PersonalData(StorePart):
    """People's data by their id."""

    @writing
    def begin_export(self, connection: sa.Connection, person: int, now: int, pause: int) -> bool:
        """Keep that somebody asks for their data; False if they did within the pause before."""
        asked = build_upsert(connection.dialect.name, table).values(person=person, at=now)
        kept = asked.on_conflict_do_update(
            index_elements=[table.c.person],
            set_={"at": now},
            where=table.c.at <= now - pause,
        )
        return connection.execute(kept).rowcount == 1

    async def forget_export(self, person: int) -> None:
        """Let somebody ask for their data again, as it did not reach them."""
        gone = sa.delete(table).where(table.c.person == person)
        await self._database.write(lambda connection: connection.execute(gone))

    async def collect(self, person: int) -> AsyncGenerator[tuple[str, Rows], None]:
        """Yield what is stored of somebody at one moment, by table and some rows at a time.

        A table of which none are theirs comes without rows.
        """
        found = (
            (table, _find_personal_rows(table, person)) for table in load_metadata().sorted_tables
        )
        queries = [_select_exported(table, which) for table, which in found if which is not None]
        async with self._database.open_read_transaction() as moment:
            async for name, rows in _stream(moment, queries):
                yield name, rows

    async def load_matches(self, person: int) -> list[int]:
        """Return the matches in which somebody sits or ever sat, in the order of their numbers."""
        return await self._database.read(lambda connection: list_matches(connection, person))

    async def load_ladders(self, person: int) -> list[int]:
        """Return the open ladders on which somebody has ever been."""
        joined = sa.select(ladder_events.c.ladder).where(ladder_events.c.person == person)
        query = sa.select(ladders.c.id).where(ladders.c.closed.is_(None), ladders.c.id.in_(joined))
        return sorted(await self._load_column(query))

    async def load_with_words(self, person: int) -> list[MatchRow]:
        """Return the matches to whose dice somebody gave a word, as the first in their seat."""

        def work(connection: sa.Connection) -> list[MatchRow]:
            played = seats.c.match.in_(list_matches(connection, person))
            word = sa.select(seats.c.match).where(played, seats.c.contribution.like("% %"))
            query = select_with_seats(matches, seats, matches.c.id.in_(word))
            return load_matches(connection, query)

        found = await self._database.read(work)
        return [row for row in found if find_words(row, person)]

    @writing
    def erase_contributions(self, connection: sa.Connection, proofs: Sequence[PastProof]) -> None:
        """Delete contributions to the dice, and keep what was proved before."""
        for proof in proofs:
            values = {
                "contribution": DELETED_CONTRIBUTION,
                "proof_checked": proof.at,
                "proof_throws": proof.throws,
            }
            seat = proof.side, proof.number
            erasing.erase_contribution(connection, proof.match, seat, values)

    @writing
    def erase(
        self, connection: sa.Connection, person: int, now: int, follow_up: FollowUp
    ) -> ErasureResult:
        """Take somebody out of every table, and enqueue what follows under their pseudonym."""
        pseudonym = erasing.erase_person(connection, person, now)
        return ErasureResult(pseudonym, enqueue_jobs(connection, 0, follow_up(pseudonym)))

    async def find_servers(self, kind: str) -> set[int]:
        """Return the servers that have chosen, organised or made anything.

        Those that a job of that kind is about already are left out.
        """
        return await self._database.read(lambda connection: find_servers(connection, kind))

    async def collect_server(self, guild: int) -> AsyncGenerator[tuple[str, Rows], None]:
        """Yield what is stored of a server at one moment, likewise.

        Secrets are left out, and what jobs need.
        """
        async with self._database.open_read_transaction() as moment:
            boards = await moment.run_sync(list_boards, guild)
            queries = [
                _select_exported(table, _find_rows(table, guild, boards))
                for table in load_metadata().sorted_tables
                if (rule := find_server_rule(table)) is not None and rule.exported
            ]
            async for name, rows in _stream(moment, queries):
                yield name, rows

    @writing
    def erase_server(self, connection: sa.Connection, guild: int, now: int) -> int:
        """Take a server out of every table, and return the number that stands for it."""
        return erase_server(connection, guild, now)

    async def truncate_log(self) -> bool:
        """Leave nothing of what was deleted in the log of a file; False if somebody is in it."""
        return await self._database.truncate_log()

    async def load_newest_instant(self) -> int:
        """Return the newest instant of which the database knows; 0 if it knows of none."""
        instants = (
            sa.select(sa.func.max(presences.c.at)).scalar_subquery(),
            sa.select(sa.func.max(matches.c.touched)).scalar_subquery(),
            sa.select(sa.func.max(challenges.c.created)).scalar_subquery(),
        )
        row = await self._database.read(
            lambda connection: connection.execute(sa.select(*instants)).one()
        )
        return max((instant for instant in row if instant is not None), default=0)


def find_words(row: MatchRow, person: int) -> tuple[Seat, ...]:
    """Return the seats in which somebody gave a word to the dice of a match."""
    return tuple(
        seat for seat in row.seats_at(0) if seat.person == person and " " in seat.contribution
    )


def _select_exported(table: sa.Table, which: sa.ColumnElement[bool]) -> tuple[str, sa.Select[Any]]:
    """Return a table's name, and the query for what is exported of those rows."""
    columns = [column for column in table.columns if is_exported(column)]
    return table.name, sa.select(*columns).where(which)


async def _stream(
    moment: AsyncConnection, queries: Sequence[tuple[str, sa.Select[Any]]]
) -> AsyncGenerator[tuple[str, Rows], None]:
    """Yield the rows that queries find in their tables, as they are exported.

    They come in no order: a database would rather read all of a table in order than sort a few
    rows.
    """
    for name, query in queries:
        is_empty = True
        # However many there are, these alone are in memory.
        async with moment.stream(query, execution_options={"yield_per": BATCH_ROWS}) as found:
            async for batch in found.mappings().partitions():
                is_empty = False
                yield name, [_encode_row(row) for row in batch]
        if is_empty:
            yield name, []


def _encode_row(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {name: encode_value(value) for name, value in row.items()}


def list_matches(connection: sa.Connection, person: int) -> list[int]:
    """Return the matches in which somebody sits or ever sat, in the order of their numbers."""
    sits = sa.select(seats.c.match).where(seats.c.person == person)
    handed_over = sa.select(matches.c.id, matches.c.former).where(
        erasing.is_in_document(matches.c.former, person)
    )
    sitting = set(connection.execute(sits).scalars())
    sat = {
        row.id
        for row in connection.execute(handed_over)
        if any(each["person"] == person for each in row.former)
    }
    return sorted(sitting | sat)


def is_exported(column: sa.Column[Any]) -> bool:
    """Whether a column is given to those in whose rows it is.

    The secrets of the dice are not: those of matches that are over are in the matches' records.
    """
    rule = get_rule(column)
    if isinstance(rule, PersonalColumn) and rule.withheld:
        return rule.erasure is Erasure.ROW
    return not isinstance(column.type, sa.LargeBinary)


def _find_personal_rows(table: sa.Table, person: int) -> sa.ColumnElement[bool] | None:
    """Return the condition for the rows of a table that are given to somebody; None for none."""
    played = sa.select(seats.c.match).where(seats.c.person == person)
    if table.name == matches.name:
        return _match_any(
            table, [table.c.id.in_(played), erasing.is_in_document(table.c.former, person)]
        )
    known = find_server_rule(table)
    if known is not None and known.for_players:
        return table.c.match.in_(played)
    found = list(_find_conditions(table, person))
    if table.name in _TAKEN_PART:
        number, who = _TAKEN_PART[table.name]
        found.append(table.c.id.in_(sa.select(number).where(who == person)))
    return _match_any(table, found) if found else None


def _match_any(
    table: sa.Table, conditions: Sequence[sa.ColumnElement[bool]]
) -> sa.ColumnElement[bool]:
    """Return the condition that one of several holds, each of which is found by its own index."""
    if len(conditions) == 1 or "id" not in table.c:
        return sa.or_(*conditions)
    # An OR of what stands in other tables would be asked of each row.
    return table.c.id.in_(sa.union(*(sa.select(table.c.id).where(each) for each in conditions)))


def _find_conditions(table: sa.Table, person: int) -> Iterator[sa.ColumnElement[bool]]:
    for column in table.columns:
        rule = get_rule(column)
        if not isinstance(rule, PersonalColumn) or rule.withheld:
            continue
        if rule.erasure is Erasure.PEOPLE:
            yield erasing.is_in_document(column, person)
        elif rule.erasure in (Erasure.ROW, Erasure.PSEUDONYM):
            theirs = column == person
            yield (
                sa.and_(theirs, table.c[rule.scope] == erasing.PERSON_SCOPE)
                if rule.scope
                else theirs
            )


def encode_value(value: Any) -> Any:  # noqa: ANN401 - whatever a column holds
    """Return a value as it is exported, from a column or a document."""
    match value:
        case bool():
            return value
        case int() if abs(value) >= LARGEST_EXACT:
            return str(value)
        case list():
            return [encode_value(each) for each in value]
        case dict():
            return {name: encode_value(each) for name, each in value.items()}
    return value


def list_boards(connection: sa.Connection, guild: int) -> Sequence[str]:
    """Return the scopes of a server's leaderboards: that of all time, and those of its seasons."""
    ended = sa.select(sa.func.min(matches.c.ended), sa.func.max(matches.c.ended)).where(
        matches.c.guild == guild, matches.c.ended.is_not(None)
    )
    first, last = connection.execute(ended).one()
    scope = build_server_scope(guild)
    seasons = () if first is None else list_seasons(first, last)
    return [scope, *(build_season_scope(scope, season) for season in seasons)]


def _find_rows(table: sa.Table, guild: int, boards: Sequence[str] = ()) -> sa.ColumnElement[bool]:
    """Return the condition for the rows of a table that are about a server with those boards."""
    if "guild" in table.c:
        return table.c.guild == guild
    if (subject := _find_subject(table)) is not None:
        return sa.and_(table.c.scope == SERVER_SCOPE, subject == guild)
    if "scope" in table.c:
        return table.c.scope.in_(boards)
    # The server of a contest or a ladder.
    column, there = next(
        (column, key.column)
        for column in table.columns
        for key in column.foreign_keys
        if "guild" in key.column.table.c
    )
    return column.in_(sa.select(there).where(there.table.c.guild == guild))


def _find_subject(table: sa.Table) -> sa.Column[int] | None:
    """Return the column whose numbers are servers' if the scope says so; None if there is none."""
    if "scope" not in table.c:
        return None
    return next((table.c[name] for name in ("id", "subject") if name in table.c), None)


def erase_server(connection: sa.Connection, guild: int, now: int) -> int:
    """Take a server out of every table, and return the number that stands for it from now on.

    Nothing of it goes on any more, but for what nobody has ended: that is closed.
    """
    metadata = load_metadata()
    number = _find_free_number(connection, guild)
    # Before the matches, by which they are known, get the other number.
    boards = list_boards(connection, guild)
    _close_rest(connection, guild, now)
    _erase_words(connection, guild)
    # First, while contests and ladders still have the server's number.
    for table in list_server_tables(metadata, ServerErasure.DELETED):
        connection.execute(sa.delete(table).where(_find_rows(table, guild, boards)))
    for table in list_server_tables(metadata, ServerErasure.RENUMBERED):
        _renumber(connection, table, guild, number, boards)
    facts = sa.delete(program_metadata).where(program_metadata.c.name.in_(_list_facts(guild)))
    connection.execute(facts)
    return number


def _list_facts(guild: int) -> Iterator[str]:
    """Yield the names of what the program notes about a server."""
    yield f"greeting of {guild}"


def _find_free_number(connection: sa.Connection, guild: int) -> int:
    """Return a number that no server has or had: its outages are those of the same shard."""
    number = fold_server(guild)
    for table in list_server_tables(load_metadata(), ServerErasure.RENUMBERED):
        if "guild" in table.c:
            while connection.execute(sa.select(1).where(table.c.guild == number).limit(1)).first():
                number += 1
    return number


def _close_rest(connection: sa.Connection, guild: int, now: int) -> None:
    tables = load_metadata().tables
    challenges, ladders = tables["challenges"], tables["ladders"]
    waiting = sa.and_(challenges.c.guild == guild, challenges.c.state == "open")
    connection.execute(sa.update(challenges).where(waiting).values(state="withdrawn", closed=now))
    is_open = sa.and_(ladders.c.guild == guild, ladders.c.closed.is_(None))
    closing = sa.update(ladders).where(is_open).values(closed=now).returning(ladders.c.id)
    closed = connection.execute(closing).scalars().all()
    readmit_everybody(connection, ExclusionScope.LADDER, closed)
    lasting = sa.and_(_find_rows(stoppages, guild), stoppages.c.ended.is_(None))
    # A stoppage may have begun later than now, where the clock was set back meanwhile.
    started = stoppages.c.began < now
    connection.execute(sa.update(stoppages).where(lasting, started).values(ended=now))
    connection.execute(sa.delete(stoppages).where(lasting))


def _erase_words(connection: sa.Connection, guild: int) -> None:
    """Delete the titles and reasons that were written in a server, in rows that stay."""
    for column in _list_words():
        given = sa.and_(_find_rows(column.table, guild), column != "")
        connection.execute(
            sa.update(column.table).where(given).values({column.name: erasing.NO_WORDS})
        )


@cache
def _list_words() -> tuple[sa.Column[str], ...]:
    return tuple(
        column
        for erasure in (Erasure.WORDS, Erasure.TITLE)
        for column, _ in list_personal_columns(load_metadata(), erasure)
        if (rule := find_server_rule(column.table)) is not None
        and rule.exported
        and rule.erasure is not ServerErasure.DELETED
    )


def _renumber(
    connection: sa.Connection, table: sa.Table, guild: int, number: int, boards: Sequence[str]
) -> None:
    """Put a number in a server's place, and nothing or 0 in that of what it has on Discord."""
    theirs = _find_rows(table, guild, boards)
    if "guild" in table.c:
        places = [column for column in table.columns if column.info == PLACE]
        gone = {column.name: None if column.nullable else 0 for column in places}
        named = {} if table.c.guild.nullable else {"guild": number}
        connection.execute(sa.update(table).where(theirs).values({**gone, **named}))
    elif (subject := _find_subject(table)) is not None:
        connection.execute(sa.update(table).where(theirs).values({subject.name: number}))
    else:
        for scope in boards:
            renamed = scope.replace(f"server:{guild}", f"server:{number}", 1)
            connection.execute(sa.update(table).where(table.c.scope == scope).values(scope=renamed))


def find_servers(connection: sa.Connection, kind: str) -> set[int]:
    """Return the servers of which something is stored, and that no job of a kind is about."""
    found: set[int] = set()
    for query in _list_server_queries():
        found |= set(connection.execute(query).scalars())
    waiting = sa.select(jobs.c.guild).where(jobs.c.kind == kind)
    folded = {guild for guild in found if guild < MIN_SERVER}
    return found - folded - set(connection.execute(waiting).scalars())


@cache
def _list_server_queries() -> tuple[sa.Select[int], ...]:
    queries = []
    # Not by the matches, of which there may be millions: those alone are their players'.
    titled = {column.table for column in _list_words() if "guild" in column.table.c}
    for table in (*titled, *list_server_tables(load_metadata(), ServerErasure.DELETED)):
        if (subject := _find_subject(table)) is not None:
            queries.append(sa.select(subject).where(table.c.scope == SERVER_SCOPE))
        elif "guild" in table.c and table is not jobs:
            queries.append(sa.select(table.c.guild))
    return tuple(query.distinct() for query in queries)
