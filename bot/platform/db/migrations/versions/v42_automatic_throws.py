"""Dice are thrown for everybody but those who say that they throw themselves."""

from alembic import op

revision = "42"
down_revision = "41"


def upgrade() -> None:
    """Turn it on for all: until now it was off for whoever had never been asked."""
    op.execute("UPDATE habits SET throws = 1")
