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

from engine.events import Event, Granted, Seated, TakenBack
from engine.folding import fold
from engine.match import BOTH_THROW, Match, Phase
from engine.position import Side
from engine.refusal import Reason, Refusal

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

REMINDED = 8
"""Whoever has this part of a turn's time left is reminded."""
FRESH_PART = 10
"""The part of a whole bank to which a clock is filled up that is given fresh time."""
MOST_PAST = 8
"""How many turns a clock remembers.

That is more than can be taken back: taking back ends at the other side's throw.
"""
NEVER = 1 << 62
"""The end of a stop that still lasts."""
LONGEST_BANK = 30 * DAY
"""The longest time that a match may give a side for all its turns, or add after one."""

Turn: TypeAlias = tuple[int, Side, int]
"""A throw by its number, and the side and player who act on it."""

_BEFORE_THE_THROW = (Phase.BATTLE, Phase.OPENING, Phase.CONTEST, Phase.BREAK, Phase.THROW)


def turn_of(match: Match) -> Turn | None:
    """Return the turn that a match is at; None when it is over."""
    if match.phase is Phase.OVER:
        return None
    throw = match.drawn if match.phase in _BEFORE_THE_THROW else match.drawn - 1
    return throw, *match.acting


@dataclass(frozen=True, slots=True)
class Pace:
    """A time limit: `turn` for every turn anew, or a `bank` for all turns, with an increment.

    Each turn adds the increment to the bank. With neither there is no limit. The `name` is how it
    is typed and stored.
    """

    name: str
    turn: int = 0
    bank: int = 0
    increment: int = 0

    @property
    def limited(self) -> bool:
        """Whether there is any limit."""
        return bool(self.turn or self.bank)

    @property
    def slow(self) -> bool:
        """Whether a match lasts for days, so that somebody may be away from it."""
        return max(self.turn, self.bank) >= DAY

    @property
    def fresh(self) -> int:
        """The time that a clock has at least which is given fresh time."""
        return self.turn or self.bank // FRESH_PART

    @property
    def grace(self) -> int:
        """Return how long a side that is out of time may still act while nobody claims the win.

        That is as long as it had at first.
        """
        return self.turn or self.bank


NONE = Pace("none")
LIVE = Pace("live", turn=10 * MINUTE)
PACES = {
    pace.name: pace
    for pace in (
        NONE,
        LIVE,
        Pace("day", turn=DAY),
        Pace("three-days", turn=3 * DAY),
        Pace("week", turn=7 * DAY),
    )
}
"""The paces that have a name of their own."""

_BY_TURN = {pace.turn: pace for pace in PACES.values() if pace.limited}
_NO_LIMIT = ("no time limit", "no limit", "unlimited")
_UNITS = {"s": SECOND, "m": MINUTE, "h": HOUR, "d": DAY, "w": 7 * DAY}
_TIME = r"([0-9]{1,4}) ?(s|m|h|d|w|secs?|mins?|hrs?|seconds?|minutes?|hours?|days?|weeks?)"
_TURN = re.compile(rf"{_TIME}(?: ?(?:a|per|each|/) ?turn)?")
_BANK = re.compile(rf"{_TIME} ?\+ ?{_TIME}")


def read_pace(text: str) -> Pace:
    """Read a pace as it is typed: a name, or a bank and an increment (`30m+20s`).

    A pace with a name can also be typed by its time (`3 days`). Raises Refusal for anything else.
    """
    typed = fold(text)
    name = typed.replace(" ", "-")
    if name in PACES:
        return PACES[name]
    if typed in _NO_LIMIT:
        return NONE
    found = _TURN.fullmatch(typed)
    if found and (turn := _milliseconds(found[1], found[2])) in _BY_TURN:
        return _BY_TURN[turn]
    if found := _BANK.fullmatch(typed):
        bank, increment = _milliseconds(found[1], found[2]), _milliseconds(found[3], found[4])
        if 0 < bank <= LONGEST_BANK and increment <= LONGEST_BANK:
            short = f"{int(found[1])}{found[2][0]}+{int(found[3])}{found[4][0]}"
            return Pace(short, bank=bank, increment=increment)
    raise Refusal(Reason.PACE, typed=text, known=tuple(PACES))


def _milliseconds(number: str, unit: str) -> int:
    return int(number) * _UNITS[unit[0]]


@dataclass(frozen=True, slots=True)
class Stop:
    """A span in which time did not run, for an absent player or, as nobody could act, for all.

    A player whose time would have run out while nobody could act gets fresh time after it. A stop
    that still lasts ends at NEVER.
    """

    began: int
    ended: int
    side: Side | None = None
    player: int = 0

    def holds(self, turn: Turn) -> bool:
        """Whether it stops the clock of that turn."""
        return self.side is None or (self.side, self.player) == turn[1:]


@dataclass(frozen=True, slots=True)
class Past:
    """A finished turn that may be taken back: its time left, and both banks as it began."""

    turn: Turn
    left: int
    banks: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock after the last event: whose turn it is, and the time `left` at the instant `since`.

    Nobody's time runs where there is no turn: both throw, the match is over, or there is no limit.
    `banks` are those of gold and black when the turn began.
    """

    pace: Pace
    turn: Turn | None
    since: int
    left: int
    banks: tuple[int, int]
    past: tuple[Past, ...] = ()


def begun(pace: Pace, match: Match, at: int) -> Clock:
    """Return the clock of a match that begins."""
    return _at_turn(Clock(pace, None, at, 0, (pace.bank, pace.bank)), match, at)


def after(clock: Clock, event: Event, match: Match, at: int, stops: Sequence[Stop]) -> Clock:
    """Return the clock after an event at an instant.

    `match` is the match after the event, `stops` are in the order they began. A turn's time goes on
    running until the turn is over, however much is done in it; a turn that is taken back goes on
    with what was left of its time, so that nobody wins time by that.
    """
    if not clock.pace.limited:
        return clock
    # A machine's clock may be set back; time that has gone by stays so.
    at = max(at, clock.since)
    left = left_at(clock, at, stops)
    if isinstance(event, Granted):
        return replace(clock, since=at, left=max(left, 0) + clock.pace.fresh)
    if isinstance(event, Seated) and clock.turn and clock.turn[1:] == (event.side, event.player):
        # Whoever takes a seat in the midst of a turn is not to pay for the one who left it.
        return replace(clock, since=at, left=max(left, clock.pace.fresh))
    now = _running(match)
    if now == clock.turn:
        return clock
    if isinstance(event, TakenBack) and (past := _resumed(clock, now)):
        return replace(
            clock,
            turn=now,
            since=at,
            left=past.left,
            banks=past.banks,
            past=clock.past[: clock.past.index(past)],
        )
    return _at_turn(_ended(clock, left), match, at)


def _running(match: Match) -> Turn | None:
    """Return the turn whose time runs: nobody's does where either side may throw for both."""
    return None if match.phase in BOTH_THROW else turn_of(match)


def _resumed(clock: Clock, turn: Turn | None) -> Past | None:
    return next((past for past in clock.past if past.turn == turn), None)


def _ended(clock: Clock, left: int) -> Clock:
    """Put what a turn that is over has left into its side's bank."""
    if clock.turn is None:
        return clock
    banks = dict(zip(Side, clock.banks, strict=True))
    if clock.pace.bank:
        banks[clock.turn[1]] = max(left, 0) + clock.pace.increment
    past = (*clock.past, Past(clock.turn, left, clock.banks))[-MOST_PAST:]
    return replace(clock, banks=(banks[Side.GOLD], banks[Side.BLACK]), past=past)


def _at_turn(clock: Clock, match: Match, at: int) -> Clock:
    turn = _running(match) if clock.pace.limited else None
    if turn is None:
        return replace(clock, turn=None, since=at, left=0)
    bank = clock.banks[0] if turn[1] is Side.GOLD else clock.banks[1]
    return replace(clock, turn=turn, since=at, left=clock.pace.turn or bank)


def left_at(clock: Clock, at: int, stops: Iterable[Stop]) -> int:
    """Return how much time is left at an instant: less than nothing where it has run out."""
    left, since = clock.left, clock.since
    for stop in _holding(clock, stops):
        if stop.began >= at:
            break
        # It may be asked in the midst of a stop, of which only what has gone by counts.
        left, since = _stopped(clock, left, since, replace(stop, ended=min(stop.ended, at)))
    return left - max(at - since, 0)


def runs_out(clock: Clock, stops: Iterable[Stop]) -> int | None:
    """Return when the acting side's time runs out; None where none runs out before a stop ends."""
    return _reaches(clock, 0, stops)


def reminds(clock: Clock, stops: Iterable[Stop]) -> int | None:
    """Return when to remind the side to act: when an eighth of the turn's time is left."""
    return _reaches(clock, (clock.pace.turn or clock.left) // REMINDED, stops)


def ends(clock: Clock, stops: Iterable[Stop]) -> int | None:
    """Return when a match ends whose side is out of time though nobody claims the win."""
    return _reaches(clock, -clock.pace.grace, stops)


def _reaches(clock: Clock, due: int, stops: Iterable[Stop]) -> int | None:
    """Return the instant at which no more than `due` is left."""
    if clock.turn is None:
        return None
    left, since = clock.left, clock.since
    for stop in _holding(clock, stops):
        if since + left - due <= stop.began:
            break
        left, since = _stopped(clock, left, since, stop)
    return None if since >= NEVER else since + max(left - due, 0)


def _holding(clock: Clock, stops: Iterable[Stop]) -> list[Stop]:
    """Return the stops that bear on the turn whose time runs, in the order in which they began."""
    turn = clock.turn
    return (
        []
        if turn is None
        else [stop for stop in stops if stop.ended > clock.since and stop.holds(turn)]
    )


def _stopped(clock: Clock, left: int, since: int, stop: Stop) -> tuple[int, int]:
    """Return what is left after a stop, and the instant from which that runs."""
    before = left - max(stop.began - since, 0)
    end = max(stop.ended, since)
    fell = 0 < before <= end - max(stop.began, since)
    if stop.side is None and fell:
        before = max(before, clock.pace.fresh)
    return before, end
