"""Who is no longer there in a contest, or was missing and is back; and what became of its start."""

from alembic import op
from sqlalchemy import Column, Integer, Text

from bot.platform.db.tables import Flag

revision = "35"
down_revision = "34"


def upgrade() -> None:
    """Make the columns; of contests so far nothing of this is known."""
    op.add_column("entrants", Column("departure", Text))
    op.add_column("entrants", Column("back_after", Integer))
    op.add_column("contests", Column("shortfalls", Integer, nullable=False, server_default="0"))
    op.add_column("contests", Column("unplayed", Flag, nullable=False, server_default="0"))
    op.add_column("contests", Column("role_deleted", Flag, nullable=False, server_default="0"))
