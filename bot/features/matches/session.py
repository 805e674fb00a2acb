"""A match with the people who sit at it, and those that are kept in memory as last seen.

Also which turn its message belongs to, and whether that still serves.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import takewhile

from cachetools import LRUCache

from bot.features.matches.rows import MatchRow, Seat
from bot.platform.context import MAX_CACHED, App
from bot.platform.db.preferences import PlayerPreferences
from bot.platform.db.rows import PersonNames
from bot.platform.i18n.reader import DeclinedError, mark_text
from bot.platform.people import (
    COMPUTERS,
    MAX_TABLES,
    DiscordPerson,
    distinguish_names,
    get_computer_level,
)
from engine import dice, events
from engine.clock import Clock, ClockStop, find_turn
from engine.match import BOTH_THROW_PHASES, Match, Phase
from engine.outcome import CUT_SHORT
from engine.players.level import Level
from engine.position import Side

MAX_CALLS = 3
"""How many times in a turn somebody is called to act, if it is taken back again and again."""
THROW_DELAY_MS = 5_000
"""Milliseconds in which a turn can be taken back before dice are thrown for the other side."""
BY_NUMBER = 1
"""The first format of the dice: throws were drawn under the match's number."""

_DECISIONS = (events.Chosen, events.Played, events.Left)


class MatchElsewhereError(DeclinedError):
    match: int
    sentence = mark_text("Match {match} was started elsewhere, and that only works there.")


class MatchOverError(DeclinedError):
    match: int
    sentence = mark_text("Match {match} is over.")


class MatchRunningError(DeclinedError):
    match: int
    sentence = mark_text("Match {match} is not over yet.")


class NotAPlayerError(DeclinedError):
    match: int
    sentence = mark_text("You're not playing in match {match}.")


class NotYourTurnError(DeclinedError):
    match: int
    person: DiscordPerson
    sentence = mark_text("It's {person}'s turn in match {match}.")


@dataclass(frozen=True, slots=True)
class Transition:
    """One event of a match: the match before it, the event, the match after it, and when it was."""

    before: Match
    event: events.Event
    after: Match
    at: int


@dataclass(frozen=True, slots=True)
class MatchSession:
    """A match as stored and as the engine sees it, the people in it, and what happened lately.

    `person_names` are those of all who ever sat in it. `clock` is that of the last event, `stops`
    are the times for which it stood still, `now` is when the match is looked at, and `late` says
    whether the one to act is out of time by then. Unless that is `certain` nothing may be done
    about it: the clock was set, or people could not act, and `stops` may lack that time.
    `newcomers` are its players to whom the game is still new.
    """

    row: MatchRow
    match: Match
    person_names: Mapping[int, PersonNames]
    clock: Clock
    recent: tuple[Transition, ...] = ()
    stops: tuple[ClockStop, ...] = ()
    preferences: Mapping[int, PlayerPreferences] = field(default_factory=dict)
    newcomers: frozenset[int] = frozenset()
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

    def get_person(self, person: int) -> DiscordPerson:
        """Return somebody who ever sat there."""
        return DiscordPerson(person, self.names[person], bot=person in COMPUTERS)

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
        return _list_seated(self.row.seats_at(version), sat)

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
            if isinstance(each.event, events.Thrown | events.Battled):
                break
            is_back = isinstance(each.event, events.TakenBack)
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

    @property
    def is_practice(self) -> bool:
        """Whether one person plays alone and nothing is rated, so that they may have help."""
        return self.is_solo and not self.row.rated

    def find_turn_to_take_back(self, person: int) -> Side | None:
        """The side whose last turn a person may take back, if there is one.

        That is allowed alone against the computer, where nothing is rated, while it does not act.
        """
        if not self.is_practice or self.is_computer_acting:
            return None
        return next(
            (side for side in self.find_sides(person) if self.match.may_take_back_turn(side)), None
        )

    @property
    def throw_delay_ms(self) -> int | None:
        """Milliseconds after the last change until the dice are thrown for whoever is to throw.

        None where they are not: people may throw themselves between people, and nobody's throw
        ends an offer of a draw. It is 0 unless somebody may still take back a turn that they have
        not confirmed, since the throw ends that.
        """
        match = self.match
        if match.phase not in (Phase.THROW, Phase.BREAK_ROLL) or match.drawing is not None:
            return None
        if self.is_computer_acting or not self.wants_throws or not self._has_decision_since_throw():
            return None
        person = self.person_to_take_back
        if person is None or person in COMPUTERS or self._get_preferences(person).confirms:
            return 0
        return THROW_DELAY_MS

    @property
    def is_thrown_for(self) -> bool:
        """Whether the dice are thrown at once for the person to throw."""
        return self.throw_delay_ms == 0

    @property
    def is_throw_coming(self) -> bool:
        """Whether the dice are about to be thrown, so that nobody needs to ask for that."""
        delay = self.throw_delay_ms
        # Once that time is over a message that is drawn anew lets people throw, whatever happened.
        return delay is not None and self.now <= self.row.touched + delay

    def _get_preferences(self, person: int) -> PlayerPreferences:
        return self.preferences.get(person, PlayerPreferences())

    @property
    def shows_directions(self) -> bool:
        """Whether its board shows ways and homes: at first, to newcomers, and to who chose it."""
        if self.match.phase is Phase.OVER:
            return False
        chosen = (self._get_preferences(each) for each in self.human_players)
        return (
            self.match.may_abort()
            or not self.newcomers.isdisjoint(self.human_players)
            or any(each.directions for each in chosen)
        )

    @property
    def wants_throws(self) -> bool:
        """Whether whoever acts now has the dice thrown for them, as always against the computer."""
        return self.is_solo or self._get_preferences(self.person_to_act).throws

    def _has_decision_since_throw(self) -> bool:
        """Whether anybody has decided anything since the last throw of the side that is to throw.

        Where nobody has, a match could otherwise play itself to the end before anybody's eyes.
        """
        match = self.match
        for each in reversed(self.recent):
            if each.before.version < match.version:
                if isinstance(each.event, _DECISIONS) and not events.is_forced(each.event):
                    return True
                if isinstance(each.event, events.Thrown) and each.before.turn is match.turn:
                    return False
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
    def sole_player(self) -> int | None:
        """The one person who plays, where the computer has every other seat."""
        return self.human_players[0] if self.is_solo else None

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


@lru_cache(MAX_TABLES)
def _list_seated(seats: tuple[Seat, ...], side: str) -> tuple[int, ...]:
    """Return the people of a side in the order of their turns."""
    in_turn = sorted(seats, key=lambda seat: seat.number)
    return tuple(seat.person for seat in in_turn if seat.side == side)


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


def require_running(session: MatchSession) -> None:
    """Raise DeclinedError if the match is over."""
    if session.match.phase is Phase.OVER:
        raise MatchOverError(session.id)


def require_over(session: MatchSession) -> None:
    """Raise DeclinedError while the match goes on."""
    if session.match.phase is not Phase.OVER:
        raise MatchRunningError(session.id)


def require_player(session: MatchSession, person: int) -> None:
    """Raise DeclinedError unless that person plays in the match."""
    if not session.find_sides(person):
        raise NotAPlayerError(session.id)


def require_turn(session: MatchSession, person: int) -> None:
    """Raise DeclinedError unless it is that person's turn in a running match."""
    require_running(session)
    require_player(session, person)
    if session.person_to_act != person:
        raise NotYourTurnError(match=session.id, person=session.get_person(session.person_to_act))


class SessionCache:
    """Sessions by the ids of their matches, the one unused for longest first."""

    def __init__(self) -> None:
        self._sessions: LRUCache[int, MatchSession] = LRUCache(MAX_CACHED)
        self._untouched: set[int] = set()

    def __iter__(self) -> Iterator[int]:
        return iter(self._sessions)

    def get(self, match_id: int) -> MatchSession | None:
        """Return a match as it was last seen here."""
        return self._sessions.get(match_id)

    def put(self, session: MatchSession, *, is_saved: bool = False) -> None:
        """Remember a match unless a newer state of it is known.

        It was read from the store, or with `is_saved` has just been saved there.

        Above the limit, the match that was unused for longest is forgotten. The plays of past
        positions are forgotten, unless a take-back has brought the match back to one.
        """
        for each in session.recent:
            if each.before is not session.match:
                each.before.forget_plays()
        known = self._sessions.get(session.id)
        if known is None or known.match.version <= session.match.version:
            self._sessions[session.id] = session
        if not is_saved:
            self.mark_touched(session.id)

    def mark_untouched(self, match_id: int) -> None:
        """Note that a match is about to be saved."""
        self._untouched.add(match_id)

    def mark_touched(self, match_id: int) -> None:
        """Note that a match is shown by another message now, or was read."""
        self._untouched.discard(match_id)

    def take_saved(self, match_id: int) -> MatchSession | None:
        """Return a match as it was just saved, once; None if it was touched since that began."""
        if match_id not in self._untouched:
            return None
        self.mark_touched(match_id)
        return self._sessions.get(match_id)

    def clear(self) -> None:
        """Forget every match, as a restart does."""
        self._sessions.clear()
        self._untouched.clear()


def get_cached_session(app: App, match_id: int) -> MatchSession | None:
    """Return a match as it was last seen here; the store may have moved on since."""
    return app.get_part(SessionCache).get(match_id)


def cache_session(app: App, session: MatchSession) -> None:
    """Remember a match unless a newer state of it is known."""
    app.get_part(SessionCache).put(session)


def list_new_transitions(session: MatchSession) -> tuple[Transition, ...]:
    """Return what has happened since the live message was posted."""
    return list_transitions(session, session.row.since, session.match.version)


def list_transitions(session: MatchSession, since: int, until: int) -> tuple[Transition, ...]:
    """Return what is remembered of the transitions from one version of a match to another."""
    return tuple(each for each in session.recent if since <= each.before.version < until)


def is_message_current(session: MatchSession) -> bool:
    """Whether the live message is that of the present turn: it is edited, and no new one posted.

    A take-back makes the message of the following turn that of the turn which goes on. What the
    computer does is shown in the message of the person who comes after it, so while it acts every
    message serves. That of the end serves for good.
    """
    if session.match.phase is Phase.OVER:
        # What follows the end, an annulment, is shown by an edit. Only if the end itself has not
        # been shown yet does it need a message of its own.
        unseen = list_transitions(session, session.row.shown, session.match.version)
        return all(each.before.phase is Phase.OVER for each in unseen)
    if session.is_computer_acting:
        return True
    if session.match.drawing is not None and _has_unseen_offer(session):
        # An edit notifies nobody, and the player offered a draw may not be the one to move.
        return False
    happened = list_new_transitions(session)
    begun = happened[0].before if happened else session.match
    unasked = len(list(takewhile(lambda each: _is_unprompted(session, each), happened)))
    # Alone against the computer the turn begins after what the computer did first.
    for each in happened[:unasked] if session.is_solo else ():
        begun = each.after
    for each in happened:
        if isinstance(each.event, events.TakenBack | events.TurnTakenBack):
            begun = each.after
    return find_turn(begun) == find_turn(session.match)


def _has_unseen_offer(session: MatchSession) -> bool:
    unseen = list_transitions(session, session.row.shown, session.match.version)
    return any(isinstance(each.event, events.DrawOffered) for each in unseen)


def list_shown_transitions(session: MatchSession) -> tuple[Transition, ...]:
    """Return what the message of the present turn tells."""
    # Who plays alone has read of their own throw in the message before.
    return list_new_transitions(session) or (() if session.is_solo else list_since_throw(session))


def find_start_version(session: MatchSession) -> int:
    """Return the version from which the next message shows what happened.

    Between people that is the version at which the message before was posted: the next player has
    not seen the play. Somebody who plays alone against the computer has, and reads in the next
    message what the computer did since.
    """
    if not session.is_solo or is_message_current(session):
        return session.row.since
    recent = session.recent
    asked = (at for at in reversed(range(len(recent))) if not _is_unprompted(session, recent[at]))
    last = next(asked, None)
    start = 0 if last is None else last + 1
    if last is not None:
        # Forced moves are described with the throw or play that forced them.
        side = recent[last].before.turn
        rest = takewhile(
            lambda each: events.is_forced(each.event) and each.before.turn is side, recent[start:]
        )
        start += len(list(rest))
    return session.match.version - len(recent) + start


def _is_unprompted(session: MatchSession, transition: Transition) -> bool:
    """Whether something happened without the person who plays alone.

    The computer did it, or it follows from the dice, which may have been thrown for them.
    """
    then = replace(session, match=transition.before)
    return (
        events.is_forced(transition.event)
        or isinstance(transition.event, events.Battled)
        or (isinstance(transition.event, events.Thrown) and then.is_thrown_for)
        or then.person_to_act in COMPUTERS
    )


def has_acted(session: MatchSession, version: int) -> bool:
    """Whether the match has gone on since a version, apart from what was done for the one to act.

    A draw that was offered to them does not count, either. What follows automatically from dice
    that were thrown for them has the instant of the throw.
    """
    happened = list_transitions(session, version, session.match.version)
    wanted = session.wants_throws
    thrown = {each.at for each in happened if wanted and isinstance(each.event, events.Thrown)}
    return not all(
        isinstance(each.event, events.DrawOffered) or each.at in thrown for each in happened
    )


def find_throw_version(session: MatchSession, version: int) -> int:
    """Return the version at which the last throw before a version was made, if there is one."""
    thrown = (
        each.before.version
        for each in reversed(session.recent)
        if each.before.version < version and isinstance(each.event, events.Thrown)
    )
    return next(thrown, version)


def list_since_throw(session: MatchSession) -> tuple[Transition, ...]:
    """Return what has happened since the last throw, the throw included."""
    transitions: list[Transition] = []
    for each in reversed(session.recent):
        transitions.insert(0, each)
        if isinstance(each.event, events.Thrown):
            break
    return tuple(transitions)
