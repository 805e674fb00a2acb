"""Whom people have blocked, and what they note about matches, each for themselves alone."""

from collections.abc import Collection

import sqlalchemy as sa

from bot.features.matches.tables import matches
from bot.platform.db import exclusions
from bot.platform.db import tables as db
from bot.platform.db.database import StorePart, build_upsert, reading, upsert_rows, writing
from bot.platform.db.preferences import FIRST_VISITS

blocks = sa.Table(
    "blocks",
    db.metadata,
    sa.Column("person", db.BIG, sa.ForeignKey(db.people.c.id), nullable=False, info=db.OWNER),
    sa.Column(
        "blocked",
        db.BIG,
        sa.ForeignKey(db.people.c.id),
        nullable=False,
        info=db.declare_personal(
            db.Erasure.ROW, withheld="whom others have blocked is known to them alone"
        ),
    ),
    sa.PrimaryKeyConstraint("person", "blocked"),
    sa.Index("blocks_of", "blocked"),
)


class Blocks(StorePart):
    """Blocks by the person who has blocked somebody.

    Of those who have had their data deleted a mark is kept that names nobody.
    """

    async def add(self, person: int, blocked: int) -> None:
        """Keep that a person has blocked somebody."""
        row = {"person": person, "blocked": blocked}
        # To block somebody twice is no error.
        await self._database.write(
            lambda connection: connection.execute(
                build_upsert(connection.dialect.name, blocks).on_conflict_do_nothing(), row
            )
        )

    @writing
    def remove(self, connection: sa.Connection, person: int, blocked: int) -> None:
        """Forget that a person has blocked somebody."""
        theirs = sa.delete(blocks).where(blocks.c.person == person, blocks.c.blocked == blocked)
        connection.execute(theirs)
        exclusions.readmit_person(connection, exclusions.ExclusionScope.PERSON, blocked, person)

    async def remove_deleted(self, person: int) -> None:
        """Forget that a person has blocked people whose data is deleted."""
        await self._database.write(
            lambda connection: exclusions.readmit_everybody(
                connection, exclusions.ExclusionScope.PERSON, [person]
            )
        )

    async def count_deleted(self, person: int) -> int:
        """Return how many of those whom a person has blocked have had their data deleted."""
        return await self._database.read(
            lambda connection: exclusions.count_excluded(
                connection, exclusions.ExclusionScope.PERSON, person
            )
        )

    async def load_blocked(self, person: int) -> list[int]:
        """Return whom a person has blocked."""
        query = (
            sa.select(blocks.c.blocked).where(blocks.c.person == person).order_by(blocks.c.blocked)
        )
        return await self._load_column(query)

    async def load_among(self, people: Collection[int]) -> list[tuple[int, int]]:
        """Return all blocks among some people, as pairs of blocker and blocked."""
        both = blocks.c.person.in_(people) & blocks.c.blocked.in_(people)
        query = sa.select(blocks.c.person, blocks.c.blocked).where(both)
        return await self._database.read(
            lambda connection: [(each[0], each[1]) for each in connection.execute(query)]
        )

    @reading
    def load_between(
        self, connection: sa.Connection, person: int, others: Collection[int]
    ) -> list[tuple[int, int]]:
        """Return the blocks between a person and some others, as pairs of blocker and blocked."""
        # Both ways at once, since a block keeps two people apart whichever of them has set it.
        theirs = (blocks.c.person == person) & blocks.c.blocked.in_(others)
        by_others = (blocks.c.blocked == person) & blocks.c.person.in_(others)
        query = sa.select(blocks.c.person, blocks.c.blocked).where(sa.or_(theirs, by_others))
        named = {(each[0], each[1]) for each in connection.execute(query)}
        unnamed = exclusions.find_exclusions(
            connection, exclusions.ExclusionScope.PERSON, {person, *others}
        )
        here = {
            (by, blocked)
            for by, blocked in unnamed
            if (by == person and blocked in others) or (blocked == person and by in others)
        }
        return sorted(named | here)


@FIRST_VISITS.add()
def restore_blocks(connection: sa.Connection, person: int) -> None:
    """Name somebody who has come back in the blocks that held while their data was deleted."""
    by = exclusions.readmit_person(connection, exclusions.ExclusionScope.PERSON, person)
    if by:
        insertion = build_upsert(connection.dialect.name, blocks).on_conflict_do_nothing()
        connection.execute(insertion, [{"person": each, "blocked": person} for each in by])


# The table `notes` has metadata of the program.
match_notes = sa.Table(
    "memos",
    db.metadata,
    sa.Column("person", db.BIG, sa.ForeignKey(db.people.c.id), nullable=False, info=db.OWNER),
    sa.Column("match", db.BIG, sa.ForeignKey(matches.c.id), nullable=False, info=db.NUMBER),
    sa.Column(
        "text", sa.Text, nullable=False, info=db.declare_personal(db.Erasure.WORDS, author="person")
    ),
    sa.PrimaryKeyConstraint("person", "match"),
    sa.Index("memos_about", "match"),
    info=db.PLAYERS_OWN,
)


class MatchNotes(StorePart):
    """Texts by person and match."""

    async def load_for_matches(self, person: int, matches: Collection[int]) -> dict[int, str]:
        """Return what somebody noted about those of the matches about which they did."""
        query = sa.select(match_notes.c.match, match_notes.c.text).where(
            match_notes.c.person == person, match_notes.c.match.in_(matches)
        )
        rows = await self._load_rows(query)
        return {row.match: row.text for row in rows}

    async def save(self, person: int, match: int, text: str) -> None:
        """Keep a note in place of the one before."""
        row = {"person": person, "match": match, "text": text}
        await self._database.write(lambda connection: upsert_rows(connection, match_notes, [row]))

    async def remove(self, person: int, match: int) -> None:
        """Forget a note."""
        statement = sa.delete(match_notes).where(
            match_notes.c.person == person, match_notes.c.match == match
        )
        await self._database.write(lambda connection: connection.execute(statement))
