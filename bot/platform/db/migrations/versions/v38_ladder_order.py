"""The order of ladders, kept; and the day before a ladder's challenge expires."""

from alembic import op
from sqlalchemy import Column, ForeignKey, Integer, text

from bot.platform.db.migrations.operations import create_partial_index, create_strict_table
from bot.platform.db.tables import BIG

revision = "38"
down_revision = "37"


def upgrade() -> None:
    """Make the table; the order of a ladder is kept in it at the next look or change."""
    create_strict_table(
        "ladder_players",
        Column("ladder", BIG, ForeignKey("ladders.id"), primary_key=True, autoincrement=False),
        Column("person", BIG, ForeignKey("people.id"), primary_key=True, autoincrement=False),
        Column("rung", Integer),
        Column("played", Integer, nullable=False),
        Column("won", Integer, nullable=False),
        Column("active", BIG, nullable=False),
        Column("gone", BIG),
    )
    op.create_index("ladders_of_person", "ladder_players", ["person"])
    create_partial_index("ladder_rungs", "ladder_players", ["ladder", "rung"], "rung IS NOT NULL")
    op.add_column("ladders", Column("last_event", BIG))
    op.add_column("ladders", Column("counted_until", BIG, nullable=False, server_default=text("0")))
    # By when they were over, so that the latest are found at once.
    op.execute(
        'UPDATE challenges SET closed = (SELECT at FROM ladder_results WHERE "match" = '
        "challenges.\"match\") WHERE ladder IS NOT NULL AND state = 'accepted'"
    )
    op.drop_index("ladder_challenges", "challenges")
    create_partial_index(
        "ladder_challenges", "challenges", ["ladder", "closed"], "ladder IS NOT NULL"
    )
    op.drop_index("ladder_events_of", "ladder_events")
    op.create_index("ladder_events_of", "ladder_events", ["ladder", "id"])
    op.create_index("ladder_events_by_person", "ladder_events", ["person", "ladder"])
    create_partial_index("ladder_rulings", "ladder_events", ["ladder"], "moderator IS NOT NULL")
    # What an earlier version will only look at when it expires is looked at a day before.
    op.execute(
        "UPDATE jobs SET due = due - 86400000 WHERE kind = 'lapse' AND \"key\" IN (SELECT CAST("
        "id AS TEXT) FROM challenges WHERE ladder IS NOT NULL AND state = 'open')"
    )
