"""Who shows their results in all servers, and which seats have lately been offered to whom."""

from alembic import op
from sqlalchemy import Column, ForeignKey, Identity

from bot.platform.db.migrations.operations import create_partial_index, create_strict_table
from bot.platform.db.tables import BIG, Flag

revision = "33"
down_revision = "32"


def upgrade() -> None:
    """Make the column and the table; nobody is shown in other servers until they choose it."""
    op.add_column("habits", Column("everywhere", Flag, nullable=False, server_default="0"))
    create_partial_index("habits_everywhere", "habits", ["person"], "everywhere = 1")
    create_strict_table(
        "seat_offers",
        Column("id", BIG, Identity(), primary_key=True),
        Column("match", BIG, ForeignKey("matches.id"), nullable=False),
        Column("holder", BIG, ForeignKey("people.id"), nullable=False),
        Column("taker", BIG, ForeignKey("people.id"), nullable=False),
        Column("offerer", BIG, ForeignKey("people.id"), nullable=False),
        Column("created", BIG, nullable=False),
        Column("closed", BIG),
    )
    op.create_index("seat_offers_of_match", "seat_offers", ["match"])
    op.create_index("seat_offers_by_person", "seat_offers", ["offerer", "created"])
    op.create_index("seat_offers_created", "seat_offers", ["created"])
