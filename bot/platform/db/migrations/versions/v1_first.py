"""People, challenges, matches with their events, ratings, notes."""

from alembic import op
from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Identity,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    Text,
    UniqueConstraint,
    text,
)

from bot.platform.db.columns import BIG, DOCUMENT, REAL

revision = "1"
down_revision = None


def _make_json_check(column: str) -> CheckConstraint:
    # PostgreSQL's type for it checks by itself.
    return CheckConstraint(f"json_valid({column})").ddl_if(dialect="sqlite")


def upgrade() -> None:
    """Make the first tables."""
    op.create_table(
        "people",
        Column("id", BIG, primary_key=True, autoincrement=False),
        Column("name", Text, nullable=False),
        Column("seen", BIG, nullable=False),
        sqlite_strict=True,
    )
    op.create_table(
        "matches",
        Column("id", BIG, Identity(), primary_key=True),
        Column("guild", BIG, nullable=False),
        Column("channel", BIG, nullable=False),
        Column("message", BIG),
        Column("game", Text, nullable=False),
        Column("rules_version", Integer, nullable=False),
        Column("options", DOCUMENT, nullable=False),
        Column("rated", Integer, nullable=False),
        Column("secret", LargeBinary, nullable=False),
        Column("commitment", Text, nullable=False),
        Column("version", Integer, nullable=False, server_default=text("0")),
        Column("snapshot", DOCUMENT, nullable=False, server_default="{}"),
        Column("created", BIG, nullable=False),
        Column("touched", BIG, nullable=False),
        Column("ended", BIG),
        Column("winner", Text),
        Column("by", Text),
        _make_json_check("options"),
        _make_json_check("snapshot"),
        CheckConstraint("rated IN (0, 1)"),
        CheckConstraint("winner IN ('gold', 'black', 'draw')"),
        CheckConstraint("(ended IS NULL) = (winner IS NULL)"),
        CheckConstraint("(ended IS NULL) = (by IS NULL)"),
        sqlite_strict=True,
    )
    running = text("ended IS NULL")
    op.create_index(
        "running_matches", "matches", ["channel"], sqlite_where=running, postgresql_where=running
    )
    op.create_table(
        "seats",
        Column("match", BIG, ForeignKey("matches.id"), nullable=False),
        Column("side", Text, nullable=False),
        Column("number", Integer, nullable=False),
        Column("person", BIG, ForeignKey("people.id"), nullable=False),
        Column("contribution", Text, nullable=False),
        PrimaryKeyConstraint("match", "side", "number"),
        UniqueConstraint("match", "person"),
        CheckConstraint("side IN ('gold', 'black')"),
        CheckConstraint("number >= 0"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index("matches_of", "seats", ["person"])
    op.create_table(
        "invitations",
        Column("id", BIG, Identity(), primary_key=True),
        Column("guild", BIG, nullable=False),
        Column("channel", BIG, nullable=False),
        Column("message", BIG),
        Column("challenger", BIG, ForeignKey("people.id"), nullable=False),
        Column("opponent", BIG, ForeignKey("people.id")),
        Column("side", Text, nullable=False),
        Column("game", Text, nullable=False),
        Column("options", DOCUMENT, nullable=False),
        Column("rated", Integer, nullable=False),
        Column("players", Integer, nullable=False),
        Column("secret", LargeBinary, nullable=False),
        Column("commitment", Text, nullable=False),
        Column("created", BIG, nullable=False),
        Column("expires", BIG, nullable=False),
        Column("state", Text, nullable=False, server_default="open"),
        Column("match", BIG, ForeignKey("matches.id"), unique=True),
        _make_json_check("options"),
        CheckConstraint("side IN ('gold', 'black')"),
        CheckConstraint("rated IN (0, 1)"),
        CheckConstraint("players > 0"),
        CheckConstraint("state IN ('open', 'accepted', 'declined', 'withdrawn', 'lapsed')"),
        CheckConstraint("opponent <> challenger"),
        CheckConstraint("(state = 'accepted') = (match IS NOT NULL)"),
        sqlite_strict=True,
    )
    still_open = text("state = 'open'")
    op.create_index(
        "open_invitations",
        "invitations",
        ["expires"],
        sqlite_where=still_open,
        postgresql_where=still_open,
    )
    op.create_table(
        "invitation_seats",
        Column("invitation", BIG, ForeignKey("invitations.id"), nullable=False),
        Column("side", Text, nullable=False),
        Column("number", Integer, nullable=False),
        Column("person", BIG, ForeignKey("people.id"), nullable=False),
        Column("contribution", Text, nullable=False),
        PrimaryKeyConstraint("invitation", "side", "number"),
        UniqueConstraint("invitation", "person"),
        CheckConstraint("side IN ('gold', 'black')"),
        CheckConstraint("number >= 0"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "events",
        Column("match", BIG, ForeignKey("matches.id"), nullable=False),
        Column("version", Integer, nullable=False),
        Column("at", BIG, nullable=False),
        Column("person", BIG, ForeignKey("people.id")),
        Column("cause", Text),
        Column("record", DOCUMENT, nullable=False),
        PrimaryKeyConstraint("match", "version"),
        UniqueConstraint("match", "cause"),
        CheckConstraint("version > 0"),
        _make_json_check("record"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "ratings",
        Column("scope", Text, nullable=False),
        Column("pool", Text, nullable=False),
        Column("person", BIG, ForeignKey("people.id"), nullable=False),
        Column("mu", REAL, nullable=False),
        Column("sigma", REAL, nullable=False),
        Column("games", Integer, nullable=False),
        Column("won", Integer, nullable=False),
        Column("drawn", Integer, nullable=False),
        Column("lost", Integer, nullable=False),
        Column("updated", BIG, nullable=False),
        PrimaryKeyConstraint("scope", "pool", "person"),
        # PostgreSQL holds NaN for more than any number; SQLite takes it for NULL.
        CheckConstraint("mu < 1e6"),
        CheckConstraint("sigma > 0 AND sigma < 1e6"),
        CheckConstraint("games = won + drawn + lost"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rating_changes",
        Column("match", BIG, ForeignKey("matches.id"), nullable=False),
        Column("scope", Text, nullable=False),
        Column("pool", Text, nullable=False),
        Column("person", BIG, ForeignKey("people.id"), nullable=False),
        Column("before_mu", REAL),
        Column("before_sigma", REAL),
        Column("after_mu", REAL, nullable=False),
        Column("after_sigma", REAL, nullable=False),
        PrimaryKeyConstraint("match", "scope", "pool", "person"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "notes",
        Column("name", Text, primary_key=True),
        Column("text", Text, nullable=False),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
