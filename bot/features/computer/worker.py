"""What a worker process does: it receives the state of a match and thinks.

It knows no store and no dice to come.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from typing import Any, NamedTuple

from engine.events import Event
from engine.games import find_game
from engine.match import DECISION_PHASES, Match
from engine.players.level import Level
from engine.players.worth import Evaluation, ExplainedProspect, Prospect, StepAnalysis
from engine.position import Side

_LEFT_OUT = ("game", "rules", "before", "starts")
"""What of a match is known by its game's name, or is past."""


@dataclass(frozen=True, slots=True)
class MatchPayload:
    """A match as a worker receives it: its game by name and edition, and the rest of its state."""

    game: str
    edition: int
    table: Mapping[str, Any]


def pack_match(match: Match) -> MatchPayload:
    """Return a match in the form that a worker receives."""
    table = {
        field.name: getattr(match, field.name)
        for field in fields(match)
        if field.name not in _LEFT_OUT
    }
    return MatchPayload(match.game.slug, match.game.edition, table)


def unpack_match(message: MatchPayload) -> Match:
    """Return the match that a worker received."""
    game = find_game(message.game, message.edition)
    return Match(game=game, rules=game.resolve_rules(message.table["options"]), **message.table)


def preload_engine() -> None:
    """Load what thinking needs, so that the first answer does not wait for it."""
    import_module("engine.players.decide")


def choose_event(message: MatchPayload, level: Level, seed: int) -> Event | None:
    """Return what the computer does now; None if it asks for the throw."""
    # Load the nets and their library here, where they are needed first, and never in the program.
    from engine.players.decide import decide_event

    return decide_event(unpack_match(message), level, seed)


def accepts_draw(message: MatchPayload, side: Side) -> bool:
    """Return whether the computer takes a draw that its side is offered."""
    from engine.players.drawing import is_draw_acceptable

    return is_draw_acceptable(unpack_match(message), side)


class Assessment(NamedTuple):
    """The best things that may be done, best first, and what that is worth to the one who acts.

    Where nothing is to be decided there are none, and the worth is the mean over all throws.
    """

    best: Sequence[ExplainedProspect]
    worth: Evaluation


def assess_match(message: MatchPayload, most: int) -> Assessment:
    """Return the best things that may be done now, and why; at most so many."""
    from engine.players import comparison
    from engine.players.ahead import evaluate_one_ply

    match = unpack_match(message)
    best: Sequence[ExplainedProspect] = ()
    if match.phase in DECISION_PHASES:
        best = comparison.explain_decisions(match, most)
    return Assessment(best, best[0].worth if best else evaluate_one_ply(match, match.turn))


def evaluate_match(message: MatchPayload) -> Evaluation:
    """Return the 1-ply worth of a match to the side that acts."""
    from engine.players.ahead import evaluate_one_ply

    match = unpack_match(message)
    return evaluate_one_ply(match, match.turn)


def evaluate_events(message: MatchPayload, events: Sequence[Event]) -> Sequence[Evaluation]:
    """Return the 1-ply worth of things that may be done now to the side that acts."""
    from engine.players import comparison

    return comparison.evaluate_events(unpack_match(message), events)


def rank_plays(message: MatchPayload) -> Sequence[Prospect]:
    """Return everything that may be played now, best first, as far as 1-ply looks."""
    from engine.players.decide import rank_decisions

    match = unpack_match(message)
    return rank_decisions(match, len(match.plays))


_analyses: dict[int, Iterator[StepAnalysis]] = {}
"""The matches that this worker judges, by number."""


def start_analysis(
    match: int,
    game: str,
    edition: int,
    options: Mapping[str, str],
    events: Sequence[Event],
    known: Sequence[StepAnalysis],
) -> None:
    """Begin to judge a match; what is known of it is not judged again."""
    from engine.players.analysis import analyse_steps

    # One at a time: what was begun of another is continued by nobody.
    _analyses.clear()
    _analyses[match] = analyse_steps(find_game(game, edition), options, events, known)


def continue_analysis(match: int, seconds: float) -> list[StepAnalysis]:
    """Go on judging a match for about so long, and return what that came to; nothing at its end."""
    ends = time.monotonic() + seconds
    some = []
    for each in _analyses[match]:
        # An empty answer means the end, so at least one step is judged, however long it takes.
        some.append(each)
        if time.monotonic() > ends:
            break
    return some
