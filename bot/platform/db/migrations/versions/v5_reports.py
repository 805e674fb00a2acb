"""Reports of how a match was played; who allows hints in a match between people."""

from sqlalchemy import Column, ForeignKey, PrimaryKeyConstraint

from bot.platform.db.migrations.operations import create_json_check, create_strict_table
from bot.platform.db.tables import BIG, DOCUMENT

revision = "5"
down_revision = "4"


def upgrade() -> None:
    """Make the two tables."""
    create_strict_table(
        "reports",
        Column("match", BIG, ForeignKey("matches.id"), primary_key=True, autoincrement=False),
        Column("document", DOCUMENT, nullable=False),
        Column("made", BIG, nullable=False),
        create_json_check("document"),
    )
    create_strict_table(
        "hints",
        Column("match", BIG, ForeignKey("matches.id"), nullable=False),
        Column("person", BIG, ForeignKey("people.id"), nullable=False),
        PrimaryKeyConstraint("match", "person"),
        has_rowid=False,
    )
