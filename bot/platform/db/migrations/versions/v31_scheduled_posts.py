"""What servers have posted of itself, who answered the daily puzzles, and those from matches."""

from alembic import op
from sqlalchemy import Column, ForeignKey, Integer, PrimaryKeyConstraint, Text

from bot.platform.db.migrations.operations import create_json_check, create_strict_table
from bot.platform.db.tables import BIG, DOCUMENT, Flag

revision = "31"
down_revision = "30"


def upgrade() -> None:
    """Make the tables.

    Nothing is posted until a server's managers choose it, and nobody's positions become puzzles
    until they allow it.
    """
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
    create_strict_table(
        "match_puzzles",
        Column("match", BIG, ForeignKey("matches.id"), nullable=False),
        Column("version", Integer, nullable=False),
        Column("puzzle", Text, nullable=False),
        Column("document", DOCUMENT, nullable=False),
        PrimaryKeyConstraint("match", "version"),
        create_json_check("document"),
    )
    op.create_index("match_puzzles_by_name", "match_puzzles", ["puzzle"])
    op.add_column("habits", Column("shares", Flag, nullable=False, server_default="0"))
