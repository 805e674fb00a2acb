"""1-ply search: evaluate the best prospects by answering every throw that may follow them.

What is known exactly needs no answer and is left as it is.

How far one looks is bounded by the number of throws answered, not by time, so that the same
question always gets the same answer.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine.events import Event, Thrown
from engine.match import Match, Phase, apply_unchecked
from engine.players.batch_evaluation import Judge, evaluate_positions
from engine.players.chances import count_answers, list_throws
from engine.players.evaluation import Evaluation, Prospect
from engine.players.exact import get_ending_table, is_solved
from engine.players.prospects import (
    apply_decision,
    average_evaluations,
    evaluate_match,
    evaluate_matches,
    find_deciding_side,
    get_points,
    list_prospects,
)
from engine.position import Side

MAX_ANSWERED = 300
"""How many throws may be answered for one decision.

They are those after eight plays with two dice, or after five with three.
"""

MAX_DEEPENED = 8
"""How many prospects are looked at so closely."""

CLOSE = 0.16
"""How many points below the best a prospect may seem and still be searched.

A larger difference is hardly ever made up.
"""

TURNINGS = 2
"""How many plays are looked at for each die that may become the presumed number."""


class CandidateLine(NamedTuple):
    """A possible decision, the match once the throw is played out, evaluated for that side."""

    event: Event
    there: Match
    side: Side
    evaluation: Evaluation


def deepen_prospects(
    match: Match, found: Sequence[Prospect], judge: Judge = evaluate_positions
) -> list[Prospect]:
    """Return the best prospects as 1-ply evaluates them, best first, then the others unchanged."""
    ordered = sorted(found, key=get_points, reverse=True)
    if all(each.evaluation.exact for each in ordered):
        return ordered
    closely: dict[Event, Prospect] = {}
    for line in _limit_lines(_list_lines(match, ordered, judge)):
        seen = Prospect(line.event, evaluate_one_ply(line.there, line.side, judge))
        # After a die is turned several plays are looked at, of which the player would make the
        # best.
        closely[line.event] = max(seen, closely.get(line.event, seen), key=get_points)
    looked_at = sorted(closely.values(), key=get_points, reverse=True)
    return [*looked_at, *(each for each in ordered if each.event not in closely)]


def _list_lines(match: Match, ordered: Sequence[Prospect], judge: Judge) -> list[CandidateLine]:
    """Return the ways to play the throw out: each decision, and best plays after turning a die."""
    lines = []
    for event, evaluation in ordered[:MAX_DEEPENED]:
        there = apply_decision(match, event)
        if there.phase is Phase.PLAY:
            plays = sorted(list_prospects(there, judge), key=get_points, reverse=True)[:TURNINGS]
            lines += [
                CandidateLine(event, apply_decision(there, play.event), there.turn, play.evaluation)
                for play in plays
            ]
        else:
            lines.append(CandidateLine(event, there, find_deciding_side(match, event), evaluation))
    return sorted(lines, key=_get_line_points, reverse=True)


def _limit_lines(lines: Sequence[CandidateLine]) -> list[CandidateLine]:
    """Return as many of the best lines as 1-ply may search; none if there is nothing to compare."""
    kept: list[CandidateLine] = []
    answered = 0
    for line in lines[:MAX_DEEPENED]:
        answered += count_throws_after(line.there)
        # The lines are in order, so those that follow seem no better than this one.
        if line.evaluation.points < lines[0].evaluation.points - CLOSE or answered > MAX_ANSWERED:
            break
        kept.append(line)
    return kept if len(kept) > 1 else []


def _get_line_points(line: CandidateLine) -> float:
    return line.evaluation.points


def evaluate_one_ply(match: Match, side: Side, judge: Judge = evaluate_positions) -> Evaluation:
    """Return the mean evaluation of a match for a side over the next throws, each answered best."""
    if judge is evaluate_positions and (is_solved(match.rules) or get_ending_table(match.rules)):
        known = evaluate_match(match, side)
        if known.exact:
            return known
    if match.phase is Phase.THROW:
        every = list_throws(match.rules.dice)
        answered = evaluate_matches(
            [apply_unchecked(match, Thrown(thrown)) for thrown, _ in every], side, judge
        )
        return average_evaluations(zip(answered, (count for _, count in every), strict=True))
    if match.phase is Phase.OFFER:
        options = [
            evaluate_one_ply(apply_decision(match, each.event), match.turn, judge)
            for each in list_prospects(match, judge)
        ]
        evaluation = max(options, key=lambda evaluation: evaluation.points)
        return evaluation if match.turn is side else evaluation.opposite
    return evaluate_match(match, side, judge)


def count_throws_after(match: Match) -> int:
    """Count the throws that `evaluate_one_ply` answers."""
    if match.phase is Phase.OFFER:
        return sum(
            count_throws_after(apply_decision(match, each.event)) for each in list_prospects(match)
        )
    if match.phase is not Phase.THROW:
        return 1
    return count_answers(match.rules.dice)
