"""Reports of how a match was played; who allows hints in a match between people."""

from alembic import op
from sqlalchemy import CheckConstraint, Column, ForeignKey, PrimaryKeyConstraint

from bot.platform.db.columns import BIG, DOCUMENT

revision = "5"
down_revision = "4"


def upgrade() -> None:
    """Make the two tables."""
    op.create_table(
        "reports",
        Column("match", BIG, ForeignKey("matches.id"), primary_key=True, autoincrement=False),
        Column("document", DOCUMENT, nullable=False),
        Column("made", BIG, nullable=False),
        CheckConstraint("json_valid(document)").ddl_if(dialect="sqlite"),
        sqlite_strict=True,
    )
    op.create_table(
        "hints",
        Column("match", BIG, ForeignKey("matches.id"), nullable=False),
        Column("person", BIG, ForeignKey("people.id"), nullable=False),
        PrimaryKeyConstraint("match", "person"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
