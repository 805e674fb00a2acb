"""Which message announced the end of a contest."""

from alembic import op
from sqlalchemy import Column

from bot.platform.db.tables import BIG

revision = "40"
down_revision = "39"


def upgrade() -> None:
    """Make the column; no end was announced so far."""
    op.add_column("contests", Column("closing", BIG))
