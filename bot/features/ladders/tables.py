"""The tables of ladders, beside that of the ladders themselves."""

from sqlalchemy import Column, ForeignKey, Identity, Index, Table, Text

from bot.platform.db.columns import BIG
from bot.platform.db.tables import ladders as table
from bot.platform.db.tables import matches, metadata, people

events = Table(
    "ladder_events",
    metadata,
    Column("id", BIG, Identity(), primary_key=True),
    Column("ladder", BIG, ForeignKey(table.c.id), nullable=False),
    Column("at", BIG, nullable=False),
    Column("action", Text, nullable=False),
    Column("person", BIG, ForeignKey(people.c.id)),
    Column("moderator", BIG, ForeignKey(people.c.id)),
    Column("reason", Text, nullable=False, server_default=""),
    Index("ladder_events_of", "ladder"),
)


results = Table(
    "ladder_results",
    metadata,
    Column("match", BIG, ForeignKey(matches.c.id), primary_key=True, autoincrement=False),
    Column("at", BIG, nullable=False),
    Column("winner", BIG, ForeignKey(people.c.id)),
    Column("how", Text, nullable=False),
)
