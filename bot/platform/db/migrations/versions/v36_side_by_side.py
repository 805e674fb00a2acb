"""How many matches of a person a contest has side by side, and how many people it began with."""

from alembic import op
from sqlalchemy import Column, Integer, text

revision = "36"
down_revision = "35"


def upgrade() -> None:
    """Make the columns; what goes on has begun with all its matches."""
    at_once = Column("at_once", Integer, nullable=False, server_default=text("10"))
    op.add_column("contests", at_once)
    op.add_column("contests", Column("starters", Integer))
