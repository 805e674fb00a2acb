"""The nets, compiled: evaluate a position or one a few men apart, and learn from a target.

A net is one flat line of floats: a line of hidden weights for each input, the bias, a line for each
output, and what is added to the outputs. `net` says where in `nets` it begins.
"""

import math

import numpy as np

from lab.training.compiled import compiled, compiled_floats
from lab.training.copying import copy_floats
from lab.training.greedy import write_features
from lab.training.layout import (
    EXTRA,
    FEATURE_COUNT,
    FEATURE_INPUT,
    FEATURES,
    FIRST_INPUT,
    HIDDEN,
    INPUTS,
    MAX_HIDDEN,
    MEMORY,
    MEMORY_INPUT,
    OUTPUTS,
    OUTPUTS_NOW,
    PLACES,
    REACH,
    SCALE,
    SIDES,
    SUMS_NOW,
    SUMS_OF,
    WIDTH,
    Floats,
    Ints,
    Row,
)
from lab.training.shots import write_reach

UNITS = 4
REMEMBERED = 3
ONE = np.float32(1)
"""A float among floats: with a whole number or a double the sums would be twice as slow."""


@compiled
def _compute_slot_input(count: int, unit: int) -> float:
    """Return an input of a slot: at least one man, two or three, or half of each beyond three."""
    if unit < UNITS - 1:
        return 1.0 if count > unit else 0.0
    return 0.5 * (count - 3) if count > 3 else 0.0


@compiled
def get_hits(memory: int, side: int) -> int:
    """The men that a side has hit behind a blockade, as far as they are remembered."""
    return memory // 8 if side == 0 else memory % 8


@compiled_floats
def _add_line(nets: Floats, line: int, hidden: int, floats: Floats, at: int, times: float) -> None:
    scale = np.float32(times)
    there = np.uintp(at)
    here = np.uintp(line)
    for unit in range(np.uintp(hidden)):
        floats[there + unit] += scale * nets[here + unit]


@compiled
def _add_slot_change(
    t: Ints, nets: Floats, net: int, floats: Floats, at: int, first: int, before: int, after: int
) -> None:
    """Add what the inputs of one slot change by when its men do."""
    hidden = t[HIDDEN]
    for unit in range(UNITS):
        change = _compute_slot_input(after, unit) - _compute_slot_input(before, unit)
        if change != 0.0:
            _add_line(nets, net + (first + unit) * hidden, hidden, floats, at, change)


@compiled
def _add_memory_change(
    t: Ints, nets: Floats, net: int, floats: Floats, at: int, view: int, before: int, after: int
) -> None:
    hidden = t[HIDDEN]
    for who in range(SIDES):
        side = view if who == 0 else 1 - view
        for least in range(REMEMBERED):
            change = (get_hits(after, side) > least) - (get_hits(before, side) > least)
            if change != 0:
                line = t[MEMORY_INPUT] + who * REMEMBERED + least
                _add_line(nets, net + line * hidden, hidden, floats, at, change)


@compiled
def write_sums(
    t: Ints, nets: Floats, net: int, nodes: Row, row: int, view: int, floats: Floats, at: int
) -> None:
    """Write the hidden units' sums for a position seen by side `view`, without what is weighed."""
    hidden = t[HIDDEN]
    # The line after those of the inputs is the bias.
    copy_floats(nets, net + t[INPUTS] * hidden, floats, at, hidden)
    for side in range(SIDES):
        firsts = FIRST_INPUT + (view * SIDES + side) * PLACES
        for place in range(t[WIDTH]):
            count = nodes[row + side * PLACES + place]
            if count > 0 and t[firsts + place] >= 0:
                _add_slot_change(t, nets, net, floats, at, t[firsts + place], 0, count)
    if t[MEMORY_INPUT] >= 0:
        _add_memory_change(t, nets, net, floats, at, view, 0, nodes[row + MEMORY])


@compiled
def add_features(
    t: Ints,
    g: Floats,
    nets: Floats,
    net: int,
    nodes: Row,
    row: int,
    view: int,
    floats: Floats,
    at: int,
) -> None:
    """Add what is weighed to the hidden units' sums; its inputs are kept beside them."""
    write_features(t, g, nodes, row, view, floats)
    write_reach(t, g, nodes, row, view, floats, FEATURES + REACH)
    for which in range(FEATURE_COUNT):
        floats[FEATURES + which] *= g[SCALE + which]
        if floats[FEATURES + which] == 0:
            continue
        line = net + (t[FEATURE_INPUT] + which) * t[HIDDEN]
        _add_line(nets, line, t[HIDDEN], floats, at, floats[FEATURES + which])


@compiled
def _shift_sums(
    t: Ints,
    nets: Floats,
    net: int,
    base: Row,
    base_row: int,
    nodes: Row,
    row: int,
    view: int,
    floats: Floats,
) -> None:
    """Write the hidden units' sums for a position, from those of one a few men apart."""
    copy_floats(floats, SUMS_OF + view * MAX_HIDDEN, floats, SUMS_NOW, t[HIDDEN])
    for side in range(SIDES):
        firsts = FIRST_INPUT + (view * SIDES + side) * PLACES
        for place in range(t[WIDTH]):
            before = base[base_row + side * PLACES + place]
            after = nodes[row + side * PLACES + place]
            if before != after and t[firsts + place] >= 0:
                _add_slot_change(t, nets, net, floats, SUMS_NOW, t[firsts + place], before, after)
    if t[MEMORY_INPUT] >= 0:
        _add_memory_change(
            t, nets, net, floats, SUMS_NOW, view, base[base_row + MEMORY], nodes[row + MEMORY]
        )


@compiled_floats
def _sigmoid(total: float) -> float:
    return 1 / (1 + math.exp(-total))


@compiled_floats
def _write_win_output(t: Ints, nets: Floats, net: int, floats: Floats, at: int) -> None:
    """Leave the first output, from what enters the hidden units."""
    hidden = t[HIDDEN]
    line = net + (t[INPUTS] + 1) * hidden
    win = nets[line + OUTPUTS * hidden]
    there = np.uintp(at)
    here = np.uintp(line)
    for unit in range(np.uintp(hidden)):
        entering = floats[there + unit]
        win += nets[here + unit] * (entering / (ONE + abs(entering)))
    # The other outputs keep old values, which `compute_equity` leaves out where a game has no
    # extra.
    floats[OUTPUTS_NOW] = _sigmoid(win)


@compiled_floats
def _write_outputs(t: Ints, nets: Floats, net: int, floats: Floats, at: int) -> None:
    """Leave all three, in one pass through the hidden units."""
    hidden = t[HIDDEN]
    line = net + (t[INPUTS] + 1) * hidden
    offset = line + OUTPUTS * hidden
    win, won, lost = nets[offset], nets[offset + 1], nets[offset + 2]
    there = np.uintp(at)
    of_win = np.uintp(line)
    of_won = np.uintp(line + hidden)
    of_lost = np.uintp(line + 2 * hidden)
    for unit in range(np.uintp(hidden)):
        entering = floats[there + unit]
        leaving = entering / (ONE + abs(entering))
        win += nets[of_win + unit] * leaving
        won += nets[of_won + unit] * leaving
        lost += nets[of_lost + unit] * leaving
    floats[OUTPUTS_NOW] = _sigmoid(win)
    floats[OUTPUTS_NOW + 1] = _sigmoid(won)
    floats[OUTPUTS_NOW + 2] = _sigmoid(lost)


@compiled
def compute_equity(t: Ints, nets: Floats, net: int, floats: Floats, at: int) -> float:
    """Return the points that a side may expect, from the hidden units' sums.

    The outputs are kept beside them.
    """
    if t[EXTRA] == 0:
        _write_win_output(t, nets, net, floats, at)
        return 2 * floats[OUTPUTS_NOW] - 1
    _write_outputs(t, nets, net, floats, at)
    return (
        2 * floats[OUTPUTS_NOW] - 1 + t[EXTRA] * (floats[OUTPUTS_NOW + 1] - floats[OUTPUTS_NOW + 2])
    )


@compiled
def compute_equity_from_base(
    t: Ints,
    g: Floats,
    nets: Floats,
    net: int,
    base: Row,
    base_row: int,
    nodes: Row,
    row: int,
    view: int,
    floats: Floats,
) -> float:
    """Return the points that side `view` may expect if it throws next.

    They come from the sums of another position.
    """
    _shift_sums(t, nets, net, base, base_row, nodes, row, view, floats)
    add_features(t, g, nets, net, nodes, row, view, floats, SUMS_NOW)
    return compute_equity(t, nets, net, floats, SUMS_NOW)


@compiled_floats
def _update_output(
    t: Ints, nets: Floats, net: int, floats: Floats, output: int, error: float, slopes: int
) -> None:
    """Move one output's weights towards its target, and add up the hidden units' gradients."""
    hidden = t[HIDDEN]
    line = net + (t[INPUTS] + 1 + output) * hidden
    step = np.float32(error)
    now = np.uintp(SUMS_NOW)
    here = np.uintp(line)
    there = np.uintp(slopes)
    for unit in range(np.uintp(hidden)):
        entering = floats[now + unit]
        spread = ONE + abs(entering)
        # The hidden unit's slope is taken before the weight moves, and must not see it moved.
        floats[there + unit] += step * nets[here + unit] / (spread * spread)
        nets[here + unit] += step * entering / spread
    nets[net + (t[INPUTS] + 1 + OUTPUTS) * hidden + output] += error


@compiled_floats
def _update_line(
    nets: Floats, line: int, hidden: int, floats: Floats, slopes: int, times: float
) -> None:
    scale = np.float32(times)
    here = np.uintp(line)
    there = np.uintp(slopes)
    for unit in range(np.uintp(hidden)):
        nets[here + unit] += scale * floats[there + unit]


@compiled
def _update_first_layer(
    t: Ints, nets: Floats, net: int, nodes: Row, row: int, view: int, floats: Floats, slopes: int
) -> None:
    """Move the first layer's weights by what the hidden units ask."""
    hidden = t[HIDDEN]
    # The bias is an input that is always one.
    _update_line(nets, net + t[INPUTS] * hidden, hidden, floats, slopes, 1.0)
    for side in range(SIDES):
        firsts = FIRST_INPUT + (view * SIDES + side) * PLACES
        for place in range(t[WIDTH]):
            count = nodes[row + side * PLACES + place]
            if count > 0 and t[firsts + place] >= 0:
                for unit in range(UNITS):
                    if _compute_slot_input(count, unit) > 0:
                        line = net + (t[firsts + place] + unit) * hidden
                        _update_line(
                            nets, line, hidden, floats, slopes, _compute_slot_input(count, unit)
                        )
    for which in range(FEATURE_COUNT):
        line = net + (t[FEATURE_INPUT] + which) * hidden
        _update_line(nets, line, hidden, floats, slopes, floats[FEATURES + which])
    if t[MEMORY_INPUT] >= 0:
        for who in range(SIDES):
            for least in range(
                min(REMEMBERED, get_hits(nodes[row + MEMORY], view if who == 0 else 1 - view))
            ):
                line = net + (t[MEMORY_INPUT] + who * REMEMBERED + least) * hidden
                _update_line(nets, line, hidden, floats, slopes, 1.0)


@compiled
def evaluate_row(
    t: Ints, g: Floats, nets: Floats, net: int, nodes: Row, row: int, view: int, floats: Floats
) -> None:
    """Leave a net's evaluation of a position in the outputs, with the hidden units' sums before."""
    write_sums(t, nets, net, nodes, row, view, floats, SUMS_NOW)
    add_features(t, g, nets, net, nodes, row, view, floats, SUMS_NOW)
    compute_equity(t, nets, net, floats, SUMS_NOW)


@compiled
def update_net(
    t: Ints,
    nets: Floats,
    net: int,
    nodes: Row,
    row: int,
    view: int,
    floats: Floats,
    targets: Floats,
    rate: float,
) -> None:
    """Move a net towards the evaluation that a position, just evaluated, turned out to have.

    It is the evaluation for the side that threw: three shares.
    """
    # Nobody needs the sums of a turn while the net learns, so their room holds the gradients.
    for unit in range(t[HIDDEN]):
        floats[SUMS_OF + unit] = 0.0
    for output in range(OUTPUTS if t[EXTRA] > 0 else 1):
        # With cross entropy the sigmoid's slope cancels: the plain difference is the gradient.
        error = rate * (targets[output] - floats[OUTPUTS_NOW + output])
        _update_output(t, nets, net, floats, output, error, SUMS_OF)
    _update_first_layer(t, nets, net, nodes, row, view, floats, SUMS_OF)
