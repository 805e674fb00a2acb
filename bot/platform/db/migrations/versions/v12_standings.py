"""Leaderboards by the page; indexes to find failed jobs and recent outages without a full scan."""

from alembic import op
from sqlalchemy import text

from bot.platform.db.migrations.operations import create_partial_index

revision = "12"
down_revision = "11"


def upgrade() -> None:
    """Add the indexes."""
    strength = text("(mu - 3 * sigma) DESC")
    op.create_index("rating_standings", "ratings", ["scope", "pool", strength, "person", "games"])
    create_partial_index("failed_jobs", "jobs", ["due"], "error IS NOT NULL AND given_up IS NULL")
    op.create_index("outages_by_end", "outages", ["ended"])
