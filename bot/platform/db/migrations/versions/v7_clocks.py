"""How fast matches are played: paces, times without clocks, and what people and servers choose."""

from alembic import op
from sqlalchemy import CheckConstraint, Column, ForeignKey, PrimaryKeyConstraint, Text

from bot.platform.db.migrations.operations import create_strict_table
from bot.platform.db.tables import BIG, Flag

revision = "7"
down_revision = "6"


def upgrade() -> None:
    """Add what clocks need; matches that are running have none, and are watched as new ones are."""
    for table in ("challenges", "matches"):
        op.add_column(table, Column("pace", Text, nullable=False, server_default="none"))
    op.add_column("matches", Column("notice", BIG))
    create_strict_table(
        "outages",
        Column("began", BIG, primary_key=True, autoincrement=False),
        Column("ended", BIG, nullable=False),
        CheckConstraint("ended > began"),
    )
    create_strict_table(
        "absences",
        Column("person", BIG, ForeignKey("people.id"), nullable=False),
        Column("began", BIG, nullable=False),
        Column("ended", BIG, nullable=False),
        PrimaryKeyConstraint("person", "began"),
        CheckConstraint("ended >= began"),
        has_rowid=False,
    )
    create_strict_table(
        "habits",
        Column("person", BIG, ForeignKey("people.id"), primary_key=True, autoincrement=False),
        Column("reminder", Text, nullable=False),
        Column("throws", Flag, nullable=False),
    )
    create_strict_table(
        "servers",
        Column("guild", BIG, primary_key=True, autoincrement=False),
        Column("pace", Text, nullable=False),
    )
    # A match that lay untouched for longer is closed at once.
    op.execute(
        "INSERT INTO jobs (kind, key, detail, due, created) "
        "SELECT 'watch', CAST(id AS TEXT), '{}', touched + 5184000000, touched "
        "FROM matches WHERE ended IS NULL"
    )
