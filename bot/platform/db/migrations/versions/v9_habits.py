"""Notes on matches, confirmation of a turn's end, followers of a match, and a server's news."""

from alembic import op
from sqlalchemy import CheckConstraint, Column, ForeignKey, PrimaryKeyConstraint, Text

from bot.platform.db.migrations.operations import create_strict_table
from bot.platform.db.tables import BIG, Flag

revision = "9"
down_revision = "8"


def upgrade() -> None:
    """Add them; nobody has asked yet to confirm anything, or to follow a match."""
    op.add_column("habits", Column("confirms", Flag, nullable=False, server_default="0"))
    create_strict_table(
        "memos",
        Column("person", BIG, ForeignKey("people.id"), nullable=False),
        Column("match", BIG, ForeignKey("matches.id"), nullable=False),
        Column("text", Text, nullable=False),
        PrimaryKeyConstraint("person", "match"),
        has_rowid=False,
    )
    op.add_column("matches", Column("followed", Flag, nullable=False, server_default="0"))
    create_strict_table(
        "follows",
        Column("match", BIG, ForeignKey("matches.id"), nullable=False),
        Column("person", BIG, ForeignKey("people.id"), nullable=False),
        Column("often", Text, nullable=False),
        PrimaryKeyConstraint("match", "person"),
        CheckConstraint("often IN ('end', 'turn')"),
        has_rowid=False,
    )
    op.create_index("followed_by", "follows", ["person"])
    op.add_column("servers", Column("news", BIG))
