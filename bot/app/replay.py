"""A match from its events to the moments that its replay shows."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bot.app.scene import scene
from bot.app.table import Table
from engine.events import Event, Played
from engine.match import Match, follow, new_match
from engine.moves import make
from render.replay import Moment
from render.scene import Scene


def moments(table: Table, events: Iterable[Event], status: str) -> Iterator[Moment]:
    """Yield what happened in a match, a throw or a man's move at a time; `status` is how it stands at the end."""
    match = new_match(table.match.game, table.row.options)
    yield Moment(_scene(table, match, "how the men start"))
    for event in events:
        before, match = match, follow(match, event)
        if isinstance(event, Played):
            yield from _moves(table, before, event)
        elif _shown(before) != _shown(match):
            yield Moment(_scene(table, match, f"{match.turn} to play"))
    yield Moment(_scene(table, match, status))


def _moves(table: Table, match: Match, event: Played) -> Iterator[Moment]:
    for move in event.moves:
        position = make(match.rules, match.position, move)
        match = replace(match, position=position, moves=(*match.moves, move))
        shown = _scene(table, match, f"{match.turn} plays")
        yield Moment(shown, shown.last[-1], match.turn)


def _shown(match: Match) -> tuple[bytes, bytes, tuple[int, ...]]:
    """Return what of a match a picture of it shows."""
    return match.position.gold, match.position.black, match.thrown


def _scene(table: Table, match: Match, status: str) -> Scene:
    return scene(replace(table, match=match), status)
