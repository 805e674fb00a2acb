"""What a computer player does now: how it plays, when it resigns, and which draws it accepts."""

from dataclasses import replace

from engine.ending import score_outcome
from engine.events import Event, Resigned, Thrown
from engine.match import DECISION_PHASES, Match, Phase, apply_unchecked, find_forced_event
from engine.outcome import GameOutcome
from engine.players import beginner
from engine.players.batch_evaluation import (
    Judge,
    evaluate_by_net,
    evaluate_positions,
    has_own_net,
)
from engine.players.chances import list_throws
from engine.players.evaluation import Evaluation, Prospect
from engine.players.exact import is_solved
from engine.players.level import Level
from engine.players.one_ply import deepen_prospects, evaluate_one_ply
from engine.players.prospects import evaluate_match, find_best, list_prospects
from engine.position import Side
from engine.refusal import Reason, Refusal
from engine.rules import Rules

HOPELESS_CHANCE = 0.002
"""The chance to win below which a trained player gives up, seen at once and after every throw."""
FAIR_DIFFERENCE = 0.02
"""How many points resigning may differ from playing on.

Neither side is to lose by it.
"""
EVEN_CHANCE = 0.5
"""The chance to win of who stands no better and no worse."""
DOUBT_MARGIN = 0.1
"""How much worse off a side must seem, in chances and in points, where no net knows that game."""


def rank_decisions(match: Match, most: int = 3) -> list[Prospect]:
    """Return the best decisions now, best first.

    There are none where a throw is due or nothing can be done.
    """
    return (
        deepen_prospects(match, list_prospects(match))[:most]
        if match.phase in DECISION_PHASES
        else []
    )


def decide_event(match: Match, level: Level, seed: int) -> Event | None:
    """Return what a player of that level does now, or None to ask for the throw.

    The same seed gives the same answer: in the same position the same is done, however the match
    came to it. Raises Refusal when the match is over.
    """
    if match.phase is Phase.OVER:
        raise Refusal(Reason.OVER)
    if forced := find_forced_event(match):
        return forced
    if match.phase not in DECISION_PHASES:
        return Resigned(match.turn) if is_hopeless(match, _get_judge(level)) else None
    return choose_prospect(match, level, seed).event


def choose_prospect(
    match: Match, level: Level, seed: int, judge: Judge = evaluate_positions
) -> Prospect:
    """Return a level's decision where there is one to make, and its evaluation for that player.

    `judge` is what a master goes by; the other levels go by the net.
    """
    if level is Level.BEGINNER:
        return beginner.choose_prospect(match, seed)
    if level is Level.COMPANION:
        return find_best(match, _get_judge(level))
    return deepen_prospects(match, list_prospects(match, judge), judge)[0]


def _get_judge(level: Level) -> Judge:
    """Return by what a level plays: only a master knows the games that are solved."""
    return evaluate_positions if level is Level.MASTER else evaluate_by_net


def is_hopeless(match: Match, judge: Judge = evaluate_positions) -> bool:
    """Whether the side that is to throw should give up now.

    Never in teams, where the others may wish to play on, nor where giving up counts otherwise than
    losing would.
    """
    if match.phase is not Phase.THROW or match.rules.players > 1:
        return False
    if has_own_net(match.rules) or (judge is evaluate_positions and is_solved(match.rules)):
        return _seems_lost(match, judge)
    return _is_surely_lost(match)


def _seems_lost(match: Match, judge: Judge) -> bool:
    side = match.turn
    # The quick evaluation comes first: 1-ply only has to confirm that all is lost.
    if evaluate_match(match, side, judge).win >= HOPELESS_CHANCE:
        return False
    evaluation = evaluate_one_ply(match, side, judge)
    return (
        evaluation.win < HOPELESS_CHANCE
        and abs(evaluation.points + _price_resignation(match)) < FAIR_DIFFERENCE
    )


def _price_resignation(match: Match) -> int:
    """How many points the other side gets if this one gives up now."""
    return score_outcome(
        match.rules, match.position, GameOutcome(match.turn.other, "resigned")
    ).points


def _is_surely_lost(match: Match) -> bool:
    """Return whether the other side surely wins on its next turn, whatever it throws.

    This side can neither win before nor hinder it. Without a net for these rules the judgement is
    too rough to give up by: it has to be seen.
    """
    # An extra throw may win before the other side's turn, and a hit may change everything.
    if match.rules.dice.doubles.has_extra_throw or _can_meet(match):
        return False
    other = match.turn.other
    price = _price_resignation(match)
    due = replace(match, position=match.position._replace(turn=other))
    return _can_win_with_any(due, price) and not any(
        _count_win_points(apply_unchecked(match, Thrown(thrown)))
        for thrown, _ in list_throws(match.rules.dice)
    )


def _can_meet(match: Match) -> bool:
    """Whether men of both sides may still stand on the same points."""
    gold, black = (
        _find_remaining_points(match.rules, side, match.position.men(side)) for side in Side
    )
    return not gold.isdisjoint(black)


def _find_remaining_points(rules: Rules, side: Side, men: bytes) -> frozenset[int]:
    """Return the points from a side's last man to the end of its course."""
    course = rules.course(side)
    beside = men[rules.board.hand] + rules.board.count_waiting(men)
    last = next((step for step, point in enumerate(course) if men[point]), len(course))
    return frozenset(course if beside else course[last:])


def _can_win_with_any(match: Match, price: int) -> bool:
    thrown = (apply_unchecked(match, Thrown(thrown)) for thrown, _ in list_throws(match.rules.dice))
    return all(_count_win_points(each) == price for each in thrown)


def _count_win_points(match: Match) -> int:
    """Return the most points for which the side that threw can win at once, or nought."""
    if match.phase is Phase.CHOOSE:
        return max(
            _count_win_points(apply_unchecked(match, each.event)) for each in list_prospects(match)
        )
    ends = (apply_unchecked(match, each.event).outcome for each in list_prospects(match))
    return max(
        (end.points for end in ends if end is not None and end.winner is match.turn), default=0
    )


def is_draw_acceptable(match: Match, side: Side) -> bool:
    """Return whether that side should accept a draw now.

    A draw counts half a win and no points, whatever was at stake. Every level judges with care
    here, however it plays: one throw ahead. Rules of thumb err, and so does a net about options
    that it has not learnt; those take a draw only where they see themselves clearly worse.
    """
    evaluation = _evaluate_for_side(match, side)
    doubt = 0.0 if evaluation.exact or has_own_net(match.rules) else DOUBT_MARGIN
    return evaluation.win <= EVEN_CHANCE - doubt and evaluation.points <= -doubt


def _evaluate_for_side(match: Match, side: Side) -> Evaluation:
    if match.phase in (Phase.THROW, Phase.BREAK_ROLL):
        return evaluate_one_ply(match, side)
    found = deepen_prospects(match, list_prospects(match))
    evaluation = found[0].evaluation if found else evaluate_match(match, match.turn)
    return evaluation if match.turn is side else evaluation.opposite
