"""Playing a match, and ending it by what people say or by its clock.

Every action goes through `apply_action`, which saves before it returns. A play that is being typed
is completed in the order of the board, never ranked by how good it is: nobody is to be helped.
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

from bot.features.matches import clock as clocks
from bot.features.matches import loading
from bot.features.matches.clock import TimeLeftError
from bot.features.matches.jobs import build_ending_update, build_follow_up_jobs, note_saved
from bot.features.matches.rows import MatchUpdate, Ruling, SeatTakeover
from bot.features.matches.session import (
    MatchSession,
    SessionCache,
    Transition,
    require_player,
    require_running,
    require_turn,
)
from bot.features.matches.store import Matches
from bot.platform.context import App, JobsCallback
from bot.platform.db.errors import StaleVersionError as StoreMovedOn
from bot.platform.db.rows import QueuedJob
from bot.platform.i18n.reader import DeclinedError, StaleMatchError, UnknownControlError, mark_text
from bot.platform.people import CLOCK, DiscordPerson
from engine import events
from engine.events import Event
from engine.folding import fold_text
from engine.match import BOTH_THROW_PHASES, PLAY_PHASES, Match, expect_phase, find_forced_event
from engine.notation import format_play, list_remarks, parse_play
from engine.plays import Duty, Play, list_legal_plays, list_next_moves, make_move
from engine.position import Position, Side
from engine.position_text import format_position
from engine.refusal import Refusal
from engine.rules import Remark, Rules

TRIES = 3
"""How often an action is tried that crosses others of the same match."""
MAX_CROSSED = 3
"""Events among which a press on an earlier state can be what has just happened."""
_TAKING_BACK = events.TakenBack | events.TurnTakenBack


class NotYoursToTakeBackError(DeclinedError):
    person: DiscordPerson
    sentence = mark_text("You can't take back now, because {person} moved last.")


@dataclass(frozen=True, slots=True)
class Action:
    """What somebody does in a match.

    `cause` is the interaction, which is applied at most once; `version` is the state that the
    person saw, if known, and `seen` the one that they saw where any other will do as well. `guild`
    is the server in which they ask for it, 0 in direct messages and None where nobody asks.
    `begin_jobs` begins what follows from it, with the answer to the person in hand; without it the
    runner begins that by itself.
    """

    match: int
    person: DiscordPerson
    cause: str
    version: int | None = None
    guild: int | None = None
    begin_jobs: JobsCallback | None = None
    seen: int | None = None


class ActionSource(Protocol):
    """The interaction by which somebody asks for an action, as far as the action knows it."""

    @property
    def person(self) -> DiscordPerson:
        """Who asks."""

    @property
    def guild(self) -> int:
        """The server in which they ask, 0 in direct messages."""

    @property
    def cause(self) -> str:
        """What is applied at most once."""

    def begin_jobs(self, jobs: Sequence[QueuedJob]) -> None:
        """Begin what follows, with the answer to the person in hand."""


def build_action(
    source: ActionSource, match: int, version: int | None = None, *, seen: int | None = None
) -> Action:
    """Return what an action in a match needs to know, asked for by an interaction."""
    return Action(
        match, source.person, source.cause, version, source.guild, source.begin_jobs, seen
    )


async def wants_confirmation(app: App, person: int) -> bool:
    """Whether somebody wants to be asked before a play ends their turn."""
    return (await app.store.preferences.load_preferences(person)).confirms


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
    StaleMatchError if the match is no longer at the action's version, or if what is asked for has
    just been done, Declined or Refusal if the action is not allowed; then nothing has changed. Once
    this has returned, the action is saved, whatever fails afterwards.
    """
    # The lock puts the actions of this process in order. Those of other processes are noticed by
    # the version that the update expects.
    async with app.get_match_lock(action.match):
        try:
            for _ in range(TRIES - 1):
                try:
                    return await _try_action(app, action, decide, ruling, take_over)
                except StaleMatchError:
                    # What somebody did at the same moment through another process leaves typed
                    # text valid.
                    if action.version is not None:
                        raise
            # The last try is outside the loop, so that its conflict reaches the caller.
            return await _try_action(app, action, decide, ruling, take_over)
        except (DeclinedError, Refusal) as error:
            if await _is_done(app, action, decide):
                raise StaleMatchError(action.match, is_done=True) from error
            raise


async def _is_done(app: App, action: Action, decide: Decide) -> bool:
    """Whether what somebody asks for has happened since the state that they saw, and still stands.

    They have pressed twice, or at the moment at which it happened by itself or somebody of their
    team did it.
    """
    seen = action.seen if action.version is None else action.version
    if seen is None:
        return False
    try:
        known = await loading.load_session(app, action.match)
    except DeclinedError:
        return False
    happened = [each for each in known.recent if each.before.version >= seen]
    # What depends on the state comes next, but for an offer of a draw and its answer.
    near = happened if action.version is None else happened[:MAX_CROSSED]
    return await asyncio.to_thread(
        lambda: any(
            not any(isinstance(later.event, _TAKING_BACK) for later in happened[at:])
            and _would_decide(replace(known, match=each.before), decide, each.event)
            for at, each in enumerate(near, 1)
        )
    )


def _would_decide(then: MatchSession, decide: Decide, event: Event) -> bool:
    """Whether an action would have been that event at an earlier moment of a match."""
    try:
        # Where somebody was late it was certain: only then did such an event happen.
        return decide(replace(then, late=True, certain=True)) == event
    except (DeclinedError, Refusal):
        return False


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

    Raises DeclinedError if the actor may not see it, StaleMatchError if it has moved on from
    what they saw.
    """
    session = await loading.load_session(app, action.match)
    # First, so that a stranger does not learn that there is such a match.
    if action.guild is not None:
        await loading.require_visible(app, session, action.guild, action.person.id)
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
    if isinstance(last, events.Battled) and session.match.phase in BOTH_THROW_PHASES:
        return build_opening_roll(session)
    forced = find_forced_event(session.match)
    if forced is None and session.is_thrown_for:
        return build_throw(session)
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
    after = replace(session, match=match, clock=clock, recent=recent[-loading.MAX_RECENT :])
    # A match that is annulled afterwards keeps the instant at which it ended.
    over = (session.row.ended or now) if ended else None
    row = replace(
        session.row, version=match.version, snapshot=build_snapshot(match), touched=now, ended=over
    )
    when = clocks.get_clock_reading(app, row.guild)
    after = clocks.mark_lateness(replace(after, row=row), when)
    step = MatchUpdate(
        expected_version=session.match.version,
        records=[events.to_record(each.event, match.rules.board) for each in transitions],
        person=None if action.person is CLOCK else action.person.id,
        cause=action.cause,
        snapshot=row.snapshot,
        now=now,
        ending=ended,
        jobs=build_follow_up_jobs(session, after, action.person, now),
        ruling=ruling,
        takeover=takeover,
    )
    cache = app.get_part(SessionCache)
    cache.mark_untouched(session.id)
    try:
        saved = await app.store.get(Matches).apply_update(session.id, step)
    except StoreMovedOn:
        raise StaleMatchError(session.id) from None
    if not saved.applied:
        # An earlier try, or another process, has saved this cause: there is nothing more to do.
        return ActionResult(session, ())
    if takeover:
        # Others sit there now.
        after = clocks.mark_lateness(
            await loading.replay_session(app, await loading.load_row(app, session.id)), when
        )
    else:
        # As it is at this version: its message may have been posted since it was read.
        after = replace(after, row=replace(after.row, **saved.shown))
    # Cached only now that it is saved: an update that fails leaves the older session in place.
    cache.put(after, is_saved=True)
    (action.begin_jobs or app.take)(saved.jobs)
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
    return await apply_action(app, action, build_opening_roll)


def build_opening_roll(session: MatchSession) -> Event:
    """Throw for both sides."""
    return events.Battled(session.throw(), session.throw(1))


def build_throw(session: MatchSession) -> Event:
    """Throw for whoever is to throw: for both sides where both throw."""
    if session.match.phase in BOTH_THROW_PHASES:
        return build_opening_roll(session)
    return events.Thrown(session.throw())


async def roll(app: App, action: Action) -> ActionResult:
    """Throw the dice for the person whose turn it is, or for both sides where both throw."""

    def decide(session: MatchSession) -> Event:
        if session.match.phase in BOTH_THROW_PHASES and session.find_sides(action.person.id):
            return build_throw(session)
        require_turn(session, action.person.id)
        return build_throw(session)

    return await apply_action(app, action, decide)


async def make_choice(app: App, action: Action, what: str, value: str) -> ActionResult:
    """Settle a choice: the die to turn, the table to play on, the side, the point to break."""

    def decide(session: MatchSession) -> Event:
        require_turn(session, action.person.id)
        return events.Chosen(what, value)

    return await apply_action(app, action, decide)


async def play_moves(app: App, action: Action, text: str) -> ActionResult:
    """Play typed moves: one, several or the whole play."""

    return await apply_action(
        app, action, lambda session: parse_moves(session, action.person.id, text)
    )


def parse_moves(session: MatchSession, person: int, text: str) -> events.Played:
    """Read moves as somebody types them.

    Raises DeclinedError if it is not their turn, Refusal if the moves are illegal.
    """
    require_turn(session, person)
    match = session.match
    expect_phase(match, *PLAY_PHASES)
    try:
        return events.Played(parse_play(text, match.rules, match.position, match.duty))
    except Refusal as refusal:
        # The engine knows sides only, and the sentence names the people who play them.
        players = {
            side: [session.get_person(each) for each in session.list_players(side)] for side in Side
        }
        raise Refusal(refusal.reason, refusal.legal, **refusal.parts, players=players) from None


async def leave_numbers(app: App, action: Action) -> ActionResult:
    """Leave the numbers that the other side could not play."""

    def decide(session: MatchSession) -> Event:
        require_turn(session, action.person.id)
        return events.Left()

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
            return events.TurnTakenBack(side)
        if session.person_to_take_back not in (None, person):
            raise NotYoursToTakeBackError(session.get_person(session.person_to_take_back))
        return events.TakenBack(whole)

    return await apply_action(app, action, decide)


async def grant_time(app: App, action: Action) -> ActionResult:
    """Give a side that is out of time fresh time."""

    def decide(session: MatchSession) -> Event:
        clocks.require_opponent_late(session, action.person.id)
        return events.Granted()

    return await apply_action(app, action, decide)


async def throw_automatically(app: App, session: MatchSession) -> ActionResult:
    """Throw the dice for somebody who wants automatic throws."""
    person = session.get_person(session.person_to_act)
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


async def resign_match(app: App, action: Action) -> ActionResult:
    """Give up a match."""

    return await apply_action(
        app, action, lambda session: events.Resigned(require_side(session, action.person.id))
    )


async def abort_match(app: App, action: Action) -> ActionResult:
    """Leave a match within its first two turns, as if it had not been.

    Raises DeclinedError for a match of a league or ladder, which counts from the beginning.
    """

    def decide(session: MatchSession) -> Event:
        side = require_side(session, action.person.id)
        if session.row.contest is not None or session.row.ladder is not None:
            raise UnknownControlError
        return events.Aborted(side)

    return await apply_action(app, action, decide)


async def offer_draw(app: App, action: Action) -> ActionResult:
    """Offer a draw, or accept the one that one's side is offered."""

    def decide(session: MatchSession) -> Event:
        side = require_side(session, action.person.id)
        # Two offers that cross are an agreement, so an offer in answer to an offer accepts it.
        return (
            events.DrawAgreed(side)
            if session.match.drawing is side.other
            else events.DrawOffered(side)
        )

    return await apply_action(app, action, decide)


async def claim_match(app: App, action: Action) -> ActionResult:
    """Claim the match against a side that is out of time."""

    def decide(session: MatchSession) -> Event:
        clocks.require_opponent_late(session, action.person.id)
        return _decide_timeout(session)

    return await apply_action(app, action, decide)


def _decide_timeout(session: MatchSession) -> Event:
    """Return how a match ends whose side is out of time.

    Who never came to a match of a league, which nobody agreed to by a press, forfeits it: that is
    not rated.
    """
    late = session.match.turn
    if session.row.contest is not None and session.match.may_abort():
        return events.Concluded(late.other, forfeited=True)
    return events.TimedOut(late)


async def close_match(app: App, session: MatchSession) -> ActionResult:
    """End a match whose side is out of time without a claim, or that nobody has touched for long.

    Raises StaleMatchError or DeclinedError if the match has moved on or has time left after all.
    """
    version = session.match.version

    def decide(current: MatchSession) -> Event:
        # Decided again under the lock: since the job looked, time may have been granted, an outage
        # noted, or a clock set back that was wrong when the job looked.
        found = clocks.compute_deadlines(current)
        ends = found.ends if found else current.row.touched + clocks.IDLE_LIMIT_MS
        if not current.certain or current.now < ends:
            raise TimeLeftError(current.id)
        return _decide_timeout(current) if found else _decide_idle(current)

    return await apply_action(app, Action(session.id, CLOCK, f"clock {version}", version), decide)


def _decide_idle(session: MatchSession) -> Event:
    """Return how a match ends that nobody has touched for long.

    On a ladder or in a contest the player it waits for has left, and forfeits it; where it waits
    for both, both do.
    """
    if session.row.ladder is None and session.row.contest is None:
        return events.Abandoned()
    if session.match.phase in BOTH_THROW_PHASES:
        return events.Concluded(None, forfeited=True)
    side, _ = session.match.acting_player
    waiting = side if session.match.drawing is None else session.match.drawing.other
    return events.Concluded(waiting.other, forfeited=True)


async def accept_draw(app: App, action: Action) -> ActionResult:
    """Accept the draw that one's side is offered; anyone of a team may."""
    return await apply_action(
        app, action, lambda session: events.DrawAgreed(require_side(session, action.person.id))
    )


async def decline_draw(app: App, action: Action) -> ActionResult:
    """Decline the draw that one's side is offered; anyone of a team may."""
    return await apply_action(
        app, action, lambda session: events.DrawDeclined(require_side(session, action.person.id))
    )


MAX_SUGGESTIONS = 25
"""Suggestions that Discord shows."""
MAX_REMEMBERED = 32
"""Positions of which the plays are remembered as they are typed; a long list takes 0.5 MB."""


def suggest_plays(match: Match, typed: str) -> list[str]:
    """List whole plays and next moves that go on from what was typed, as they would be typed."""
    wanted = _normalise_text(typed)
    known = _list_typed_plays(match.rules, match.position, match.duty) if match.plays else ()
    whole = [text for text, written in known if written.startswith(wanted)]
    # A whole play of a single move is among the next moves as well, and is listed once.
    return list(dict.fromkeys([*whole, *_list_next_moves(match, typed)]))[:MAX_SUGGESTIONS]


@lru_cache(maxsize=MAX_REMEMBERED)
def _list_typed_plays(rules: Rules, position: Position, duty: Duty) -> tuple[tuple[str, str], ...]:
    """List the legal plays as they are typed, each also as it is compared with what was typed.

    There can be thousands, and they are asked for at every letter.
    """
    plays = sorted(list_legal_plays(rules, position, duty), key=lambda play: play.moves)
    texts = [format_play(play.moves, rules, position) for play in plays]
    return tuple((text, _normalise_text(text)) for text in texts)


def list_plays_with_remarks(match: Match) -> list[tuple[str, Play, Remark | None]]:
    """List the legal plays as they are typed, and as they are.

    Each has a remark if others lead to the same men in another way.
    """
    plays = sorted(match.plays, key=lambda play: play.moves)
    texts = [format_play(play.moves, match.rules, match.position) for play in plays]
    return list(zip(texts, plays, list_remarks(plays, match.rules), strict=True))


def _list_next_moves(match: Match, typed: str) -> list[str]:
    """Take typed text as moves already made, except its last word, which may be incomplete."""
    # The last word may be a whole move, or the beginning of one, and the first is tried first.
    for done, begun in ((typed, ""), (typed.rpartition(" ")[0], typed.rpartition(" ")[2])):
        try:
            moves = (
                parse_play(done, match.rules, match.position, match.duty) if done.strip() else ()
            )
        except Refusal:
            continue
        position = match.position
        for move in moves:
            position = make_move(match.rules, position, move)
        onward = (
            format_play((move,), match.rules, position)
            for move in list_next_moves(match.rules, position, match.duty)
        )
        return [
            f"{done.strip()} {text}".strip()
            for text in onward
            if _normalise_text(text).startswith(_normalise_text(begun))
        ]
    return []


def _normalise_text(text: str) -> str:
    # Other notations write a slash or an arrow for the hyphen, and mark a hit with an asterisk.
    return " ".join(re.sub("[/>]", "-", fold_text(text)).replace(",", " ").replace("*", "").split())
