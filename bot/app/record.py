"""A finished match as a file that anyone can check: every throw recomputed, every event judged again."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import Any

from bot.app.sitting import BY_NUMBER, Happening, Sitting, contributions, dice_name
from engine import dice
from engine.events import Battled, Event, Thrown, from_record, to_record
from engine.games import find_game
from engine.match import Match, new_match
from engine.refusal import Refusal

FORMATS = (1, 2)
"""In the first the dice were drawn under the match's number, since the second they are under the commitment."""


def events_of(sitting: Sitting, happened: Iterable[Happening]) -> list[dict[str, Any]]:
    """Return a match's events in their stored form."""
    board = sitting.match.rules.board
    return [to_record(each.event, board) for each in happened]


def to_file(sitting: Sitting, events: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a finished match's record, its dice's secret included."""
    row = sitting.row
    return {
        "tabula": row.dice,
        "match": sitting.id,
        "game": row.game,
        "rules": row.edition,
        "options": dict(row.options),
        "commitment": row.commitment,
        "secret": row.secret.hex(),
        "contributions": list(contributions(row)),
        "events": events,
    }


class Wrong(StrEnum):
    """What is wrong with a record."""

    SECRET = auto()
    THROW = auto()
    EVENT = auto()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check of a record found: how many throws were recomputed, and the first thing that is wrong, if any.

    `event` is the number of the wrong one, `parts` are what its sentence names; `end` is the match after the last event
    where nothing is wrong.
    """

    throws: int
    wrong: Wrong | None = None
    parts: Mapping[str, Any] | None = None
    end: Match | None = None


def verify(record: Mapping[str, Any]) -> Verdict:
    """Recompute every throw of a record and judge every event by the rules.

    Raises ValueError if it is no record, and Refusal where it names a game, an edition or a place that is not here.
    """
    _require_text(record)
    try:
        if record["tabula"] not in FORMATS:
            raise ValueError(f"a record of format {record['tabula']}, but this program reads {FORMATS}")
        secret = bytes.fromhex(record["secret"])
        match = new_match(find_game(record["game"], record["rules"]), record["options"])
        events = [from_record(event, match.rules.board) for event in record["events"]]
        if dice.commitment(secret) != record["commitment"]:
            return Verdict(0, Wrong.SECRET)
        name = str(record["match"]) if record["tabula"] == BY_NUMBER else str(record["commitment"])
        return _checked(match, events, _Dice(secret, name, tuple(record["contributions"])))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a record of a match: {error}") from None


def _require_text(record: Mapping[str, Any]) -> None:
    """Raise ValueError where a record's JSON spells half a character, which no text has and nothing can be made of."""
    try:
        json.dumps(record, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("not a record of a match: it holds half a character (a lone surrogate)") from None


def verify_match(sitting: Sitting, happened: Iterable[Happening]) -> Verdict:
    """Recompute every throw of a finished match and judge every event again."""
    row = sitting.row
    start = new_match(sitting.match.game, row.options)
    drawn = _Dice(row.secret, dice_name(row), contributions(row))
    return _checked(start, [each.event for each in happened], drawn)


@dataclass(frozen=True, slots=True)
class _Dice:
    """What the throws of a match follow from."""

    secret: bytes
    name: str
    contributions: tuple[str, ...]

    def throw(self, match: Match, offset: int) -> tuple[int, ...]:
        number = match.drawn + offset
        return dice.throw(self.secret, self.name, self.contributions, number, match.due_dice)


def _checked(match: Match, events: Iterable[Event], drawn: _Dice) -> Verdict:
    count = 0
    for number, event in enumerate(events, 1):
        for offset, thrown in enumerate(_thrown(event)):
            due = drawn.throw(match, offset)
            if thrown != due:
                return Verdict(count, Wrong.THROW, {"event": number, "thrown": thrown, "due": due})
            count += 1
        try:
            match = match.apply(event)
        except Refusal as refusal:
            return Verdict(count, Wrong.EVENT, {"event": number, "refusal": refusal})
    return Verdict(count, end=match)


def _thrown(event: Event) -> tuple[tuple[int, ...], ...]:
    match event:
        case Battled(gold, black):
            return gold, black
        case Thrown(dice=thrown):
            return (thrown,)
    return ()
