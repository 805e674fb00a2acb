"""A database in which every table has rows, with every kind of value that its columns take."""

from typing import Any

from sqlalchemy import Connection, insert

from bot.platform.db.tables import load_metadata
from bot.store import Store
from tests.store.build import ANA, BEN, CYN, NOW

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
    "challenge_seats": [
        {"challenge": 9, "side": "gold", "number": 0, "person": ANA, "contribution": "ana's"}
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
    "reports": [{"match": 4, "document": {"moves": [[0.1, 0.2], "☺"]}, "made": NOW}],
    "blunders": [
        {
            "person": ANA,
            "match": 7,
            "version": 3,
            "play": "a-b",
            "error": 1 / 3,
            "tries": 2,
            "solved": True,
        },
    ],
    "hints": [{"match": 7, "person": ANA}],
    "puzzles": [{"scope": "server", "id": 1, "day": 20_000, "puzzle": "p"}],
    "streaks": [{"person": ANA, "day": 20_000, "puzzle": "p", "streak": 3}],
    "lessons": [
        {"person": ANA, "lesson": "zeno", "step": 1, "presses": "g-k*;e-k", "touched": NOW},
        {"person": BEN, "lesson": "tabula", "step": 5, "presses": "", "touched": NOW},
    ],
    "outages": [
        {"began": NOW, "ended": NOW + 1},
        {"began": NOW, "ended": NOW + 2, "shard": 3, "shards": 16},
    ],
    "stoppages": [
        {"scope": "server", "subject": 1 << 62, "began": NOW, "ended": NOW + 1},
        {"scope": "match", "subject": 7, "began": NOW},
    ],
    "presences": [{"shard": 3, "shards": 16, "at": NOW}],
    "absences": [{"person": ANA, "began": NOW, "ended": NOW}],
    "habits": [
        {
            "person": ANA,
            "reminder": "direct",
            "throws": True,
            "language": "de",
            "pages": False,
            "shares": True,
            "everywhere": True,
        }
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
    "follows": [{"match": 7, "person": ANA, "often": "turn"}],
    "subscriptions": [
        {"person": ANA, "guild": 1 << 62, "game": "zeno"},
        {"person": BEN, "guild": 1 << 62, "game": "any"},
    ],
    "challenge_notices": [
        {"person": ANA, "at": NOW},
        {"person": BEN, "at": NOW, "challenge": 9},
    ],
    "scheduled_posts": [
        {"guild": 1, "post": "puzzle", "channel": 5, "hour": 9, "day": 20_000},
        {
            "guild": 1 << 62,
            "post": "digest",
            "hour": 0,
            "day": 20_002,
            "begun": 20_002,
            "place": 1 << 61,
            "message": 6,
            "subject": "p",
        },
    ],
    "puzzle_answers": [{"guild": 1 << 62, "day": 20_000, "person": ANA, "solved": True}],
    "match_puzzles": [
        {"match": 7, "version": 3, "puzzle": "p", "document": {"game": "zeno", "thrown": [1, 2]}}
    ],
    "blocks": [{"person": ANA, "blocked": BEN}],
    "seat_offers": [
        {"match": 7, "holder": ANA, "taker": BEN, "offerer": CYN, "created": NOW, "closed": NOW + 1}
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
    "data_exports": [{"person": ANA, "at": NOW}],
    "memos": [{"person": ANA, "match": 7, "text": "mind the ace point"}],
    "analyses": [
        {
            "id": 5,
            "game": "zeno",
            "edition": 1,
            "options": {},
            "position": "a15 z15 gold -",
            "thrown": [6, 5, 2],
            "created": NOW,
        },
        {
            "id": 8,
            "game": "zeno",
            "edition": 1,
            "options": {"goal": "off"},
            "position": "a15 z15 gold -",
            "thrown": [],
            "created": NOW,
            "person": ANA,
            "guild": 1 << 62,
            "channel": 2,
            "message": 3,
            "revealed": NOW + 1,
        },
    ],
    "proposals": [{"analysis": 8, "person": BEN, "play": "a-g a-f a-c"}],
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
    "byes": [{"contest": 3, "round": 1, "person": BEN, "half_points": 2}],
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
    "ladder_results": [{"match": 4, "at": NOW + 9, "winner": ANA, "how": "off"}],
    "contest_roles": [
        {"contest": 3, "place": 0, "after": 5, "role": 1 << 60},
        {"contest": 3, "place": 1, "after": 1 << 60},
    ],
    "contest_role_holders": [
        {"contest": 3, "place": 0, "person": ANA, "is_given": True},
        {"contest": 3, "place": 0, "person": BEN},
    ],
    "match_lengths": [{"match": 4, "guild": 1 << 62, "turns": 61}],
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
    "notes": [{"name": "commands", "text": "digest"}],
    "looks": [{"scope": "person", "id": ANA, "theme": None, "seat": "mine", "numbered": True}],
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
"""What stands in each table; events that no rules could replay, for the store knows no rules."""


async def fill_store(store: Store) -> None:
    """Write them."""

    def work(connection: Connection) -> None:
        for table in load_metadata().sorted_tables:
            for row in ROWS[table.name]:
                connection.execute(insert(table).values(row))

    await store._database.write(work)  # noqa: SLF001
