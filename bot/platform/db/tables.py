"""How tables are declared, and those of the platform: people, outages, jobs and metadata.

A column says what it has to do with people, `Column("person", BIG, nullable=False, info=OWNER)`,
and a table that knows servers, or matches and contests in them, `Table(..., info=SERVERS_OWN)`.
Tests fail for what says nothing. The kinds of columns are alike on SQLite (in STRICT tables) and on
PostgreSQL; `migrations` has the checks of their content by the database. A feature's own tables are
in its store.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.sql.elements import ColumnElement
from sqlalchemy.types import TypeDecorator, TypeEngine

from bot.platform.features import load_modules
from engine.strict_json import parse_json, write_json

# STRICT tables know no BIGINT, and SQLite's INTEGER has 64 bits anyway.
BIG = sa.BigInteger().with_variant(sqlite.INTEGER(), "sqlite")
"""Whole numbers of 64 bits: Discord's ids, and instants."""

REAL: TypeEngine[float] = sa.Double().with_variant(sqlite.REAL(), "sqlite")


class Flag(TypeDecorator[bool]):
    """Yes or no, kept as 1 or 0."""

    impl = sa.Integer
    cache_ok = True

    def process_bind_param(self, value: bool | None, dialect: sa.Dialect) -> int | None:
        """Return the number to keep."""
        return None if value is None else int(value)

    def process_result_value(self, value: int | None, dialect: sa.Dialect) -> bool | None:
        """Return the flag that the number represents."""
        return None if value is None else bool(value)


class _JsonText(TypeDecorator[Any]):
    """JSON as text, since SQLite's STRICT tables know no type of that name."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: sa.Dialect) -> str:  # noqa: ANN401
        """Return the text to keep."""
        return write_json(value)

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> Any:  # noqa: ANN401
        """Return what the text says."""
        return None if value is None else parse_json(value)


DOCUMENT = sa.JSON().with_variant(_JsonText(), "sqlite")


def where(condition: str) -> dict[str, Any]:
    """Return the options of an index of those rows alone that a condition holds for."""
    return {"sqlite_where": sa.text(condition), "postgresql_where": sa.text(condition)}


def where_known(column: str) -> dict[str, Any]:
    """Return the options of an index of those rows alone that have something in a column."""
    return where(f"{column} IS NOT NULL")


def where_filled(column: str) -> dict[str, Any]:
    """Return the options of an index of those rows alone whose document has something in it."""
    return where(f"CAST({column} AS TEXT) <> '[]'")


def is_filled(column: sa.Column[Any]) -> ColumnElement[bool]:
    """Return the condition that a document has something in it, as such an index knows it."""
    # Literal: with a parameter no database would see that the two are the same.
    return sa.cast(column, sa.Text) != sa.literal_column("'[]'")


_PERSONAL = "personal"
_SERVER = "server"


class Erasure(StrEnum):
    """What becomes of a column when a person has their data deleted."""

    ROW = auto()
    """The column names the person, and the row is deleted."""
    PSEUDONYM = auto()
    """The column names the person, and a pseudonym takes their place: others need the row."""
    PEOPLE = auto()
    """A document with ids of people, of which the person's becomes the pseudonym."""
    WORDS = auto()
    """A text that somebody typed: deleted if it is the person's own, and else kept without them."""
    TITLE = auto()
    """A text that belongs to a club: kept without the person."""
    WORD = auto()
    """What somebody gave to the dice: a number, and perhaps a word of their own."""
    JOB = auto()
    """Part of a job, which is deleted if it is about the person."""
    WITH_ROW = auto()
    """The person's own, deleted with the row."""


@dataclass(frozen=True, slots=True)
class PersonalColumn:
    """A column that can hold a person.

    `author` is the column that says whose words it holds, `scope` the one that says whether an id
    is a person's. With `in_matches` only rows about their matches can hold somebody. What is not
    exported has a reason, `withheld`.
    """

    erasure: Erasure
    author: str = ""
    scope: str = ""
    in_matches: bool = False
    withheld: str = ""


@dataclass(frozen=True, slots=True)
class ImpersonalColumn:
    """A column that holds no person, and why."""

    why: str


ColumnRule = PersonalColumn | ImpersonalColumn


def declare_personal(
    erasure: Erasure,
    *,
    author: str = "",
    scope: str = "",
    in_matches: bool = False,
    withheld: str = "",
) -> dict[str, Any]:
    """Return what a column that can hold a person says in its `info`."""
    rule = PersonalColumn(erasure, author, scope, in_matches, withheld)
    return {_PERSONAL: rule}


def declare_impersonal(why: str) -> dict[str, Any]:
    """Return what a column that holds no person says in its `info`."""
    return {_PERSONAL: ImpersonalColumn(why)}


OWNER = declare_personal(Erasure.ROW)
"""The person to whom a row belongs."""
SCOPED_OWNER = declare_personal(Erasure.ROW, scope="scope")
"""To whom a row belongs: a person or, as its scope says, a server."""
OWN = declare_personal(Erasure.WITH_ROW)
"""What is the owner's alone."""
PARTICIPANT = declare_personal(Erasure.PSEUDONYM)
"""A person in a row that others need."""
PEOPLE = declare_personal(Erasure.PEOPLE)
"""A document with ids of people."""
TITLE = declare_personal(Erasure.TITLE)
"""A text that belongs to a club."""
REASON = declare_personal(Erasure.WORDS, author="moderator")
"""What a moderator wrote."""
CONTRIBUTION = declare_personal(Erasure.WORD)
"""What somebody gave to the dice."""
NUMBER = declare_impersonal("a number that the program gives")
INSTANT = declare_impersonal("an instant at which something happened or is due")
PLACE = declare_impersonal("a place on Discord: a server, channel, message, role or event")
SCOPE = declare_impersonal("whether an id is a person's")
RULES = declare_impersonal("what is played, and by which rules")
OUTCOME = declare_impersonal(
    "what the rules make of a match; they know sides and seats, but nobody"
)
STATE = declare_impersonal("the state that something is in, or a word of the program's own")
SECRET = declare_impersonal("the secret of the dice, or its digest")
RATING = declare_impersonal("a leaderboard, and a strength on it")
SETTING = declare_impersonal("what a server has chosen")


def get_rule(column: sa.Column[Any]) -> ColumnRule:
    """Return what a column has to do with people; raises KeyError if nobody said so."""
    rule: ColumnRule = column.info[_PERSONAL]
    return rule


def list_personal_columns(
    metadata: sa.MetaData, erasure: Erasure
) -> list[tuple[sa.Column[Any], PersonalColumn]]:
    """Return the columns with which that is done."""
    return [
        (column, rule)
        for table in metadata.sorted_tables
        for column in table.columns
        if isinstance(rule := get_rule(column), PersonalColumn) and rule.erasure is erasure
    ]


class ServerErasure(StrEnum):
    """What becomes of a table's rows about a server when its data is deleted."""

    DELETED = auto()
    """The rows are the server's, and are deleted."""
    RENUMBERED = auto()
    """Others need the rows: its places go, and a number stands for the server where one must."""
    KEPT = auto()
    """No place stands in the rows, which belong to a contest, a ladder or a match's players."""


@dataclass(frozen=True, slots=True)
class ServerTable:
    """What a table has to do with servers, directly or by what is played in them.

    `exported` says whether its rows are given to a server's owner, and `for_players` whether those
    about a match are given to everyone who plays it, whomever they name.
    """

    erasure: ServerErasure
    exported: bool
    for_players: bool = False


def declare_server(
    erasure: ServerErasure, *, exported: bool, for_players: bool = False
) -> dict[str, Any]:
    """Return what a table that knows servers, or what is played in them, says in its `info`."""
    return {_SERVER: ServerTable(erasure, exported, for_players)}


SERVERS_OWN = declare_server(ServerErasure.DELETED, exported=True)
"""What a server chose and wrote."""
SHARED_RECORD = declare_server(ServerErasure.RENUMBERED, exported=True)
"""What was played in a server, and stays its players'."""
SHARED_DETAIL = declare_server(ServerErasure.KEPT, exported=True)
"""What belongs to a server's contest or ladder, and stays its players'."""
PLAYERS_OWN = declare_server(ServerErasure.KEPT, exported=False)
"""What belongs to people, wherever they played."""
MATCH_DETAIL = declare_server(ServerErasure.KEPT, exported=False, for_players=True)
"""What belongs to all players of a match."""


def find_server_rule(table: sa.Table) -> ServerTable | None:
    """Return what a table has to do with servers; None if it knows none."""
    rule: ServerTable | None = table.info.get(_SERVER)
    return rule


def list_server_tables(metadata: sa.MetaData, erasure: ServerErasure) -> Iterator[sa.Table]:
    """Yield the tables with which that is done, those first to which none of the rest refers."""
    for table in reversed(metadata.sorted_tables):
        rule = find_server_rule(table)
        if rule is not None and rule.erasure is erasure:
            yield table


metadata = sa.MetaData()
"""The platform's tables, and those of each feature whose store has been imported."""


def load_metadata() -> sa.MetaData:
    """Return all tables, those of every feature included."""
    load_modules()
    return metadata


def now_ms() -> int:
    """Return the time as the store keeps it, by this machine: milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


people = sa.Table(
    "people",
    metadata,
    sa.Column("id", BIG, primary_key=True, autoincrement=False, info=OWNER),
    sa.Column("name", sa.Text, nullable=False, info=OWN),
    sa.Column("seen", BIG, nullable=False, info=OWN),
    sa.Column("account", sa.Text, info=OWN),
    sa.Column("locale", sa.Text, info=OWN),
)


def build_person_key() -> sa.Column[int]:
    """Return the key of a table that has a row for each person, which is theirs."""
    return sa.Column(
        "person", BIG, sa.ForeignKey(people.c.id), primary_key=True, autoincrement=False, info=OWNER
    )


former_names = sa.Table(
    # For one use: to take somebody's names out of what others wrote when their data is deleted.
    "former_names",
    metadata,
    sa.Column("person", BIG, sa.ForeignKey(people.c.id), nullable=False, info=OWNER),
    sa.Column("name", sa.Text, nullable=False, info=OWN),
    sa.Column("until", BIG, nullable=False, info=INSTANT),
    sa.PrimaryKeyConstraint("person", "name"),
)


outages = sa.Table(
    "outages",
    metadata,
    sa.Column("began", BIG, nullable=False, info=INSTANT),
    sa.Column("shard", sa.Integer, nullable=False, server_default=sa.text("0"), info=NUMBER),
    sa.Column("shards", sa.Integer, nullable=False, server_default=sa.text("1"), info=NUMBER),
    sa.Column("ended", BIG, nullable=False, info=INSTANT),
    sa.PrimaryKeyConstraint("began", "shard", "shards"),
    sa.Index("outages_by_end", "ended"),
)

_STOPPED = declare_impersonal("a server, a match or a contest, never a person")

stoppages = sa.Table(
    "stoppages",
    metadata,
    sa.Column("scope", sa.Text, nullable=False, info=_STOPPED),
    sa.Column("subject", BIG, nullable=False, info=_STOPPED),
    sa.Column("began", BIG, nullable=False, info=INSTANT),
    sa.Column("ended", BIG, info=INSTANT),
    sa.PrimaryKeyConstraint("scope", "subject", "began"),
    info=declare_server(ServerErasure.RENUMBERED, exported=False),
)
sa.Index(
    # At most one open stoppage of each subject, on which `Pauses.stop_clocks` relies.
    "open_stoppages",
    stoppages.c.scope,
    stoppages.c.subject,
    unique=True,
    **where("ended IS NULL"),
)

presences = sa.Table(
    "presences",
    metadata,
    sa.Column("shard", sa.Integer, nullable=False, info=NUMBER),
    sa.Column("shards", sa.Integer, nullable=False, info=NUMBER),
    sa.Column("at", BIG, nullable=False, info=INSTANT),
    sa.PrimaryKeyConstraint("shard", "shards"),
)

absences = sa.Table(
    "absences",
    metadata,
    sa.Column("person", BIG, sa.ForeignKey(people.c.id), nullable=False, info=PARTICIPANT),
    sa.Column("began", BIG, nullable=False, info=INSTANT),
    sa.Column("ended", BIG, nullable=False, info=INSTANT),
    sa.PrimaryKeyConstraint("person", "began"),
)


_FACT = declare_impersonal("facts that the program keeps about itself and servers")

# The program's own facts by name; what people note about matches is in the table `memos`.
program_metadata = sa.Table(
    "notes",
    metadata,
    sa.Column("name", sa.Text, primary_key=True, info=_FACT),
    sa.Column("text", sa.Text, nullable=False, info=_FACT),
)

_RUNS = "how the program runs, which is of no use to anybody else"
_JOB = declare_personal(Erasure.JOB, withheld=_RUNS)

jobs = sa.Table(
    "jobs",
    metadata,
    sa.Column("id", BIG, sa.Identity(), primary_key=True, info=NUMBER),
    sa.Column("kind", sa.Text, nullable=False, info=STATE),
    sa.Column("key", sa.Text, nullable=False, info=_JOB),
    sa.Column("detail", DOCUMENT, nullable=False, info=_JOB),
    sa.Column("due", BIG, nullable=False, info=INSTANT),
    sa.Column("revision", sa.Integer, nullable=False, server_default=sa.text("1"), info=NUMBER),
    sa.Column("tries", sa.Integer, nullable=False, server_default=sa.text("0"), info=NUMBER),
    sa.Column("error", sa.Text, info=declare_personal(Erasure.TITLE, withheld=_RUNS)),
    sa.Column("given_up", BIG, info=INSTANT),
    sa.Column("created", BIG, nullable=False, default=now_ms, info=INSTANT),
    sa.Column("guild", BIG, nullable=False, server_default=sa.text("0"), info=PLACE),
    sa.Column("leased_by", sa.Text, info=declare_impersonal("the name of a running program")),
    sa.Column("leased_until", BIG, info=INSTANT),
    # By this a job is renewed instead of being enqueued twice.
    sa.UniqueConstraint("kind", "key"),
    info=declare_server(ServerErasure.DELETED, exported=False),
)
sa.Index(
    "waiting_jobs",
    jobs.c.due,
    **where("given_up IS NULL"),
)
sa.Index("failed_jobs", jobs.c.due, **where("error IS NOT NULL AND given_up IS NULL"))
sa.Index("given_up_jobs", jobs.c.given_up, **where_known("given_up"))
sa.Index("leased_jobs", jobs.c.leased_by, **where_known("leased_by"))
