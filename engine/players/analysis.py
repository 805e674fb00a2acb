"""How a match was played: what the dice gave, and what the players gave away.

The luck of a throw is what the best play makes of it, less the mean over all throws; the error of a
decision is what the best would have been worth, less what was done. Decisions that seem worse than
the best are evaluated again by 1-ply, as for a hint and by a master: what they prefer is no error.
Neither roll battles nor what was taken back count.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from engine.events import Chosen, Event, Left, Played, Resigned, TakenBack, Thrown
from engine.match import Match, Phase, automatic, follow, new_match
from engine.players.ahead import ahead
from engine.players.prospects import after, best, doer, worth_of
from engine.players.worth import Judged
from engine.position import Side
from engine.rules import Game


class _Step(NamedTuple):
    """What happened, and the match before and after it."""

    before: Match
    event: Event
    after: Match


def analyse(game: Game, options: Mapping[str, str], events: Iterable[Event]) -> Iterator[Judged]:
    """Yield the findings on each throw and each decision of a match, in order, to show progress.

    A play made in parts is judged part by part: their errors add up to that of the whole.
    """
    for step in _kept(game, options, events):
        if isinstance(step.event, Thrown):
            yield _throw(step)
        elif _decided(step):
            yield _decision(step)


def _kept(game: Game, options: Mapping[str, str], events: Iterable[Event]) -> list[_Step]:
    """Return what happened without what was taken back."""
    kept: list[_Step] = []
    match = new_match(game, options)
    for event in events:
        after = follow(match, event)
        if isinstance(event, TakenBack):
            while not _same(kept.pop().before, after):
                pass
        else:
            kept.append(_Step(match, event, after))
        match = after
    return kept


def _decided(step: _Step) -> bool:
    """Whether there was something to decide: what follows by itself is nobody's doing."""
    if not isinstance(step.event, Chosen | Played | Left | Resigned):
        return False
    return isinstance(step.event, Resigned) or automatic(step.before) is None


def _throw(step: _Step) -> Judged:
    side = step.before.turn
    worth = worth_of(step.after, side)
    luck = worth.points - ahead(step.before, side).points
    gold = worth if side is Side.GOLD else worth.turned
    return Judged(
        step.after.version, side, thrown=True, luck=luck, error=0.0, best=None, worth=gold
    )


def _decision(step: _Step) -> Judged:
    if isinstance(step.event, Resigned):
        side = step.event.side
        could, instead = worth_of(step.before, side), None
    else:
        side = doer(step.before, step.event)
        instead, could = best(step.before)
    worth = worth_of(step.after, side)
    error = could.points - worth.points
    if error > 0 and instead is not None:
        error = _seen_ahead(after(step.before, instead), side) - _seen_ahead(step.after, side)
    # Resigning can be better than what was judged; and sums of many numbers differ in their last
    # digits.
    error = max(0.0, error)
    gold = worth if side is Side.GOLD else worth.turned
    return Judged(
        step.after.version, side, thrown=False, luck=0.0, error=error, best=instead, worth=gold
    )


def _seen_ahead(match: Match, side: Side) -> float:
    """Return a match's 1-ply worth to a side, in points, with the throw played out at its best."""
    while match.phase is Phase.PLAY:
        match = after(match, best(match).event)
    return ahead(match, side).points


def _same(one: Match, other: Match) -> bool:
    """Whether two matches stand alike, whatever came before and was said of a draw."""
    return (
        replace(one, version=other.version, drawing=other.drawing, offered=other.offered) == other
    )
