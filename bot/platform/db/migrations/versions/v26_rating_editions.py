"""By which rules a match is rated, and the day on which its players' limit counts it."""

from alembic import op
from sqlalchemy import Column, Integer, text

revision = "26"
down_revision = "25"


def upgrade() -> None:
    """Add the columns. What began before is rated as it was, and no day counts it."""
    op.add_column(
        "matches", Column("rating_edition", Integer, nullable=False, server_default=text("1"))
    )
    op.add_column("rating_changes", Column("day", Integer))
    op.drop_index("rating_course", "rating_changes")
    op.create_index("rating_course", "rating_changes", ["scope", "pool", "person", "day"])
