"""How a match was played: what the dice gave, and what the players gave away.

The luck of a throw is what the best play makes of it, less the mean over all throws; the error of a
decision is what the best would have been worth, less what was done. Decisions that seem worse than
the best are evaluated again by 1-ply, as for a hint and by a master: what they prefer is no error.
Neither roll battles nor what was taken back count.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from engine.events import Chosen, Event, Left, Played, Resigned, TakenBack, Thrown, TurnTakenBack
from engine.match import Match, Phase, apply_unchecked, find_forced_event, new_match
from engine.players.ahead import evaluate_one_ply
from engine.players.prospects import apply_decision, evaluate_match, find_best, find_deciding_side
from engine.players.worth import StepAnalysis
from engine.position import Side
from engine.rules import Game


class _MatchStep(NamedTuple):
    """What happened, and the match before and after it."""

    before: Match
    event: Event
    after: Match


def analyse_steps(
    game: Game, options: Mapping[str, str], events: Iterable[Event]
) -> Iterator[StepAnalysis]:
    """Yield the findings on each throw and each decision of a match, in order, to show progress.

    A play made in parts is judged part by part: their errors add up to that of the whole.
    """
    for step in _list_final_steps(game, options, events):
        if isinstance(step.event, Thrown):
            yield _analyse_throw(step)
        elif _is_decision(step):
            yield _analyse_decision(step)


def _list_final_steps(
    game: Game, options: Mapping[str, str], events: Iterable[Event]
) -> list[_MatchStep]:
    """Return what happened without what was taken back."""
    kept: list[_MatchStep] = []
    match = new_match(game, options)
    for event in events:
        after = apply_unchecked(match, event)
        if isinstance(event, TakenBack | TurnTakenBack):
            # Taking back leads to a match that was there before: all that happened since is
            # dropped.
            while not _is_same_match(kept.pop().before, after):
                pass
        else:
            kept.append(_MatchStep(match, event, after))
        match = after
    return kept


def _is_decision(step: _MatchStep) -> bool:
    """Whether there was something to decide: what follows by itself is nobody's doing."""
    if not isinstance(step.event, Chosen | Played | Left | Resigned):
        return False
    return isinstance(step.event, Resigned) or find_forced_event(step.before) is None


def _analyse_throw(step: _MatchStep) -> StepAnalysis:
    side = step.before.turn
    worth = evaluate_match(step.after, side)
    luck = worth.points - evaluate_one_ply(step.before, side).points
    gold = worth if side is Side.GOLD else worth.opposite
    return StepAnalysis(
        step.after.version, side, thrown=True, luck=luck, error=0.0, best=None, worth=gold
    )


def _analyse_decision(step: _MatchStep) -> StepAnalysis:
    if isinstance(step.event, Resigned):
        side = step.event.side
        could, instead = evaluate_match(step.before, side), None
    else:
        side = find_deciding_side(step.before, step.event)
        instead, could = find_best(step.before)
    worth = evaluate_match(step.after, side)
    error = could.points - worth.points
    # 1-ply takes more than twenty times as long, so it is asked only where something seems lost.
    if error > 0 and instead is not None:
        error = _evaluate_after_throw(
            apply_decision(step.before, instead), side
        ) - _evaluate_after_throw(step.after, side)
    # Resigning can be better than what was judged; and sums of many numbers differ in their last
    # digits.
    error = max(0.0, error)
    gold = worth if side is Side.GOLD else worth.opposite
    return StepAnalysis(
        step.after.version, side, thrown=False, luck=0.0, error=error, best=instead, worth=gold
    )


def _evaluate_after_throw(match: Match, side: Side) -> float:
    """Return a match's 1-ply worth to a side, in points, with the throw played out at its best."""
    while match.phase is Phase.PLAY:
        match = apply_decision(match, find_best(match).event)
    return evaluate_one_ply(match, side).points


def _is_same_match(one: Match, other: Match) -> bool:
    """Whether two matches stand alike, whatever came before and was said of a draw."""
    return (
        replace(one, version=other.version, drawing=other.drawing, offered=other.offered) == other
    )
