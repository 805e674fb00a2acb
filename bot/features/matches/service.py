"""Playing a match: every move of it goes through `apply_action`, which saves before it returns."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.features.matches import clock as clocks
from bot.features.matches.ending_updates import build_ending_update
from bot.features.matches.follow_ups import build_follow_up_jobs, note_saved
from bot.features.matches.loading import MOST_RECENT, _replay_session, load_row, load_session
from bot.features.matches.session import (
    MatchSession,
    Transition,
    require_player,
    require_running,
    require_turn,
    require_visible,
)
from bot.features.matches.session_cache import cache_session
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason, StaleMatchError
from bot.platform.people import CLOCK, DiscordPerson
from bot.store import MatchUpdate, Ruling, SeatTakeover
from bot.store import StaleVersionError as StoreMovedOn
from engine.events import (
    Battled,
    Chosen,
    Event,
    Granted,
    Left,
    Played,
    TakenBack,
    Thrown,
    TurnTakenBack,
    to_record,
)
from engine.match import BOTH_THROW_PHASES, PLAY_PHASES, Match, expect_phase, find_forced_event
from engine.notation import parse_play
from engine.position import Side
from engine.position_text import format_position
from engine.refusal import Refusal

TRIES = 3
"""How often an action is tried that crosses others of the same match."""


@dataclass(frozen=True, slots=True)
class Action:
    """What somebody does in a match.

    `cause` is the interaction, which is applied at most once; `version` is the state that the
    person saw, if known. `guild` is the server in which they ask for it, 0 in direct messages and
    None where nobody asks.
    """

    match: int
    person: DiscordPerson
    cause: str
    version: int | None = None
    guild: int | None = None


@dataclass(frozen=True, slots=True)
class ActionResult:
    """The result of an action: the match now, and what happened, in order.

    Nothing happened if the action was done before.
    """

    session: MatchSession
    transitions: tuple[Transition, ...]


Decide = Callable[[MatchSession], Event]

TakeOver = Callable[[MatchSession], SeatTakeover]
"""Whose seat somebody takes, in the match as it stands before."""


async def apply_action(
    app: App,
    action: Action,
    decide: Decide,
    ruling: Ruling | None = None,
    take_over: TakeOver | None = None,
) -> ActionResult:
    """Apply what `decide` returns, and what follows automatically, in one transaction.

    The same transaction saves the server's log entry and who takes whose seat. Raises
    StaleMatchError if the match is no longer at the action's version, Declined or Refusal if the
    action is not allowed; then nothing has changed. Once this has returned, the action is saved,
    whatever fails afterwards.
    """
    # The lock puts the actions of this process in order. Those of other processes are noticed by
    # the version that the update expects.
    async with app.get_match_lock(action.match):
        for _ in range(TRIES - 1):
            try:
                return await _try_action(app, action, decide, ruling, take_over)
            except StaleMatchError:
                # What somebody did at the same moment through another process leaves typed text
                # valid.
                if action.version is not None:
                    raise
        # The last try is outside the loop, so that its conflict reaches the caller.
        return await _try_action(app, action, decide, ruling, take_over)


async def _try_action(
    app: App, action: Action, decide: Decide, ruling: Ruling | None, take_over: TakeOver | None
) -> ActionResult:
    session = await load_session_to_act(app, action)
    # It happens at the instant for which lateness was decided, whatever the clock does meanwhile.
    transitions = await asyncio.to_thread(advance_match, session, decide(session), session.now)
    takeover = take_over(session) if take_over else None
    return await _save_action(app, action, session, transitions, ruling, takeover)


async def load_session_to_act(app: App, action: Action) -> MatchSession:
    """Return the match of an action.

    Raises DeclinedError if whoever acts may not see it, StaleMatchError if it has moved on from
    what they saw.
    """
    session = await load_session(app, action.match)
    # First, so that a stranger does not learn that there is such a match.
    if action.guild is not None:
        require_visible(session, action.guild, action.person.id)
    if action.version not in (None, session.match.version):
        raise StaleMatchError(action.match)
    return session


def advance_match(session: MatchSession, event: Event, now: int) -> tuple[Transition, ...]:
    """Return what happens by an event and automatically after it.

    Raises Refusal if the rules forbid the event.
    """
    match = session.match
    transitions: list[Transition] = []
    onward: Event | None = event
    while onward is not None:
        transitions.append(Transition(match, onward, match.apply(onward), now))
        match = transitions[-1].after
        onward = _find_automatic_event(
            replace(session, match=match, recent=(*session.recent, *transitions)), onward
        )
    return tuple(transitions)


def _find_automatic_event(session: MatchSession, last: Event) -> Event | None:
    """Return what follows automatically: what is forced, and a throw that nobody waits for.

    Equal throws for who begins are repeated.
    """
    # After an opening roll both sides still throw only if their throws were equal.
    if isinstance(last, Battled) and session.match.phase in BOTH_THROW_PHASES:
        return make_opening_roll(session)
    forced = find_forced_event(session.match)
    if forced is None and session.is_thrown_for:
        return Thrown(session.throw())
    return forced


async def _save_action(
    app: App,
    action: Action,
    session: MatchSession,
    transitions: tuple[Transition, ...],
    ruling: Ruling | None,
    takeover: SeatTakeover | None,
) -> ActionResult:
    match = transitions[-1].after
    now = transitions[-1].at
    ended = build_ending_update(session, match, now)
    recent = (*session.recent, *transitions)
    clock = clocks.advance_clock(session.clock, transitions, session.stops)
    after = replace(session, match=match, clock=clock, recent=recent[-MOST_RECENT:])
    # A match that is annulled afterwards keeps the instant at which it ended.
    over = (session.row.ended or now) if ended else None
    row = replace(
        session.row, version=match.version, snapshot=build_snapshot(match), touched=now, ended=over
    )
    when = clocks.get_clock_reading(app, row.guild)
    after = clocks.mark_lateness(replace(after, row=row), when)
    step = MatchUpdate(
        expected_version=session.match.version,
        records=[to_record(each.event, match.rules.board) for each in transitions],
        person=None if action.person is CLOCK else action.person.id,
        cause=action.cause,
        snapshot=row.snapshot,
        now=now,
        ending=ended,
        jobs=build_follow_up_jobs(session, after, action.person, now),
        ruling=ruling,
        takeover=takeover,
    )
    try:
        saved = await app.store.matches.apply_update(session.id, step)
    except StoreMovedOn:
        raise StaleMatchError(session.id) from None
    if not saved.applied:
        # An earlier try, or another process, has saved this cause: there is nothing more to do.
        return ActionResult(session, ())
    if takeover:
        # Others sit there now.
        after = clocks.mark_lateness(
            await _replay_session(app, await load_row(app, session.id)), when
        )
    # Cached only now that it is saved: an update that fails leaves the older session in place.
    cache_session(app, after)
    app.take(saved.jobs)
    note_saved(app, session, after)
    return ActionResult(after, transitions)


def build_snapshot(match: Match) -> dict[str, str | int]:
    """Return what a list of matches shows of one without replaying it."""
    side, player = match.acting_player
    return {
        "position": format_position(match.position, match.rules),
        "phase": match.phase.value,
        "side": side.value,
        "player": player,
    }


async def throw_opening_roll(app: App, action: Action) -> ActionResult:
    """Throw for who begins, or who breaks a point, again and again while the throws are equal."""
    return await apply_action(app, action, make_opening_roll)


def make_opening_roll(session: MatchSession) -> Event:
    """Throw for both sides."""
    return Battled(session.throw(), session.throw(1))


async def roll(app: App, action: Action) -> ActionResult:
    """Throw the dice for the person whose turn it is, or for both sides where both throw."""

    def decide(session: MatchSession) -> Event:
        if session.match.phase in BOTH_THROW_PHASES and session.find_sides(action.person.id):
            return make_opening_roll(session)
        require_turn(session, action.person.id)
        return Thrown(session.throw())

    return await apply_action(app, action, decide)


async def make_choice(app: App, action: Action, what: str, value: str) -> ActionResult:
    """Settle a choice: the die to turn, the table to play on, the side, the point to break."""

    def decide(session: MatchSession) -> Event:
        require_turn(session, action.person.id)
        return Chosen(what, value)

    return await apply_action(app, action, decide)


async def play_moves(app: App, action: Action, text: str) -> ActionResult:
    """Play typed moves: one, several or the whole play."""

    return await apply_action(
        app, action, lambda session: parse_moves(session, action.person.id, text)
    )


def parse_moves(session: MatchSession, person: int, text: str) -> Played:
    """Read moves as somebody types them.

    Raises DeclinedError if it is not their turn, Refusal if the moves are illegal.
    """
    require_turn(session, person)
    match = session.match
    expect_phase(match, *PLAY_PHASES)
    try:
        return Played(parse_play(text, match.rules, match.position, match.duty))
    except Refusal as refusal:
        # The engine knows sides only, and the sentence names the people who play them.
        players = {
            side: [session.names[each] for each in session.list_players(side)] for side in Side
        }
        raise Refusal(refusal.reason, refusal.legal, **refusal.parts, players=players) from None


async def leave_numbers(app: App, action: Action) -> ActionResult:
    """Leave the numbers that the other side could not play."""

    def decide(session: MatchSession) -> Event:
        require_turn(session, action.person.id)
        return Left()

    return await apply_action(app, action, decide)


async def take_back(app: App, action: Action, *, whole: bool = False) -> ActionResult:
    """Take back one's last decision, or with `whole` all since the throw.

    Alone against the computer, where nothing is rated, it is one's last turn if there is nothing to
    take back in the present one.
    """

    def decide(session: MatchSession) -> Event:
        require_running(session)
        require_player(session, action.person.id)
        person = action.person.id
        side = session.find_turn_to_take_back(person)
        if side is not None and session.person_to_take_back != person:
            return TurnTakenBack(side)
        if session.person_to_take_back not in (None, person):
            raise DeclinedError(
                DeclineReason.NOT_YOURS_TO_TAKE_BACK,
                person=session.names[session.person_to_take_back],
            )
        return TakenBack(whole)

    return await apply_action(app, action, decide)


async def grant_time(app: App, action: Action) -> ActionResult:
    """Give a side that is out of time fresh time."""

    def decide(session: MatchSession) -> Event:
        clocks.require_opponent_late(session, action.person.id)
        return Granted()

    return await apply_action(app, action, decide)


async def throw_automatically(app: App, session: MatchSession) -> ActionResult:
    """Throw the dice for somebody who wants automatic throws."""
    person = DiscordPerson(session.person_to_act, session.names[session.person_to_act])
    version = session.match.version
    # With the version as its cause the throw happens once, however often the job is tried.
    return await roll(app, Action(session.id, person, f"throw {version}", version))


def require_side(session: MatchSession, person: int) -> Side:
    """Return the side on which somebody plays in a running match.

    Raises DeclinedError otherwise.
    """
    require_running(session)
    require_player(session, person)
    return session.find_sides(person)[0]
