"""What a worker process does: it receives the state of a match and thinks.

It knows no store and no dice to come.
"""

import os
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from multiprocessing.connection import wait
from multiprocessing.process import parent_process
from typing import Any

from engine.events import Event
from engine.games import find_game
from engine.match import Match
from engine.players.level import Level
from engine.players.worth import Judged, Prospect
from engine.position import Side

POLITE = 5
"""How far a worker steps back behind the program that answers people, if the system can do so."""
_LEFT_OUT = ("game", "rules", "before")
"""What of a match is known by its game's name, or is past."""


@dataclass(frozen=True, slots=True)
class Told:
    """A match as a worker receives it: its game by name and edition, and the rest of its state."""

    game: str
    edition: int
    table: Mapping[str, Any]


def told(match: Match) -> Told:
    """Return a match in the form that a worker receives."""
    table = {
        field.name: getattr(match, field.name)
        for field in fields(match)
        if field.name not in _LEFT_OUT
    }
    return Told(match.game.slug, match.game.edition, table)


def heard(message: Told) -> Match:
    """Return the match that a worker received."""
    game = find_game(message.game, message.edition)
    return Match(game=game, rules=game.rules_with(message.table["options"]), **message.table)


def begin() -> None:
    """Begin as a worker: leave the keyboard to the program and let it go first.

    The worker ends when the program ends, however that ends.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(POLITE)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel])
    # A program that was killed has closed nothing that a worker could notice.
    os._exit(0)


def ready() -> None:
    """Load what thinking needs, so that the first answer does not wait for it."""
    import_module("engine.players.decide")


def chosen(message: Told, level: Level, seed: int) -> Event | None:
    """Return what the computer does now; None if it asks for the throw."""
    # Load the nets and their library here, where they are needed first, and never in the program.
    from engine.players.decide import decide

    return decide(heard(message), level, seed)


def accepts_draw(message: Told, side: Side) -> bool:
    """Return whether the computer takes a draw that its side is offered."""
    from engine.players.drawing import accepts

    return accepts(heard(message), side)


def advice(message: Told, most: int) -> Sequence[Prospect]:
    """Return the best things that may be done now, best first."""
    from engine.players.decide import ranked

    return ranked(heard(message), most)


_under_way: dict[int, Iterator[Judged]] = {}
"""The matches that this worker judges, by number."""


def begin_to_judge(
    match: int, game: str, edition: int, options: Mapping[str, str], events: Sequence[Event]
) -> None:
    """Begin to judge a finished match."""
    from engine.players.analysis import analyse

    _under_way[match] = analyse(find_game(game, edition), options, events)


def judged(match: int, seconds: float) -> list[Judged]:
    """Go on judging a match for about so long, and return what that came to; nothing at its end."""
    ends = time.monotonic() + seconds
    some = []
    for each in _under_way[match]:
        some.append(each)
        if time.monotonic() > ends:
            break
    return some
