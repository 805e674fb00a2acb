"""What stays of a proof whose contribution was deleted, and when people last got their data."""

from alembic import op
from sqlalchemy import Column, Integer, PrimaryKeyConstraint

from bot.platform.db.migrations.operations import create_strict_table
from bot.platform.db.tables import BIG

revision = "29"
down_revision = "28"


def upgrade() -> None:
    """Add the columns and the table. Nobody has deleted or exported anything yet."""
    op.add_column("matches", Column("proof_checked", BIG))
    op.add_column("matches", Column("proof_throws", Integer))
    create_strict_table(
        "data_exports",
        Column("person", BIG, nullable=False, autoincrement=False),
        Column("at", BIG, nullable=False),
        PrimaryKeyConstraint("person"),
    )
