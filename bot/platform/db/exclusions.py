"""People who stay kept out when they have had their data deleted, recognised but not named.

What others decided about somebody, a block or a removal, holds when the same account comes back.
Kept is a mark, an HMAC-SHA256 of the person's id, under a key that this database has for itself;
the key is sealed like the secrets of the dice. From a mark alone nobody can tell whose it is.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Collection, Iterable
from enum import StrEnum

import sqlalchemy as sa

from bot.platform.db import tables
from bot.platform.db.database import build_upsert
from bot.platform.db.sealing import MARK_KEY, MARK_KEY_BYTES, get_seal

table = sa.Table(
    "exclusions",
    tables.metadata,
    sa.Column("scope", sa.Text, nullable=False, info=tables.SCOPE),
    sa.Column(
        "mark",
        sa.Text,
        nullable=False,
        info=tables.declare_impersonal(
            "a keyed hash by which somebody who is kept out is recognised"
        ),
    ),
    sa.Column("id", tables.BIG, nullable=False, info=tables.SCOPED_OWNER),
    sa.PrimaryKeyConstraint("scope", "mark", "id"),
    sa.Index("exclusions_of", "scope", "id"),
    info=tables.PLAYERS_OWN,
)


class ExclusionScope(StrEnum):
    """What somebody is kept out of; the subject is a person, a contest or a ladder."""

    PERSON = "person"
    CONTEST = "contest"
    LADDER = "ladder"


def count_marks(connection: sa.Connection) -> int:
    """Return how many marks there are; somebody has one for each kind of thing."""
    marks = sa.select(sa.func.count(sa.distinct(table.c.mark)))
    return int(connection.execute(marks).scalar_one())


def forget_marks(connection: sa.Connection) -> None:
    """Delete all marks: without the key nobody can be recognised by them."""
    connection.execute(sa.delete(table))


def exclude_person(
    connection: sa.Connection, scope: ExclusionScope, subjects: Iterable[int], person: int
) -> None:
    """Keep somebody out of some subjects; to do it twice is no error."""
    rows = [{"scope": scope, "id": subject} for subject in sorted(set(subjects))]
    if not rows:
        return
    mark = _compute_mark(_ensure_key(connection), scope, person)
    insertion = build_upsert(connection.dialect.name, table).on_conflict_do_nothing()
    connection.execute(insertion, [{**row, "mark": mark} for row in rows])


def is_excluded(
    connection: sa.Connection, scope: ExclusionScope, subject: int, person: int
) -> bool:
    """Whether somebody is kept out of a subject."""
    return (subject, person) in find_exclusions(connection, scope, [person])


def find_exclusions(
    connection: sa.Connection, scope: ExclusionScope, people: Collection[int]
) -> list[tuple[int, int]]:
    """Return what some people are kept out of, as pairs of the subject and the person."""
    key = _load_key(connection)
    if key is None:
        # Nobody was ever kept out of anything here.
        return []
    marked = {_compute_mark(key, scope, person): person for person in people}
    theirs = sa.and_(table.c.scope == scope, table.c.mark.in_(marked))
    found = connection.execute(sa.select(table.c.id, table.c.mark).where(theirs))
    return sorted((row.id, marked[row.mark]) for row in found)


def readmit_person(
    connection: sa.Connection, scope: ExclusionScope, person: int, subject: int | None = None
) -> list[int]:
    """Keep somebody out no longer, of a subject or of all; return of which they were kept out."""
    key = _load_key(connection)
    if key is None:
        return []
    theirs = sa.and_(table.c.scope == scope, table.c.mark == _compute_mark(key, scope, person))
    if subject is not None:
        theirs = sa.and_(theirs, table.c.id == subject)
    gone = sa.delete(table).where(theirs).returning(table.c.id)
    return sorted(connection.execute(gone).scalars())


def readmit_everybody(
    connection: sa.Connection, scope: ExclusionScope, subjects: Collection[int]
) -> None:
    """Keep nobody out of some subjects any longer."""
    theirs = sa.and_(table.c.scope == scope, table.c.id.in_(subjects))
    connection.execute(sa.delete(table).where(theirs))


def count_excluded(connection: sa.Connection, scope: ExclusionScope, subject: int) -> int:
    """Return how many are kept out of a subject."""
    theirs = sa.and_(table.c.scope == scope, table.c.id == subject)
    return connection.execute(sa.select(sa.func.count()).where(theirs)).scalar_one()


def _compute_mark(key: bytes, scope: ExclusionScope, person: int) -> str:
    # With the scope, so that nobody can tell that a block and a removal concern the same person.
    return hmac.new(key, f"{scope} {person}".encode(), hashlib.sha256).hexdigest()


def _load_key(connection: sa.Connection) -> bytes | None:
    kept = connection.execute(
        sa.select(tables.program_metadata.c.text).where(tables.program_metadata.c.name == MARK_KEY)
    ).scalar()
    return None if kept is None else get_seal(connection).unseal(base64.b64decode(kept))


def _ensure_key(connection: sa.Connection) -> bytes:
    """Return the key, drawn when somebody is kept out for the first time."""
    sealed = get_seal(connection).seal(secrets.token_bytes(MARK_KEY_BYTES))
    drawn = {"name": MARK_KEY, "text": base64.b64encode(sealed).decode()}
    if _load_key(connection) is None:
        # Of two processes at once, the first draws it for both.
        insertion = build_upsert(
            connection.dialect.name, tables.program_metadata
        ).on_conflict_do_nothing()
        connection.execute(insertion, drawn)
    key = _load_key(connection)
    assert key is not None
    return key
