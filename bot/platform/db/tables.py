"""The tables that several features share; a feature's own are in its store.

`migrations` has the checks of their content by the database.
"""

import time

from sqlalchemy import (
    Column,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    literal_column,
    text,
)

from bot.platform.db.columns import BIG, DOCUMENT, REAL, Flag

metadata = MetaData()
"""The shared tables, and those of each feature whose store has been imported."""


def load_metadata() -> MetaData:
    """Return all tables, those of every feature included."""
    # Loaded late: the stores import this module.
    import bot.store  # noqa: F401

    return metadata


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


people = Table(
    "people",
    metadata,
    Column("id", BIG, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("seen", BIG, nullable=False),
    Column("account", Text),
    Column("locale", Text),
)

contests = Table(
    "contests",
    metadata,
    Column("id", BIG, Identity(), primary_key=True),
    Column("guild", BIG, nullable=False),
    Column("channel", BIG, nullable=False),
    Column("message", BIG),
    Column("name", Text, nullable=False),
    Column("organiser", BIG, ForeignKey(people.c.id), nullable=False),
    Column("format", Text, nullable=False, server_default="league"),
    Column("game", Text, nullable=False),
    Column("more_games", DOCUMENT, nullable=False, server_default="[]"),
    Column("options", DOCUMENT, nullable=False),
    Column("rated", Flag, nullable=False),
    Column("pace", Text, nullable=False),
    Column("days", Integer, nullable=False),
    Column("rounds", Integer),
    Column("best_of", Integer, nullable=False, server_default="1"),
    Column("third_place", Flag, nullable=False, server_default="0"),
    Column("role", BIG),
    Column("size", Integer),
    Column("late_entry", Flag, nullable=False, server_default="1"),
    Column("unfinished", Text, nullable=False),
    Column("repeats", Flag, nullable=False),
    Column("season", Integer, nullable=False),
    Column("previous", BIG, ForeignKey("contests.id"), unique=True),
    Column("secret", LargeBinary, nullable=False),
    Column("commitment", Text, nullable=False),
    Column("created", BIG, nullable=False),
    Column("starts", BIG, nullable=False),
    Column("began", BIG),
    Column("ends", BIG),
    Column("closed_rounds", Integer, nullable=False, server_default="0"),
    Column("paused", BIG),
    Column("by_clock", Flag, nullable=False, server_default="0"),
    Column("away_days", Integer),
    Column("state", Text, nullable=False, server_default="open"),
    Column("first_season", BIG, ForeignKey("contests.id")),
    Column("has_event", Flag, nullable=False, server_default=text("0")),
    Column("has_roles", Flag, nullable=False, server_default=text("0")),
    Column("event", BIG),
    Column("event_problem", Text),
    Column("roles_problem", Text),
    Column("posted_digits", Integer, nullable=False, server_default=text("0")),
    Index("contests_of", "guild"),
    Index("contest_events", "event", unique=True),
)
# Literal, as in the index: with parameters SQLite would not see that the two are the same.
IS_UNFINISHED = contests.c.state.in_([literal_column("'open'"), literal_column("'running'")])
"""Whether people can sign up for a contest, or play in it."""
Index(
    # Partial, so that it stays small however many are over.
    "unfinished_contests",
    contests.c.state,
    sqlite_where=text("state IN ('open', 'running')"),
    postgresql_where=text("state IN ('open', 'running')"),
)

ladders = Table(
    "ladders",
    metadata,
    Column("id", BIG, Identity(), primary_key=True),
    Column("guild", BIG, nullable=False),
    Column("channel", BIG, nullable=False),
    Column("message", BIG),
    Column("name", Text, nullable=False),
    Column("organiser", BIG, ForeignKey(people.c.id), nullable=False),
    Column("game", Text, nullable=False),
    Column("options", DOCUMENT, nullable=False),
    Column("rated", Flag, nullable=False),
    Column("pace", Text, nullable=False),
    Column("created", BIG, nullable=False),
    Column("next_drop", BIG, nullable=False),
    Column("closed", BIG),
    Index("ladders_of", "guild"),
)
Index(
    # Partial, so that it stays small however many are closed.
    "open_ladders",
    ladders.c.guild,
    sqlite_where=text("closed IS NULL"),
    postgresql_where=text("closed IS NULL"),
)

matches = Table(
    "matches",
    metadata,
    Column("id", BIG, Identity(), primary_key=True),
    Column("guild", BIG, nullable=False),
    Column("channel", BIG, nullable=False),
    Column("message", BIG),
    Column("game", Text, nullable=False),
    Column("edition", Integer, nullable=False),
    Column("options", DOCUMENT, nullable=False),
    Column("rated", Flag, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("commitment", Text, nullable=False),
    Column("version", Integer, nullable=False, server_default=text("0")),
    Column("snapshot", DOCUMENT, nullable=False, server_default="{}"),
    Column("created", BIG, nullable=False),
    Column("touched", BIG, nullable=False),
    Column("ended", BIG),
    Column("winner", Text),
    Column("how", Text),
    Column("since", Integer, nullable=False, server_default=text("0")),
    Column("shown", Integer, nullable=False, server_default=text("0")),
    Column("dice", Integer, nullable=False, server_default=text("1")),
    Column("parts", DOCUMENT, nullable=False, server_default="{}"),
    Column("pace", Text, nullable=False, server_default="none"),
    Column("notice", BIG),
    Column("followed", Flag, nullable=False, server_default=text("0")),
    Column("thread", BIG),
    Column("parent", BIG),
    # Read with every match, and nearly always empty, so it is here and not in a table of its own.
    Column("former", DOCUMENT, nullable=False, server_default="[]"),
    Column("contest", BIG, ForeignKey("contests.id")),
    Column("swapped", Flag, nullable=False, server_default=text("0")),
    Column("ladder", BIG, ForeignKey("ladders.id")),
    Column("rating_edition", Integer, nullable=False, server_default=text("1")),
    Column("away_days", Integer),
    Column("proof_checked", BIG),
    Column("proof_throws", Integer),
    Column("posted_digits", Integer, nullable=False, server_default=text("0")),
)
Index("ended_matches", matches.c.ended, matches.c.id)
Index(
    # All that a server's figures need of a match, so that its long row is not read for them.
    "server_results",
    *(matches.c[name] for name in ("guild", "ended", "id", "game", "how", "winner", "swapped")),
    sqlite_where=text("ended IS NOT NULL"),
    postgresql_where=text("ended IS NOT NULL"),
)
Index(
    # Partial, so that it stays small however many matches are over.
    "running_matches",
    matches.c.channel,
    sqlite_where=text("ended IS NULL"),
    postgresql_where=text("ended IS NULL"),
)

seats = Table(
    "seats",
    metadata,
    Column("match", BIG, ForeignKey(matches.c.id), nullable=False),
    Column("side", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("person", BIG, ForeignKey(people.c.id), nullable=False),
    Column("contribution", Text, nullable=False),
    PrimaryKeyConstraint("match", "side", "number"),
    UniqueConstraint("match", "person"),
    Index("matches_of", "person"),
)

challenges = Table(
    "challenges",
    metadata,
    Column("id", BIG, Identity(), primary_key=True),
    Column("guild", BIG, nullable=False),
    Column("channel", BIG, nullable=False),
    Column("message", BIG),
    Column("challenger", BIG, ForeignKey(people.c.id), nullable=False),
    Column("opponent", BIG, ForeignKey(people.c.id)),
    Column("side", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("options", DOCUMENT, nullable=False),
    Column("rated", Flag, nullable=False),
    Column("players", Integer, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("commitment", Text, nullable=False),
    Column("created", BIG, nullable=False),
    Column("expires", BIG, nullable=False),
    Column("state", Text, nullable=False, server_default="open"),
    Column("match", BIG, ForeignKey(matches.c.id), unique=True),
    Column("rematch_of", BIG, ForeignKey(matches.c.id)),
    Column("pace", Text, nullable=False, server_default="none"),
    Column("ladder", BIG, ForeignKey(ladders.c.id)),
    Column("closed", BIG),
    Column("posted_digits", Integer, nullable=False, server_default=text("0")),
    Index("challenges_by", "challenger"),
    Index("challenges_to", "opponent"),
)
Index(
    "open_challenges",
    challenges.c.expires,
    sqlite_where=text("state = 'open'"),
    postgresql_where=text("state = 'open'"),
)

Index(
    # Partial, as few challenges are made on a ladder.
    "ladder_challenges",
    challenges.c.ladder,
    sqlite_where=text("ladder IS NOT NULL"),
    postgresql_where=text("ladder IS NOT NULL"),
)

challenge_seats = Table(
    "challenge_seats",
    metadata,
    Column("challenge", BIG, ForeignKey(challenges.c.id), nullable=False),
    Column("side", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("person", BIG, ForeignKey(people.c.id), nullable=False),
    Column("contribution", Text, nullable=False),
    PrimaryKeyConstraint("challenge", "side", "number"),
    UniqueConstraint("challenge", "person"),
)

events = Table(
    "events",
    metadata,
    Column("match", BIG, ForeignKey(matches.c.id), nullable=False),
    Column("version", Integer, nullable=False),
    Column("at", BIG, nullable=False),
    Column("person", BIG, ForeignKey(people.c.id)),
    Column("cause", Text),
    Column("record", DOCUMENT, nullable=False),
    PrimaryKeyConstraint("match", "version"),
    # An interaction that Discord sends again cannot act twice.
    UniqueConstraint("match", "cause"),
    Index("events_of", "person"),
)

ratings = Table(
    "ratings",
    metadata,
    Column("scope", Text, nullable=False),
    Column("pool", Text, nullable=False),
    Column("person", BIG, ForeignKey(people.c.id), nullable=False),
    Column("mu", REAL, nullable=False),
    Column("sigma", REAL, nullable=False),
    Column("games", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    Column("updated", BIG, nullable=False),
    PrimaryKeyConstraint("scope", "pool", "person"),
)
# Literal, as in the index: with a parameter no database would see that the two are the same.
STRENGTH = ratings.c.mu - literal_column("3") * ratings.c.sigma
"""What is certain of somebody's strength."""
Index(
    "rating_standings",
    ratings.c.scope,
    ratings.c.pool,
    STRENGTH.desc(),
    ratings.c.person,
    # So that those without enough games are passed over without a look at their rows.
    ratings.c.games,
)

rating_changes = Table(
    "rating_changes",
    metadata,
    Column("match", BIG, ForeignKey(matches.c.id), nullable=False),
    Column("scope", Text, nullable=False),
    Column("pool", Text, nullable=False),
    Column("person", BIG, ForeignKey(people.c.id), nullable=False),
    Column("before_mu", REAL),
    Column("before_sigma", REAL),
    Column("after_mu", REAL, nullable=False),
    Column("after_sigma", REAL, nullable=False),
    Column("side", Text, nullable=False, server_default="gold"),
    Column("day", Integer),
    PrimaryKeyConstraint("match", "scope", "pool", "person"),
    # With the day, so that those of a match that ends are found however much its people played.
    Index("rating_course", "scope", "pool", "person", "day"),
)

outages = Table(
    "outages",
    metadata,
    Column("began", BIG, nullable=False),
    Column("shard", Integer, nullable=False, server_default=text("0")),
    Column("shards", Integer, nullable=False, server_default=text("1")),
    Column("ended", BIG, nullable=False),
    PrimaryKeyConstraint("began", "shard", "shards"),
    Index("outages_by_end", "ended"),
)

stoppages = Table(
    "stoppages",
    metadata,
    Column("scope", Text, nullable=False),
    Column("subject", BIG, nullable=False),
    Column("began", BIG, nullable=False),
    Column("ended", BIG),
    PrimaryKeyConstraint("scope", "subject", "began"),
)
Index(
    # At most one open stoppage of each subject, on which `Pauses.stop_clocks` relies.
    "open_stoppages",
    stoppages.c.scope,
    stoppages.c.subject,
    unique=True,
    sqlite_where=text("ended IS NULL"),
    postgresql_where=text("ended IS NULL"),
)

presences = Table(
    "presences",
    metadata,
    Column("shard", Integer, nullable=False),
    Column("shards", Integer, nullable=False),
    Column("at", BIG, nullable=False),
    PrimaryKeyConstraint("shard", "shards"),
)

absences = Table(
    "absences",
    metadata,
    Column("person", BIG, ForeignKey(people.c.id), nullable=False),
    Column("began", BIG, nullable=False),
    Column("ended", BIG, nullable=False),
    PrimaryKeyConstraint("person", "began"),
)

servers = Table(
    "servers",
    metadata,
    Column("guild", BIG, primary_key=True, autoincrement=False),
    Column("pace", Text, nullable=False),
    Column("news", BIG),
    Column("rated", Flag, nullable=False, server_default=text("1")),
    Column("channels", DOCUMENT, nullable=False, server_default="[]"),
    Column("role", BIG),
    Column("threads", Flag, nullable=False, server_default=text("0")),
    Column("single", Flag, nullable=False, server_default=text("0")),
    Column("quiet", DOCUMENT, nullable=False, server_default="[]"),
    Column("zone", Text),
    Column("language", Text),
    Column("pages", Flag, nullable=False, server_default=text("0")),
)

blocks = Table(
    "blocks",
    metadata,
    Column("person", BIG, ForeignKey(people.c.id), nullable=False),
    Column("blocked", BIG, ForeignKey(people.c.id), nullable=False),
    PrimaryKeyConstraint("person", "blocked"),
    Index("blocks_of", "blocked"),
)

notes = Table(
    "notes",
    metadata,
    Column("name", Text, primary_key=True),
    Column("text", Text, nullable=False),
)

jobs = Table(
    "jobs",
    metadata,
    Column("id", BIG, Identity(), primary_key=True),
    Column("kind", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("detail", DOCUMENT, nullable=False),
    Column("due", BIG, nullable=False),
    Column("revision", Integer, nullable=False, server_default=text("1")),
    Column("tries", Integer, nullable=False, server_default=text("0")),
    Column("error", Text),
    Column("given_up", BIG),
    Column("created", BIG, nullable=False, default=_now_ms),
    Column("guild", BIG, nullable=False, server_default=text("0")),
    Column("leased_by", Text),
    Column("leased_until", BIG),
    # By this a job is renewed instead of being enqueued twice.
    UniqueConstraint("kind", "key"),
)
Index(
    "waiting_jobs",
    jobs.c.due,
    sqlite_where=text("given_up IS NULL"),
    postgresql_where=text("given_up IS NULL"),
)
_failed = text("error IS NOT NULL AND given_up IS NULL")
Index("failed_jobs", jobs.c.due, sqlite_where=_failed, postgresql_where=_failed)
