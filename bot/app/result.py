"""A finished match as its last picture."""

from collections.abc import Iterable
from dataclasses import replace

from bot.app.scene import scene
from bot.app.table import Table
from engine.events import Event, Thrown
from engine.luck import luck
from engine.match import follow, new_match
from engine.position import Side
from render.scene import Scene


def result_scene(table: Table, events: Iterable[Event], status: str) -> Scene:
    """Return what is shown of a finished match: its last board, and how kind the dice were to each side."""
    thrown = _throws(table, events)
    gold, black = (luck(table.match.rules.dice, thrown[side]) for side in Side)
    # Whose turn it would be is of no more interest.
    return replace(scene(table, status), dice=(), turn=None, luck=(gold, black))


def _throws(table: Table, events: Iterable[Event]) -> dict[Side, list[tuple[int, ...]]]:
    thrown: dict[Side, list[tuple[int, ...]]] = {side: [] for side in Side}
    match = new_match(table.match.game, table.row.options)
    for event in events:
        if isinstance(event, Thrown):
            thrown[match.turn].append(event.dice)
        match = follow(match, event)
    return thrown
