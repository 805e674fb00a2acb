"""Playing a match: every move of it goes through `act`, which saves before it returns."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from bot.app import ratings
from bot.app.errors import Declined, Stale
from bot.app.house import House
from bot.app.people import Person
from bot.app.table import Table, require_running, require_turn
from bot.store import Ended, MovedOn, RatingChange, Step
from engine.events import Battled, Chosen, Event, Left, Played, Resigned, TakenBack, Thrown, from_record, to_record
from engine.games import find_game
from engine.match import Match, Phase, automatic, expect, replay
from engine.notation import parse_play
from engine.position_text import format_position


@dataclass(frozen=True, slots=True)
class Happening:
    """One event of a match: the match before it, the event, and the match after it."""

    before: Match
    event: Event
    after: Match


@dataclass(frozen=True, slots=True)
class Report:
    """What an action came to: the table as it stands and what happened, in order.

    `happenings` is empty where the same interaction had been applied before.
    """

    table: Table
    happenings: tuple[Happening, ...]
    ratings: tuple[RatingChange, ...] = ()


Decide = Callable[[Table], Event]

BOTH_THROW = (Phase.BATTLE, Phase.CONTEST)
"""When both sides throw, and either may ask for it."""


async def load(house: House, match_id: int) -> Table:
    """Return a match from the cache or the store; raises Declined if there is none of that number."""
    if table := house.tables.get(match_id):
        house.keep(table)
        return table
    row = await house.store.matches.get(match_id)
    if row is None:
        raise Declined(f"There is no match {match_id}.")
    stored = await house.store.matches.events(match_id)
    game = find_game(row.game, row.edition)
    board = game.rules_with(row.options).board
    records = [from_record(event.record, board) for event in stored]
    match = await asyncio.to_thread(replay, game, row.options, records)
    names = await house.store.people.names([seat.person for seat in row.seats])
    table = Table(row, match, names)
    house.keep(table)
    return table


async def act(
    house: House, match_id: int, decide: Callable[[Table], Event], cause: str, person: int, version: int | None = None
) -> Report:
    """Apply what `decide` returns for the table as it stands, and what follows by itself, in one transaction.

    `cause` names the interaction; one that was applied before changes nothing. `version` is the state the person saw;
    raises Stale where the match has moved on, Declined or Refusal where it may not be done.
    """
    async with house.lock(match_id):
        table = await load(house, match_id)
        if version is not None and version != table.match.version:
            raise Stale
        happenings = await asyncio.to_thread(_advance, table.match, decide(table))
        return await _save(house, table, happenings, cause, person)


def _advance(match: Match, event: Event) -> tuple[Happening, ...]:
    happenings = [Happening(match, event, match.apply(event))]
    while (onward := automatic(happenings[-1].after)) is not None:
        now = happenings[-1].after
        happenings.append(Happening(now, onward, now.apply(onward)))
    return tuple(happenings)


async def _save(house: House, table: Table, happenings: tuple[Happening, ...], cause: str, person: int) -> Report:
    match, now = happenings[-1].after, house.clock()
    step = Step(
        expected_version=table.match.version,
        records=[to_record(each.event, match.rules.board) for each in happenings],
        person=person,
        cause=cause,
        snapshot=snapshot(match),
        now=now,
        ending=_ending(table, match, now),
    )
    try:
        saved = await house.store.matches.append(table.id, step)
    except MovedOn:
        house.tables.pop(table.id, None)
        raise Stale from None
    if not saved.applied:
        return Report(table, ())
    row = await house.store.matches.get(table.id)
    assert row is not None
    after = Table(row, match, table.names)
    house.keep(after)
    return Report(after, happenings, saved.ratings)


def snapshot(match: Match) -> dict[str, str | int]:
    """Return what a list of matches shows of one without replaying it."""
    side, player = match.acting
    return {
        "position": format_position(match.position, match.rules),
        "phase": match.phase.value,
        "side": side.value,
        "player": player,
    }


def _ending(table: Table, match: Match, now: int) -> Ended | None:
    if match.outcome is None:
        return None
    winner = match.outcome.winner
    keys = ratings.keys(table) if table.row.rated else ()
    return Ended(
        winner=winner.value if winner else "draw",
        by=match.outcome.by,
        rate=ratings.rate(table, winner, now) if keys else None,
        keys=keys,
    )


async def battle(house: House, match_id: int, cause: str, person: int) -> Report:
    """Throw for who begins, or who breaks a point, again and again while the throws are equal."""
    happenings: tuple[Happening, ...] = ()
    round_ = 0
    while True:
        report = await act(house, match_id, _battled, f"{cause} battle {round_}", person)
        happenings += report.happenings
        if report.table.match.phase not in BOTH_THROW:
            return Report(report.table, happenings)
        round_ += 1


def _battled(table: Table) -> Event:
    return Battled(table.throw(), table.throw(1))


async def roll(house: House, match_id: int, person: Person, cause: str, version: int | None = None) -> Report:
    """Throw the dice for the person whose turn it is, or for both sides where both throw."""
    table = await load(house, match_id)
    if table.match.phase in BOTH_THROW and table.sides_of(person.id):
        return await battle(house, match_id, cause, person.id)

    def decide(table: Table) -> Event:
        require_turn(table, person.id)
        return Thrown(table.throw())

    return await act(house, match_id, decide, cause, person.id, version)


async def choose(
    house: House, match_id: int, person: Person, what: str, value: str, cause: str, version: int | None = None
) -> Report:
    """Settle a choice: the die to turn, the table to play on, the side, the point to break."""

    def decide(table: Table) -> Event:
        require_turn(table, person.id)
        return Chosen(what, value)

    return await act(house, match_id, decide, cause, person.id, version)


async def move(
    house: House, match_id: int, person: Person, text: str, cause: str, version: int | None = None
) -> Report:
    """Play typed moves: one, several or the whole play."""

    def decide(table: Table) -> Event:
        require_turn(table, person.id)
        match = table.match
        expect(match, Phase.PLAY, Phase.OFFER)
        return Played(parse_play(text, match.rules, match.position, match.duty))

    return await act(house, match_id, decide, cause, person.id, version)


async def leave(house: House, match_id: int, person: Person, cause: str, version: int | None = None) -> Report:
    """Leave the numbers that the other side could not play."""

    def decide(table: Table) -> Event:
        require_turn(table, person.id)
        return Left()

    return await act(house, match_id, decide, cause, person.id, version)


async def take_back(
    house: House, match_id: int, person: Person, cause: str, version: int | None = None, *, whole: bool = False
) -> Report:
    """Take back one's last decision, or with `whole` all since the throw."""

    def decide(table: Table) -> Event:
        require_running(table)
        if table.to_take_back is not None and table.to_take_back != person.id:
            raise Declined(f"Only {table.names[table.to_take_back]} may take back now.")
        return TakenBack(whole)

    return await act(house, match_id, decide, cause, person.id, version)


async def resign(house: House, match_id: int, person: Person, cause: str, version: int | None = None) -> Report:
    """Give up a match."""

    def decide(table: Table) -> Event:
        require_running(table)
        sides = table.sides_of(person.id)
        if not sides:
            raise Declined(f"You do not play in match {table.id}.")
        return Resigned(sides[0])

    return await act(house, match_id, decide, cause, person.id, version)
