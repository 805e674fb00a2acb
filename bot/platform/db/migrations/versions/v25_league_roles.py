"""A league's event and roles in its server, which season is its first, and what is in their way."""

from alembic import op
from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    select,
    text,
    update,
)

from bot.platform.db.migrations.operations import create_strict_table
from bot.platform.db.tables import BIG, Flag

revision = "25"
down_revision = "24"


def upgrade() -> None:
    """Make the columns and tables; leagues of before have neither an event nor roles."""
    season = Column("first_season", BIG, ForeignKey("contests.id"))
    op.add_column("contests", season, inline_references=True)
    for name in ("has_event", "has_roles"):
        op.add_column("contests", Column(name, Flag, nullable=False, server_default=text("0")))
    op.add_column("contests", Column("event", BIG))
    op.create_index("contest_events", "contests", ["event"], unique=True)
    for name in ("event_problem", "roles_problem"):
        op.add_column("contests", Column(name, Text))
    _find_first_seasons()
    create_strict_table(
        "contest_roles",
        Column("contest", BIG, ForeignKey("contests.id"), nullable=False),
        Column("place", Integer, nullable=False),
        Column("after", BIG, nullable=False),
        Column("role", BIG),
        PrimaryKeyConstraint("contest", "place"),
        UniqueConstraint("role"),
        has_rowid=False,
    )
    create_strict_table(
        "contest_role_holders",
        Column("contest", BIG, ForeignKey("contests.id"), nullable=False),
        Column("place", Integer, nullable=False),
        Column("person", BIG, ForeignKey("people.id"), nullable=False),
        Column("is_given", Flag, nullable=False, server_default=text("0")),
        PrimaryKeyConstraint("contest", "place", "person"),
        has_rowid=False,
    )


def _find_first_seasons() -> None:
    contests = Table(
        "contests",
        MetaData(),
        Column("id", BigInteger, primary_key=True),
        Column("previous", BigInteger),
        Column("first_season", BigInteger),
    )
    connection = op.get_bind()
    later = select(contests.c.id, contests.c.previous).where(contests.c.previous.is_not(None))
    first: dict[int, int] = {}
    # A season is stored after the one before it.
    for number, previous in connection.execute(later.order_by(contests.c.id)).all():
        first[number] = first.get(previous, previous)
        chosen = update(contests).where(contests.c.id == number)
        connection.execute(chosen.values(first_season=first[number]))
