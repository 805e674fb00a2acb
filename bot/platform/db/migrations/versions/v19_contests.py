"""Leagues: who signed up, who meets whom, and what their organisers ruled."""

from alembic import op
from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Identity,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    Text,
)

from bot.platform.db.migrations.operations import (
    create_json_check,
    create_partial_index,
    create_strict_table,
)
from bot.platform.db.tables import BIG, DOCUMENT, Flag

revision = "19"
down_revision = "18"


def upgrade() -> None:
    """Make the tables, and let a match belong to a league."""
    create_strict_table(
        "contests",
        Column("id", BIG, Identity(), primary_key=True),
        Column("guild", BIG, nullable=False),
        Column("channel", BIG, nullable=False),
        Column("message", BIG),
        Column("name", Text, nullable=False),
        Column("organiser", BIG, ForeignKey("people.id"), nullable=False),
        Column("game", Text, nullable=False),
        Column("options", DOCUMENT, nullable=False),
        Column("rated", Flag, nullable=False),
        Column("pace", Text, nullable=False),
        Column("weeks", Integer, nullable=False),
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
        Column("state", Text, nullable=False, server_default="open"),
        CheckConstraint("state IN ('open', 'running', 'over', 'cancelled')"),
        CheckConstraint("unfinished IN ('evaluation', 'draw')"),
        create_json_check("options"),
    )
    op.create_index("contests_of", "contests", ["guild"])
    create_partial_index(
        "unfinished_contests", "contests", ["state"], "state IN ('open', 'running')"
    )
    op.add_column(
        "matches", Column("contest", BIG, ForeignKey("contests.id")), inline_references=True
    )
    create_strict_table(
        "entrants",
        Column("contest", BIG, ForeignKey("contests.id"), nullable=False),
        Column("person", BIG, ForeignKey("people.id"), nullable=False),
        Column("contribution", Text, nullable=False),
        Column("joined", BIG, nullable=False),
        Column("division", Integer),
        Column("seed", Integer),
        Column("left", BIG),
        PrimaryKeyConstraint("contest", "person"),
        has_rowid=False,
    )
    op.create_index("entrants_of", "entrants", ["person"])
    create_strict_table(
        "pairings",
        Column("contest", BIG, ForeignKey("contests.id"), nullable=False),
        Column("number", Integer, nullable=False),
        Column("division", Integer, nullable=False),
        Column("first", BIG, ForeignKey("people.id"), nullable=False),
        Column("second", BIG, ForeignKey("people.id"), nullable=False),
        Column("match", BIG, ForeignKey("matches.id"), nullable=False, unique=True),
        Column("winner", BIG, ForeignKey("people.id")),
        Column("how", Text),
        PrimaryKeyConstraint("contest", "number"),
        CheckConstraint("first <> second"),
    )
    create_strict_table(
        "contest_rulings",
        Column("id", BIG, Identity(), primary_key=True),
        Column("contest", BIG, ForeignKey("contests.id"), nullable=False),
        Column("at", BIG, nullable=False),
        Column("moderator", BIG, ForeignKey("people.id"), nullable=False),
        Column("action", Text, nullable=False),
        Column("person", BIG, ForeignKey("people.id")),
        Column("reason", Text, nullable=False),
        CheckConstraint("action IN ('start', 'extend', 'remove', 'cancel')"),
    )
    op.create_index("contest_rulings_about", "contest_rulings", ["contest"])
