"""A ladder on which people have played for years, as it is stored."""

import random
from typing import Any

from sqlalchemy import Connection, insert

from bot.features.challenges.tables import challenges
from bot.features.ladders.tables import events, ladders, results
from bot.features.matches.tables import matches
from bot.platform.db.store import Store
from engine.clock import DAY
from tests.support.stored import NOW, register_people

PEOPLE = tuple(range(101, 144))
"""Forty-three, of whom thirteen play."""
IDLE = 30
PER_WEEK = 5
"""Challenges that are settled in a week."""
WEEK = 7 * DAY
_LADDER = {
    "guild": 1,
    "channel": 2,
    "name": "Club ladder",
    "game": "fallas",
    "options": {},
    "rated": False,
    "pace": "week",
}
_TERMS = {
    "guild": 1,
    "channel": 2,
    "game": "fallas",
    "options": {},
    "rated": False,
    "secret": b"secret",
    "commitment": "c0ffee",
}


async def create_old_ladder(store: Store, weeks: int, number: int = 1) -> None:
    """Store a ladder that has gone on for so many weeks, as earlier versions have left it.

    Each week the idle dropped, whether anybody moved by it or not.
    """
    await register_people(store, *PEOPLE)
    await store._database.write(lambda connection: _insert(connection, weeks, number))  # noqa: SLF001 - by the front door it takes long


def _insert(connection: Connection, weeks: int, number: int) -> None:
    chance, began = random.Random(number), NOW - weeks * WEEK
    ladder = {"id": number, "organiser": PEOPLE[0], "created": began, "next_drop": NOW + WEEK}
    connection.execute(insert(ladders).values({**_LADDER, **ladder}))
    happened = [{"at": began, "action": "join", "person": person} for person in PEOPLE]
    played: dict[str, list[dict[str, Any]]] = {"matches": [], "challenges": [], "results": []}
    for week in range(weeks):
        monday = began + week * WEEK
        if week >= 4:
            dropped = [{"at": monday, "action": "drop", "person": each} for each in PEOPLE[:IDLE]]
            happened += dropped
        for at in range(PER_WEEK):
            one, other = chance.sample(PEOPLE[IDLE:], 2)
            match = number * 100_000 + len(played["matches"]) + 1
            ended = monday + (at + 1) * DAY
            terms = {**_TERMS, "created": ended - DAY, "ladder": number}
            played["matches"].append(
                {
                    **terms,
                    "id": match,
                    "edition": 1,
                    "touched": ended,
                    "ended": ended,
                    "winner": "gold",
                    "how": "off",
                }
            )
            asked = {"id": match, "challenger": one, "opponent": other, "side": "gold"}
            asked |= {"expires": ended, "state": "accepted", "match": match, "players": 1}
            played["challenges"].append({**terms, **asked})
            winner = chance.choice((one, other))
            played["results"].append({"match": match, "at": ended, "winner": winner, "how": "off"})
    connection.execute(insert(events), [{"ladder": number, **each} for each in happened])
    for table, rows in ((matches, "matches"), (challenges, "challenges"), (results, "results")):
        connection.execute(insert(table), played[rows])
