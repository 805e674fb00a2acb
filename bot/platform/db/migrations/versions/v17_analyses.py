"""Positions that people analyse and share, and the plays that are proposed for them."""

from alembic import op
from sqlalchemy import Column, ForeignKey, Identity, Integer, PrimaryKeyConstraint, Text

from bot.platform.db.migrations.operations import create_json_check, create_strict_table
from bot.platform.db.tables import BIG, DOCUMENT

revision = "17"
down_revision = "16"


def upgrade() -> None:
    """Make the two tables."""
    create_strict_table(
        "analyses",
        Column("id", BIG, Identity(), primary_key=True),
        Column("game", Text, nullable=False),
        Column("edition", Integer, nullable=False),
        Column("options", DOCUMENT, nullable=False),
        Column("position", Text, nullable=False),
        Column("thrown", DOCUMENT, nullable=False),
        Column("created", BIG, nullable=False),
        Column("person", BIG, ForeignKey("people.id")),
        Column("guild", BIG),
        Column("channel", BIG),
        Column("message", BIG),
        Column("revealed", BIG),
        create_json_check("options"),
        create_json_check("thrown"),
    )
    op.create_index("analyses_created", "analyses", ["created"])
    create_strict_table(
        "proposals",
        Column("analysis", BIG, ForeignKey("analyses.id"), nullable=False),
        Column("person", BIG, ForeignKey("people.id"), nullable=False),
        Column("play", Text, nullable=False),
        PrimaryKeyConstraint("analysis", "person"),
        has_rowid=False,
    )
