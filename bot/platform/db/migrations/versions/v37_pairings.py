"""By which rules the tables of a contest are made, and which matches either side may leave out."""

from alembic import op
from sqlalchemy import Column, Integer, text

from bot.platform.db.tables import Flag

revision = "37"
down_revision = "36"


def upgrade() -> None:
    """Add the columns; what was played or has begun keeps the tables that were shown."""
    op.add_column("contests", Column("edition", Integer, nullable=False, server_default=text("1")))
    op.execute("UPDATE contests SET edition = 2 WHERE state = 'open'")
    op.add_column("pairings", Column("optional", Flag, nullable=False, server_default=text("0")))
