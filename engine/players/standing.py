"""What positions are worth before a throw, many at once: by a game's net where it has one, else by greedy's eye."""

import numpy as np

from engine.players import greedy
from engine.players.boards import Boards
from engine.players.nets import net_for
from engine.players.seen import seen
from engine.players.worth import Worths
from engine.position import Side
from engine.rules import Rules


def trained(rules: Rules) -> bool:
    """Whether a net judges this game with these options; where none does, greedy's judgement stands in."""
    return net_for(rules) is not None


def standing(rules: Rules, before: Boards, thrower: Side) -> Worths:
    """Return what positions are worth to the side that throws next, whoever is to move in them: a row each."""
    net = net_for(rules)
    if net is None:
        return greedy.judge(rules, thrower, before.men(thrower), before.men(thrower.other))
    judged = net.evaluate(seen(rules, before, thrower))
    return np.stack((judged.win, judged.points), axis=1).astype(np.float64)
