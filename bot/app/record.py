"""A finished match as a file that anyone can check: every throw recomputed, every event judged again."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.app.table import Table, contributions
from engine import dice
from engine.events import Battled, Event, Thrown, from_record
from engine.games import find_game
from engine.match import Match, new_match
from engine.refusal import Refusal

FORMAT = 1


def to_file(table: Table, events: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a finished match's record, its dice's secret included."""
    return {
        "tabula": FORMAT,
        "match": table.id,
        "game": table.row.game,
        "rules": table.row.edition,
        "options": dict(table.row.options),
        "commitment": table.row.commitment,
        "secret": table.row.secret.hex(),
        "contributions": list(contributions(table.row)),
        "events": events,
    }


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check of a record found: how many throws were recomputed, and the first thing that is wrong, if any."""

    throws: int
    wrong: str | None
    result: str


def verify(record: Mapping[str, Any]) -> Verdict:
    """Recompute every throw of a record and judge every event by the rules; raises ValueError if it is no record."""
    _require_text(record)
    try:
        if record["tabula"] != FORMAT:
            raise ValueError(f"a record of format {record['tabula']}, but this program reads {FORMAT}")
        secret = bytes.fromhex(record["secret"])
        match = new_match(find_game(record["game"], record["rules"]), record["options"])
        events = [from_record(event, match.rules.board) for event in record["events"]]
        if dice.commitment(secret) != record["commitment"]:
            return Verdict(0, "the secret is not the one that was committed to", "")
        return _checked(match, events, secret, str(record["match"]), tuple(record["contributions"]))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a record of a match: {error}") from None
    except Refusal as refusal:
        raise ValueError(f"not a record of a match: {refusal}") from None


def _require_text(record: Mapping[str, Any]) -> None:
    """Raise ValueError where a record's JSON spells half a character, which no text has and nothing can be made of."""
    try:
        json.dumps(record, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("not a record of a match: it holds half a character (a lone surrogate)") from None


def _checked(match: Match, events: list[Event], secret: bytes, name: str, shares: tuple[str, ...]) -> Verdict:
    count = 0
    for number, event in enumerate(events, 1):
        for offset, thrown in enumerate(_thrown(event)):
            due = dice.throw(secret, name, shares, match.drawn + offset, match.due_dice)
            if thrown != due:
                return Verdict(count, f"event {number} shows {thrown}, but the secret gives {due}", "")
            count += 1
        try:
            match = match.apply(event)
        except Refusal as refusal:
            return Verdict(count, f"event {number} is against the rules: {refusal}", "")
    return Verdict(count, None, _result(match))


def _thrown(event: Event) -> tuple[tuple[int, ...], ...]:
    match event:
        case Battled(gold, black):
            return gold, black
        case Thrown(dice=thrown):
            return (thrown,)
    return ()


def _result(match: Match) -> str:
    if match.outcome is None:
        return "unfinished"
    return f"{match.outcome.winner or 'drawn'}: {match.outcome.by}"
