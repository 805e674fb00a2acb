"""What is stored of a server is found without reading that of all others."""

from alembic import op

from bot.platform.db.migrations.operations import create_partial_index

revision = "43"
down_revision = "42"


def upgrade() -> None:
    """Make the indexes."""
    create_partial_index("analyses_in", "analyses", ["guild"], "guild IS NOT NULL")
    op.create_index("challenges_in", "challenges", ["guild"])
    op.create_index("matches_in", "matches", ["guild"])
