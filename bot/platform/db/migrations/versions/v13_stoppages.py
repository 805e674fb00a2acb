"""Stops of a server's or a single match's clocks; the channel that contains a match's thread."""

from alembic import op
from sqlalchemy import CheckConstraint, Column, PrimaryKeyConstraint, Text

from bot.platform.db.migrations.operations import create_partial_index, create_strict_table
from bot.platform.db.tables import BIG

revision = "13"
down_revision = "12"


def upgrade() -> None:
    """Add the table and the column, and fill in the channel of each running match's thread."""
    create_strict_table(
        "stoppages",
        Column("scope", Text, nullable=False),
        Column("subject", BIG, nullable=False),
        Column("began", BIG, nullable=False),
        Column("ended", BIG),
        PrimaryKeyConstraint("scope", "subject", "began"),
        CheckConstraint("scope IN ('server', 'match')"),
        CheckConstraint("ended > began"),
        has_rowid=False,
    )
    create_partial_index(
        "open_stoppages", "stoppages", ["scope", "subject"], "ended IS NULL", is_unique=True
    )
    op.add_column("matches", Column("parent", BIG))
    # A match that has a thread of its own began in the channel of its challenge.
    op.execute(
        "UPDATE matches SET parent ="
        " (SELECT challenges.channel FROM challenges WHERE challenges.match = matches.id)"
        " WHERE ended IS NULL AND thread = channel"
    )
