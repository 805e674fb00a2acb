"""Evaluate many positions before a throw: by a game's net, or greedily where it has none."""

import numpy as np

from engine.players import greedy
from engine.players.boards import Boards
from engine.players.known import setting_of
from engine.players.nets import net_for
from engine.players.seen import seen
from engine.players.worths import Worths
from engine.position import Side
from engine.rules import Rules


def learnt(rules: Rules) -> bool:
    """Whether the net that judges these rules was made for just them.

    Of other options it may misjudge what it has seldom met, such as ad fallum; and where there is
    no net, greedy's judgement stands in.
    """
    net = net_for(rules)
    return (
        net is not None and setting_of(rules)[0].rules_with(net.facts.get("options", {})) == rules
    )


def standing(rules: Rules, before: Boards, thrower: Side) -> Worths:
    """Return the worth of positions to the side that throws next, one row each.

    Which side is to move in them makes no difference.
    """
    net = net_for(rules)
    if net is None:
        return greedy.judge(rules, thrower, before.men(thrower), before.men(thrower.other))
    judged = net.evaluate(seen(rules, before, thrower))
    return np.stack((judged.win, judged.points), axis=1).astype(np.float64)
