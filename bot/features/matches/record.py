"""A finished match as a file that anyone can check: throws are recomputed, events judged again.

What a check found is said in a few lines.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum, auto
from typing import Any

from bot.features.matches import proof
from bot.features.matches.clock import IDLE_LIMIT_MS
from bot.features.matches.loading import build_initial_match
from bot.features.matches.rows import MatchRow
from bot.features.matches.session import (
    BY_NUMBER,
    MatchSession,
    Transition,
    get_dice_name,
    list_contributions,
)
from bot.features.matches.texts import explain_number_dice
from bot.platform.i18n.common import format_ending, format_side, join_sentences
from bot.platform.i18n.reader import Reader
from bot.platform.i18n.refusals import explain_refusal
from engine import clock, dice
from engine.clock import ClockStop, Pace, parse_pace
from engine.events import Abandoned, Event, Granted, TimedOut, from_record, to_record
from engine.games import find_game
from engine.match import Match, new_match
from engine.outcome import ANNULLED, FORFEITED
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
    session: MatchSession, events: list[dict[str, Any]], origin: proof.SecretOrigin | None = None
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
        **({"league": proof.encode_origin(origin)} if origin else {}),
        "contributions": proof.encode_contributions(row),
        **proof.encode_past_check(row),
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
    fits, if nothing is wrong; `is_lost` says that nobody knows the secret any more.
    """

    throws: int
    wrong: RecordFault | None = None
    parts: Mapping[str, Any] | None = None
    end: Match | None = None
    origin: proof.SecretOrigin | None = None
    past: proof.PastCheck | None = None
    commitment: Commitment | None = None
    is_lost: bool = False

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
        origin = proof.parse_origin(record)
        if not secret:
            return _check_without_secret(_check_events(match, events, None, _parse_timing(record)))
        if wrong := _check_secret(secret, record["commitment"], origin):
            return wrong
        is_by_number = record["tabula"] == BY_NUMBER
        name = str(record["match"]) if is_by_number else str(record["commitment"])
        past = proof.parse_past_check(record)
        drawn = None if past else _Dice(secret, name, tuple(record["contributions"]))
        found = _check_events(match, events, drawn, _parse_timing(record))
        posted = proof.parse_posted_digits(record)
        commitment = Commitment(record["commitment"], posted, is_by_number)
        return _add_origin(found, commitment, origin, past)
    except (KeyError, TypeError, AttributeError) as error:
        # Anybody may write such a file, so a member may be missing, or of any type.
        raise ValueError(f"not a record of a match: {error}") from None


def _check_without_secret(found: VerificationResult) -> VerificationResult:
    """Return what was found in a match whose secret is lost: it was annulled for that.

    Any other match without one is taken for what it is, one that hides its dice.
    """
    if found.wrong is None and (found.end is None or not _is_annulled(found.end)):
        return VerificationResult(0, RecordFault.SECRET)
    return replace(found, is_lost=True)


def _is_annulled(match: Match) -> bool:
    """Whether a match does not count, as a moderator or the loss of its secret has it."""
    return match.outcome is not None and match.outcome.how == ANNULLED


def _add_origin(
    found: VerificationResult,
    commitment: Commitment,
    origin: proof.SecretOrigin | None,
    past: proof.PastCheck | None,
) -> VerificationResult:
    """Return what was found, with what binds the secret and what was checked earlier."""
    wrong = found.wrong
    if past and past.throws is None:
        wrong = wrong or RecordFault.PAST_THROW
    return replace(found, wrong=wrong, origin=origin, past=past, commitment=commitment)


def _check_secret(
    secret: bytes, commitment: str, origin: proof.SecretOrigin | None
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
    session: MatchSession, happened: Iterable[Transition], origin: proof.SecretOrigin | None = None
) -> VerificationResult:
    """Recompute every throw of a finished match and judge every event again."""
    events = [(each.event, each.at) for each in happened]
    return verify_events(session.row, session.stops, events, origin)


def verify_events(
    row: MatchRow,
    stops: tuple[ClockStop, ...],
    events: Sequence[tuple[Event, int]],
    origin: proof.SecretOrigin | None = None,
) -> VerificationResult:
    """Recompute every throw of a stored match and judge every event, each with its instant.

    `origin` is where its secret comes from, if it is one of a league and that is to be checked.
    Raises Refusal if the match is of a game, or of an edition, that does not exist here.
    """
    past = proof.find_past_check(row)
    timing = _Timing(parse_pace(row.pace), row.created, stops, tuple(at for _, at in events))
    start, happened = build_initial_match(row), [event for event, _ in events]
    if not row.secret:
        return _check_without_secret(_check_events(start, happened, None, timing))
    drawn = None if past else _Dice(row.secret, get_dice_name(row), list_contributions(row))
    if wrong := _check_secret(row.secret, row.commitment, origin):
        return wrong
    found = _check_events(start, happened, drawn, timing)
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
        for offset, thrown in enumerate(proof.list_throws(event) if drawn else ()):
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


EARLIER_DIGITS = 20
"""Digits of a commitment that were posted before there was room for all of them."""


def format_record_check(say: Reader, found: VerificationResult) -> str:
    """Say what was recomputed, and what is wrong if anything is."""
    if found.wrong is RecordFault.PAST_THROW and found.past:
        return say(
            "The throws can't be recomputed: a contribution to the dice was deleted on {date}, and "
            "they didn't match the secret even before that.",
            date=_format_date(found.past.at),
        )
    if found.wrong is None and found.is_lost:
        return say(
            "The throws can't be checked: the key to this match's dice was lost, so the match was "
            "annulled. Every move is legal."
        )
    if found.wrong is None and found.past:
        text = _format_past_check(say, found, found.past)
        return join_sentences(say, text, *_format_proof(say, found))
    if found.wrong is None:
        checked = say.plural(
            "{n} throw matches the secret fixed before the first roll, and every move is legal",
            "All {n} throws match the secret fixed before the first roll, and every move is legal",
            found.throws,
        )
        # Translators: what was checked, then how the match ended: "All 9 throws match
        # the secret ..., and every move is legal; unfinished."
        text = say("{checked}; {result}.", checked=checked, result=_format_result(say, found.end))
        return join_sentences(say, text, *_format_proof(say, found))
    right = say.plural("After {n} correct throw", "After {n} correct throws", found.throws)
    # Translators: how much was right, then what was wrong: "After 9 correct throws, ...".
    return say("{right}, {wrong}.", right=right, wrong=_explain_mismatch(say, found))


def _format_past_check(say: Reader, found: VerificationResult, past: proof.PastCheck) -> str:
    """Say what was checked before a contribution was deleted, and what can be checked still."""
    return say(
        "The secret matches its commitment, and every move is legal; {result}. The "
        "throws can't be recomputed any more, because a player's contribution to the dice was "
        "deleted at their request on {date}. {checked}",
        result=_format_result(say, found.end),
        date=_format_date(past.at),
        checked=say.plural(
            "Just before that the bot recomputed {n} throw and found it correct.",
            "Just before that the bot recomputed all {n} throws and found them correct.",
            past.throws or 0,
        ),
    )


def _format_date(at: int) -> str:
    """Write a day, in UTC and alike for every reader: a terminal shows it as well."""
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d}"


def _format_proof(say: Reader, found: VerificationResult) -> Iterator[str]:
    """Say what the secret was committed to, and what that proves."""
    if found.origin:
        yield _format_origin(say, found.origin)
        posted = found.origin.posted_digits
    elif found.commitment:
        yield say("The commitment is `{digits}`.", digits=found.commitment.digits)
        posted = found.commitment.posted_digits
        if found.commitment.is_by_number:
            yield explain_number_dice(say)
            return
    else:
        return
    if posted == 0:
        yield say(
            "There's no record that it was posted beforehand, so the secret could have been chosen "
            "to suit."
        )
    elif posted is None or posted < dice.COMMITMENT_DIGITS:
        yield say(
            "At most {n} of its digits were posted beforehand. That rules out a secret found "
            "afterwards, but not a choice between two secrets that were prepared beforehand and "
            "whose SHA-256 begin alike.",
            n=EARLIER_DIGITS if posted is None else posted,
        )
    elif found.origin:
        yield say(
            "According to the record, all its digits were posted before anybody joined: compare "
            "them with what was posted."
        )
    else:
        yield say(
            "According to the record, all its digits were posted before the last seat was taken: "
            "compare them with what was posted."
        )


def _format_origin(say: Reader, origin: proof.SecretOrigin) -> str:
    """Say what was checked of where a league's match has its secret from."""
    fields = {"pairing": origin.pairing, "digits": origin.commitment}
    if origin.secret is None:
        return say(
            "Whether this is the secret of pairing {pairing} of the league or tournament with the "
            "commitment `{digits}` can be checked when that is over.",
            **fields,
        )
    return say(
        "This is the secret of pairing {pairing} of the league or tournament with the commitment "
        "`{digits}`.",
        **fields,
    )


def _format_result(say: Reader, end: Match | None) -> str:
    if end is None or end.outcome is None:
        # Translators: of a match that has not ended, in place of its result (adjective).
        return say("unfinished")
    how = format_ending(say, end.game, end.outcome)
    if end.outcome.winner:
        # Translators: the side that won, then how: "gold: all men borne off".
        return say("{side}: {how}", side=format_side(say, end.outcome.winner), how=how)
    # Neither what counts for nothing nor what neither side played is a draw.
    if end.outcome.is_void or end.outcome.how == FORFEITED:
        return how
    return say("drawn: {how}", how=how)


def _explain_mismatch(say: Reader, found: VerificationResult) -> str:
    parts = found.parts or {}
    match found.wrong:
        case RecordFault.THROW:
            return say(
                "event {event} records {thrown}, but the secret gives {due}",
                event=parts["event"],
                # In the order of the dice, which may be all in which they differ.
                thrown=say.join_with_commas(map(str, parts["thrown"])),
                due=say.join_with_commas(map(str, parts["due"])),
            )
        case RecordFault.EVENT:
            why = explain_refusal(say, parts["refusal"])
            return say("event {event} breaks the rules: {why}", event=parts["event"], why=why)
        case RecordFault.CLOCK:
            return say("event {event} was recorded before the time was up", event=parts["event"])
        case RecordFault.LEAGUE_SECRET:
            return say("the secret of the league or tournament doesn't match its commitment")
        case RecordFault.PAIRING:
            return say(
                "the secret isn't the one that the secret of the league or tournament gives to "
                "pairing {pairing}",
                pairing=parts["pairing"],
            )
    return say("the secret doesn't match the published commitment")
