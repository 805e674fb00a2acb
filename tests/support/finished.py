"""Matches stored as they are when they are over, to count them by hand."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TypeAlias

from sqlalchemy import Connection, insert, select

from bot.features.matches.tables import matches, seats
from bot.features.statistics.store import table as lengths
from bot.platform.db.store import Store
from bot.platform.db.tables import people

Finished: TypeAlias = tuple[int, int, int, str]
"""When a match ended, gold, black and who won."""


def parse_instant(text: str) -> int:
    """An instant in milliseconds, from its date and time in UTC."""
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


async def store_matches(
    store: Store,
    finished: Sequence[Finished],
    *,
    game: str = "zeno",
    how: str | None = "off",
    guild: int,
    channel: int = 1,
    turns: Sequence[int] = (),
) -> None:
    """Store matches as they are when they are over, with the turns of the first of them."""
    ids = {person for _, gold, black, _ in finished for person in (gold, black)}

    def work(connection: Connection) -> None:
        known = set(connection.execute(select(people.c.id)).scalars())
        for person in ids - known:
            connection.execute(insert(people).values(id=person, name=str(person), seen=0))
        for at, (ended, gold, black, winner) in enumerate(finished):
            values = {
                "guild": guild,
                "channel": channel,
                "game": game,
                "edition": 1,
                "options": {},
                "rated": False,
                "secret": b"",
                "commitment": "",
                "created": 0,
                "touched": ended,
                "ended": ended if how else None,
                "winner": winner if how else None,
                "how": how,
            }
            number = connection.execute(
                insert(matches).values(values).returning(matches.c.id)
            ).scalar_one()
            for side, person in (("gold", gold), ("black", black)):
                seat = {"match": number, "side": side, "number": 0, "person": person}
                connection.execute(insert(seats).values(**seat, contribution=""))
            if at < len(turns):
                length = {"match": number, "guild": guild, "turns": turns[at]}
                connection.execute(insert(lengths).values(length))

    await store._database.write(work)  # noqa: SLF001
