"""A finished match as its result card."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.app.ratings import server, written
from bot.app.scene import scene
from bot.app.table import Table
from bot.store import RatingChange
from engine.events import Event, Thrown
from engine.luck import luck
from engine.match import follow, new_match
from engine.position import Side
from render.card import Player, Result


def result_card(table: Table, events: Iterable[Event], changes: Sequence[RatingChange], headline: str) -> Result:
    """Return the card of a finished match: its last board, the ratings in its server, and each side's dice."""
    thrown = _throws(table, events)
    outcome = table.match.outcome
    assert outcome is not None
    # Whose turn it would be is of no more interest.
    last = replace(scene(table, headline), dice=(), turn=None)
    players = [_player(table, side, luck(table.match.rules.dice, thrown[side]), changes) for side in Side]
    return Result(last, headline, outcome.by, (players[0], players[1]), sum(map(len, thrown.values())))


def _throws(table: Table, events: Iterable[Event]) -> dict[Side, list[tuple[int, ...]]]:
    thrown: dict[Side, list[tuple[int, ...]]] = {side: [] for side in Side}
    match = new_match(table.match.game, table.row.options)
    for event in events:
        if isinstance(event, Thrown):
            thrown[match.turn].append(event.dice)
        match = follow(match, event)
    return thrown


def _player(table: Table, side: Side, pips: float, changes: Sequence[RatingChange]) -> Player:
    people = table.seated(side)
    board = (server(table.row.guild), table.row.game)
    mine = [change for change in changes if change.key == (*board, people[0])]
    before, after = "", ""
    # A side of several has several ratings: the message tells them all.
    if mine and len(people) == 1:
        before, after = written(mine[0].before), written(mine[0].after)
    return Player(table.side_names(side), side, before, after, pips)
