"""How boards are drawn: for one person's own views, or for everyone in a server."""

from sqlalchemy import CheckConstraint, Column, Integer, PrimaryKeyConstraint, Text

from bot.platform.db.migrations.operations import create_strict_table
from bot.platform.db.tables import BIG

revision = "2"
down_revision = "1"


def upgrade() -> None:
    """Make the table of looks."""
    create_strict_table(
        "looks",
        Column("scope", Text, nullable=False),
        Column("id", BIG, nullable=False),
        Column("theme", Text),
        Column("seat", Text, nullable=False),
        Column("numbered", Integer, nullable=False),
        PrimaryKeyConstraint("scope", "id"),
        CheckConstraint("scope IN ('person', 'server')"),
        CheckConstraint("seat IN ('gold', 'black', 'mine')"),
        CheckConstraint("numbered IN (0, 1)"),
        has_rowid=False,
    )
