"""Several processes on one database: the owner of a job, who does it, and the shards of outages."""

from collections.abc import Mapping
from typing import Any

from alembic import op
from sqlalchemy import (
    CheckConstraint,
    Column,
    Connection,
    Integer,
    PrimaryKeyConstraint,
    Text,
    cast,
    column,
    select,
    table,
    text,
    update,
)

from bot.platform.db.migrations.operations import create_strict_table
from bot.platform.db.tables import BIG, DOCUMENT

revision = "11"
down_revision = "10"

_OF_MATCH = (
    "show match",
    "tell hindered",
    "computer",
    "report",
    "watch",
    "throw",
    "tell followers",
)
"""Kinds of jobs whose key is a match's number alone."""
_MATCH_FIRST = ("tell follower", "tell news", "offer seat")
"""Those whose key begins with a match's number."""
_MATCH_IN_DETAIL = ("close turn", "remove")
_OF_CHALLENGE = ("show challenge", "lapse")

_jobs = table("jobs", *map(column, ("id", "kind", "key", "guild")), column("detail", DOCUMENT))
_matches = table("matches", *map(column, ("id", "guild", "thread")))
_challenges = table("challenges", *map(column, ("id", "guild")))


def upgrade() -> None:
    """Let each job be of a server, and be leased; note for each shard what was noted for all."""
    op.add_column("jobs", Column("guild", BIG, nullable=False, server_default=text("0")))
    op.add_column("jobs", Column("leased_by", Text))
    op.add_column("jobs", Column("leased_until", BIG))
    for kinds, owners in ((_OF_MATCH, _matches), (_OF_CHALLENGE, _challenges)):
        theirs = (
            select(owners.c.guild).where(owners.c.id == cast(_jobs.c.key, BIG)).scalar_subquery()
        )
        # What is wished for a match that is not there fails by itself, and is kept with its error.
        there = _jobs.c.kind.in_(kinds) & theirs.is_not(None)
        op.execute(update(_jobs).where(there).values(guild=theirs))
    _assign_other_servers(op.get_bind())
    _assign_outages()
    create_strict_table(
        "presences",
        Column("shard", Integer, nullable=False),
        Column("shards", Integer, nullable=False),
        Column("at", BIG, nullable=False),
        PrimaryKeyConstraint("shard", "shards"),
        has_rowid=False,
    )
    op.execute(
        "INSERT INTO presences (shard, shards, at) "
        "SELECT 0, 1, CAST(text AS BIGINT) FROM notes WHERE name = 'alive'"
    )
    op.execute("DELETE FROM notes WHERE name = 'alive'")


def _assign_other_servers(connection: Connection) -> None:
    """Find the servers of the jobs that hold theirs in another way; there are few."""
    known = (*_OF_MATCH, *_OF_CHALLENGE)
    for job in connection.execute(select(_jobs).where(_jobs.c.kind.not_in(known))).all():
        guild = _find_guild(connection, job.kind, job.key, job.detail)
        if guild is not None:
            connection.execute(update(_jobs).where(_jobs.c.id == job.id).values(guild=guild))


def _find_guild(
    connection: Connection, kind: str, key: str, detail: Mapping[str, Any]
) -> int | None:
    if kind == "greet":
        return int(key)
    query = select(_matches.c.guild)
    if kind in _MATCH_FIRST:
        query = query.where(_matches.c.id == int(key.replace(":", " ").split()[0]))
    elif kind in _MATCH_IN_DETAIL:
        query = query.where(_matches.c.id == detail["match"])
    elif kind == "archive":
        query = query.where(_matches.c.thread == int(key))
    else:
        return None
    guild: int | None = connection.execute(query).scalar()
    return guild


def _assign_outages() -> None:
    """Let outages be of a shard. Their key changes, for which SQLite needs a new table."""
    create_strict_table(
        "shard_outages",
        # The key's columns come first: otherwise SQLite's quick_check (3.40) takes a filled column
        # for an empty one.
        Column("began", BIG, nullable=False),
        Column("shard", Integer, nullable=False, server_default=text("0")),
        Column("shards", Integer, nullable=False, server_default=text("1")),
        Column("ended", BIG, nullable=False),
        PrimaryKeyConstraint("began", "shard", "shards"),
        CheckConstraint("ended > began"),
        has_rowid=False,
    )
    op.execute("INSERT INTO shard_outages (began, ended) SELECT began, ended FROM outages")
    op.drop_table("outages")
    op.rename_table("shard_outages", "outages")
