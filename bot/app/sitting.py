"""A match with the people who sit at it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.app.computer import COMPUTERS, level_of
from bot.app.errors import Declined, Why
from bot.app.people import names_apart
from bot.store import Habit, MatchRow, PersonNames
from engine import dice
from engine.clock import Clock, Stop
from engine.events import Event
from engine.match import BOTH_THROW, Match, Phase
from engine.outcome import CUT_SHORT
from engine.players.level import Level
from engine.position import Side

BY_NUMBER = 1
"""The first format of the dice: throws were drawn under the match's number."""


@dataclass(frozen=True, slots=True)
class Happening:
    """One event of a match: the match before it, the event, the match after it, and when it was."""

    before: Match
    event: Event
    after: Match
    at: int


@dataclass(frozen=True, slots=True)
class Sitting:
    """A match as stored and as the engine sees it, the people in it, and what happened lately.

    `person_names` are those of all who ever sat in it. `clock` is that of the last event, `stops`
    are the times for which it stood still, `now` is when the match is looked at, and `late` says
    whether the one to act is out of time by then. Unless that is `certain` nothing may be done
    about it: the clock was set, or people could not act, and `stops` may lack that time.
    """

    row: MatchRow
    match: Match
    person_names: Mapping[int, PersonNames]
    clock: Clock
    recent: tuple[Happening, ...] = ()
    stops: tuple[Stop, ...] = ()
    habits: Mapping[int, Habit] = field(default_factory=dict)
    now: int = 0
    late: bool = False
    certain: bool = True

    @property
    def id(self) -> int:
        """The match's number, which people see."""
        return self.row.id

    @property
    def names(self) -> Mapping[int, str]:
        """What to call everyone who ever sat there, no two alike."""
        return names_apart(self.person_names)

    def seated(self, side: Side) -> tuple[int, ...]:
        """The people of one side in the order of their turns.

        The roll battle may have made them change sides.
        """
        return self._people(side, self.match.version)

    def began(self, side: Side) -> tuple[int, ...]:
        """Those who began on a side: its result is theirs, even if others took their seats."""
        return self._people(side, 0)

    def _people(self, side: Side, version: int) -> tuple[int, ...]:
        sat = self.sat(side)
        seats = sorted(self.row.seats_at(version), key=lambda seat: seat.number)
        return tuple(seat.person for seat in seats if seat.side == sat)

    def sat(self, side: Side) -> Side:
        """The side on which those who play a side sat down."""
        return side.other if self.match.swapped else side

    def sides_of(self, person: int) -> tuple[Side, ...]:
        """The side a person plays on, or nothing for an onlooker."""
        return tuple(side for side in Side if person in self.seated(side))

    @property
    def seats(self) -> Mapping[int, Side]:
        """The side of everyone who plays."""
        return {person: side for side in Side for person in self.seated(side)}

    def at(self, side: Side, number: int) -> int:
        """The person in that seat."""
        return self.seated(side)[number]

    @property
    def to_act(self) -> int:
        """The person who acts now."""
        return self.at(*self.match.acting)

    @property
    def to_take_back(self) -> int | None:
        """The person who may take back the last decision, if anyone may."""
        before = self.match.before
        return self.at(*before.acting) if before and self.match.may_take_back() else None

    @property
    def waiting(self) -> tuple[int, ...]:
        """Those who wait for the side that is to act."""
        return tuple(
            person for person in self.seated(self.match.turn.other) if person not in COMPUTERS
        )

    @property
    def people(self) -> tuple[int, ...]:
        """Those who play, but for the computer."""
        return tuple(seat.person for seat in self.row.seats if seat.person not in COMPUTERS)

    @property
    def alone(self) -> bool:
        """Whether one person plays, and the computer in every other seat."""
        return len(self.people) == 1

    @property
    def cut_short(self) -> bool:
        """Whether the match has ended otherwise than on the board, or by somebody's giving up."""
        outcome = self.match.outcome
        return outcome is not None and outcome.how in CUT_SHORT

    @property
    def level(self) -> Level | None:
        """The level at which the computer plays here; None where only people do."""
        return level_in(self.row)

    @property
    def computer_answers(self) -> Side | None:
        """The side that is offered a draw if only the computer can answer; None otherwise."""
        if self.match.drawing is None:
            return None
        side = self.match.drawing.other
        return side if COMPUTERS.issuperset(self.seated(side)) else None

    @property
    def computer_acts(self) -> bool:
        """Whether the match waits for the computer, which also throws wherever both sides do."""
        if self.match.phase is Phase.OVER:
            return False
        if self.computer_answers is not None:
            return True
        if self.match.phase in BOTH_THROW:
            return self.level is not None
        return self.to_act in COMPUTERS

    def throw(self, extra: int = 0) -> tuple[int, ...]:
        """The next throw, or with `extra` 1 the one after it.

        It was settled when the match began, and is drawn only now.
        """
        number = self.match.drawn + extra
        return dice.throw(
            self.row.secret,
            dice_name(self.row),
            contributions(self.row),
            number,
            self.match.due_dice,
        )


def level_in(row: MatchRow) -> Level | None:
    """Return the level at which the computer plays in a match; None where only people do."""
    return next(filter(None, (level_of(seat.person) for seat in row.seats)), None)


def dice_name(row: MatchRow) -> str:
    """Return the name under which a match's throws are drawn.

    Since the second format it is the commitment itself.
    """
    return str(row.id) if row.dice == BY_NUMBER else row.commitment


def contributions(row: MatchRow) -> tuple[str, ...]:
    """What each player gave to the dice, as they sat down.

    Gold's come first, each side's in the order of its turns.
    """
    return tuple(seat.contribution for side in Side for seat in row.seats if seat.side == side)


def require_known(sitting: Sitting, guild: int, person: int) -> None:
    """Raise Declined unless the match is of that server, or the person plays in it."""
    if sitting.row.guild != guild and not sitting.sides_of(person):
        raise Declined(Why.ELSEWHERE, match=sitting.id)


def require_running(sitting: Sitting) -> None:
    """Raise Declined if the match is over."""
    if sitting.match.phase is Phase.OVER:
        raise Declined(Why.MATCH_OVER, match=sitting.id)


def require_over(sitting: Sitting) -> None:
    """Raise Declined while the match goes on."""
    if sitting.match.phase is not Phase.OVER:
        raise Declined(Why.MATCH_RUNNING, match=sitting.id)


def require_player(sitting: Sitting, person: int) -> None:
    """Raise Declined unless that person plays in the match."""
    if not sitting.sides_of(person):
        raise Declined(Why.NOT_A_PLAYER, match=sitting.id)


def require_turn(sitting: Sitting, person: int) -> None:
    """Raise Declined unless it is that person's turn in a running match."""
    require_running(sitting)
    require_player(sitting, person)
    if sitting.to_act != person:
        raise Declined(Why.NOT_YOUR_TURN, match=sitting.id, person=sitting.names[sitting.to_act])
