"""The clock of a match: how long the side to act may still take.

It is folded over the instants of the match's events.

Nothing here reads a clock. Instants are milliseconds since 1970, times are milliseconds; the same
events at the same instants, with the same stops, give the same clock, so that a record shows
whether a side was out of time. The paces are ours: the sources know no clocks.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.events import Event, Granted, Seated, TakenBack, TurnTakenBack
from engine.folding import fold_text
from engine.match import BOTH_THROW_PHASES, Match, Phase
from engine.position import Side
from engine.refusal import Reason, Refusal

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

REMINDER_DIVISOR = 8
"""The part of a turn's time at which its player is reminded."""
FRESH_TIME_DIVISOR = 10
"""The part of a whole bank to which a clock is filled up that is given fresh time."""
MAX_PAST_TURNS = 8
"""How many turns a clock remembers.

That is more than can be taken back: taking back ends at the other side's throw.
"""
NEVER = 1 << 62
"""The end of a stop that still lasts."""
MAX_BANK_MS = 30 * DAY
"""The longest time that a match may give a side for all its turns, or add after one."""

TurnKey: TypeAlias = tuple[int, Side, int]
"""A throw by its number, and the side and player who act on it."""

_BEFORE_THE_THROW = (Phase.BATTLE, Phase.OPENING, Phase.BREAK_ROLL, Phase.BREAK, Phase.THROW)


def find_turn(match: Match) -> TurnKey | None:
    """Return the turn that a match is at; None when it is over."""
    if match.phase is Phase.OVER:
        return None
    # `drawn` is the number of the coming throw before it falls, and one more than its number after.
    throw = match.drawn if match.phase in _BEFORE_THE_THROW else match.drawn - 1
    return throw, *match.acting_player


@dataclass(frozen=True, slots=True)
class Pace:
    """A time limit: `turn` for every turn again, or a `bank` for all turns, with an increment.

    Each turn adds the increment to the bank. With neither there is no limit. The `name` is how it
    is typed and stored.
    """

    name: str
    turn: int = 0
    bank: int = 0
    increment: int = 0

    @property
    def is_limited(self) -> bool:
        """Whether there is any limit."""
        return bool(self.turn or self.bank)

    @property
    def is_slow(self) -> bool:
        """Whether a match lasts for days, so that somebody may be away from it."""
        return max(self.turn, self.bank) >= DAY

    @property
    def fresh_time(self) -> int:
        """The time that a clock has at least which is given fresh time."""
        return self.turn or self.bank // FRESH_TIME_DIVISOR

    @property
    def grace_time(self) -> int:
        """Return how long a side that is out of time may still act while nobody claims the win.

        That is as long as it had at first.
        """
        return self.turn or self.bank


UNLIMITED = Pace("none")
LIVE = Pace("live", turn=10 * MINUTE)
PACES = {
    pace.name: pace
    for pace in (
        UNLIMITED,
        LIVE,
        Pace("day", turn=DAY),
        Pace("three-days", turn=3 * DAY),
        Pace("week", turn=7 * DAY),
    )
}
"""The paces that have a name of their own."""

_BY_TURN = {pace.turn: pace for pace in PACES.values() if pace.is_limited}
_UNLIMITED_WORDS = ("no time limit", "no limit", "unlimited")
_UNITS = {"s": SECOND, "m": MINUTE, "h": HOUR, "d": DAY, "w": 7 * DAY}
_TIME = r"([0-9]{1,4}) ?(s|m|h|d|w|secs?|mins?|hrs?|seconds?|minutes?|hours?|days?|weeks?)"
_TURN = re.compile(rf"{_TIME}(?: ?(?:a|per|each|/) ?turn)?")
_BANK = re.compile(rf"{_TIME} ?\+ ?{_TIME}")


def parse_pace(text: str) -> Pace:
    """Read a pace as it is typed: a name, or a bank and an increment (`30m+20s`).

    A pace with a name can also be typed by its time (`3 days`). Raises Refusal for anything else.
    """
    typed = fold_text(text)
    name = typed.replace(" ", "-")
    if name in PACES:
        return PACES[name]
    if typed in _UNLIMITED_WORDS:
        return UNLIMITED
    found = _TURN.fullmatch(typed)
    if found and (turn := _to_milliseconds(found[1], found[2])) in _BY_TURN:
        return _BY_TURN[turn]
    if found := _BANK.fullmatch(typed):
        bank, increment = _to_milliseconds(found[1], found[2]), _to_milliseconds(found[3], found[4])
        # A bank of nought would run out at once; without an increment it is a pace like any other.
        if 0 < bank <= MAX_BANK_MS and increment <= MAX_BANK_MS:
            # Stored in its shortest form, so that however a pace is typed it has one name.
            short = f"{int(found[1])}{found[2][0]}+{int(found[3])}{found[4][0]}"
            return Pace(short, bank=bank, increment=increment)
    raise Refusal(Reason.PACE, typed=text, known=tuple(PACES))


def _to_milliseconds(number: str, unit: str) -> int:
    return int(number) * _UNITS[unit[0]]


@dataclass(frozen=True, slots=True)
class ClockStop:
    """A span in which time did not run, for an absent player or, as nobody could act, for all.

    A player whose time would have run out while nobody could act gets fresh time after it. A stop
    that still lasts ends at NEVER.
    """

    began: int
    ended: int
    side: Side | None = None
    player: int = 0

    def is_for_turn(self, turn: TurnKey) -> bool:
        """Whether it stops the clock of that turn."""
        return self.side is None or (self.side, self.player) == turn[1:]


@dataclass(frozen=True, slots=True)
class FinishedTurn:
    """A finished turn that may be taken back: its time left, and both banks as it began."""

    turn: TurnKey
    left: int
    banks: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock after the last event: whose turn it is, and the time `left` at the instant `since`.

    Nobody's time runs where there is no turn: both throw, the match is over, or there is no limit.
    `banks` are those of gold and black when the turn began.
    """

    pace: Pace
    turn: TurnKey | None
    since: int
    left: int
    banks: tuple[int, int]
    past: tuple[FinishedTurn, ...] = ()


def start_clock(pace: Pace, match: Match, at: int) -> Clock:
    """Return the clock of a match that begins."""
    return _start_turn(Clock(pace, None, at, 0, (pace.bank, pace.bank)), match, at)


def advance_clock(
    clock: Clock, event: Event, match: Match, at: int, stops: Sequence[ClockStop]
) -> Clock:
    """Return the clock after an event at an instant.

    `match` is the match after the event, `stops` are in the order they began. A turn's time goes on
    running until the turn is over, however much is done in it; a turn that is taken back goes on
    with what was left of its time, so that nobody wins time by that.
    """
    if not clock.pace.is_limited:
        return clock
    # A machine's clock may be set back; time that has gone by stays so.
    at = max(at, clock.since)
    left = compute_time_left(clock, at, stops)
    if isinstance(event, Granted):
        # Fresh time comes on top of what is left, and what is overdrawn is forgiven.
        return replace(clock, since=at, left=max(left, 0) + clock.pace.fresh_time)
    if isinstance(event, Seated) and clock.turn and clock.turn[1:] == (event.side, event.player):
        # A substitute in mid-turn doesn't pay for the time of the player who left.
        return replace(clock, since=at, left=max(left, clock.pace.fresh_time))
    now = _find_running_turn(match)
    # Part of a play, or a choice before it, doesn't end the turn: its time goes on running.
    if now == clock.turn:
        return clock
    if isinstance(event, TakenBack | TurnTakenBack) and (past := _find_past_turn(clock, now)):
        return replace(
            clock,
            turn=now,
            since=at,
            left=past.left,
            banks=past.banks,
            past=clock.past[: clock.past.index(past)],
        )
    return _start_turn(_finish_turn(clock, left), match, at)


def _find_running_turn(match: Match) -> TurnKey | None:
    """Return the turn whose time runs: nobody's does where either side may throw for both."""
    return None if match.phase in BOTH_THROW_PHASES else find_turn(match)


def _find_past_turn(clock: Clock, turn: TurnKey | None) -> FinishedTurn | None:
    return next((past for past in clock.past if past.turn == turn), None)


def _finish_turn(clock: Clock, left: int) -> Clock:
    """Put what a turn that is over has left into its side's bank."""
    if clock.turn is None:
        return clock
    banks = dict(zip(Side, clock.banks, strict=True))
    if clock.pace.bank:
        # A side may act after its time as long as nobody claims the win: that leaves no debt.
        banks[clock.turn[1]] = max(left, 0) + clock.pace.increment
    past = (*clock.past, FinishedTurn(clock.turn, left, clock.banks))[-MAX_PAST_TURNS:]
    return replace(clock, banks=(banks[Side.GOLD], banks[Side.BLACK]), past=past)


def _start_turn(clock: Clock, match: Match, at: int) -> Clock:
    turn = _find_running_turn(match) if clock.pace.is_limited else None
    if turn is None:
        return replace(clock, turn=None, since=at, left=0)
    bank = clock.banks[0] if turn[1] is Side.GOLD else clock.banks[1]
    return replace(clock, turn=turn, since=at, left=clock.pace.turn or bank)


def compute_time_left(clock: Clock, at: int, stops: Iterable[ClockStop]) -> int:
    """Return how much time is left at an instant: less than nothing where it has run out."""
    left, since = clock.left, clock.since
    for stop in _select_stops(clock, stops):
        if stop.began >= at:
            break
        # It may be asked in the midst of a stop, of which only what has gone by counts.
        left, since = _apply_stop(clock, left, since, replace(stop, ended=min(stop.ended, at)))
    return left - max(at - since, 0)


def find_timeout(clock: Clock, stops: Iterable[ClockStop]) -> int | None:
    """Return when the acting side's time runs out; None where none runs out before a stop ends."""
    return _find_instant(clock, 0, stops)


def find_reminder_time(clock: Clock, stops: Iterable[ClockStop]) -> int | None:
    """Return when to remind the side to act: when an eighth of the turn's time is left."""
    return _find_instant(clock, (clock.pace.turn or clock.left) // REMINDER_DIVISOR, stops)


def find_expiry(clock: Clock, stops: Iterable[ClockStop]) -> int | None:
    """Return when a match ends whose side is out of time though nobody claims the win."""
    return _find_instant(clock, -clock.pace.grace_time, stops)


def _find_instant(clock: Clock, due: int, stops: Iterable[ClockStop]) -> int | None:
    """Return the instant at which no more than `due` is left."""
    if clock.turn is None:
        return None
    left, since = clock.left, clock.since
    for stop in _select_stops(clock, stops):
        # The instant comes before this stop, and so before all later ones, which begin after it.
        if since + left - due <= stop.began:
            break
        left, since = _apply_stop(clock, left, since, stop)
    return None if since >= NEVER else since + max(left - due, 0)


def _select_stops(clock: Clock, stops: Iterable[ClockStop]) -> list[ClockStop]:
    """Return the stops that bear on the turn whose time runs, in the order in which they began."""
    turn = clock.turn
    return (
        []
        if turn is None
        else [stop for stop in stops if stop.ended > clock.since and stop.is_for_turn(turn)]
    )


def _apply_stop(clock: Clock, left: int, since: int, stop: ClockStop) -> tuple[int, int]:
    """Return what is left after a stop, and the instant from which that runs."""
    # A stop that was already going on when this turn's time began takes nothing from it.
    before = left - max(stop.began - since, 0)
    end = max(stop.ended, since)
    # Without the stop, the time would have run out in the course of it.
    fell = 0 < before <= end - max(stop.began, since)
    if stop.side is None and fell:
        before = max(before, clock.pace.fresh_time)
    return before, end
