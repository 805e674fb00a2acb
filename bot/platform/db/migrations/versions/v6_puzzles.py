"""Which puzzle a server had on which day; what streak of solved ones somebody has."""

from alembic import op
from sqlalchemy import Column, Integer, PrimaryKeyConstraint, Text

from bot.platform.db.columns import BIG

revision = "6"
down_revision = "5"


def upgrade() -> None:
    """Make the two tables."""
    op.create_table(
        "puzzles",
        Column("scope", Text, nullable=False),
        Column("id", BIG, nullable=False),
        Column("day", Integer, nullable=False),
        Column("puzzle", Text, nullable=False),
        PrimaryKeyConstraint("scope", "id", "day"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "streaks",
        Column("person", BIG, primary_key=True, autoincrement=False),
        Column("day", Integer, nullable=False),
        Column("puzzle", Text, nullable=False),
        Column("streak", Integer, nullable=False),
        sqlite_strict=True,
    )
