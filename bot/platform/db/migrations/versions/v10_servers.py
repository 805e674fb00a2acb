"""What servers choose about their matches, such as threads, and whom people have blocked."""

from alembic import op
from sqlalchemy import CheckConstraint, Column, ForeignKey, PrimaryKeyConstraint, text

from bot.platform.db.migrations.operations import create_strict_table
from bot.platform.db.tables import BIG, DOCUMENT, Flag

revision = "10"
down_revision = "9"


def upgrade() -> None:
    """Let servers choose more than a pace; those that have chosen nothing go on as they were."""
    op.add_column("servers", Column("rated", Flag, nullable=False, server_default=text("1")))
    op.add_column("servers", Column("channels", DOCUMENT, nullable=False, server_default="[]"))
    op.add_column("servers", Column("role", BIG))
    for choice in ("threads", "single"):
        op.add_column("servers", Column(choice, Flag, nullable=False, server_default=text("0")))
    op.add_column("servers", Column("quiet", DOCUMENT, nullable=False, server_default="[]"))
    op.add_column("matches", Column("thread", BIG))
    create_strict_table(
        "blocks",
        Column("person", BIG, ForeignKey("people.id"), nullable=False),
        Column("blocked", BIG, ForeignKey("people.id"), nullable=False),
        PrimaryKeyConstraint("person", "blocked"),
        CheckConstraint("person <> blocked"),
        has_rowid=False,
    )
    op.create_index("blocks_of", "blocks", ["blocked"])
