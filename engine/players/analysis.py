"""How a match was played: what the dice gave, and what the players gave away.

The luck of a throw is what the best play makes of it, less the mean over all throws. The whole play
of a throw is one decision, however many parts it was made in; its error is what the best play is
worth, less what was played. Decisions that seem worse than the best are evaluated again by 1-ply,
as for a hint and by a master: what they prefer is no error. Neither roll battles nor what was taken
back count.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import groupby
from typing import NamedTuple

from engine.events import (
    Chosen,
    Event,
    Left,
    Passed,
    Played,
    Resigned,
    Thrown,
)
from engine.match import (
    Match,
    Phase,
    apply_unchecked,
    drop_undone,
    find_forced_event,
    is_same_match,
    new_match,
)
from engine.players.comparison import compare_prospects
from engine.players.evaluation import Evaluation, PlayReason, StepAnalysis
from engine.players.one_ply import evaluate_one_ply
from engine.players.prospects import apply_decision, evaluate_match, find_best, find_deciding_side
from engine.position import Side
from engine.rules import Game

_THROW_PHASES = (Phase.CHOOSE, Phase.PLAY, Phase.OFFER)
"""When a side decides what becomes of a throw, in parts or at once."""


class _MatchStep(NamedTuple):
    """What happened, and the match before and after it."""

    before: Match
    event: Event
    after: Match


class _StepGroup(NamedTuple):
    """A throw, or all that a side did with one; and the match before and after it."""

    before: Match
    events: tuple[Event, ...]
    after: Match


def analyse_steps(
    game: Game,
    options: Mapping[str, str],
    events: Iterable[Event],
    known: Iterable[StepAnalysis] = (),
) -> Iterator[StepAnalysis]:
    """Yield the findings on each throw and each decision of a match, in order, to show progress.

    `known` is what an earlier analysis of the same match has found, when it had gone less far; that
    is not worked out again. A play that is still being made is left out.
    """
    found = {(each.first, each.version): each for each in known}
    # The match before the next throw, and what the average throw is worth to gold there.
    there: tuple[Match, float] | None = None
    for group in _list_groups(game, options, events):
        analysis = found.get((group.before.version, group.after.version))
        if analysis is None and isinstance(group.events[0], Thrown):
            average = there[1] if there and is_same_match(there[0], group.before) else None
            analysis = _analyse_throw(group, average)
        elif analysis is None:
            analysis = _analyse_decision(group)
        there = None if analysis.average is None else (group.after, analysis.average)
        yield analysis


def _list_groups(
    game: Game, options: Mapping[str, str], events: Iterable[Event]
) -> Iterator[_StepGroup]:
    """Yield each throw, and each finished decision, of a match.

    What follows by itself is nobody's doing.
    """
    steps = [
        step
        for step in drop_undone(_iter_steps(game, options, events))
        if isinstance(step.event, Thrown | Chosen | Played | Left | Passed | Resigned)
    ]
    groups = [list(some) for _, some in groupby(steps, _identify_decision)]
    for number, some in enumerate(groups, 1):
        group = _StepGroup(some[0].before, _join_plays(step.event for step in some), some[-1].after)
        # Only the last of them may still go on.
        is_open = number == len(groups) and _is_unfinished(group)
        if isinstance(some[0].event, Thrown) or (any(map(_is_free, some)) and not is_open):
            yield group


def _identify_decision(step: _MatchStep) -> tuple[object, ...]:
    """Return what all that a side does with one throw has in common, and nothing else."""
    before, event = step.before, step.event
    if before.phase in _THROW_PHASES and not isinstance(event, Resigned):
        return before.turn, before.drawn
    return (before.version,)


def _is_unfinished(group: _StepGroup) -> bool:
    before, after = group.before, group.after
    return (
        before.phase in _THROW_PHASES
        and after.phase in _THROW_PHASES
        and (before.turn, before.drawn) == (after.turn, after.drawn)
    )


def _join_plays(events: Iterable[Event]) -> tuple[Event, ...]:
    """Return what was done with a throw as if its play had been made at once."""
    joined: list[Event] = []
    for event in events:
        if isinstance(event, Played) and joined and isinstance(joined[-1], Played):
            joined[-1] = Played((*joined[-1].moves, *event.moves))
        # That no more could be played is nothing that was done.
        elif not isinstance(event, Passed):
            joined.append(event)
    return tuple(joined)


def _iter_steps(
    game: Game, options: Mapping[str, str], events: Iterable[Event]
) -> Iterator[_MatchStep]:
    match = new_match(game, options)
    for event in events:
        after = apply_unchecked(match, event)
        yield _MatchStep(match, event, after)
        match = after


def _is_free(step: _MatchStep) -> bool:
    if not isinstance(step.event, Chosen | Played | Left | Resigned):
        return False
    return isinstance(step.event, Resigned) or find_forced_event(step.before) is None


def _analyse_throw(group: _StepGroup, average: float | None) -> StepAnalysis:
    side = group.before.turn
    evaluation = evaluate_match(group.after, side)
    if average is None:
        average = evaluate_one_ply(group.before, Side.GOLD).points
    luck = evaluation.points - (average if side is Side.GOLD else -average)
    return StepAnalysis(
        first=group.before.version,
        version=group.after.version,
        side=side,
        thrown=True,
        luck=luck,
        error=0.0,
        done=(),
        best=(),
        evaluation=_give_to_gold(evaluation, side),
        exact=evaluation.exact and evaluate_match(group.before, side).exact,
    )


def _analyse_decision(group: _StepGroup) -> StepAnalysis:
    before, after = group.before, group.after
    if isinstance(group.events[0], Resigned):
        side = group.events[0].side
        could, best = evaluate_match(before, side), list[Event]()
    else:
        side = find_deciding_side(before, group.events[0])
        could, best = _find_best_line(before)
    evaluation = evaluate_match(after, side)
    error = could.points - evaluation.points
    # The next throw's luck is measured by this, so it is needed whether or not something was lost.
    average = evaluate_one_ply(after, Side.GOLD).points if after.phase is Phase.THROW else None
    exact = could.exact and evaluation.exact
    # 1-ply takes more than twenty times as long, so it is asked only where something seems lost.
    if error > 0 and best and not exact:
        error = _evaluate_after_throw(reduce(apply_decision, best, before), side) - (
            _evaluate_after_throw(after, side)
            if average is None
            else average * (1 if side is Side.GOLD else -1)
        )
    return StepAnalysis(
        first=before.version,
        version=after.version,
        side=side,
        thrown=False,
        luck=0.0,
        # Resigning can be better than what was judged; and sums of many numbers differ in their
        # last digits.
        error=max(0.0, error),
        done=group.events,
        best=tuple(best),
        evaluation=_give_to_gold(evaluation, side),
        average=average,
        reasons=_find_reasons(before, best, group.events) if error > 0 else (),
        exact=exact,
    )


def _find_reasons(
    match: Match, best: Sequence[Event], done: Sequence[Event]
) -> tuple[PlayReason, ...]:
    """Return in what the best play differs from the one made; nothing of anything else."""
    match best, done:
        case [Played() as better], [Played() as played]:
            return compare_prospects(match, better, played) or ()
    return ()


def _find_best_line(match: Match) -> tuple[Evaluation, list[Event]]:
    """Return what the best decision is worth, and all that it does with the throw."""
    best = find_best(match)
    if match.phase is not Phase.CHOOSE:
        return best.evaluation, [best.event]
    return best.evaluation, [best.event, find_best(apply_decision(match, best.event)).event]


def _evaluate_after_throw(match: Match, side: Side) -> float:
    """Return a match's 1-ply equity for a side, with the throw played out at its best."""
    while match.phase is Phase.PLAY:
        match = apply_decision(match, find_best(match).event)
    return evaluate_one_ply(match, side).points


def _give_to_gold(evaluation: Evaluation, side: Side) -> Evaluation:
    return evaluation if side is Side.GOLD else evaluation.opposite
