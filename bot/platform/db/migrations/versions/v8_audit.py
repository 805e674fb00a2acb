"""What moderators did and why; who sat in a seat before; on which side somebody was rated."""

from alembic import op
from sqlalchemy import CheckConstraint, Column, ForeignKey, Identity, Text

from bot.platform.db.migrations.operations import (
    add_json_column,
    create_json_check,
    create_strict_table,
)
from bot.platform.db.tables import BIG, DOCUMENT

revision = "8"
down_revision = "7"

SIDES = """
    UPDATE rating_changes SET side = (
        SELECT CASE
            WHEN m.winner = 'draw' THEN coalesce(s.side, 'gold')
            WHEN rating_changes.after_mu > coalesce(rating_changes.before_mu, 25.0) THEN m.winner
            WHEN m.winner = 'gold' THEN 'black'
            ELSE 'gold'
        END
        FROM matches m LEFT JOIN seats s ON s.match = m.id AND s.person = rating_changes.person
        WHERE m.id = rating_changes.match
    )
"""
"""The winner's mean rises, however little; a newcomer's is 25.

The roll battle may have made people change sides.
"""


def upgrade() -> None:
    """Make the table of what moderators did, and the columns."""
    create_strict_table(
        "audit",
        Column("id", BIG, Identity(), primary_key=True),
        Column("guild", BIG, nullable=False),
        Column("at", BIG, nullable=False),
        Column("moderator", BIG, ForeignKey("people.id"), nullable=False),
        Column("action", Text, nullable=False),
        Column("match", BIG, ForeignKey("matches.id"), nullable=False),
        Column("reason", Text, nullable=False),
        Column("people", DOCUMENT, nullable=False),
        CheckConstraint("action IN ('gold', 'black', 'draw', 'annul', 'substitute')"),
        CheckConstraint("reason <> ''"),
        create_json_check("people"),
    )
    op.create_index("audit_of", "audit", ["guild", "id"])
    op.create_index("audit_about", "audit", ["match"])
    op.create_index("ended_matches", "matches", ["ended", "id"])
    add_json_column("matches", "former", default="[]")
    side = Column(
        "side",
        Text,
        CheckConstraint("side IN ('gold', 'black')"),
        nullable=False,
        server_default="gold",
    )
    op.add_column("rating_changes", side, inline_references=True)
    op.execute(SIDES)
