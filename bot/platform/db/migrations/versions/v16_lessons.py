"""How far each person is in the lessons that they have begun."""

from sqlalchemy import Column, Integer, PrimaryKeyConstraint, Text

from bot.platform.db.migrations.operations import create_strict_table
from bot.platform.db.tables import BIG

revision = "16"
down_revision = "15"


def upgrade() -> None:
    """Make the table."""
    create_strict_table(
        "lessons",
        Column("person", BIG, nullable=False),
        Column("lesson", Text, nullable=False),
        Column("step", Integer, nullable=False),
        Column("presses", Text, nullable=False),
        Column("touched", BIG, nullable=False),
        PrimaryKeyConstraint("person", "lesson"),
        has_rowid=False,
    )
