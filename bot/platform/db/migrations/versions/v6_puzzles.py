"""Which puzzle a server had on which day; what streak of solved ones somebody has."""

from sqlalchemy import Column, Integer, PrimaryKeyConstraint, Text

from bot.platform.db.migrations.operations import create_strict_table
from bot.platform.db.tables import BIG

revision = "6"
down_revision = "5"


def upgrade() -> None:
    """Make the two tables."""
    create_strict_table(
        "puzzles",
        Column("scope", Text, nullable=False),
        Column("id", BIG, nullable=False),
        Column("day", Integer, nullable=False),
        Column("puzzle", Text, nullable=False),
        PrimaryKeyConstraint("scope", "id", "day"),
        has_rowid=False,
    )
    create_strict_table(
        "streaks",
        Column("person", BIG, primary_key=True, autoincrement=False),
        Column("day", Integer, nullable=False),
        Column("puzzle", Text, nullable=False),
        Column("streak", Integer, nullable=False),
    )
