"""1-ply search: evaluate the best prospects by answering every throw that may follow them.

How far one looks is bounded by the number of throws answered, not by time, so that the same
question always gets the same answer.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine.events import Event, Thrown
from engine.match import Match, Phase, follow
from engine.players.chances import answers, every_throw
from engine.players.prospects import after, doer, in_points, mean, prospects, worth_of, worths_of
from engine.players.worth import Prospect, Worth
from engine.position import Side

MOST_ANSWERED = 300
"""How many throws may be answered for one decision.

They are those after eight plays with two dice, or after five with three.
"""

MOST_DEEPENED = 8
"""How many prospects are looked at so closely."""

CLOSE = 0.16
"""How many points below the best a prospect may seem and still be searched.

A larger difference is hardly ever made up.
"""

TURNINGS = 2
"""How many plays are looked at for each die that may become the presumed number."""


class Line(NamedTuple):
    """A possible decision, the match once the throw is played out, and its worth for that side."""

    event: Event
    there: Match
    side: Side
    worth: Worth


def deepened(match: Match, found: Sequence[Prospect]) -> list[Prospect]:
    """Return the best prospects as 1-ply evaluates them, best first, then the others unchanged."""
    ordered = sorted(found, key=in_points, reverse=True)
    closely: dict[Event, Prospect] = {}
    for line in _affordable(_lines(match, ordered)):
        seen = Prospect(line.event, ahead(line.there, line.side))
        closely[line.event] = max(seen, closely.get(line.event, seen), key=in_points)
    looked_at = sorted(closely.values(), key=in_points, reverse=True)
    return [*looked_at, *(each for each in ordered if each.event not in closely)]


def _lines(match: Match, ordered: Sequence[Prospect]) -> list[Line]:
    """Return the ways to play the throw out: each decision, and best plays after turning a die."""
    lines = []
    for event, worth in ordered[:MOST_DEEPENED]:
        there = after(match, event)
        if there.phase is Phase.PLAY:
            plays = sorted(prospects(there), key=in_points, reverse=True)[:TURNINGS]
            lines += [
                Line(event, after(there, play.event), there.turn, play.worth) for play in plays
            ]
        else:
            lines.append(Line(event, there, doer(match, event), worth))
    return sorted(lines, key=_points, reverse=True)


def _affordable(lines: Sequence[Line]) -> list[Line]:
    """Return as many of the best lines as 1-ply may search; none if there is nothing to compare."""
    kept: list[Line] = []
    answered = 0
    for line in lines[:MOST_DEEPENED]:
        answered += throws_after(line.there)
        if line.worth.points < lines[0].worth.points - CLOSE or answered > MOST_ANSWERED:
            break
        kept.append(line)
    return kept if len(kept) > 1 else []


def _points(line: Line) -> float:
    return line.worth.points


def ahead(match: Match, side: Side) -> Worth:
    """Return the mean worth of a match to a side over the next throws, each answered best."""
    if match.phase is Phase.THROW:
        every = every_throw(match.rules.dice)
        answered = worths_of([follow(match, Thrown(thrown)) for thrown, _ in every], side)
        return mean(zip(answered, (count for _, count in every), strict=True))
    if match.phase is Phase.OFFER:
        options = [ahead(after(match, each.event), match.turn) for each in prospects(match)]
        worth = max(options, key=lambda worth: worth.points)
        return worth if match.turn is side else worth.turned
    return worth_of(match, side)


def throws_after(match: Match) -> int:
    """Count the throws that `ahead` answers."""
    if match.phase is Phase.OFFER:
        return sum(throws_after(after(match, each.event)) for each in prospects(match))
    if match.phase is not Phase.THROW:
        return 1
    return answers(match.rules.dice)
