"""One throw further: what the best prospects are worth when every throw that may follow them is answered.

How far one looks is bounded by the number of throws answered, not by time, so that the same question always gets the
same answer.
"""

from collections.abc import Sequence

from engine.events import Thrown
from engine.match import Match, Phase, follow
from engine.players.chances import every_throw
from engine.players.prospects import Prospect, after, doer, in_points, mean, prospects, worth_of
from engine.players.worth import Worth
from engine.position import Side

MOST_ANSWERED = 192
"""How many throws may be answered for one decision: those after eight plays with two dice, after three with three."""

MOST_DEEPENED = 8
"""How many prospects are looked at so closely."""

CLOSE = 0.16
"""How many points a prospect may seem worse than the best and still be looked at: more is hardly ever made good."""


def deepened(match: Match, found: Sequence[Prospect]) -> list[Prospect]:
    """Return the best prospects judged one throw further, best first, and after them the others as they were."""
    ordered = sorted(found, key=in_points, reverse=True)
    close = [each for each in ordered[:MOST_DEEPENED] if each.worth.points >= ordered[0].worth.points - CLOSE]
    seen: list[Prospect] = []
    answered = 0
    for each in close if len(close) > 1 else ():
        there, side = after(match, each.event), doer(match, each.event)
        answered += throws_after(there)
        if answered > MOST_ANSWERED:
            break
        seen.append(Prospect(each.event, ahead(there, side)))
    if len(seen) < 2:
        return ordered
    return [*sorted(seen, key=in_points, reverse=True), *ordered[len(seen) :]]


def ahead(match: Match, side: Side) -> Worth:
    """Return what a match is worth to a side by the mean over the throws that come next, each answered best."""
    if match.phase is Phase.THROW:
        every = every_throw(match.rules.dice)
        return mean((worth_of(follow(match, Thrown(thrown)), side), count) for thrown, count in every)
    if match.phase is Phase.OFFER:
        options = [ahead(after(match, each.event), match.turn) for each in prospects(match)]
        worth = max(options, key=lambda worth: worth.points)
        return worth if match.turn is side else worth.turned
    return worth_of(match, side)


def throws_after(match: Match) -> int:
    """Count the throws that `ahead` answers, those that leave a choice of the presumed number once for each."""
    if match.phase is Phase.OFFER:
        return sum(throws_after(after(match, each.event)) for each in prospects(match))
    if match.phase is not Phase.THROW:
        return 1
    presumed = match.rules.dice.presumed
    every = (thrown for thrown, _ in every_throw(match.rules.dice))
    return sum(len(set(thrown)) if presumed is not None and presumed not in thrown else 1 for thrown in every)
