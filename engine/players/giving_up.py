"""When to resign: the game is as good as lost, and none of the points it counts is at stake."""

from dataclasses import replace

from engine.ending import valued
from engine.events import Thrown
from engine.match import Match, Phase, follow
from engine.outcome import Outcome
from engine.players.ahead import ahead
from engine.players.chances import every_throw
from engine.players.prospects import prospects, worth_of
from engine.players.standing import learnt
from engine.position import Side
from engine.rules import Rules

HOPELESS = 0.002
"""The chance to win below which a trained player gives up, seen at once and after every throw."""

FAIR = 0.02
"""How many points resigning may differ from playing on.

Neither side is to lose by it.
"""


def hopeless(match: Match) -> bool:
    """Whether the side that is to throw should give up now.

    Never in teams, where the others may wish to play on, nor where giving up counts otherwise than
    losing would.
    """
    if match.phase is not Phase.THROW or match.rules.players > 1:
        return False
    return _judged_lost(match) if learnt(match.rules) else _surely_lost(match)


def _judged_lost(match: Match) -> bool:
    side = match.turn
    if worth_of(match, side).win >= HOPELESS:
        return False
    worth = ahead(match, side)
    return worth.win < HOPELESS and abs(worth.points + _price(match)) < FAIR


def _price(match: Match) -> int:
    """How many points the other side gets if this one gives up now."""
    return valued(match.rules, match.position, Outcome(match.turn.other, "resigned")).points


def _surely_lost(match: Match) -> bool:
    """Return whether the other side surely wins on its next turn, whatever it throws.

    This side can neither win before nor hinder it. Without a net for these rules the judgement is
    too rough to give up by: it has to be seen.
    """
    if match.rules.dice.doubles.throws_again or _meet(match):
        return False
    other = match.turn.other
    price = _price(match)
    due = replace(match, position=match.position._replace(turn=other))
    return _wins_with_any(due, price) and not any(
        _wins(follow(match, Thrown(thrown))) for thrown, _ in every_throw(match.rules.dice)
    )


def _meet(match: Match) -> bool:
    """Whether men of both sides may still stand on the same points."""
    gold, black = (_still_used(match.rules, side, match.position.men(side)) for side in Side)
    return not gold.isdisjoint(black)


def _still_used(rules: Rules, side: Side, men: bytes) -> frozenset[int]:
    """Return the points from a side's last man to the end of its course."""
    course = rules.course(side)
    beside = men[rules.board.hand] + rules.board.waiting(men)
    last = next((step for step, point in enumerate(course) if men[point]), len(course))
    return frozenset(course if beside else course[last:])


def _wins_with_any(match: Match, price: int) -> bool:
    thrown = (follow(match, Thrown(thrown)) for thrown, _ in every_throw(match.rules.dice))
    return all(_wins(each) == price for each in thrown)


def _wins(match: Match) -> int:
    """Return the most points for which the side that threw can win at once, or nought."""
    if match.phase is Phase.CHOOSE:
        return max(_wins(follow(match, each.event)) for each in prospects(match))
    ends = (follow(match, each.event).outcome for each in prospects(match))
    return max(
        (end.points for end in ends if end is not None and end.winner is match.turn), default=0
    )
