"""The languages that people and servers choose, and the one that Discord last said of a person."""

from alembic import op
from sqlalchemy import Column, Text

revision = "27"
down_revision = "26"


def upgrade() -> None:
    """Add the columns. Nobody has chosen a language, so everyone reads as Discord says."""
    op.add_column("habits", Column("language", Text))
    op.add_column("servers", Column("language", Text))
    op.add_column("people", Column("locale", Text))
