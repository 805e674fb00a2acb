"""When to resign: the game is as good as lost, and none of the points it counts is at stake."""

from dataclasses import replace

from engine.ending import score_outcome
from engine.events import Thrown
from engine.match import Match, Phase, apply_unchecked
from engine.outcome import GameOutcome
from engine.players.ahead import evaluate_one_ply
from engine.players.chances import list_throws
from engine.players.prospects import evaluate_match, list_prospects
from engine.players.standing import has_own_net
from engine.position import Side
from engine.rules import Rules

HOPELESS_CHANCE = 0.002
"""The chance to win below which a trained player gives up, seen at once and after every throw."""

FAIR_DIFFERENCE = 0.02
"""How many points resigning may differ from playing on.

Neither side is to lose by it.
"""


def is_hopeless(match: Match) -> bool:
    """Whether the side that is to throw should give up now.

    Never in teams, where the others may wish to play on, nor where giving up counts otherwise than
    losing would.
    """
    if match.phase is not Phase.THROW or match.rules.players > 1:
        return False
    return _is_lost_by_net(match) if has_own_net(match.rules) else _is_surely_lost(match)


def _is_lost_by_net(match: Match) -> bool:
    side = match.turn
    # The quick evaluation comes first: 1-ply only has to confirm that all is lost.
    if evaluate_match(match, side).win >= HOPELESS_CHANCE:
        return False
    worth = evaluate_one_ply(match, side)
    return (
        worth.win < HOPELESS_CHANCE
        and abs(worth.points + _price_resignation(match)) < FAIR_DIFFERENCE
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
