"""Tournaments beside leagues: rounds, byes, several games, and what else organisers rule."""

from alembic import op
from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Identity,
    Integer,
    PrimaryKeyConstraint,
    Text,
)

from bot.platform.db.migrations.operations import (
    add_json_column,
    create_partial_index,
    create_strict_table,
)
from bot.platform.db.tables import BIG, Flag

revision = "22"
down_revision = "21"


def upgrade() -> None:
    """Add the columns, and make the tables."""
    op.execute("ALTER TABLE contests RENAME COLUMN weeks TO days")
    op.execute("UPDATE contests SET days = days * 7")
    for column in (
        Column("format", Text, nullable=False, server_default="league"),
        Column("rounds", Integer),
        Column("best_of", Integer, nullable=False, server_default="1"),
        Column("third_place", Flag, nullable=False, server_default="0"),
        Column("role", BIG),
        Column("size", Integer),
        Column("late_entry", Flag, nullable=False, server_default="1"),
        Column("paused", BIG),
        Column("by_clock", Flag, nullable=False, server_default="0"),
        Column("closed_rounds", Integer, nullable=False, server_default="0"),
    ):
        op.add_column("contests", column)
    add_json_column("contests", "more_games", default="[]")
    op.add_column(
        "entrants", Column("replaces", BIG, ForeignKey("people.id")), inline_references=True
    )
    for name in ("round", "board"):
        op.add_column("pairings", Column(name, Integer, nullable=False, server_default="1"))
    create_strict_table(
        "byes",
        Column("contest", BIG, ForeignKey("contests.id"), nullable=False),
        Column("round", Integer, nullable=False),
        Column("person", BIG, ForeignKey("people.id"), nullable=False),
        Column("half_points", Integer, nullable=False),
        PrimaryKeyConstraint("contest", "round", "person"),
        has_rowid=False,
    )
    _allow_rulings()
    _allow_contests_to_pause()


def _allow_rulings() -> None:
    """Let organisers rule more: for another check SQLite needs a new table."""
    op.execute("ALTER TABLE contest_rulings RENAME TO former_rulings")
    op.drop_index("contest_rulings_about")
    create_strict_table(
        "contest_rulings",
        Column("id", BIG, Identity(), primary_key=True),
        Column("contest", BIG, ForeignKey("contests.id"), nullable=False),
        Column("at", BIG, nullable=False),
        Column("moderator", BIG, ForeignKey("people.id"), nullable=False),
        Column("action", Text, nullable=False),
        Column("person", BIG, ForeignKey("people.id")),
        Column("reason", Text, nullable=False),
        CheckConstraint(
            "action IN ('start', 'extend', 'remove', 'replace', 'pause', 'resume', 'cancel')"
        ),
    )
    op.create_index("contest_rulings_about", "contest_rulings", ["contest"])
    # They get new numbers, to which nothing refers, so that the next one follows on them.
    op.execute(
        "INSERT INTO contest_rulings (contest, at, moderator, action, person, reason) "
        "SELECT contest, at, moderator, action, person, reason FROM former_rulings ORDER BY id"
    )
    op.drop_table("former_rulings")


def _allow_contests_to_pause() -> None:
    """Let the clocks of a contest stand still, which takes a new table in the same way."""
    op.execute("ALTER TABLE stoppages RENAME TO former_stoppages")
    op.drop_index("open_stoppages")
    create_strict_table(
        "stoppages",
        Column("scope", Text, nullable=False),
        Column("subject", BIG, nullable=False),
        Column("began", BIG, nullable=False),
        Column("ended", BIG),
        PrimaryKeyConstraint("scope", "subject", "began"),
        CheckConstraint("scope IN ('server', 'match', 'contest')"),
        CheckConstraint("ended > began"),
        has_rowid=False,
    )
    op.execute("INSERT INTO stoppages SELECT scope, subject, began, ended FROM former_stoppages")
    op.drop_table("former_stoppages")
    create_partial_index(
        "open_stoppages", "stoppages", ["scope", "subject"], "ended IS NULL", is_unique=True
    )
