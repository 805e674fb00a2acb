"""Who looks for a game in which server, and when they were last notified of a challenge."""

from alembic import op
from sqlalchemy import Column, ForeignKey, PrimaryKeyConstraint, Text

from bot.platform.db.migrations.operations import create_strict_table
from bot.platform.db.tables import BIG

revision = "21"
down_revision = "20"


def upgrade() -> None:
    """Make the tables."""
    create_strict_table(
        "subscriptions",
        Column("person", BIG, ForeignKey("people.id"), nullable=False),
        Column("guild", BIG, nullable=False),
        Column("game", Text, nullable=False),
        PrimaryKeyConstraint("person", "guild", "game"),
        has_rowid=False,
    )
    op.create_index("subscriptions_to", "subscriptions", ["guild", "game"])
    create_strict_table(
        "challenge_notices",
        Column("person", BIG, ForeignKey("people.id"), primary_key=True, autoincrement=False),
        Column("at", BIG, nullable=False),
        Column("challenge", BIG, ForeignKey("challenges.id")),
    )
