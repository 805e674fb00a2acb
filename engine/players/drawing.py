"""Whether a computer player accepts a draw: never where it judges its own side to be ahead."""

from engine.match import Match, Phase
from engine.players.ahead import deepen_prospects, evaluate_one_ply
from engine.players.prospects import evaluate_match, list_prospects
from engine.players.standing import has_own_net
from engine.players.worth import Evaluation
from engine.position import Side

EVEN_CHANCE = 0.5
"""The chance to win of who stands no better and no worse."""

DOUBT_MARGIN = 0.1
"""How much worse off a side must seem, in chances and in points, where no net knows that game."""


def is_draw_acceptable(match: Match, side: Side) -> bool:
    """Return whether that side should accept a draw now.

    A draw counts half a win and no points, whatever was at stake. Every level judges with care
    here, however it plays: one throw ahead. Rules of thumb err, and so does a net about options
    that it has not learnt; those take a draw only where they see themselves clearly worse.
    """
    doubt = 0.0 if has_own_net(match.rules) else DOUBT_MARGIN
    worth = _evaluate_for_side(match, side)
    return worth.win <= EVEN_CHANCE - doubt and worth.points <= -doubt


def _evaluate_for_side(match: Match, side: Side) -> Evaluation:
    if match.phase in (Phase.THROW, Phase.CONTEST):
        return evaluate_one_ply(match, side)
    found = deepen_prospects(match, list_prospects(match))
    worth = found[0].worth if found else evaluate_match(match, match.turn)
    return worth if match.turn is side else worth.opposite
