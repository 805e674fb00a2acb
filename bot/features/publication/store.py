"""What people have answered, and which finished matches all their players have agreed to publish.

The pseudonym of somebody is random and stored beside their consent alone: when that is withdrawn or
their data is deleted, nothing that is left says whose it was.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from bot.features.matches.tables import matches, seats
from bot.platform.db import tables as db
from bot.platform.db.copies import COPY_MARK
from bot.platform.db.database import StorePart, build_upsert, reading, writing
from bot.platform.db.errors import StoreError
from bot.platform.db.store import GENERATION_STARTS
from bot.platform.people import COMPUTERS
from engine.outcome import UNPLAYED

WORDING = 1
"""The edition of the question.

It rises when what people agree to changes: then an earlier yes no longer holds, and they are asked
again. An earlier no does hold.
"""

consents = sa.Table(
    "publication_consents",
    db.metadata,
    db.build_person_key(),
    sa.Column("at", db.BIG, nullable=False, info=db.OWN),
    sa.Column("wording", sa.Integer, nullable=False, info=db.OWN),
    sa.Column("pseudonym", sa.Text, info=db.OWN),
    sa.Index("publication_pseudonyms", "pseudonym", unique=True),
)
_HOLDS = sa.and_(consents.c.pseudonym.is_not(None), consents.c.wording == WORDING)


@dataclass(frozen=True, slots=True)
class Consent:
    """What somebody answered at an instant to an edition of the question; no pseudonym is a no."""

    at: int
    wording: int
    pseudonym: str | None

    @property
    def holds(self) -> bool:
        """Whether their matches may be published."""
        return self.pseudonym is not None and self.wording == WORDING

    @property
    def is_settled(self) -> bool:
        """Whether they need not be asked again."""
        return self.pseudonym is None or self.holds


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match that is to be published, and the pseudonyms under which its people are in it."""

    number: int
    pseudonyms: Mapping[int, str]


class Consents(StorePart):
    """The answers by person."""

    async def find(self, person: int) -> Consent | None:
        """Return what somebody answered; None if they haven't yet."""
        query = sa.select(consents.c.at, consents.c.wording, consents.c.pseudonym).where(
            consents.c.person == person
        )
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return Consent(*row) if row else None

    @writing
    def save(self, connection: sa.Connection, person: int, now: int, pseudonym: str | None) -> None:
        """Keep an answer in place of the one before; a pseudonym that they have stays theirs."""
        answer: dict[str, Any] = {"at": now, "wording": WORDING, "pseudonym": pseudonym}
        insert = build_upsert(connection.dialect.name, consents).values(person=person, **answer)
        if pseudonym is not None:
            answer["pseudonym"] = sa.func.coalesce(consents.c.pseudonym, insert.excluded.pseudonym)
        connection.execute(
            insert.on_conflict_do_update(index_elements=[consents.c.person], set_=answer)
        )

    @writing
    def withdraw(self, connection: sa.Connection, person: int) -> None:
        """Forget what somebody answered."""
        connection.execute(sa.delete(consents).where(consents.c.person == person))

    @writing
    def ask_everybody_again(self, connection: sa.Connection) -> int:
        """Do as when a backup was restored, and return how many people are asked again."""
        return _forget_consents(connection)

    async def load_pseudonyms(self, people: Collection[int]) -> Mapping[int, str]:
        """Return the pseudonyms of those people whose matches may be published."""
        query = sa.select(consents.c.person, consents.c.pseudonym).where(
            consents.c.person.in_(people), _HOLDS
        )
        return {row.person: row.pseudonym for row in await self._load_rows(query)}

    @reading
    def require_confirmed(self, connection: sa.Connection) -> None:
        """Raise StoreError if what was withdrawn may be missing, as in a restored backup."""
        _require_confirmed(connection)

    @writing
    def release(
        self,
        connection: sa.Connection,
        listed: Sequence[ListedMatch],
        publish: Callable[[], None],
    ) -> frozenset[int]:
        """Publish matches, or return the numbers of those of them that may no longer be.

        Until it is published nobody can withdraw, nothing be annulled and no backup restored: who
        is told that they have withdrawn is in no file that appears later. Raises StoreError.
        """
        if connection.dialect.name == "postgresql":
            # SQLite has one writer at a time, which is this one.
            connection.execute(sa.text("LOCK TABLE matches, publication_consents IN SHARE MODE"))
        _require_confirmed(connection)
        void = sa.select(matches.c.id).where(
            matches.c.ended.is_not(None), matches.c.how.in_(sorted(UNPLAYED))
        )
        held = sa.select(consents.c.person, consents.c.pseudonym).where(_HOLDS)
        pseudonyms = {row.person: row.pseudonym for row in connection.execute(held)}
        numbers = frozenset(connection.execute(void).scalars())
        withdrawn = frozenset(
            each.number
            for each in listed
            if each.number in numbers or not each.pseudonyms.items() <= pseudonyms.items()
        )
        if not withdrawn:
            publish()
        return withdrawn

    async def list_matches(
        self, since: int, after: tuple[int, int], most: int
    ) -> list[tuple[int, int]]:
        """Return when finished matches ended that may be published, and their numbers.

        They come in the order in which they ended, so many at most. Those come `after` one of
        them, and ended at the instant `since` or later. Earlier holders of seats are yet to be
        looked at.
        """
        place = sa.tuple_(matches.c.ended, matches.c.id)
        agreed = sa.select(consents.c.person).where(_HOLDS)
        refused = sa.exists().where(
            seats.c.match == matches.c.id,
            seats.c.person.not_in(sorted(COMPUTERS)),
            seats.c.person.not_in(agreed),
        )
        query = (
            sa.select(matches.c.ended, matches.c.id)
            .where(
                matches.c.ended >= since,
                place > sa.tuple_(*map(sa.literal, after)),
                matches.c.how.not_in(sorted(UNPLAYED)),
                ~refused,
            )
            .order_by(matches.c.ended, matches.c.id)
            .limit(most)
        )
        return [(row.ended, row.id) for row in await self._load_rows(query)]


def _require_confirmed(connection: sa.Connection) -> None:
    mark = sa.select(db.program_metadata.c.name).where(db.program_metadata.c.name == COPY_MARK)
    # Only a run of the bot makes sure that what was withdrawn meanwhile stays withdrawn.
    if connection.execute(mark).first():
        raise StoreError("this database was restored from a backup; start the bot before")


@GENERATION_STARTS.add()
def ask_again(connection: sa.Connection) -> None:
    """Let nothing be published that somebody may have withdrawn since a restored backup."""
    _forget_consents(connection)


def _forget_consents(connection: sa.Connection) -> int:
    # With their pseudonyms, since those may have been withdrawn as well.
    return connection.execute(sa.delete(consents).where(consents.c.pseudonym.is_not(None))).rowcount
