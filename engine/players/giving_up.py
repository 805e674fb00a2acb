"""When to resign: where the game is as good as lost and nothing that it counts is at stake any more."""

from dataclasses import replace

from engine.ending import valued
from engine.events import Thrown
from engine.match import Match, Phase, follow
from engine.outcome import Outcome
from engine.players.ahead import ahead
from engine.players.chances import every_throw
from engine.players.prospects import best, prospects, worth_of
from engine.players.standing import trained
from engine.position import Side

HOPELESS = 0.002
"""The chance to win below which a trained player gives up, seen at once and after every throw."""

FAIR = 0.02
"""By how many points giving up may differ from what playing on should cost: neither side is to lose by it."""


def hopeless(match: Match) -> bool:
    """Whether the side that is to throw should give up now.

    Never in teams, where the others may wish to play on, nor where giving up counts otherwise than losing would.
    """
    if match.phase is not Phase.THROW or match.rules.players > 1:
        return False
    return _judged_lost(match) if trained(match.rules) else _surely_lost(match)


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
    """Whether the other side wins with any throw, now as well as after any throw of this side and its best play.

    Without a net the judgement is too rough to give up by: it has to be seen.
    """
    other = match.turn.other
    price = _price(match)
    theirs = replace(match, position=match.position._replace(turn=other))
    return _wins_with_any(theirs, price) and all(
        _is_lost(follow(match, Thrown(thrown)), other, price) for thrown, _ in every_throw(match.rules.dice)
    )


def _is_lost(match: Match, other: Side, price: int) -> bool:
    """Whether the best play of a throw leaves the other side to win with any throw of its own."""
    while match.phase in (Phase.CHOOSE, Phase.PLAY):
        match = follow(match, best(match).event)
    return match.phase is Phase.THROW and match.turn is other and _wins_with_any(match, price)


def _wins_with_any(match: Match, price: int) -> bool:
    return all(_wins(follow(match, Thrown(thrown)), price) for thrown, _ in every_throw(match.rules.dice))


def _wins(match: Match, price: int) -> bool:
    """Whether the side that threw can win at once, for so many points."""
    ends = (follow(match, each.event).outcome for each in prospects(match))
    return any(end is not None and end.winner is match.turn and end.points == price for end in ends)
