"""The tables of contests, beside that of the contests themselves."""

from sqlalchemy import (
    Column,
    ForeignKey,
    Identity,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    Text,
    text,
)

from bot.platform.db.columns import BIG, Flag
from bot.platform.db.tables import contests as table
from bot.platform.db.tables import matches, metadata, people

entrants = Table(
    "entrants",
    metadata,
    Column("contest", BIG, ForeignKey(table.c.id), nullable=False),
    Column("person", BIG, ForeignKey(people.c.id), nullable=False),
    Column("contribution", Text, nullable=False),
    Column("joined", BIG, nullable=False),
    Column("division", Integer),
    Column("seed", Integer),
    Column("left", BIG),
    Column("replaces", BIG, ForeignKey(people.c.id)),
    PrimaryKeyConstraint("contest", "person"),
    Index("entrants_of", "person"),
)


pairings = Table(
    "pairings",
    metadata,
    Column("contest", BIG, ForeignKey(table.c.id), nullable=False),
    Column("number", Integer, nullable=False),
    Column("division", Integer, nullable=False),
    Column("round", Integer, nullable=False, server_default="1"),
    Column("board", Integer, nullable=False, server_default="1"),
    Column("first", BIG, ForeignKey(people.c.id), nullable=False),
    Column("second", BIG, ForeignKey(people.c.id), nullable=False),
    Column("match", BIG, ForeignKey(matches.c.id), nullable=False, unique=True),
    Column("winner", BIG, ForeignKey(people.c.id)),
    Column("how", Text),
    PrimaryKeyConstraint("contest", "number"),
)


byes = Table(
    "byes",
    metadata,
    Column("contest", BIG, ForeignKey(table.c.id), nullable=False),
    Column("round", Integer, nullable=False),
    Column("person", BIG, ForeignKey(people.c.id), nullable=False),
    Column("half_points", Integer, nullable=False),
    PrimaryKeyConstraint("contest", "round", "person"),
)


rulings = Table(
    "contest_rulings",
    metadata,
    Column("id", BIG, Identity(), primary_key=True),
    Column("contest", BIG, ForeignKey(table.c.id), nullable=False),
    Column("at", BIG, nullable=False),
    Column("moderator", BIG, ForeignKey(people.c.id), nullable=False),
    Column("action", Text, nullable=False),
    Column("person", BIG, ForeignKey(people.c.id)),
    Column("reason", Text, nullable=False),
    Index("contest_rulings_about", "contest"),
)


roles = Table(
    "contest_roles",
    metadata,
    Column("contest", BIG, ForeignKey(table.c.id), nullable=False),
    Column("place", Integer, nullable=False),
    Column("after", BIG, nullable=False),
    Column("role", BIG, unique=True),
    PrimaryKeyConstraint("contest", "place"),
)


role_holders = Table(
    "contest_role_holders",
    metadata,
    Column("contest", BIG, ForeignKey(table.c.id), nullable=False),
    Column("place", Integer, nullable=False),
    Column("person", BIG, ForeignKey(people.c.id), nullable=False),
    Column("is_given", Flag, nullable=False, server_default=text("0")),
    PrimaryKeyConstraint("contest", "place", "person"),
)
