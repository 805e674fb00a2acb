"""What a side may do now, and what each of it is worth: the next throw judged, the machine followed up to it.

Most plays of a throw end in the same way: the turn goes on. Their ends are judged together, without the machine; the
others, after which the game is over, numbers are offered or a point is contested, go through it one by one.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.events import Battled, Chosen, Event, Left, Passed, Played
from engine.match import SIDE, SIX, Match, Phase, follow, next_thrower
from engine.moves import Play
from engine.players.special import special
from engine.players.standing import standing
from engine.players.worth import Worth, ended, of_row
from engine.position import Side


class Prospect(NamedTuple):
    """Something that may be done now, and what it is worth to the player who does it."""

    event: Event
    worth: Worth


def in_points(prospect: Prospect) -> float:
    """The points to be expected: by these the best is chosen."""
    return prospect.worth.points


def prospects(match: Match) -> list[Prospect]:
    """List what may be done now, each play that ends in another position once; nothing where nothing can be."""
    if match.phase is Phase.PLAY:
        worths = _of_plays(match, match.plays)
        return [Prospect(Played(play.moves), worth) for play, worth in zip(match.plays, worths, strict=True)]
    return [Prospect(event, worth_of(after(match, event), doer(match, event))) for event in _choices(match)]


def worth_of(match: Match, side: Side) -> Worth:
    """Return what a match is worth to a side when both do their best until the next throw, which is judged."""
    if match.outcome is not None:
        return ended(match.outcome, side)
    if match.phase in (Phase.BATTLE, Phase.CONTEST):
        return mean((worth_of(each, side), 0.5) for each in _battles(match))
    if match.phase is Phase.THROW:
        worth = of_row(standing(match.rules, [match.position], match.turn)[0])
    else:
        worth = best(match).worth
    return worth if match.turn is side else worth.turned


def best(match: Match) -> Prospect:
    """Return the best that may be done now; where nothing can be played, that is to pass."""
    found = prospects(match)
    if not found:
        return Prospect(Passed(), worth_of(follow(match, Passed()), match.turn))
    return max(found, key=in_points)


def mean(worths: Iterable[tuple[Worth, float]]) -> Worth:
    """Return the mean of worths, each with its probability."""
    win = points = 0.0
    for worth, chance in worths:
        win += chance * worth.win
        points += chance * worth.points
    return Worth(win, points)


def after(match: Match, event: Event) -> Match:
    """Return the match after something was done; of offered numbers, what is not played then is left."""
    done = follow(match, event)
    return follow(done, Left()) if match.phase is Phase.OFFER and done.phase is Phase.OFFER else done


def doer(match: Match, event: Event) -> Side:
    """Return the side that the player who does this now plays afterwards: who chooses a side changes to it."""
    match event:
        case Chosen(what, value) if what == SIDE.name:
            return Side(value)
    return match.turn


def _choices(match: Match) -> list[Event]:
    """List what may be chosen, or done with offered numbers."""
    if match.phase is Phase.OFFER:
        return [*(Played(play.moves) for play in match.plays), Left()]
    if match.phase is Phase.CHOOSE:
        return [Chosen(SIX, str(number)) for number in sorted(set(match.thrown))]
    return [Chosen(match.choice.name, value.name) for value in match.choice.values] if match.choice else []


def _battles(match: Match) -> list[Match]:
    """Return the match after each side won the roll battle, or the contest: both are equally likely."""
    high, low = (6,) * match.due_dice, (1,) * match.due_dice
    return [follow(match, Battled(high, low)), follow(match, Battled(low, high))]


def _of_plays(match: Match, plays: Sequence[Play]) -> list[Worth]:
    """Return what each play of the throw is worth to the side that makes it."""
    side = match.turn
    if not plays:
        return []
    thrower, _ = next_thrower(match)
    rows = standing(match.rules, [play.end for play in plays], thrower)
    worths = [of_row(row) if thrower is side else of_row(row).turned for row in rows]
    for at in special(match, plays):
        worths[at] = worth_of(follow(match, Played(plays[at].moves)), side)
    return worths
