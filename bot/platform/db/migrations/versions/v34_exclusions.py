"""Who stays kept out after their data was deleted, earlier names, and indexes by person."""

from alembic import op
from sqlalchemy import Column, ForeignKey, PrimaryKeyConstraint, Text

from bot.platform.db.migrations.operations import create_partial_index, create_strict_table
from bot.platform.db.tables import BIG

revision = "34"
down_revision = "33"


INDEXES = (
    ("pairings_of_first", "pairings", "first"),
    ("pairings_of_second", "pairings", "second"),
    ("pairings_won", "pairings", "winner"),
    ("byes_of", "byes", "person"),
    ("contest_rulings_by", "contest_rulings", "moderator"),
    ("contest_role_holders_by_person", "contest_role_holders", "person"),
    ("ladder_results_won", "ladder_results", "winner"),
    ("proposals_of", "proposals", "person"),
    ("hints_of", "hints", "person"),
    ("memos_about", "memos", "match"),
    ("audit_by", "audit", "moderator"),
    ("contests_by", "contests", "organiser"),
    ("ladders_by", "ladders", "organiser"),
    ("challenge_seats_of", "challenge_seats", "person"),
    ("ratings_of", "ratings", "person"),
    ("rating_changes_of", "rating_changes", "person"),
)
PARTIAL_INDEXES = (
    ("entrants_replacing", "entrants", "replaces"),
    ("contest_rulings_against", "contest_rulings", "person"),
    ("ladder_events_by", "ladder_events", "moderator"),
    ("analyses_of", "analyses", "person"),
    ("given_up_jobs", "jobs", "given_up"),
    ("leased_jobs", "jobs", "leased_by"),
)


def upgrade() -> None:
    """Make the table and the indexes."""
    create_strict_table(
        "exclusions",
        Column("scope", Text, nullable=False),
        # In the order of the key: otherwise SQLite 3.40 finds damage where there is none.
        Column("mark", Text, nullable=False),
        Column("id", BIG, nullable=False),
        PrimaryKeyConstraint("scope", "mark", "id"),
        has_rowid=False,
    )
    op.create_index("exclusions_of", "exclusions", ["scope", "id"])
    create_strict_table(
        "former_names",
        Column("person", BIG, ForeignKey("people.id"), nullable=False),
        Column("name", Text, nullable=False),
        Column("until", BIG, nullable=False),
        PrimaryKeyConstraint("person", "name"),
        has_rowid=False,
    )
    for name, table, column in INDEXES:
        op.create_index(name, table, [column])
    for name, table, column in PARTIAL_INDEXES:
        create_partial_index(name, table, [column], f"{column} IS NOT NULL")
    for name, table, column in (
        ("matches_with_former", "matches", "former"),
        ("audit_of_people", "audit", "people"),
    ):
        create_partial_index(name, table, ["id"], f"CAST({column} AS TEXT) <> '[]'")
