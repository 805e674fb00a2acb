"""What moderators did and why; who sat in a seat before; on which side somebody was rated."""

from alembic import op
from sqlalchemy import CheckConstraint, Column, ForeignKey, Identity, Text

from bot.platform.db.columns import BIG, DOCUMENT

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
    op.create_table(
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
        CheckConstraint("json_valid(people)").ddl_if(dialect="sqlite"),
        sqlite_strict=True,
    )
    op.create_index("audit_of", "audit", ["guild", "id"])
    op.create_index("audit_about", "audit", ["match"])
    op.create_index("ended_matches", "matches", ["ended", "id"])
    # PostgreSQL's type for it checks by itself.
    checks = (
        [CheckConstraint("json_valid(former)")] if op.get_bind().dialect.name == "sqlite" else []
    )
    former = Column("former", DOCUMENT, *checks, nullable=False, server_default="[]")
    op.add_column("matches", former, inline_references=True)
    side = Column(
        "side",
        Text,
        CheckConstraint("side IN ('gold', 'black')"),
        nullable=False,
        server_default="gold",
    )
    op.add_column("rating_changes", side, inline_references=True)
    op.execute(SIDES)
