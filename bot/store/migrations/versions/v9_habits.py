"""What people keep about matches for themselves."""

from alembic import op
from sqlalchemy import Column, ForeignKey, PrimaryKeyConstraint, Text

from bot.store.columns import BIG

revision = "9"
down_revision = "7"


def upgrade() -> None:
    """Add notes that people make to themselves."""
    op.create_table(
        "memos",
        Column("person", BIG, ForeignKey("people.id"), nullable=False),
        Column("match", BIG, ForeignKey("matches.id"), nullable=False),
        Column("text", Text, nullable=False),
        PrimaryKeyConstraint("person", "match"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
