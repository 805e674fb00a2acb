"""What people have answered, and which finished matches all their players have agreed to publish.

The pseudonym of somebody is random and stored beside their consent alone: when that is withdrawn or
their data is deleted, nothing that is left says whose it was.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from bot.features.matches.tables import matches, seats
from bot.platform.db import tables as db
from bot.platform.db.database import StorePart, build_upsert, writing
from bot.platform.db.store import GENERATION_STARTS
from bot.platform.people import COMPUTERS
from engine.outcome import UNPLAYED

WORDING = 1
"""The edition of the question.

It rises when what people agree to changes: then an earlier yes no longer holds, and they are asked
again. An earlier no does hold.
"""
UNCONFIRMED = 0
"""The edition of a yes that may have been withdrawn in a time that a restored backup lacks."""

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

    async def load_pseudonyms(self, people: Collection[int]) -> Mapping[int, str]:
        """Return the pseudonyms of those people whose matches may be published."""
        query = sa.select(consents.c.person, consents.c.pseudonym).where(
            consents.c.person.in_(people), _HOLDS
        )
        return {row.person: row.pseudonym for row in await self._load_rows(query)}

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


@GENERATION_STARTS.add()
def ask_again(connection: sa.Connection) -> None:
    """Let nothing be published that somebody may have withdrawn since a restored backup."""
    connection.execute(sa.update(consents).where(_HOLDS).values(wording=UNCONFIRMED))
