"""A server's figures: an index of its finished matches, and how many turns each has had."""

from alembic import op
from sqlalchemy import Column, ForeignKey, Integer, PrimaryKeyConstraint

from bot.platform.db.migrations.operations import create_partial_index, create_strict_table
from bot.platform.db.tables import BIG

revision = "20"
down_revision = "19"

_LENGTHS = (
    "INSERT INTO match_lengths (match, guild, turns) "
    "SELECT matches.id, matches.guild, count(*) FROM matches "
    "JOIN events ON events.match = matches.id "
    "WHERE matches.ended IS NOT NULL AND {event} = 'thrown' GROUP BY matches.id, matches.guild"
)
_EVENT = {"sqlite": "json_extract(events.record, '$.event')", "postgresql": "record ->> 'event'"}
"""What an event is called, as each database reads JSON."""


def upgrade() -> None:
    """Add the index and the table, and count the turns of what is over."""
    columns = ["guild", "ended", "id", "game", "how", "winner"]
    create_partial_index("server_results", "matches", columns, "ended IS NOT NULL")
    create_strict_table(
        "match_lengths",
        Column("match", BIG, ForeignKey("matches.id"), nullable=False),
        Column("guild", BIG, nullable=False),
        Column("turns", Integer, nullable=False),
        PrimaryKeyConstraint("match"),
        has_rowid=False,
    )
    op.execute(_LENGTHS.format(event=_EVENT[op.get_bind().dialect.name]))
    op.create_index("match_lengths_of", "match_lengths", ["guild", "turns", "match"])
