"""A match with the people who sit at it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.platform.computers import COMPUTERS, get_computer_level
from bot.platform.direct import NO_SERVER
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.people import distinguish_names
from bot.store import MatchRow, PersonNames, PlayerPreferences
from engine import dice
from engine.clock import Clock, ClockStop
from engine.events import Battled, Chosen, Event, Left, Played, TakenBack, Thrown, is_forced
from engine.match import BOTH_THROW_PHASES, Match, Phase
from engine.outcome import CUT_SHORT
from engine.players.level import Level
from engine.position import Side

MAX_CALLS = 3
"""How many times in a turn somebody is called to act, if it is taken back again and again."""
BY_NUMBER = 1
"""The first format of the dice: throws were drawn under the match's number."""

_DECISIONS = (Chosen, Played, Left)


@dataclass(frozen=True, slots=True)
class Transition:
    """One event of a match: the match before it, the event, the match after it, and when it was."""

    before: Match
    event: Event
    after: Match
    at: int


@dataclass(frozen=True, slots=True)
class MatchSession:
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
    recent: tuple[Transition, ...] = ()
    stops: tuple[ClockStop, ...] = ()
    preferences: Mapping[int, PlayerPreferences] = field(default_factory=dict)
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
        return distinguish_names(self.person_names)

    def list_players(self, side: Side) -> tuple[int, ...]:
        """The people of one side in the order of their turns.

        The roll battle may have made them change sides.
        """
        return self.list_players_at(side, self.match.version)

    def list_original_players(self, side: Side) -> tuple[int, ...]:
        """Those who began on a side: its result is theirs, even if others took their seats."""
        return self.list_players_at(side, 0)

    def list_players_at(self, side: Side, version: int) -> tuple[int, ...]:
        """The people of a side when the match was at that version."""
        sat = self.get_original_side(side)
        # The version matters where seats were taken over: each moment has the people of its own.
        seats = sorted(self.row.seats_at(version), key=lambda seat: seat.number)
        return tuple(seat.person for seat in seats if seat.side == sat)

    def get_original_side(self, side: Side) -> Side:
        """The side on which those who play a side sat down."""
        return side.other if self.match.swapped else side

    def find_sides(self, person: int) -> tuple[Side, ...]:
        """The side a person plays on, or nothing for an onlooker."""
        return tuple(side for side in Side if person in self.list_players(side))

    def has_sat(self, person: int) -> bool:
        """Whether a person plays, or played until they handed their seat over."""
        sat = (each.person for each in self.row.seats)
        return person in sat or any(person == each.person for each in self.row.former)

    @property
    def sides_by_person(self) -> Mapping[int, Side]:
        """The side of everyone who plays."""
        return {person: side for side in Side for person in self.list_players(side)}

    def get_player(self, side: Side, number: int) -> int:
        """The person in that seat."""
        return self.list_players(side)[number]

    @property
    def person_to_act(self) -> int:
        """The person who acts now."""
        return self.get_player(*self.match.acting_player)

    @property
    def person_to_call(self) -> int:
        """The person for whom the match waits: who is offered a draw, else who acts now."""
        offering = self.match.drawing
        return self.person_to_act if offering is None else self.get_player(offering.other, 0)

    @property
    def person_to_notify(self) -> int | None:
        """The person who is called to act; None for the computer, and who was called often enough.

        Somebody who takes their whole turn back can end it again, each time with a new message.
        """
        if self.is_solo or self.is_computer_acting:
            return None
        passed_back = 0
        for each in reversed(self.recent):
            if isinstance(each.event, Thrown | Battled):
                break
            is_back = isinstance(each.event, TakenBack)
            passed_back += is_back and each.before.acting_player != each.after.acting_player
        return self.person_to_call if passed_back < MAX_CALLS else None

    @property
    def may_be_left(self) -> bool:
        """Whether a player may still leave it as if it had not been.

        Those of leagues and ladders count from the beginning.
        """
        is_free = self.row.contest is None and self.row.ladder is None
        return is_free and self.match.may_abort()

    @property
    def person_to_take_back(self) -> int | None:
        """The person who may take back the last decision, if anyone may."""
        before = self.match.before
        return (
            self.get_player(*before.acting_player)
            if before and self.match.may_take_back()
            else None
        )

    def find_turn_to_take_back(self, person: int) -> Side | None:
        """The side whose last turn a person may take back, if there is one.

        That is allowed alone against the computer, where nothing is rated, while it does not act.
        """
        if not self.is_solo or self.row.rated or self.is_computer_acting:
            return None
        return next(
            (side for side in self.find_sides(person) if self.match.may_take_back_turn(side)), None
        )

    @property
    def is_thrown_for(self) -> bool:
        """Whether the dice are thrown at once for the person to throw.

        Against the computer they are; between people, for those who prefer it. They never are while
        anybody may take something back, or answer a draw: the throw would end that.
        """
        match = self.match
        if match.phase is not Phase.THROW or match.drawing is not None:
            return False
        person = self.person_to_act
        if person in COMPUTERS or self.person_to_take_back not in (None, *COMPUTERS):
            return False
        return self.wants_throws and self._has_decided()

    @property
    def wants_throws(self) -> bool:
        """Whether whoever acts now has the dice thrown for them, as always against the computer."""
        preferences = self.preferences.get(self.person_to_act, PlayerPreferences())
        return self.is_solo or preferences.throws

    def _has_decided(self) -> bool:
        """Whether the side to throw has decided anything since its last throw, if there was one.

        Where it has not, a match could otherwise play itself to the end before anybody's eyes.
        """
        match = self.match
        for each in reversed(self.recent):
            if each.before.version < match.version and each.before.turn is match.turn:
                if isinstance(each.event, Thrown):
                    return False
                if isinstance(each.event, _DECISIONS) and not is_forced(each.event):
                    return True
        return True

    @property
    def waiting_players(self) -> tuple[int, ...]:
        """Those who wait for the side that is to act."""
        return tuple(
            person for person in self.list_players(self.match.turn.other) if person not in COMPUTERS
        )

    @property
    def human_players(self) -> tuple[int, ...]:
        """Those who play, but for the computer."""
        return tuple(seat.person for seat in self.row.seats if seat.person not in COMPUTERS)

    @property
    def is_solo(self) -> bool:
        """Whether one person plays, and the computer in every other seat."""
        return len(self.human_players) == 1

    @property
    def is_cut_short(self) -> bool:
        """Whether the match has ended otherwise than on the board, or by somebody's giving up."""
        outcome = self.match.outcome
        return outcome is not None and outcome.how in CUT_SHORT

    @property
    def computer_level(self) -> Level | None:
        """The level at which the computer plays here; None where only people do."""
        return find_computer_level(self.row)

    @property
    def computer_draw_side(self) -> Side | None:
        """The side that is offered a draw if only the computer can answer; None otherwise."""
        if self.match.drawing is None:
            return None
        side = self.match.drawing.other
        return side if COMPUTERS.issuperset(self.list_players(side)) else None

    @property
    def is_computer_acting(self) -> bool:
        """Whether the match waits for the computer, which also throws wherever both sides do."""
        if self.match.phase is Phase.OVER:
            return False
        # An offer may stand in most phases, also in the turn of a person, so it comes before the
        # phases.
        if self.computer_draw_side is not None:
            return True
        if self.match.phase in BOTH_THROW_PHASES:
            return self.computer_level is not None
        return self.person_to_act in COMPUTERS

    def throw(self, extra: int = 0) -> tuple[int, ...]:
        """The next throw, or with `extra` 1 the one after it.

        It was settled when the match began, and is drawn only now.
        """
        number = self.match.drawn + extra
        return dice.derive_throw(
            self.row.secret,
            get_dice_name(self.row),
            list_contributions(self.row),
            number,
            self.match.due_dice,
        )


def find_computer_level(row: MatchRow) -> Level | None:
    """Return the level at which the computer plays in a match; None where only people do."""
    return next(filter(None, (get_computer_level(seat.person) for seat in row.seats)), None)


def get_dice_name(row: MatchRow) -> str:
    """Return the name under which a match's throws are drawn.

    Since the second format it is the commitment itself.
    """
    return str(row.id) if row.dice == BY_NUMBER else row.commitment


def list_contributions(row: MatchRow) -> tuple[str, ...]:
    """What each player gave to the dice, as they sat down.

    Gold's come first, each side's in the order of its turns.
    """
    return tuple(seat.contribution for side in Side for seat in row.seats if seat.side == side)


def require_visible(session: MatchSession, guild: int, person: int) -> None:
    """Raise DeclinedError unless the match is of that server, or the person has a seat in it.

    Those who handed their seat over see it too. A match in direct messages is of no server, so
    nobody else sees it. The refusal is that of a number which was never given: it does not tell
    that there is such a match.
    """
    is_here = session.row.guild == guild != NO_SERVER
    if not (is_here or session.has_sat(person)):
        raise DeclinedError(DeclineReason.MATCH_UNKNOWN, match=session.id)


def require_running(session: MatchSession) -> None:
    """Raise DeclinedError if the match is over."""
    if session.match.phase is Phase.OVER:
        raise DeclinedError(DeclineReason.MATCH_OVER, match=session.id)


def require_over(session: MatchSession) -> None:
    """Raise DeclinedError while the match goes on."""
    if session.match.phase is not Phase.OVER:
        raise DeclinedError(DeclineReason.MATCH_RUNNING, match=session.id)


def require_player(session: MatchSession, person: int) -> None:
    """Raise DeclinedError unless that person plays in the match."""
    if not session.find_sides(person):
        raise DeclinedError(DeclineReason.NOT_A_PLAYER, match=session.id)


def require_turn(session: MatchSession, person: int) -> None:
    """Raise DeclinedError unless it is that person's turn in a running match."""
    require_running(session)
    require_player(session, person)
    if session.person_to_act != person:
        raise DeclinedError(
            DeclineReason.NOT_YOUR_TURN,
            match=session.id,
            person=session.names[session.person_to_act],
        )
