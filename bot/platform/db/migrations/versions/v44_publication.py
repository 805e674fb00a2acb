"""Who has said whether their finished matches may be published."""

from alembic import op
from sqlalchemy import Column, ForeignKey, Integer, Text

from bot.platform.db.migrations.operations import create_strict_table
from bot.platform.db.tables import BIG

revision = "44"
down_revision = "43"


def upgrade() -> None:
    """Make the table; nobody has agreed so far."""
    create_strict_table(
        "publication_consents",
        Column("person", BIG, ForeignKey("people.id"), primary_key=True, autoincrement=False),
        Column("at", BIG, nullable=False),
        Column("wording", Integer, nullable=False),
        Column("pseudonym", Text),
    )
    op.create_index("publication_pseudonyms", "publication_consents", ["pseudonym"], unique=True)
