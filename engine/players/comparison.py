"""Why one play is better than another, by the evaluation's own inputs.

Beside where each man stands the evaluation weighs the race, blots within reach and what bars the
way. For each of these the play is evaluated once more as if it were as after the other play: what
that changes is what the evaluation gives the play for it.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from engine.events import Event
from engine.match import Match, Phase
from engine.players import greedy
from engine.players.boards import stack_positions
from engine.players.decide import rank_decisions
from engine.players.evaluation import Aspect, Evaluation, ExplainedProspect, PlayReason
from engine.players.greedy import LEAD, Numbers
from engine.players.input_arrays import build_inputs
from engine.players.inputs import FEATURE_INPUTS, compute_scales, lay_out_inputs
from engine.players.nets import get_net
from engine.players.one_ply import evaluate_one_ply
from engine.players.prospects import apply_decision
from engine.players.shots import REACHED, measure_reach
from engine.position import Side
from engine.rules import Rules

MIN_POINTS = 0.01
"""What weighs less in the evaluation is no reason."""
_CHANCE, _RACE_PIPS, _HINDRANCE_PIPS = 0.1, 10.0, 1.0
"""Differences that are worth a word: in chances and in the race ten of what they are counted in."""
_SIDE_NUMBERS = 3
_RACE, _DANGER, _BARRED = range(_SIDE_NUMBERS)
_HIT, _COST, _HINDERED, _LAST, _TRAPPED = range(REACHED)


class _AspectInputs(NamedTuple):
    """Which numbers make an aspect.

    They are those of one side, own or other, from `greedy` and from `shots`; the figure is one of
    the latter. `better` is 1 where a higher figure is better for the side that plays, else -1, and
    `least` the difference that is worth a word.
    """

    own: bool
    weighed: tuple[int, ...]
    reached: tuple[int, ...]
    better: int
    least: float


_ASPECTS: Mapping[Aspect, _AspectInputs] = {
    Aspect.DANGER: _AspectInputs(True, (_DANGER,), (_HIT, _COST), -1, _CHANCE),
    Aspect.THREAT: _AspectInputs(False, (_DANGER,), (_HIT, _COST), 1, _CHANCE),
    Aspect.BLOCK: _AspectInputs(
        False, (_BARRED,), (_HINDERED, _LAST, _TRAPPED), 1, _HINDRANCE_PIPS
    ),
    Aspect.ESCAPE: _AspectInputs(
        True, (_BARRED,), (_HINDERED, _LAST, _TRAPPED), -1, _HINDRANCE_PIPS
    ),
}
"""The aspects of one side's numbers; the race is of both."""


def explain_decisions(match: Match, most: int = 3) -> list[ExplainedProspect]:
    """Return the best decisions now, best first, each compared with the best other one."""
    ranked = rank_decisions(match, most)
    if len(ranked) <= 1:
        return [ExplainedProspect(*each) for each in ranked]
    return [
        ExplainedProspect(
            *each, against, compare_prospects(match, each.event, ranked[against].event)
        )
        for each, against in zip(ranked, (1, *(0 for _ in ranked[1:])), strict=True)
    ]


def evaluate_events(match: Match, events: Sequence[Event]) -> list[Evaluation]:
    """Return the 1-ply evaluation of things that may be done now for the side that acts."""
    return [evaluate_one_ply(apply_decision(match, event), match.turn) for event in events]


def compare_prospects(match: Match, own: Event, other: Event) -> tuple[PlayReason, ...] | None:
    """Return in what a play differs from another, what weighs most first.

    Return None unless the next throw follows both, and is the same side's.
    """
    after, instead = (apply_decision(match, each) for each in (own, other))
    if {(each.phase, each.turn) for each in (after, instead)} != {(Phase.THROW, after.turn)}:
        return None
    return _compare_positions(match.rules, match.turn, after, instead)


def _compare_positions(
    rules: Rules, side: Side, after: Match, instead: Match
) -> tuple[PlayReason, ...]:
    thrower = after.turn
    boards = stack_positions(rules, [after.position, instead.position])
    mine, theirs = boards.men(thrower), boards.men(thrower.other)
    numbers = np.hstack(
        (
            greedy.compute_features(rules, thrower, mine, theirs),
            measure_reach(rules, thrower, mine, theirs),
        )
    )
    columns = {aspect: _list_columns(aspect, own=side is thrower) for aspect in Aspect}
    mixed = np.array([_mix_numbers(numbers, some) for some in columns.values()])
    judged = _evaluate_numbers(rules, thrower, after, np.vstack((numbers[:1], mixed)))
    sign = 1 if side is thrower else -1
    found = []
    for aspect, points in zip(columns, sign * (judged[0] - judged[1:]), strict=True):
        one, two = (_get_figure(row, aspect, own=side is thrower) for row in numbers)
        if _is_reason(aspect, float(points), one - two):
            found.append(PlayReason(aspect, float(points), one, two))
    return tuple(sorted(found, key=lambda reason: -abs(reason.points)))


def _list_columns(aspect: Aspect, *, own: bool) -> tuple[int, ...]:
    """Return which numbers make an aspect; `own` says that the side that plays throws next."""
    if aspect is Aspect.RACE:
        return _RACE, _SIDE_NUMBERS + _RACE
    inputs = _ASPECTS[aspect]
    # The side that throws next comes first.
    place = 0 if inputs.own is own else 1
    weighed = (place * _SIDE_NUMBERS + each for each in inputs.weighed)
    reached = (greedy.FEATURE_COUNT + place * REACHED + each for each in inputs.reached)
    return *weighed, *reached


def _get_figure(row: Numbers, aspect: Aspect, *, own: bool) -> float:
    first, second = (float(row[each]) for each in (_RACE, _SIDE_NUMBERS + _RACE))
    if aspect is Aspect.RACE:
        return second - first if own else first - second
    return float(row[_list_columns(aspect, own=own)[len(_ASPECTS[aspect].weighed)]])


def _is_reason(aspect: Aspect, points: float, difference: float) -> bool:
    """Whether a difference can be seen, weighs something, and does so in the way one expects."""
    inputs = _ASPECTS.get(aspect)
    better, least = (inputs.better, inputs.least) if inputs else (1, _RACE_PIPS)
    return (
        abs(points) >= MIN_POINTS
        and abs(difference) >= least
        and (better * difference > 0) is (points > 0)
    )


def _mix_numbers(numbers: Numbers, columns: Sequence[int]) -> Numbers:
    """Return the numbers of the first position with some of the second's, and a lead that fits."""
    mixed: Numbers = numbers[0].copy()
    mixed[list(columns)] = numbers[1, list(columns)]
    mixed[LEAD] = greedy.shift_lead(numbers[0], mixed)
    return mixed


def _evaluate_numbers(rules: Rules, thrower: Side, after: Match, rows: Numbers) -> Numbers:
    """Return the points of a position to the side that throws, by numbers of which some may differ.

    Where there is no net, the chance to win alone decides.
    """
    net = get_net(rules)
    if net is None:
        points: Numbers = np.tanh(rows[:, LEAD] / 2)
        return points
    seen = build_inputs(rules, stack_positions(rules, [after.position]), thrower)
    inputs = np.repeat(seen, len(rows), axis=0)
    weighed = lay_out_inputs(rules, thrower).weighed
    inputs[:, weighed : weighed + FEATURE_INPUTS] = rows * compute_scales(rules)
    return net.evaluate(inputs).points.astype(np.float64)
