"""Which servers have public pages, and who is to be named on none."""

from alembic import op
from sqlalchemy import Column, text

from bot.platform.db.tables import Flag

revision = "30"
down_revision = "29"


def upgrade() -> None:
    """Add the columns. No server has pages, since a folder may be public for all the world."""
    op.add_column("habits", Column("pages", Flag, nullable=False, server_default=text("1")))
    op.add_column("servers", Column("pages", Flag, nullable=False, server_default=text("0")))
