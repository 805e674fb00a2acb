"""Whether a computer player accepts a draw: never where it judges its own side to be ahead."""

from engine.match import Match, Phase
from engine.players.ahead import ahead, deepened
from engine.players.prospects import prospects, worth_of
from engine.players.standing import learnt
from engine.players.worth import Worth
from engine.position import Side

EVEN = 0.5
"""The chance to win of who stands no better and no worse."""

DOUBT = 0.1
"""How much worse off a side must seem, in chances and in points, where no net knows that game."""


def accepts(match: Match, side: Side) -> bool:
    """Return whether that side should accept a draw now.

    A draw counts half a win and no points, whatever was at stake. Every level judges with care
    here, however it plays: one throw ahead. Rules of thumb err, and so does a net about options
    that it has not learnt; those take a draw only where they see themselves clearly worse.
    """
    doubt = 0.0 if learnt(match.rules) else DOUBT
    worth = _judged(match, side)
    return worth.win <= EVEN - doubt and worth.points <= -doubt


def _judged(match: Match, side: Side) -> Worth:
    if match.phase in (Phase.THROW, Phase.CONTEST):
        return ahead(match, side)
    found = deepened(match, prospects(match))
    worth = found[0].worth if found else worth_of(match, match.turn)
    return worth if match.turn is side else worth.turned
