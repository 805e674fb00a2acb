"""A database in which every table has rows, with every kind of value that its columns take."""

import re
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Connection,
    Double,
    Integer,
    LargeBinary,
    Table,
    Text,
    insert,
)

from bot.platform.db.migration import find_newest_version
from bot.platform.db.store import Store
from bot.platform.db.tables import Erasure, Flag, PersonalColumn, get_rule, load_metadata
from tests.support.stored import ANA, BEN, CYN, NOW
from tests.support.undoing import load_schema

_NAMES = {ANA: "Ana", BEN: "Ben ☺ \\ ' \" %s", CYN: ""}
_CHALLENGE: dict[str, Any] = {
    "guild": 1 << 62,
    "channel": 2,
    "challenger": ANA,
    "side": "gold",
    "game": "zeno",
    "rated": True,
    "players": 1,
    "secret": bytes(range(256)),
    "commitment": "c0ffee",
    "created": NOW,
    "expires": NOW + 1000,
}
_MATCH: dict[str, Any] = {
    "guild": 1 << 62,
    "channel": 2,
    "game": "zeno",
    "edition": 1,
    "secret": bytes(range(256)),
    "commitment": "c0ffee",
    "created": NOW,
    "touched": NOW,
}
_RATED: dict[str, Any] = {"scope": "everywhere", "pool": "zeno", "person": ANA}
ROWS: dict[str, list[dict[str, Any]]] = {
    "people": [
        {"id": person, "name": name, "seen": NOW, "locale": "en-GB"}
        for person, name in _NAMES.items()
    ],
    "matches": [
        {
            **_MATCH,
            "id": 7,
            "rated": False,
            "away_days": 3,
            "options": {},
            "message": 77,
            "thread": 78,
            "notice": 79,
            "followed": True,
        },
        {
            **_MATCH,
            "id": 4,
            "rated": True,
            "options": {"dice": "two", "ünïcode": ["☺", None, 1.5]},
            "contest": 3,
            "swapped": True,
            "ladder": 5,
            "rating_edition": 2,
            "proof_checked": NOW + 10,
            "proof_throws": 17,
            "ended": NOW + 9,
            "winner": "gold",
            "how": "off",
            "parts": {"worth": "slaps", "n": 3},
            "version": 2,
            "snapshot": {"phase": "over", "player": 0},
            "former": [{"side": "gold", "number": 0, "person": CYN, "until": 1}],
        },
    ],
    "seats": [
        {"match": 4, "side": side, "number": 0, "person": person, "contribution": f"{person}'s"}
        for side, person in (("gold", ANA), ("black", BEN))
    ],
    "challenges": [
        {
            **_CHALLENGE,
            "id": 3,
            "options": {"dice": "two"},
            "state": "accepted",
            "match": 4,
            "opponent": BEN,
            "ladder": 5,
            "closed": NOW + 1,
        },
        {**_CHALLENGE, "id": 9, "options": {}, "rematch_of": 4, "message": 80},
    ],
    "events": [
        {
            "match": 4,
            "version": 1,
            "at": NOW,
            "person": ANA,
            "cause": "press",
            "record": {"event": "roll", "at": 0},
        },
        {
            "match": 4,
            "version": 2,
            "at": NOW,
            "person": None,
            "cause": None,
            "record": {"text": "☺\u0001 \\u0041"},
        },
    ],
    "ratings": [
        {
            **_RATED,
            "mu": 25.1,
            "sigma": 1 / 3,
            "games": 1,
            "won": 1,
            "drawn": 0,
            "lost": 0,
            "updated": NOW,
        },
    ],
    "rating_changes": [
        {**_RATED, "match": 4, "after_mu": 25.1, "after_sigma": 1 / 3, "side": "black"},
        {
            **_RATED,
            "match": 7,
            "before_mu": -0.1,
            "before_sigma": 8.0,
            "after_mu": 1e-300,
            "after_sigma": 2.0,
            "day": 20_000,
        },
    ],
    "puzzles": [{"scope": "server", "id": 1, "day": 20_000, "puzzle": "p"}],
    "outages": [
        {"began": NOW, "ended": NOW + 1},
        {"began": NOW, "ended": NOW + 2, "shard": 3, "shards": 16},
    ],
    "stoppages": [
        {"scope": "server", "subject": 1 << 62, "began": NOW, "ended": NOW + 1},
        {"scope": "match", "subject": 7, "began": NOW},
    ],
    "servers": [
        {
            "guild": 1,
            "pace": "none",
            "channels": [1, 1 << 62],
            "role": 4,
            "quiet": [0, 60],
            "zone": "Europe/Berlin",
            "language": "pt-BR",
            "pages": True,
        }
    ],
    "audit": [
        {
            "guild": 1,
            "at": NOW,
            "moderator": CYN,
            "action": "annul",
            "match": 4,
            "reason": "a slip",
            "people": [ANA],
        },
    ],
    "contests": [
        {
            "id": 3,
            "guild": 1 << 62,
            "channel": 2,
            "message": 4,
            "name": "Lëague ☺",
            "organiser": CYN,
            "game": "zeno",
            "options": {"goal": "off"},
            "rated": True,
            "pace": "week",
            "days": 28,
            "format": "swiss",
            "rounds": 5,
            "best_of": 1,
            "third_place": False,
            "at_once": 4,
            "starters": 16,
            "role": 77,
            "paused": NOW + 1,
            "by_clock": True,
            "size": 16,
            "away_days": 3,
            "late_entry": False,
            "closed_rounds": 1,
            "more_games": ["pyf"],
            "unfinished": "evaluation",
            "repeats": True,
            "season": 1,
            "secret": bytes(range(256)),
            "commitment": "c0ffee",
            "created": NOW,
            "starts": NOW + 1,
            "began": NOW + 1,
            "ends": NOW + 2,
            "state": "running",
            "has_event": True,
            "has_roles": True,
            "event": 1 << 61,
            "event_problem": "no_event_permission",
            "roles_problem": "role_too_high",
            "shortfalls": 1,
            "unplayed": True,
            "role_deleted": True,
            "closing": 1 << 60,
        },
        {
            "id": 9,
            "guild": 1 << 62,
            "channel": 2,
            "name": "Lëague ☺",
            "organiser": CYN,
            "game": "zeno",
            "options": {},
            "rated": False,
            "pace": "none",
            "days": 7,
            "unfinished": "draw",
            "repeats": False,
            "season": 2,
            "previous": 3,
            "first_season": 3,
            "secret": bytes(range(256)),
            "commitment": "c0ffee",
            "created": NOW,
            "starts": NOW + 1,
        },
    ],
    "entrants": [
        {
            "contest": 3,
            "person": ANA,
            "contribution": "1234 word",
            "joined": NOW,
            "division": 0,
            "seed": 0,
            "left": NOW + 1,
            "departure": "server",
            "back_after": 2,
        },
        {
            "contest": 3,
            "person": BEN,
            "contribution": "1235",
            "joined": NOW,
            "replaces": ANA,
        },
    ],
    "pairings": [
        {
            "contest": 3,
            "number": 1,
            "division": 0,
            "first": ANA,
            "second": BEN,
            "match": 4,
            "winner": ANA,
            "how": "off",
            "round": 2,
            "board": 3,
        }
    ],
    "ladders": [
        {
            "id": 5,
            "guild": 1 << 62,
            "channel": 2,
            "message": 4,
            "name": "Lädder ☺",
            "organiser": CYN,
            "game": "zeno",
            "options": {"goal": "off"},
            "rated": True,
            "pace": "week",
            "created": NOW,
            "next_drop": NOW + 1,
            "closed": NOW + 2,
        }
    ],
    "ladder_events": [
        {"id": 7, "ladder": 5, "at": NOW, "action": "join", "person": ANA},
        {
            "id": 8,
            "ladder": 5,
            "at": NOW,
            "action": "remove",
            "person": ANA,
            "moderator": CYN,
            "reason": "a slip",
        },
    ],
    "ladder_players": [
        {"ladder": 5, "person": ANA, "rung": 1, "played": 2, "won": 1, "active": NOW, "gone": NOW},
        {"ladder": 5, "person": BEN, "played": 0, "won": 0, "active": NOW},
    ],
    "contest_rulings": [
        {
            "id": 6,
            "contest": 3,
            "at": NOW,
            "moderator": CYN,
            "action": "remove",
            "person": ANA,
            "reason": "a slip",
        }
    ],
    "exclusions": [{"scope": "person", "id": ANA, "mark": "c0ffee"}],
    "jobs": [
        {
            "id": 12,
            "kind": "watch",
            "key": "7",
            "detail": {"since": 0},
            "due": NOW,
            "leased_by": "x",
            "leased_until": NOW,
        },
        {
            "id": 5,
            "kind": "report",
            "key": "4",
            "detail": {},
            "due": NOW,
            "tries": 2,
            "error": "no",
            "given_up": NOW,
            "guild": 1 << 62,
        },
    ],
}
"""What stands in tables whose rows must fit one another; no rules could replay the events."""

_SAMPLES: dict[type, Any] = {
    BigInteger: NOW,
    Integer: 3,
    Double: 1 / 3,
    Flag: True,
    Text: "☺ \\ ' \" %s",
    LargeBinary: bytes(range(256)),
    JSON: {"ünïcode": ["☺", None, 1.5]},
}


def list_rows(table: Table) -> list[dict[str, Any]]:
    """Return what stands in a table: rows as above, else one with something in every column."""
    if table.name in ROWS:
        return ROWS[table.name]
    people = iter(_NAMES)
    made = load_schema(find_newest_version()).tables[table.name]
    allowed = dict(re.findall(r"(\w+) IN \('([^']+)'", made))
    row: dict[str, Any] = {}
    for column in table.columns:
        rule = get_rule(column)
        if isinstance(rule, PersonalColumn) and rule.erasure in (Erasure.ROW, Erasure.PSEUDONYM):
            row[column.name] = next(people)
        elif column.foreign_keys:
            (key,) = column.foreign_keys
            row[column.name] = min(each[key.column.name] for each in list_rows(key.column.table))
        else:
            row[column.name] = allowed.get(column.name, _SAMPLES[type(column.type)])
    return [row]


async def fill_store(store: Store) -> None:
    """Write rows into every table."""

    def work(connection: Connection) -> None:
        for table in load_metadata().sorted_tables:
            for row in list_rows(table):
                connection.execute(insert(table).values(row))

    await store._database.write(work)  # noqa: SLF001
