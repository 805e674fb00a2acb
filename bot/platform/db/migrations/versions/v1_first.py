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

from bot.platform.db.migrations.operations import (
    create_json_check,
    create_partial_index,
    create_strict_table,
)
from bot.platform.db.tables import BIG, DOCUMENT, REAL

revision = "1"
down_revision = None


def upgrade() -> None:
    """Make the first tables."""
    create_strict_table(
        "people",
        Column("id", BIG, primary_key=True, autoincrement=False),
        Column("name", Text, nullable=False),
        Column("seen", BIG, nullable=False),
    )
    create_strict_table(
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
        create_json_check("options"),
        create_json_check("snapshot"),
        CheckConstraint("rated IN (0, 1)"),
        CheckConstraint("winner IN ('gold', 'black', 'draw')"),
        CheckConstraint("(ended IS NULL) = (winner IS NULL)"),
        CheckConstraint("(ended IS NULL) = (by IS NULL)"),
    )
    create_partial_index("running_matches", "matches", ["channel"], "ended IS NULL")
    create_strict_table(
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
        has_rowid=False,
    )
    op.create_index("matches_of", "seats", ["person"])
    create_strict_table(
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
        create_json_check("options"),
        CheckConstraint("side IN ('gold', 'black')"),
        CheckConstraint("rated IN (0, 1)"),
        CheckConstraint("players > 0"),
        CheckConstraint("state IN ('open', 'accepted', 'declined', 'withdrawn', 'lapsed')"),
        CheckConstraint("opponent <> challenger"),
        CheckConstraint("(state = 'accepted') = (match IS NOT NULL)"),
    )
    create_partial_index("open_invitations", "invitations", ["expires"], "state = 'open'")
    create_strict_table(
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
        has_rowid=False,
    )
    create_strict_table(
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
        create_json_check("record"),
        has_rowid=False,
    )
    create_strict_table(
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
        has_rowid=False,
    )
    create_strict_table(
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
        has_rowid=False,
    )
    create_strict_table(
        "notes",
        Column("name", Text, primary_key=True),
        Column("text", Text, nullable=False),
        has_rowid=False,
    )
