"""How many digits of its dice's commitment a challenge or a contest has shown beforehand."""

from alembic import op
from sqlalchemy import Column, Integer, Text, cast, column, insert, literal, select, table, text

from bot.platform.db.tables import DOCUMENT

revision = "32"
down_revision = "31"

_jobs = table("jobs", *map(column, ("kind", "key", "detail", "due", "created", "guild")))
_shown = ("id", "guild", "message", "state", "created")


def upgrade() -> None:
    """Add the columns, note what earlier versions have shown, and show all digits from now on.

    What is open keeps its weaker mark all the same: an edit is no proof of what a message showed
    at first.
    """
    for name in ("challenges", "matches", "contests"):
        digits = Column("posted_digits", Integer, nullable=False, server_default=text("0"))
        op.add_column(name, digits)
    # Every earlier version showed twenty digits.
    op.execute("UPDATE challenges SET posted_digits = 20 WHERE message IS NOT NULL")
    op.execute("UPDATE contests SET posted_digits = 20 WHERE message IS NOT NULL")
    # Nothing was shown of what begins at once, against the computer.
    op.execute(
        "UPDATE matches SET posted_digits = 20 WHERE id IN "
        '(SELECT "match" FROM challenges WHERE message IS NOT NULL AND "match" IS NOT NULL)'
    )
    # Those who accept or join from now on can copy all digits first.
    for name, kind in (("challenges", "show challenge"), ("contests", "show contest")):
        _enqueue_shows(name, kind)


def _enqueue_shows(name: str, kind: str) -> None:
    """Have the open ones of a table shown anew, unless a job does so already."""
    opened = table(name, *map(column, _shown)).c
    key = cast(opened.id, Text)
    waits = select(_jobs.c.key).where(_jobs.c.kind == kind, _jobs.c.key == key).exists()
    wanted = select(
        literal(kind), key, literal({}, DOCUMENT), opened.created, opened.created, opened.guild
    ).where(opened.state == "open", opened.message.is_not(None), ~waits)
    op.execute(insert(_jobs).from_select([each.name for each in _jobs.c], wanted))
