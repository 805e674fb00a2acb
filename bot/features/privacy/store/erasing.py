"""A person taken out of every table, inside one transaction.

What is theirs alone is deleted. What others need, the matches that they have played and all that
follows from them, goes on under a pseudonym.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from bot.features.contests.tables import IS_UNFINISHED, contests, entrants
from bot.features.matches.tables import seats
from bot.features.preferences.store import blocks
from bot.platform.db import tables as db
from bot.platform.db.exclusions import ExclusionScope, exclude_person
from bot.platform.db.rows import DELETED_NAME, FIRST_PSEUDONYM

PSEUDONYM_LOCK = 0x7AB01E
"""Our lock on the pseudonyms of a PostgreSQL database."""


def lock_pseudonyms(connection: sa.Connection) -> None:
    """Let nobody else give a pseudonym until the transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(PSEUDONYM_LOCK)))


NO_WORDS = "(deleted)"
"""What stands for the words that somebody wrote; a ruling always has a reason."""
PERSON_SCOPE = "person"
"""The scope of ids that are a person's."""
MIN_NAME_LENGTH = 3
"""Characters of a name that is looked for in texts; a shorter one would be found in many words."""
MIN_DIGITS = 15
"""Digits of an id that is looked for in texts without the signs of a mention: Discord's have more.
"""


@dataclass(frozen=True, slots=True)
class _Person:
    """Somebody who is taken out, and the pseudonym that takes their place."""

    id: int
    pseudonym: int
    names: tuple[str, ...]

    def erase_from(self, text: str, *, named: bool) -> str:
        """Return a text without the person's id, and without their names if it is about them."""
        text = re.sub(rf"<@!?{self.id}>", DELETED_NAME, text)
        if len(str(self.id)) >= MIN_DIGITS:
            text = re.sub(rf"(?<!\d){self.id}(?!\d)", DELETED_NAME, text)
        for name in self.names if named else ():
            text = re.sub(
                rf"(?<!\w){re.escape(name)}(?!\w)", DELETED_NAME, text, flags=re.IGNORECASE
            )
        return text

    def replace_in(self, document: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
        """Return a document with the pseudonym in the person's place."""
        match document:
            case list():
                return [
                    self.pseudonym if each == self.id else self.replace_in(each)
                    for each in document
                ]
            case {"person": self.id, **rest}:
                return {**document, **self.replace_in(rest), "person": self.pseudonym}
            case dict():
                return {name: self.replace_in(value) for name, value in document.items()}
        return document


def erase_person(connection: sa.Connection, person: int, now: int) -> int | None:
    """Take a person out of every table, and return their pseudonym; None if it is of no use.

    What they gave to the dice of matches stays, until `erase_contribution` deletes it.
    """
    lock_pseudonyms(connection)
    lowest = connection.execute(sa.select(sa.func.min(db.people.c.id))).scalar() or 0
    pseudonym = min(lowest, FIRST_PSEUDONYM + 1) - 1
    connection.execute(sa.insert(db.people).values(id=pseudonym, name=DELETED_NAME, seen=now))
    who = _Person(person, pseudonym, _load_names(connection, person))
    _delete_jobs(connection, who)
    _cut_words(connection, who)
    # Before the ids, by which it is known whose words they are.
    for erasure in (db.Erasure.WORDS, db.Erasure.TITLE):
        for column, rule in db.list_personal_columns(db.load_metadata(), erasure):
            _erase_text(connection, who, column, rule)
    _keep_out(connection, who)
    used = _replace_in_documents(connection, who) + _replace_ids(connection, who)
    _delete_rows(connection, who)
    if used:
        return pseudonym
    connection.execute(sa.delete(db.people).where(db.people.c.id == pseudonym))
    return None


def _keep_out(connection: sa.Connection, who: _Person) -> None:
    """Let hold what protects others, for when the same account comes back: nothing names it."""
    # Deleted and returned in one statement, so that a block of this moment is not lost.
    blocked = sa.delete(blocks).where(blocks.c.blocked == who.id).returning(blocks.c.person)
    blockers = connection.execute(blocked).scalars().all()
    exclude_person(connection, ExclusionScope.PERSON, blockers, who.id)
    # Who has played for a while would come back without what they have lost.
    begun = (
        sa.select(entrants.c.contest)
        .join(contests, contests.c.id == entrants.c.contest)
        .where(entrants.c.person == who.id, IS_UNFINISHED, contests.c.began.is_not(None))
    )
    played = connection.execute(begun).scalars().all()
    exclude_person(connection, ExclusionScope.CONTEST, played, who.id)


def _load_names(connection: sa.Connection, person: int) -> tuple[str, ...]:
    query = sa.select(db.people.c.name, db.people.c.account).where(db.people.c.id == person)
    former = sa.select(db.former_names.c.name).where(db.former_names.c.person == person)
    names = [*(connection.execute(query).first() or ()), *connection.execute(former).scalars()]
    # The longest first, so that none is found inside another.
    names.sort(key=lambda name: -len(name or ""))
    return tuple(name.strip() for name in names if name and len(name.strip()) >= MIN_NAME_LENGTH)


def is_in_document(column: sa.Column[Any], person: int) -> sa.ColumnElement[bool]:
    """Return the condition that a row's document may name somebody, by those that are not empty."""
    table = column.table
    filled = sa.select(table.c.id).where(db.is_filled(column), is_named_in(column, person))
    return table.c.id.in_(filled)


def is_named_in(column: sa.ColumnElement[Any], person: int) -> sa.ColumnElement[bool]:
    """Return the condition that an id is somewhere in a text or document; others may match too."""
    return sa.cast(column, sa.Text).like(f"%{person}%")


def _delete_jobs(connection: sa.Connection, who: _Person) -> None:
    waiting = sa.select(db.jobs.c.id, db.jobs.c.key, db.jobs.c.detail).where(
        sa.or_(is_named_in(db.jobs.c.key, who.id), is_named_in(db.jobs.c.detail, who.id))
    )
    theirs = [
        job.id
        for job in connection.execute(waiting)
        if who.id in job.detail.values() or str(who.id) in re.split(r"\W+", job.key)
    ]
    connection.execute(sa.delete(db.jobs).where(db.jobs.c.id.in_(theirs)))


def _cut_words(connection: sa.Connection, who: _Person) -> None:
    """Leave of what somebody gave to challenges the number alone: no throw depends on it."""
    table = db.load_metadata().tables["challenge_seats"]
    theirs = sa.and_(table.c.person == who.id, table.c.contribution.like("% %"))
    for key, given in _load_values(connection, table, table.c.contribution, theirs):
        number = given.partition(" ")[0]
        connection.execute(sa.update(table).where(key).values(contribution=number))


def _erase_text(
    connection: sa.Connection, who: _Person, text: sa.Column[str], rule: db.PersonalColumn
) -> None:
    table = text.table
    if rule.author:
        own = table.c[rule.author] == who.id
        connection.execute(sa.update(table).where(own).values({text.name: NO_WORDS}))
    about, named_in = _list_conditions(table, who.id), is_named_in(text, who.id)
    if rule.author:
        # Where nobody wrote, as in most of what happens on a ladder, there is nothing to look at.
        named_in = sa.and_(table.c[rule.author].is_not(None), named_in)
    # There are too many events to look at those of other people's matches, and one condition at a
    # time is found by its index.
    found = [sa.and_(each, named_in) for each in about] if rule.in_matches else [*about, named_in]
    is_about = sa.or_(sa.false(), *about)
    for condition in found:
        for key, stored in _load_values(connection, table, text, condition):
            named = connection.execute(sa.select(1).where(key, is_about)).first() is not None
            erased = who.erase_from(stored, named=named) if stored else stored
            if erased != stored:
                connection.execute(sa.update(table).where(key).values({text.name: erased}))


def _list_conditions(table: sa.Table, person: int) -> list[sa.ColumnElement[bool]]:
    """Return the conditions by which a row of a table is about somebody, or a match of theirs."""
    rules = [(column, db.get_rule(column)) for column in table.columns]
    named = [(each, rule.erasure) for each, rule in rules if isinstance(rule, db.PersonalColumn)]
    ids = [column == person for column, erasure in named if erasure is db.Erasure.PSEUDONYM]
    documents = [
        is_in_document(column, person) for column, erasure in named if erasure is db.Erasure.PEOPLE
    ]
    played = sa.select(seats.c.match).where(seats.c.person == person)
    matches = [table.c.match.in_(played)] if "match" in table.c else []
    return [*ids, *documents, *matches]


def _replace_in_documents(connection: sa.Connection, who: _Person) -> int:
    """Put the pseudonym into the documents that name somebody, and return into how many."""
    count = 0
    for document, _ in db.list_personal_columns(db.load_metadata(), db.Erasure.PEOPLE):
        table = document.table
        named = is_in_document(document, who.id)
        for key, stored in _load_values(connection, table, document, named):
            replaced = who.replace_in(stored)
            if replaced != stored:
                connection.execute(sa.update(table).where(key).values({document.name: replaced}))
                count += 1
    return count


def _replace_ids(connection: sa.Connection, who: _Person) -> int:
    """Put the pseudonym into the rows that name somebody, and return into how many."""
    count = 0
    for column, _ in db.list_personal_columns(db.load_metadata(), db.Erasure.PSEUDONYM):
        theirs = sa.update(column.table).where(column == who.id)
        count += connection.execute(theirs.values({column.name: who.pseudonym})).rowcount
    return count


def _delete_rows(connection: sa.Connection, who: _Person) -> None:
    # The person's own row comes last, as all others refer to it.
    for column, rule in reversed(db.list_personal_columns(db.load_metadata(), db.Erasure.ROW)):
        table = column.table
        theirs = column == who.id
        if rule.scope:
            theirs = sa.and_(theirs, table.c[rule.scope] == PERSON_SCOPE)
        connection.execute(sa.delete(table).where(theirs))


def _load_values(
    connection: sa.Connection,
    table: sa.Table,
    column: sa.ColumnElement[Any],
    which: sa.ColumnElement[bool],
) -> Iterator[tuple[sa.ColumnElement[bool], Any]]:
    """Yield the values of a column, each with the condition that finds its row."""
    keys = list(table.primary_key.columns)
    for *key, value in connection.execute(sa.select(*keys, column).where(which)).all():
        yield sa.and_(*(each == part for each, part in zip(keys, key, strict=True))), value


def erase_contribution(
    connection: sa.Connection, match: int, seat: tuple[str, int], values: Mapping[str, Any]
) -> None:
    """Put what stands for a deleted contribution into a seat, and keep what was proved before."""
    matches = db.load_metadata().tables["matches"]
    side, number = seat
    there = sa.and_(seats.c.match == match, seats.c.side == side, seats.c.number == number)
    connection.execute(sa.update(seats).where(there).values(contribution=values["contribution"]))
    kept = {name: value for name, value in values.items() if name != "contribution"}
    # What was proved while all was there counts, not what can be said after a second deletion.
    first = sa.and_(matches.c.id == match, matches.c.proof_checked.is_(None))
    connection.execute(sa.update(matches).where(first).values(kept))
