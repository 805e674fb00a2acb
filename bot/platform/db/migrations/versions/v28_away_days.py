"""How many days away stop a player's clocks in a match of a league or tournament."""

from alembic import op
from sqlalchemy import Column, Integer

revision = "28"
down_revision = "27"


def upgrade() -> None:
    """Add the columns. In what has begun, all days away stop a clock, as before."""
    op.add_column("contests", Column("away_days", Integer))
    op.add_column("matches", Column("away_days", Integer))
