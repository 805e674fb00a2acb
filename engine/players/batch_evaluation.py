"""Evaluate many positions before a throw: exactly, by a game's net, or greedily without one."""

from collections.abc import Callable
from typing import TypeAlias

from engine.players import greedy
from engine.players.boards import Boards
from engine.players.evaluation_rows import EXACT, EvaluationRows, build_rows
from engine.players.exact import get_ending_table, get_table
from engine.players.input_arrays import build_inputs
from engine.players.nets import get_net
from engine.players.variants import identify_setting
from engine.position import Side
from engine.rules import Rules


def has_own_net(rules: Rules) -> bool:
    """Whether the net that judges these rules was made for just them.

    Of other options it may misjudge what it has seldom met, such as ad fallum; and where there is
    no net, greedy's judgement stands in.
    """
    net = get_net(rules)
    return (
        net is not None
        and identify_setting(rules)[0].resolve_rules(net.facts.get("options", {})) == rules
    )


def evaluate_by_net(rules: Rules, before: Boards, thrower: Side) -> EvaluationRows:
    """Return the estimates of positions for the side that throws next, one row each.

    Which side is to move in them makes no difference.
    """
    net = get_net(rules)
    if net is None:
        return greedy.evaluate_positions(
            rules, thrower, before.men(thrower), before.men(thrower.other)
        )
    judged = net.evaluate(build_inputs(rules, before, thrower))
    return build_rows(judged.win, judged.points)


def evaluate_positions(rules: Rules, before: Boards, thrower: Side) -> EvaluationRows:
    """Return the same, but exact where a table has the position."""
    table = get_table(rules) or get_ending_table(rules)
    if table is None:
        return evaluate_by_net(rules, before, thrower)
    rows = table.evaluate(thrower, before.men(thrower), before.men(thrower.other))
    unknown = rows[:, EXACT] == 0
    if unknown.any():
        others = Boards(*(part[unknown] for part in before))
        rows[unknown] = evaluate_by_net(rules, others, thrower)
    return rows


Judge: TypeAlias = Callable[[Rules, Boards, Side], EvaluationRows]
"""Evaluates positions before a throw, as these two do."""
