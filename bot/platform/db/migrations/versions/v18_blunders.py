"""What people played badly in reported matches, as puzzles of their own."""

from sqlalchemy import Column, ForeignKey, Integer, PrimaryKeyConstraint, Text

from bot.platform.db.migrations.operations import create_strict_table
from bot.platform.db.tables import BIG, REAL, Flag

revision = "18"
down_revision = "17"


def upgrade() -> None:
    """Make the table."""
    create_strict_table(
        "blunders",
        Column("person", BIG, ForeignKey("people.id"), nullable=False),
        Column("match", BIG, ForeignKey("matches.id"), nullable=False),
        Column("version", Integer, nullable=False),
        Column("play", Text, nullable=False),
        Column("error", REAL, nullable=False),
        Column("tries", Integer, nullable=False, server_default="0"),
        Column("solved", Flag, nullable=False, server_default="0"),
        PrimaryKeyConstraint("person", "match", "version"),
        has_rowid=False,
    )
