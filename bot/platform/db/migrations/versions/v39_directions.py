"""Who always wants to see on boards which way men move, and where their homes are."""

from alembic import op
from sqlalchemy import Column

from bot.platform.db.tables import Flag

revision = "39"
down_revision = "38"


def upgrade() -> None:
    """Make the column; nobody has asked for it yet."""
    op.add_column("habits", Column("directions", Flag, nullable=False, server_default="0"))
