"""What people keep about matches for themselves, and whether they confirm that a turn ends."""

from alembic import op
from sqlalchemy import Column, ForeignKey, PrimaryKeyConstraint, Text

from bot.store.columns import BIG, Flag

revision = "9"
down_revision = "8"


def upgrade() -> None:
    """Add notes that people make to themselves; nobody has asked yet to confirm anything."""
    op.add_column("habits", Column("confirms", Flag, nullable=False, server_default="0"))
    op.create_table(
        "memos",
        Column("person", BIG, ForeignKey("people.id"), nullable=False),
        Column("match", BIG, ForeignKey("matches.id"), nullable=False),
        Column("text", Text, nullable=False),
        PrimaryKeyConstraint("person", "match"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
