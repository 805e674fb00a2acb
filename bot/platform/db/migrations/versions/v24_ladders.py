"""Ladders: what happens on them, the challenges made on them, and their results."""

from alembic import op
from sqlalchemy import CheckConstraint, Column, ForeignKey, Identity, Text

from bot.platform.db.migrations.operations import (
    create_json_check,
    create_partial_index,
    create_strict_table,
)
from bot.platform.db.tables import BIG, DOCUMENT, Flag

revision = "24"
down_revision = "23"


def upgrade() -> None:
    """Make the tables, and let a challenge and its match belong to a ladder."""
    create_strict_table(
        "ladders",
        Column("id", BIG, Identity(), primary_key=True),
        Column("guild", BIG, nullable=False),
        Column("channel", BIG, nullable=False),
        Column("message", BIG),
        Column("name", Text, nullable=False),
        Column("organiser", BIG, ForeignKey("people.id"), nullable=False),
        Column("game", Text, nullable=False),
        Column("options", DOCUMENT, nullable=False),
        Column("rated", Flag, nullable=False),
        Column("pace", Text, nullable=False),
        Column("created", BIG, nullable=False),
        Column("next_drop", BIG, nullable=False),
        Column("closed", BIG),
        create_json_check("options"),
    )
    op.create_index("ladders_of", "ladders", ["guild"])
    create_partial_index("open_ladders", "ladders", ["guild"], "closed IS NULL")
    for table in ("matches", "challenges"):
        op.add_column(
            table, Column("ladder", BIG, ForeignKey("ladders.id")), inline_references=True
        )
    op.add_column("challenges", Column("closed", BIG))
    create_partial_index("ladder_challenges", "challenges", ["ladder"], "ladder IS NOT NULL")
    create_strict_table(
        "ladder_events",
        Column("id", BIG, Identity(), primary_key=True),
        Column("ladder", BIG, ForeignKey("ladders.id"), nullable=False),
        Column("at", BIG, nullable=False),
        Column("action", Text, nullable=False),
        Column("person", BIG, ForeignKey("people.id")),
        Column("moderator", BIG, ForeignKey("people.id")),
        Column("reason", Text, nullable=False, server_default=""),
        CheckConstraint("action IN ('join', 'leave', 'drop', 'remove', 'close')"),
    )
    op.create_index("ladder_events_of", "ladder_events", ["ladder"])
    create_strict_table(
        "ladder_results",
        Column("match", BIG, ForeignKey("matches.id"), primary_key=True, autoincrement=False),
        Column("at", BIG, nullable=False),
        Column("winner", BIG, ForeignKey("people.id")),
        Column("how", Text, nullable=False),
    )
