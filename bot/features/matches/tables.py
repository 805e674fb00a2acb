"""The tables of matches, their seats, their events, and what they did to ratings."""

from collections.abc import Collection

import sqlalchemy as sa

from bot.platform.db import tables as db

matches = sa.Table(
    "matches",
    db.metadata,
    sa.Column("id", db.BIG, sa.Identity(), primary_key=True, info=db.NUMBER),
    sa.Column("guild", db.BIG, nullable=False, info=db.PLACE),
    sa.Column("channel", db.BIG, nullable=False, info=db.PLACE),
    sa.Column("message", db.BIG, info=db.PLACE),
    sa.Column("game", sa.Text, nullable=False, info=db.RULES),
    sa.Column("edition", sa.Integer, nullable=False, info=db.NUMBER),
    sa.Column("options", db.DOCUMENT, nullable=False, info=db.RULES),
    sa.Column("rated", db.Flag, nullable=False, info=db.RULES),
    sa.Column("secret", sa.LargeBinary, nullable=False, info=db.SECRET),
    sa.Column("commitment", sa.Text, nullable=False, info=db.SECRET),
    sa.Column("version", sa.Integer, nullable=False, server_default=sa.text("0"), info=db.NUMBER),
    sa.Column("snapshot", db.DOCUMENT, nullable=False, server_default="{}", info=db.OUTCOME),
    sa.Column("created", db.BIG, nullable=False, info=db.INSTANT),
    sa.Column("touched", db.BIG, nullable=False, info=db.INSTANT),
    sa.Column("ended", db.BIG, info=db.INSTANT),
    sa.Column("winner", sa.Text, info=db.OUTCOME),
    sa.Column("how", sa.Text, info=db.OUTCOME),
    sa.Column("since", sa.Integer, nullable=False, server_default=sa.text("0"), info=db.NUMBER),
    sa.Column("shown", sa.Integer, nullable=False, server_default=sa.text("0"), info=db.NUMBER),
    sa.Column("dice", sa.Integer, nullable=False, server_default=sa.text("1"), info=db.NUMBER),
    sa.Column("parts", db.DOCUMENT, nullable=False, server_default="{}", info=db.OUTCOME),
    sa.Column("pace", sa.Text, nullable=False, server_default="none", info=db.RULES),
    sa.Column("notice", db.BIG, info=db.PLACE),
    sa.Column("followed", db.Flag, nullable=False, server_default=sa.text("0"), info=db.STATE),
    sa.Column("thread", db.BIG, info=db.PLACE),
    sa.Column("parent", db.BIG, info=db.PLACE),
    # Read with every match, and nearly always empty, so it is here and not in a table of its own.
    sa.Column("former", db.DOCUMENT, nullable=False, server_default="[]", info=db.PEOPLE),
    sa.Column("contest", db.BIG, sa.ForeignKey("contests.id"), info=db.NUMBER),
    sa.Column("swapped", db.Flag, nullable=False, server_default=sa.text("0"), info=db.OUTCOME),
    sa.Column("ladder", db.BIG, sa.ForeignKey("ladders.id"), info=db.NUMBER),
    sa.Column(
        "rating_edition", sa.Integer, nullable=False, server_default=sa.text("1"), info=db.NUMBER
    ),
    sa.Column("away_days", sa.Integer, info=db.NUMBER),
    sa.Column("proof_checked", db.BIG, info=db.INSTANT),
    sa.Column("proof_throws", sa.Integer, info=db.NUMBER),
    sa.Column(
        "posted_digits", sa.Integer, nullable=False, server_default=sa.text("0"), info=db.NUMBER
    ),
    info=db.SHARED_RECORD,
)

# Partial, since few matches had other players before.
sa.Index("matches_with_former", matches.c.id, **db.where_filled("former"))

SIGHT_CHANNEL = sa.case(
    (
        sa.and_(matches.c.thread == matches.c.channel, matches.c.parent.is_not(None)),
        matches.c.parent,
    ),
    else_=matches.c.channel,
)
"""The channel that decides who sees a match, as `get_sight_channel` says of a row."""

sa.Index("ended_matches", matches.c.ended, matches.c.id)
sa.Index("matches_in", matches.c.guild)

sa.Index(
    # All that a server's figures need of a match, so that its long row is not read for them.
    "server_results",
    *(matches.c[name] for name in ("guild", "ended", "id", "game", "how", "winner", "swapped")),
    **db.where_known("ended"),
)

sa.Index(
    # Partial, so that it stays small however many matches are over.
    "running_matches",
    matches.c.channel,
    **db.where("ended IS NULL"),
)

seats = sa.Table(
    "seats",
    db.metadata,
    sa.Column("match", db.BIG, sa.ForeignKey(matches.c.id), nullable=False, info=db.NUMBER),
    sa.Column("side", sa.Text, nullable=False, info=db.RULES),
    sa.Column("number", sa.Integer, nullable=False, info=db.NUMBER),
    sa.Column("person", db.BIG, sa.ForeignKey(db.people.c.id), nullable=False, info=db.PARTICIPANT),
    sa.Column("contribution", sa.Text, nullable=False, info=db.CONTRIBUTION),
    sa.PrimaryKeyConstraint("match", "side", "number"),
    sa.UniqueConstraint("match", "person"),
    sa.Index("matches_of", "person"),
    info=db.PLAYERS_OWN,
)

events = sa.Table(
    "events",
    db.metadata,
    sa.Column("match", db.BIG, sa.ForeignKey(matches.c.id), nullable=False, info=db.NUMBER),
    sa.Column("version", sa.Integer, nullable=False, info=db.NUMBER),
    sa.Column("at", db.BIG, nullable=False, info=db.INSTANT),
    sa.Column("person", db.BIG, sa.ForeignKey(db.people.c.id), info=db.PARTICIPANT),
    sa.Column("cause", sa.Text, info=db.declare_personal(db.Erasure.TITLE, in_matches=True)),
    sa.Column("record", db.DOCUMENT, nullable=False, info=db.OUTCOME),
    sa.PrimaryKeyConstraint("match", "version"),
    # An interaction that Discord sends again cannot act twice.
    sa.UniqueConstraint("match", "cause"),
    sa.Index("events_of", "person"),
    info=db.PLAYERS_OWN,
)

rating_changes = sa.Table(
    "rating_changes",
    db.metadata,
    sa.Column("match", db.BIG, sa.ForeignKey(matches.c.id), nullable=False, info=db.NUMBER),
    sa.Column("scope", sa.Text, nullable=False, info=db.RATING),
    sa.Column("pool", sa.Text, nullable=False, info=db.RATING),
    sa.Column("person", db.BIG, sa.ForeignKey(db.people.c.id), nullable=False, info=db.PARTICIPANT),
    sa.Column("before_mu", db.REAL, info=db.RATING),
    sa.Column("before_sigma", db.REAL, info=db.RATING),
    sa.Column("after_mu", db.REAL, nullable=False, info=db.RATING),
    sa.Column("after_sigma", db.REAL, nullable=False, info=db.RATING),
    sa.Column("side", sa.Text, nullable=False, server_default="gold", info=db.RULES),
    sa.Column("day", sa.Integer, info=db.NUMBER),
    sa.PrimaryKeyConstraint("match", "scope", "pool", "person"),
    # With the day, so that those of a match that ends are found however much its people played.
    sa.Index("rating_changes_of", "person"),
    sa.Index("rating_course", "scope", "pool", "person", "day"),
    info=db.SHARED_RECORD,
)


def is_in_sight(hidden: Collection[int], reader: int | None = None) -> sa.ColumnElement[bool]:
    """Return the condition that a match is in no hidden channel, or that the reader plays in it."""
    if not hidden:
        return sa.true()
    is_open = SIGHT_CHANNEL.not_in(sorted(hidden))
    if reader is None:
        return is_open
    theirs = sa.exists().where(seats.c.match == matches.c.id, seats.c.person == reader)
    return sa.or_(is_open, theirs)
