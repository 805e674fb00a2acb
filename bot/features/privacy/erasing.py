"""A person taken out of every table, inside one transaction.

What is theirs alone is deleted. What others need, the matches that they have played and all that
follows from them, goes on under a pseudonym.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Table,
    Text,
    and_,
    cast,
    delete,
    false,
    func,
    insert,
    or_,
    select,
    update,
)

from bot.features.privacy.columns import Erasure, PersonalColumn, list_personal_columns
from bot.platform.db.rows import DELETED_NAME, FIRST_PSEUDONYM
from bot.platform.db.statements import lock_pseudonyms
from bot.platform.db.tables import jobs, load_metadata, people, seats

NO_WORDS = "(deleted)"
"""What stands for the words that somebody wrote; a ruling always has a reason."""
PERSON_SCOPE = "person"
"""The scope of ids that are a person's."""
LEAST_NAME = 3
"""Characters of a name that is looked for in texts; a shorter one would be found in many words."""
LEAST_DIGITS = 15
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
        if len(str(self.id)) >= LEAST_DIGITS:
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


def erase_person(connection: Connection, person: int, now: int) -> int | None:
    """Take a person out of every table, and return their pseudonym; None if it is of no use.

    What they gave to the dice of matches stays, until `erase_contribution` deletes it.
    """
    lock_pseudonyms(connection)
    lowest = connection.execute(select(func.min(people.c.id))).scalar() or 0
    pseudonym = min(lowest, FIRST_PSEUDONYM + 1) - 1
    connection.execute(insert(people).values(id=pseudonym, name=DELETED_NAME, seen=now))
    who = _Person(person, pseudonym, _fetch_names(connection, person))
    _delete_jobs(connection, who)
    _cut_words(connection, who)
    # Before the ids, by which it is known whose words they are.
    for erasure in (Erasure.WORDS, Erasure.TITLE):
        for name, column, rule in list_personal_columns(erasure):
            _erase_text(connection, who, load_metadata().tables[name], column, rule)
    used = _replace_in_documents(connection, who) + _replace_ids(connection, who)
    _delete_rows(connection, who)
    if used:
        return pseudonym
    connection.execute(delete(people).where(people.c.id == pseudonym))
    return None


def _fetch_names(connection: Connection, person: int) -> tuple[str, ...]:
    query = select(people.c.name, people.c.account).where(people.c.id == person)
    names = connection.execute(query).first() or ()
    return tuple(name.strip() for name in names if name and len(name.strip()) >= LEAST_NAME)


def is_named_in(column: ColumnElement[Any], person: int) -> ColumnElement[bool]:
    """Return the condition that an id is somewhere in a text or document; others may match too."""
    return cast(column, Text).like(f"%{person}%")


def _delete_jobs(connection: Connection, who: _Person) -> None:
    waiting = select(jobs.c.id, jobs.c.key, jobs.c.detail).where(
        or_(is_named_in(jobs.c.key, who.id), is_named_in(jobs.c.detail, who.id))
    )
    theirs = [
        job.id
        for job in connection.execute(waiting)
        if who.id in job.detail.values() or str(who.id) in re.split(r"\W+", job.key)
    ]
    connection.execute(delete(jobs).where(jobs.c.id.in_(theirs)))


def _cut_words(connection: Connection, who: _Person) -> None:
    """Leave of what somebody gave to challenges the number alone: no throw depends on it."""
    table = load_metadata().tables["challenge_seats"]
    theirs = and_(table.c.person == who.id, table.c.contribution.like("% %"))
    for key, given in _fetch_values(connection, table, table.c.contribution, theirs):
        number = given.partition(" ")[0]
        connection.execute(update(table).where(key).values(contribution=number))


def _erase_text(
    connection: Connection, who: _Person, table: Table, column: str, rule: PersonalColumn
) -> None:
    text = table.c[column]
    if rule.author:
        own = table.c[rule.author] == who.id
        connection.execute(update(table).where(own).values({column: NO_WORDS}))
    about, named_in = _is_about(table, who.id), is_named_in(text, who.id)
    # There are too many events to look at those of other people's matches.
    found = and_(about, named_in) if rule.in_matches else or_(about, named_in)
    for key, stored in _fetch_values(connection, table, text, found):
        named = connection.execute(select(1).where(key, about)).first() is not None
        erased = who.erase_from(stored, named=named) if stored else stored
        if erased != stored:
            connection.execute(update(table).where(key).values({column: erased}))


def _is_about(table: Table, person: int) -> ColumnElement[bool]:
    """Return the condition that a row of a table is about somebody, or about a match of theirs."""
    ids = [
        table.c[column] == person
        for name, column, _ in list_personal_columns(Erasure.PSEUDONYM)
        if name == table.name
    ]
    documents = [
        is_named_in(table.c[column], person)
        for name, column, _ in list_personal_columns(Erasure.PEOPLE)
        if name == table.name
    ]
    played = select(seats.c.match).where(seats.c.person == person)
    matches = [table.c.match.in_(played)] if "match" in table.c else []
    return or_(false(), *ids, *documents, *matches)


def _replace_in_documents(connection: Connection, who: _Person) -> int:
    """Put the pseudonym into the documents that name somebody, and return into how many."""
    count = 0
    for name, column, _ in list_personal_columns(Erasure.PEOPLE):
        table = load_metadata().tables[name]
        document = table.c[column]
        named = is_named_in(document, who.id)
        for key, stored in _fetch_values(connection, table, document, named):
            replaced = who.replace_in(stored)
            if replaced != stored:
                connection.execute(update(table).where(key).values({column: replaced}))
                count += 1
    return count


def _replace_ids(connection: Connection, who: _Person) -> int:
    """Put the pseudonym into the rows that name somebody, and return into how many."""
    count = 0
    for name, column, _ in list_personal_columns(Erasure.PSEUDONYM):
        table = load_metadata().tables[name]
        theirs = update(table).where(table.c[column] == who.id)
        count += connection.execute(theirs.values({column: who.pseudonym})).rowcount
    return count


def _delete_rows(connection: Connection, who: _Person) -> None:
    rows = list_personal_columns(Erasure.ROW)
    # The person's own row comes last, as all others refer to it.
    for name, column, rule in sorted(rows, key=lambda each: each[0] == people.name):
        table = load_metadata().tables[name]
        theirs = table.c[column] == who.id
        if rule.scope:
            theirs = and_(theirs, table.c[rule.scope] == PERSON_SCOPE)
        connection.execute(delete(table).where(theirs))


def _fetch_values(
    connection: Connection, table: Table, column: ColumnElement[Any], which: ColumnElement[bool]
) -> Iterator[tuple[ColumnElement[bool], Any]]:
    """Yield the values of a column, each with the condition that finds its row."""
    keys = list(table.primary_key.columns)
    for *key, value in connection.execute(select(*keys, column).where(which)).all():
        yield and_(*(each == part for each, part in zip(keys, key, strict=True))), value


def erase_contribution(
    connection: Connection, match: int, seat: tuple[str, int], values: Mapping[str, Any]
) -> None:
    """Put what stands for a deleted contribution into a seat, and keep what was proved before."""
    matches = load_metadata().tables["matches"]
    side, number = seat
    there = and_(seats.c.match == match, seats.c.side == side, seats.c.number == number)
    connection.execute(update(seats).where(there).values(contribution=values["contribution"]))
    kept = {name: value for name, value in values.items() if name != "contribution"}
    # What was proved while all was there counts, not what can be said after a second deletion.
    first = and_(matches.c.id == match, matches.c.proof_checked.is_(None))
    connection.execute(update(matches).where(first).values(kept))
