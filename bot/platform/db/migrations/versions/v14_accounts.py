"""The name of somebody's account beside the one that others see."""

from alembic import op
from sqlalchemy import Column, Text

revision = "14"
down_revision = "13"


def upgrade() -> None:
    """Add it; it is not known until somebody acts again."""
    op.add_column("people", Column("account", Text))
