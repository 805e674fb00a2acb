"""What servers have posted of itself, and who answered the puzzles that are posted daily."""

from sqlalchemy import Column, Integer, PrimaryKeyConstraint, Text

from bot.platform.db.columns import BIG, Flag
from bot.platform.db.migrations.operations import create_strict_table

revision = "31"
down_revision = "30"


def upgrade() -> None:
    """Make the tables. Nothing is posted in any server until its managers choose it."""
    create_strict_table(
        "scheduled_posts",
        Column("guild", BIG, nullable=False),
        Column("post", Text, nullable=False),
        Column("channel", BIG),
        Column("hour", Integer, nullable=False),
        Column("day", Integer, nullable=False),
        Column("begun", Integer),
        Column("place", BIG),
        Column("message", BIG),
        Column("subject", Text),
        PrimaryKeyConstraint("guild", "post"),
        has_rowid=False,
    )
    create_strict_table(
        "puzzle_answers",
        Column("guild", BIG, nullable=False),
        Column("day", Integer, nullable=False),
        Column("person", BIG, nullable=False),
        Column("solved", Flag, nullable=False),
        PrimaryKeyConstraint("guild", "day", "person"),
        has_rowid=False,
    )
