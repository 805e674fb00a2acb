"""Organisers can let somebody back in whom they removed from a contest."""

from alembic import op
from sqlalchemy import CheckConstraint, Column, ForeignKey, Identity, Text

from bot.platform.db.migrations.operations import create_partial_index, create_strict_table
from bot.platform.db.tables import BIG

revision = "41"
down_revision = "40"

INDEXES = ("contest_rulings_about", "contest_rulings_by", "contest_rulings_against")


def upgrade() -> None:
    """Let organisers rule more: for another check SQLite needs a new table."""
    op.execute("ALTER TABLE contest_rulings RENAME TO former_rulings")
    for name in INDEXES:
        op.drop_index(name)
    create_strict_table(
        "contest_rulings",
        Column("id", BIG, Identity(), primary_key=True),
        Column("contest", BIG, ForeignKey("contests.id"), nullable=False),
        Column("at", BIG, nullable=False),
        Column("moderator", BIG, ForeignKey("people.id"), nullable=False),
        Column("action", Text, nullable=False),
        Column("person", BIG, ForeignKey("people.id")),
        Column("reason", Text, nullable=False),
        CheckConstraint(
            "action IN ('start', 'extend', 'remove', 'replace', 'readmit', 'pause', 'resume', "
            "'cancel')"
        ),
    )
    op.create_index("contest_rulings_about", "contest_rulings", ["contest"])
    op.create_index("contest_rulings_by", "contest_rulings", ["moderator"])
    create_partial_index(
        "contest_rulings_against", "contest_rulings", ["person"], "person IS NOT NULL"
    )
    # They get new numbers, to which nothing refers, so that the next one follows on them.
    op.execute(
        "INSERT INTO contest_rulings (contest, at, moderator, action, person, reason) "
        "SELECT contest, at, moderator, action, person, reason FROM former_rulings ORDER BY id"
    )
    op.drop_table("former_rulings")
