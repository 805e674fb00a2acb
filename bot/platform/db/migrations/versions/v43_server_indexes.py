"""What is stored of a server is found without reading that of all others, and old positions go."""

from alembic import op

from bot.platform.db.migrations.operations import create_partial_index

revision = "43"
down_revision = "42"


def upgrade() -> None:
    """Make the indexes, and have old positions deleted each night where there are any."""
    create_partial_index("analyses_in", "analyses", ["guild"], "guild IS NOT NULL")
    op.create_index("challenges_in", "challenges", ["guild"])
    op.create_index("matches_in", "matches", ["guild"])
    op.execute(
        "INSERT INTO jobs (kind, key, detail, due, created) "
        "SELECT 'delete analyses', '0', '{}', created, created FROM analyses "
        "ORDER BY id DESC LIMIT 1"
    )
