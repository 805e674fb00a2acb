"""Playing a match: every move of it goes through `act`, which saves before it returns."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.app import clocks, ratings, tasks
from bot.app.computer import COMPUTERS
from bot.app.context import App
from bot.app.errors import Declined, MovedOn, Why
from bot.app.people import CLOCK, Person
from bot.app.sitting import Happening, Sitting, require_player, require_running, require_turn
from bot.store import Ended, Habit, Job, MatchRow, Ruling, Step, Takeover
from bot.store import MovedOn as StoreMovedOn
from engine.clock import turn_of
from engine.events import (
    Abandoned,
    Battled,
    Chosen,
    DrawAgreed,
    DrawDeclined,
    DrawOffered,
    Event,
    Granted,
    Left,
    Played,
    Resigned,
    TakenBack,
    Thrown,
    TimedOut,
    from_record,
    to_record,
)
from engine.games import find_game
from engine.match import BOTH_THROW, PLAYING, Match, Phase, automatic, expect, follow, new_match
from engine.notation import parse_play
from engine.outcome import ANNULLED
from engine.position import Side
from engine.position_text import format_position
from engine.refusal import Refusal

TRIES = 3
"""How often an action is tried that crosses others of the same match."""
MOST_RECENT = 40
"""Transitions that a session remembers: more than a turn has, so that its message can list them."""
THROWN_AFTER = 30_000
"""Milliseconds in which a play can be taken back before the next dice are thrown for somebody."""
TOLD_AFTER = 30_000
"""Milliseconds after which followers are notified of a match.

By then its message is posted, and a slip has been taken back.
"""
COMPUTER_PATIENCE = 5_000
"""Milliseconds after which a match is shown whose computer still thinks, or did not get to it."""


@dataclass(frozen=True, slots=True)
class Action:
    """What somebody does in a match.

    `cause` is the interaction, which is applied at most once; `version` is the state that the
    person saw, if known.
    """

    match: int
    person: Person
    cause: str
    version: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The result of an action: the match now, and what happened, in order.

    Nothing happened if the action was done before.
    """

    sitting: Sitting
    happenings: tuple[Happening, ...]


Decide = Callable[[Sitting], Event]

TakeOver = Callable[[Sitting], Takeover]
"""Whose seat somebody takes, in the match as it stands before."""


async def load(app: App, match_id: int) -> Sitting:
    """Return a match as it is stored; raises Declined if there is none of that number."""
    row = await _row(app, match_id)
    when = clocks.moment(app, row.guild)
    known = app.known(match_id)
    sitting = await _caught_up(app, row, known) if known else None
    if sitting is None:
        sitting = await _replayed(app, row)
    sitting = clocks.judged(sitting, when)
    app.keep(sitting)
    return sitting


async def _caught_up(app: App, row: MatchRow, known: Sitting) -> Sitting | None:
    """Return a known match with all that may have changed beside its events; None to replay it.

    Its clock was computed with the stops that were known then.
    """
    if (
        known.match.version != row.version
        or await clocks.stops_of(app, row, known.match) != known.stops
    ):
        return None
    names, habits = await app.players(known.person_names)
    return replace(known, row=row, person_names=names, habits=habits)


async def _row(app: App, match_id: int) -> MatchRow:
    row = await app.store.matches.get(match_id)
    if row is None:
        raise Declined(Why.MATCH_UNKNOWN, match=match_id)
    return row


async def _replayed(app: App, row: MatchRow) -> Sitting:
    happened = await history(app, row)
    match = happened[-1].after if happened else first(row)
    sat = {seat.person for seat in row.seats} | {former.person for former in row.former}
    names, habits = await app.players(sat)
    stops = await clocks.stops_of(app, row, match)
    clock = clocks.folded(clocks.begun(row, first(row)), happened, stops)
    # A move that came in after the row was read belongs to the match as well.
    current = replace(row, version=match.version)
    return Sitting(current, match, names, clock, happened[-MOST_RECENT:], stops, habits)


async def history(app: App, row: MatchRow) -> tuple[Happening, ...]:
    """Return all that has happened in a match."""
    stored = await app.store.matches.events(row.id)
    start = first(row)
    events = [(from_record(event.record, start.rules.board), event.at) for event in stored]
    return await asyncio.to_thread(lambda: tuple(_followed(start, events)))


def first(row: MatchRow) -> Match:
    """Return a match before anything has happened in it."""
    return new_match(find_game(row.game, row.edition), row.options)


def _followed(match: Match, events: Iterable[tuple[Event, int]]) -> Iterable[Happening]:
    for event, at in events:
        after = follow(match, event)
        yield Happening(match, event, after, at)
        match = after


async def act(
    app: App,
    action: Action,
    decide: Decide,
    ruling: Ruling | None = None,
    take_over: TakeOver | None = None,
) -> Report:
    """Apply what `decide` returns, and what follows automatically, in one transaction.

    The same transaction saves the server's log entry and who takes whose seat. Raises MovedOn if
    the match is no longer at the action's version, Declined or Refusal if the action is not
    allowed; then nothing has changed. Once this has returned, the action is saved, whatever fails
    afterwards.
    """
    async with app.lock(action.match):
        for _ in range(TRIES - 1):
            try:
                return await _acted(app, action, decide, ruling, take_over)
            except MovedOn:
                # What somebody did at the same moment through another process leaves typed text
                # valid.
                if action.version is not None:
                    raise
        return await _acted(app, action, decide, ruling, take_over)


async def _acted(
    app: App, action: Action, decide: Decide, ruling: Ruling | None, take_over: TakeOver | None
) -> Report:
    sitting = await load(app, action.match)
    if action.version not in (None, sitting.match.version):
        raise MovedOn(action.match)
    # It happens at the instant for which lateness was decided, whatever the clock does meanwhile.
    happenings = await asyncio.to_thread(advance, sitting, decide(sitting), sitting.now)
    takeover = take_over(sitting) if take_over else None
    return await _save(app, action, sitting, happenings, ruling, takeover)


def advance(sitting: Sitting, event: Event, now: int) -> tuple[Happening, ...]:
    """Return what happens by an event and automatically after it.

    Raises Refusal if the rules forbid the event.
    """
    match = sitting.match
    happenings: list[Happening] = []
    onward: Event | None = event
    while onward is not None:
        happenings.append(Happening(match, onward, match.apply(onward), now))
        match = happenings[-1].after
        onward = _by_itself(replace(sitting, match=match), onward)
    return tuple(happenings)


def _by_itself(sitting: Sitting, last: Event) -> Event | None:
    """Return what follows automatically: equal throws are repeated, and what is forced is done."""
    if isinstance(last, Battled) and sitting.match.phase in BOTH_THROW:
        return battled(sitting)
    return automatic(sitting.match)


async def _save(
    app: App,
    action: Action,
    sitting: Sitting,
    happenings: tuple[Happening, ...],
    ruling: Ruling | None,
    takeover: Takeover | None,
) -> Report:
    match = happenings[-1].after
    now = happenings[-1].at
    ended = _ended(sitting, match, now)
    recent = (*sitting.recent, *happenings)
    clock = clocks.folded(sitting.clock, happenings, sitting.stops)
    after = replace(sitting, match=match, clock=clock, recent=recent[-MOST_RECENT:])
    over = (sitting.row.ended or now) if ended else None
    row = replace(
        sitting.row, version=match.version, snapshot=snapshot(match), touched=now, ended=over
    )
    when = clocks.moment(app, row.guild)
    after = clocks.judged(replace(after, row=row), when)
    step = Step(
        expected_version=sitting.match.version,
        records=[to_record(each.event, match.rules.board) for each in happenings],
        person=None if action.person is CLOCK else action.person.id,
        cause=action.cause,
        snapshot=row.snapshot,
        now=now,
        ending=ended,
        jobs=_follows(sitting, after, action.person, now),
        ruling=ruling,
        takeover=takeover,
    )
    try:
        saved = await app.store.matches.append(sitting.id, step)
    except StoreMovedOn:
        raise MovedOn(sitting.id) from None
    if not saved.applied:
        return Report(sitting, ())
    if takeover:
        # Others sit there now.
        after = clocks.judged(await _replayed(app, await _row(app, sitting.id)), when)
    app.keep(after)
    app.take(saved.jobs)
    return Report(after, happenings)


def _follows(before: Sitting, after: Sitting, by: Person, now: int) -> Sequence[Job]:
    """Return the jobs that follow: the match is shown to the one to act, or the computer acts."""
    watched = clocks.watched(after, now)
    if not after.computer_acts:
        others = (*_thrown(after, now), *_told(before, after, now), *_rated_anew(before, now))
        return [tasks.show_match(after.id, now), watched, *others]
    if by.id in COMPUTERS:
        # It is doing its job, which stays in the store until its turn is over.
        return []
    return [
        tasks.let_computer_play(after.id, now),
        tasks.show_match(after.id, now + COMPUTER_PATIENCE),
        watched,
    ]


def _thrown(after: Sitting, now: int) -> Sequence[Job]:
    """Throw the dice for those who want it, once the time to take back the last play has passed."""
    match = after.match
    if match.phase is not Phase.THROW or not after.habits.get(after.to_act, Habit()).throws:
        return []
    return [tasks.throw(after.id, match.version, now + THROWN_AFTER)]


def _rated_anew(before: Sitting, now: int) -> Sequence[Job]:
    """Rate those again who played after a match that was over.

    All that can happen to such a match is that it is annulled.
    """
    return (
        [tasks.rate_anew(before.id, now)]
        if before.row.ended is not None and before.row.rated
        else []
    )


def _told(before: Sitting, after: Sitting, now: int) -> Sequence[Job]:
    """Let others hear of a match whose turn has gone on, or that is over now."""
    if turn_of(before.match) == turn_of(after.match):
        return []
    due = now + TOLD_AFTER
    over = after.match.phase is Phase.OVER
    news = [tasks.tell_news(after.id, tasks.ENDED, due)] if over and not after.alone else []
    followers = [tasks.tell_followers(after.id, due)] if after.row.followed else []
    return [*news, *followers]


def snapshot(match: Match) -> dict[str, str | int]:
    """Return what a list of matches shows of one without replaying it."""
    side, player = match.acting
    return {
        "position": format_position(match.position, match.rules),
        "phase": match.phase.value,
        "side": side.value,
        "player": player,
    }


def _ended(sitting: Sitting, match: Match, now: int) -> Ended | None:
    if match.outcome is None:
        return None
    if match.outcome.how == ANNULLED:
        return Ended(winner=ratings.DRAW, how=ANNULLED, annuls=True)
    result = ratings.result(replace(sitting, match=match), match.outcome.winner, now)
    rated = sitting.row.rated and not match.outcome.void
    return Ended(
        winner=result.winner,
        how=match.outcome.how,
        rate=partial(ratings.rate, result) if rated else None,
        keys=result.keys if rated else (),
        parts=match.outcome.parts,
        sides=result.sides,
    )


async def battle(app: App, action: Action) -> Report:
    """Throw for who begins, or who breaks a point, again and again while the throws are equal."""
    return await act(app, action, battled)


def battled(sitting: Sitting) -> Event:
    """Throw for both sides."""
    return Battled(sitting.throw(), sitting.throw(1))


async def roll(app: App, action: Action) -> Report:
    """Throw the dice for the person whose turn it is, or for both sides where both throw."""

    def decide(sitting: Sitting) -> Event:
        if sitting.match.phase in BOTH_THROW and sitting.sides_of(action.person.id):
            return battled(sitting)
        require_turn(sitting, action.person.id)
        return Thrown(sitting.throw())

    return await act(app, action, decide)


async def choose(app: App, action: Action, what: str, value: str) -> Report:
    """Settle a choice: the die to turn, the table to play on, the side, the point to break."""

    def decide(sitting: Sitting) -> Event:
        require_turn(sitting, action.person.id)
        return Chosen(what, value)

    return await act(app, action, decide)


async def move(app: App, action: Action, text: str) -> Report:
    """Play typed moves: one, several or the whole play."""

    return await act(app, action, lambda sitting: read_moves(sitting, action.person.id, text))


def read_moves(sitting: Sitting, person: int, text: str) -> Played:
    """Read moves as somebody types them.

    Raises Declined if it is not their turn, Refusal if the moves are illegal.
    """
    require_turn(sitting, person)
    match = sitting.match
    expect(match, *PLAYING)
    try:
        return Played(parse_play(text, match.rules, match.position, match.duty))
    except Refusal as refusal:
        players = {side: [sitting.names[each] for each in sitting.seated(side)] for side in Side}
        raise Refusal(refusal.reason, refusal.legal, **refusal.parts, players=players) from None


async def leave(app: App, action: Action) -> Report:
    """Leave the numbers that the other side could not play."""

    def decide(sitting: Sitting) -> Event:
        require_turn(sitting, action.person.id)
        return Left()

    return await act(app, action, decide)


async def take_back(app: App, action: Action, *, whole: bool = False) -> Report:
    """Take back one's last decision, or with `whole` all since the throw."""

    def decide(sitting: Sitting) -> Event:
        require_running(sitting)
        require_player(sitting, action.person.id)
        if sitting.to_take_back not in (None, action.person.id):
            raise Declined(Why.NOT_YOURS_TO_TAKE_BACK, person=sitting.names[sitting.to_take_back])
        return TakenBack(whole)

    return await act(app, action, decide)


async def resign(app: App, action: Action) -> Report:
    """Give up a match."""

    return await act(app, action, lambda sitting: Resigned(_side_of(sitting, action.person.id)))


async def draw(app: App, action: Action) -> Report:
    """Offer a draw, or accept the one that one's side is offered."""

    def decide(sitting: Sitting) -> Event:
        side = _side_of(sitting, action.person.id)
        return DrawAgreed(side) if sitting.match.drawing is side.other else DrawOffered(side)

    return await act(app, action, decide)


async def claim(app: App, action: Action) -> Report:
    """Claim the match against a side that is out of time."""

    def decide(sitting: Sitting) -> Event:
        clocks.require_late(sitting, action.person.id)
        return TimedOut(sitting.match.turn)

    return await act(app, action, decide)


async def grant(app: App, action: Action) -> Report:
    """Give a side that is out of time fresh time."""

    def decide(sitting: Sitting) -> Event:
        clocks.require_late(sitting, action.person.id)
        return Granted()

    return await act(app, action, decide)


async def throw_for(app: App, sitting: Sitting) -> Report:
    """Throw the dice for somebody who wants automatic throws."""
    person = Person(sitting.to_act, sitting.names[sitting.to_act])
    version = sitting.match.version
    return await roll(app, Action(sitting.id, person, f"throw {version}", version))


async def close(app: App, sitting: Sitting) -> Report:
    """End a match whose side is out of time without a claim, or that nobody has touched for long.

    Raises MovedOn or Declined if the match has moved on or has time left after all.
    """
    version = sitting.match.version

    def decide(current: Sitting) -> Event:
        found = clocks.times(current)
        if not current.certain or (found and current.now < found.ends):
            raise Declined(Why.TIME_LEFT, match=current.id)
        return TimedOut(current.match.turn) if found else Abandoned()

    return await act(app, Action(sitting.id, CLOCK, f"clock {version}", version), decide)


async def accept_draw(app: App, action: Action) -> Report:
    """Accept the draw that one's side is offered; anyone of a team may."""
    return await act(app, action, lambda sitting: DrawAgreed(_side_of(sitting, action.person.id)))


async def decline_draw(app: App, action: Action) -> Report:
    """Decline the draw that one's side is offered; anyone of a team may."""
    return await act(app, action, lambda sitting: DrawDeclined(_side_of(sitting, action.person.id)))


def _side_of(sitting: Sitting, person: int) -> Side:
    """Return the side on which somebody plays in a running match; raises Declined otherwise."""
    require_running(sitting)
    require_player(sitting, person)
    return sitting.sides_of(person)[0]
