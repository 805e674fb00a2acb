"""A finished match as a file that anyone can check: throws are recomputed, events judged again."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum, auto
from typing import Any

from bot.features.matches.clock import IDLE_LIMIT_MS
from bot.features.matches.loading import build_initial_match
from bot.features.matches.past_check import (
    PastCheck,
    encode_contributions,
    encode_past_check,
    find_past_check,
    list_throws,
    parse_past_check,
)
from bot.features.matches.secret_origin import (
    SecretOrigin,
    encode_origin,
    parse_origin,
    parse_posted_digits,
)
from bot.features.matches.session import (
    BY_NUMBER,
    MatchSession,
    Transition,
    get_dice_name,
    list_contributions,
)
from bot.store import MatchRow
from engine import clock, dice
from engine.clock import ClockStop, Pace, parse_pace
from engine.events import (
    Abandoned,
    Event,
    Granted,
    TimedOut,
    from_record,
    to_record,
)
from engine.games import find_game
from engine.match import Match, new_match
from engine.position import Side
from engine.refusal import Refusal
from engine.strict_json import write_json

FORMATS = (1, 2)
"""Format 1 draws the dice under the match's number; format 2 draws them under the commitment."""


def encode_events(session: MatchSession, happened: Iterable[Transition]) -> list[dict[str, Any]]:
    """Return a match's events in their stored form, each with its instant."""
    board = session.match.rules.board
    return [{**to_record(each.event, board), "at": each.at} for each in happened]


def build_record(
    session: MatchSession, events: list[dict[str, Any]], origin: SecretOrigin | None = None
) -> dict[str, Any]:
    """Return a finished match's record, its dice's secret included.

    `origin` is where that comes from, in a match of a league.
    """
    row = session.row
    over = events[-1]["at"]
    return {
        "tabula": row.dice,
        "match": session.id,
        "game": row.game,
        "rules": row.edition,
        "options": dict(row.options),
        "commitment": row.commitment,
        "posted": row.posted_digits,
        "secret": row.secret.hex(),
        **({"league": encode_origin(origin)} if origin else {}),
        "contributions": encode_contributions(row),
        **encode_past_check(row),
        "clock": {
            "pace": row.pace,
            "began": row.created,
            "stops": [
                # A place that was gone at the end may be gone still.
                [stop.began, min(stop.ended, over), stop.side and stop.side.value, stop.player]
                for stop in session.stops
                if stop.began < over
            ],
        },
        "events": events,
    }


class RecordFault(StrEnum):
    """What is wrong with a record."""

    SECRET = auto()
    LEAGUE_SECRET = auto()
    PAIRING = auto()
    THROW = auto()
    EVENT = auto()
    CLOCK = auto()
    PAST_THROW = auto()


@dataclass(frozen=True, slots=True)
class Commitment:
    """What the secret of a match was committed to, and how many digits were posted beforehand.

    `posted_digits` is None in a record from before all digits were posted, which does not say it.
    `is_by_number` says that the dice are drawn under the match's number, and not under the digits.
    """

    digits: str
    posted_digits: int | None
    is_by_number: bool = False


@dataclass(frozen=True, slots=True)
class VerificationResult:
    """Result of checking a record: how many throws were recomputed, and the first fault, if any.

    `event` is the number of the wrong one, `parts` are what its sentence names; `end` is the match
    after the last event if nothing is wrong. `origin` is where a league's match has its secret
    from, which was checked if the league's secret is known. `past` says what was checked of throws
    that can no longer be recomputed, as a contribution is deleted. `commitment` is what the secret
    fits, if nothing is wrong.
    """

    throws: int
    wrong: RecordFault | None = None
    parts: Mapping[str, Any] | None = None
    end: Match | None = None
    origin: SecretOrigin | None = None
    past: PastCheck | None = None
    commitment: Commitment | None = None

    @property
    def binding_digits(self) -> str:
        """The digits that were to be posted: in a league its own, and not those of the match."""
        if self.origin:
            return self.origin.commitment
        return self.commitment.digits if self.commitment else ""


def verify_record(record: Mapping[str, Any]) -> VerificationResult:
    """Recompute every throw of a record and judge every event by the rules.

    Raises ValueError if it is no record, and Refusal if it names a game, an edition or a place that
    does not exist here.
    """
    _require_valid_text(record)
    try:
        if record["tabula"] not in FORMATS:
            raise ValueError(
                f"a record of format {record['tabula']}, but this program reads {FORMATS}"
            )
        secret = bytes.fromhex(record["secret"])
        match = new_match(find_game(record["game"], record["rules"]), record["options"])
        events = [from_record(event, match.rules.board) for event in record["events"]]
        origin = parse_origin(record)
        if wrong := _check_secret(secret, record["commitment"], origin):
            return wrong
        is_by_number = record["tabula"] == BY_NUMBER
        name = str(record["match"]) if is_by_number else str(record["commitment"])
        past = parse_past_check(record)
        drawn = None if past else _Dice(secret, name, tuple(record["contributions"]))
        found = _check_events(match, events, drawn, _parse_timing(record))
        posted = parse_posted_digits(record)
        commitment = Commitment(record["commitment"], posted, is_by_number)
        return _add_origin(found, commitment, origin, past)
    except (KeyError, TypeError, AttributeError) as error:
        # Anybody may write such a file, so a member may be missing, or of any type.
        raise ValueError(f"not a record of a match: {error}") from None


def _add_origin(
    found: VerificationResult,
    commitment: Commitment,
    origin: SecretOrigin | None,
    past: PastCheck | None,
) -> VerificationResult:
    """Return what was found, with what binds the secret and what was checked earlier."""
    wrong = found.wrong
    if past and past.throws is None:
        wrong = wrong or RecordFault.PAST_THROW
    return replace(found, wrong=wrong, origin=origin, past=past, commitment=commitment)


def _check_secret(
    secret: bytes, commitment: str, origin: SecretOrigin | None
) -> VerificationResult | None:
    """Return what is wrong with a match's secret or, in a league, with where it comes from.

    Checked first: with another secret all throws are wrong, and the first would be blamed.
    """
    if dice.compute_commitment(secret) != commitment:
        return VerificationResult(0, RecordFault.SECRET, origin=origin)
    if origin is None:
        return None
    if not origin.fits_commitment:
        return VerificationResult(0, RecordFault.LEAGUE_SECRET, origin=origin)
    if not origin.may_give(secret):
        parts = {"pairing": origin.pairing}
        return VerificationResult(0, RecordFault.PAIRING, parts, origin=origin)
    return None


def _parse_timing(record: Mapping[str, Any]) -> "_Timing | None":
    """Read the instants of a record's events and when no time ran; None in an old version's record.

    The old version knew no clocks.
    """
    if "clock" not in record:
        return None
    kept = record["clock"]
    stops = tuple(
        ClockStop(began, ended, side and Side(side), player)
        for began, ended, side, player in kept["stops"]
    )
    return _Timing(
        parse_pace(kept["pace"]),
        kept["began"],
        stops,
        tuple(event["at"] for event in record["events"]),
    )


def _require_valid_text(record: Mapping[str, Any]) -> None:
    """Raise ValueError if a record's JSON spells half a character, a lone surrogate.

    No text has one, and nothing can be made of it.
    """
    try:
        write_json(record, ascii_only=False).encode()
    except UnicodeEncodeError:
        raise ValueError(
            "not a record of a match: it holds half a character (a lone surrogate)"
        ) from None


def verify_match(
    session: MatchSession, happened: Iterable[Transition], origin: SecretOrigin | None = None
) -> VerificationResult:
    """Recompute every throw of a finished match and judge every event again."""
    events = [(each.event, each.at) for each in happened]
    return verify_events(session.row, session.stops, events, origin)


def verify_events(
    row: MatchRow,
    stops: tuple[ClockStop, ...],
    events: Sequence[tuple[Event, int]],
    origin: SecretOrigin | None = None,
) -> VerificationResult:
    """Recompute every throw of a stored match and judge every event, each with its instant.

    `origin` is where its secret comes from, if it is one of a league and that is to be checked.
    Raises Refusal if the match is of a game, or of an edition, that does not exist here.
    """
    past = find_past_check(row)
    drawn = None if past else _Dice(row.secret, get_dice_name(row), list_contributions(row))
    if wrong := _check_secret(row.secret, row.commitment, origin):
        return wrong
    timing = _Timing(parse_pace(row.pace), row.created, stops, tuple(at for _, at in events))
    found = _check_events(build_initial_match(row), [event for event, _ in events], drawn, timing)
    commitment = Commitment(row.commitment, row.posted_digits, row.dice == BY_NUMBER)
    return _add_origin(found, commitment, origin, past)


@dataclass(frozen=True, slots=True)
class _Dice:
    """What the throws of a match follow from."""

    secret: bytes = field(repr=False)
    name: str
    contributions: tuple[str, ...]

    def throw(self, match: Match, offset: int) -> tuple[int, ...]:
        number = match.drawn + offset
        return dice.derive_throw(self.secret, self.name, self.contributions, number, match.due_dice)


@dataclass(frozen=True, slots=True)
class _Timing:
    """When a match began, when each of its events was, and when no time ran."""

    pace: Pace
    began: int
    stops: tuple[ClockStop, ...]
    instants: tuple[int, ...]


class _ClockReplay:
    """A match's clock, followed event by event; without timing, nobody's time can have run out."""

    def __init__(self, match: Match, timing: _Timing | None) -> None:
        self._timing = timing
        self._clock = clock.start_clock(timing.pace, match, timing.began) if timing else None
        self._touched = timing.began if timing else 0

    def can_happen(self, number: int, event: Event) -> bool:
        """Whether an event that needs time to have gone by may have been when it was."""
        if not isinstance(event, TimedOut | Granted | Abandoned):
            return True
        if self._timing is None or self._clock is None:
            return False
        at = self._timing.instants[number]
        if isinstance(event, Abandoned):
            # Outages only lengthen this time, so no honest record has less.
            return at - self._touched >= IDLE_LIMIT_MS
        # An outage is computed from the last note that people could act, so it began after such an
        # event.
        known = (
            stop
            for stop in self._timing.stops
            if stop.side is not None or not stop.began <= at <= stop.ended
        )
        out = clock.find_timeout(self._clock, known)
        return out is not None and out <= at

    def advance_to(self, number: int, event: Event, after: Match) -> None:
        """Go on to the instant of an event."""
        if self._timing is None or self._clock is None:
            return
        self._touched = self._timing.instants[number]
        self._clock = clock.advance_clock(
            self._clock, event, after, self._touched, self._timing.stops
        )


def _check_events(
    match: Match, events: Iterable[Event], drawn: _Dice | None, timing: _Timing | None
) -> VerificationResult:
    count = 0
    watch = _ClockReplay(match, timing)
    for number, event in enumerate(events, 1):
        # Which throw is due depends on how many the match has drawn, so the dice are checked before
        # the event is applied.
        for offset, thrown in enumerate(list_throws(event) if drawn else ()):
            assert drawn is not None
            due = drawn.throw(match, offset)
            if thrown != due:
                return VerificationResult(
                    count, RecordFault.THROW, {"event": number, "thrown": thrown, "due": due}
                )
            count += 1
        # People count events from 1, while the list of instants begins at 0.
        if not watch.can_happen(number - 1, event):
            return VerificationResult(count, RecordFault.CLOCK, {"event": number})
        try:
            match = match.apply(event)
        except Refusal as refusal:
            return VerificationResult(
                count, RecordFault.EVENT, {"event": number, "refusal": refusal}
            )
        watch.advance_to(number - 1, event, match)
    return VerificationResult(count, end=match)
