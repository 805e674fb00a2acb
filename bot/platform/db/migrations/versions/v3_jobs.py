"""Jobs that follow a change; how far a match is shown, and where; challenges, once invitations."""

from alembic import op
from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Identity,
    Integer,
    Text,
    UniqueConstraint,
    cast,
    column,
    insert,
    literal,
    select,
    table,
    text,
)

from bot.platform.db.migrations.operations import (
    create_json_check,
    create_partial_index,
    create_strict_table,
)
from bot.platform.db.tables import BIG, DOCUMENT

revision = "3"
down_revision = "2"


def upgrade() -> None:
    """Rename what has a better name, add what is new, and index what grows with the history."""
    _rename_tables()
    op.add_column(
        "challenges", Column("rematch_of", BIG, ForeignKey("matches.id")), inline_references=True
    )
    for name, before in (("since", "0"), ("shown", "0"), ("dice", "1")):
        op.add_column("matches", Column(name, Integer, nullable=False, server_default=text(before)))
    op.create_index("challenges_by", "challenges", ["challenger"])
    op.create_index("challenges_to", "challenges", ["opponent"])
    op.create_index("events_of", "events", ["person"])
    op.create_index("rating_course", "rating_changes", ["scope", "pool", "person"])
    _create_jobs_table()
    _enqueue_jobs()


def _rename_tables() -> None:
    op.drop_index("open_invitations", "invitations")
    op.rename_table("invitations", "challenges")
    op.rename_table("invitation_seats", "challenge_seats")
    # Alembic would copy a table on SQLite to rename a column; both databases know this sentence.
    op.execute("ALTER TABLE challenge_seats RENAME COLUMN invitation TO challenge")
    op.execute("ALTER TABLE matches RENAME COLUMN rules_version TO edition")
    create_partial_index("open_challenges", "challenges", ["expires"], "state = 'open'")


def _create_jobs_table() -> None:
    create_strict_table(
        "jobs",
        Column("id", BIG, Identity(), primary_key=True),
        Column("kind", Text, nullable=False),
        Column("key", Text, nullable=False),
        Column("detail", DOCUMENT, nullable=False),
        Column("due", BIG, nullable=False),
        Column("revision", Integer, nullable=False, server_default=text("1")),
        Column("tries", Integer, nullable=False, server_default=text("0")),
        Column("error", Text),
        Column("given_up", BIG),
        Column("created", BIG, nullable=False),
        UniqueConstraint("kind", "key"),
        create_json_check("detail"),
        CheckConstraint("given_up IS NULL OR error IS NOT NULL"),
    )
    create_partial_index("waiting_jobs", "jobs", ["due"], "given_up IS NULL")


def _enqueue_jobs() -> None:
    """Enqueue jobs that show running matches and open challenges anew, and that let these lapse.

    The buttons that the first version put under its messages no longer do anything.
    """
    challenges = table("challenges", *map(column, ("id", "state", "expires", "created")))
    matches = table("matches", *map(column, ("id", "ended", "touched")))
    lapsing, renewed = (
        select(
            literal(kind),
            cast(challenges.c.id, Text),
            literal({}, DOCUMENT),
            due,
            challenges.c.created,
        ).where(challenges.c.state == "open")
        for kind, due in (
            ("lapse", challenges.c.expires),
            ("show challenge", challenges.c.created),
        )
    )
    shown = select(
        literal("show match"),
        cast(matches.c.id, Text),
        literal({}, DOCUMENT),
        matches.c.touched,
        matches.c.touched,
    ).where(matches.c.ended.is_(None))
    columns = ("kind", "key", "detail", "due", "created")
    jobs = table("jobs", *map(column, columns))
    for wished in (lapsing, renewed, shown):
        op.execute(insert(jobs).from_select(columns, wished))
