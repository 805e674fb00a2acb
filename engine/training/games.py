"""Whole games, compiled: a net against itself, learning; and two players against each other, counted."""

from engine.training.compiled import compiled
from engine.training.copying import copy_row
from engine.training.layout import (
    BATTLE_PLAYED,
    BEGINS,
    DICE_THROWN,
    DRAWN,
    EXTRA,
    GAME,
    GOING_ON,
    NET_AT,
    NET_SIZE,
    OUTCOME,
    OUTPUTS,
    OUTPUTS_NOW,
    POLICY,
    ROW,
    SUMS_NOW,
    TURN,
    WON,
    Book,
    Floats,
    Ints,
    Row,
)
from engine.training.nets import equity, learn, sum_up
from engine.training.turns import chance, result, take_turn, to_move


@compiled
def begin(t: Ints, start: Row, nodes: Row, book: Book) -> bool:
    """Set out the men and settle who begins; returns whether the dice of the roll battle are the first throw."""
    copy_row(start, 0, nodes, GAME)
    nodes[GAME + TURN] = t[BEGINS] if t[BEGINS] >= 0 else chance(book) % 2
    if t[BATTLE_PLAYED] == 0:
        return False
    first = chance(book) % 6
    book[DICE_THROWN] = first + 1
    book[DICE_THROWN + 1] = (first + 1 + chance(book) % 5) % 6 + 1
    return True


@compiled
def _note(t: Ints, nets: Floats, nodes: Row, floats: Floats, kept: Row, values: Floats, turn: int) -> None:
    """Keep the position before a throw and what the net thinks of it."""
    copy_row(nodes, GAME, kept, turn * ROW)
    sum_up(t, nets, 0, nodes, GAME, to_move(nodes, GAME), floats, SUMS_NOW)
    equity(t, nets, 0, floats, SUMS_NOW)
    for output in range(OUTPUTS):
        values[turn * OUTPUTS + output] = floats[OUTPUTS_NOW + output]


@compiled
def _last_target(t: Ints, nodes: Row, side: int, targets: Floats, at: int) -> None:
    """What the game that has ended was worth to the side that threw last."""
    worth = result(t, nodes, GAME, side)
    targets[at] = 1.0 if worth > 0 else 0.0
    if nodes[GAME + OUTCOME] == DRAWN:
        targets[at] = 0.5
    if t[EXTRA] > 0:
        targets[at + 1] = max(worth - 1, 0) / t[EXTRA]
        targets[at + 2] = max(-worth - 1, 0) / t[EXTRA]


@compiled
def _mix(values: Floats, targets: Floats, turn: int, same: bool, trace: float) -> None:
    """Make a turn's target of the next turn's: so much of what came of it, the rest of what the net thought then."""
    here = turn * OUTPUTS
    there = here + OUTPUTS
    for output in range(OUTPUTS):
        mixed = trace * targets[there + output] + (1 - trace) * values[there + output]
        if same:
            targets[here + output] = mixed
        elif output == 0:
            targets[here] = 1 - mixed
        else:
            targets[here + OUTPUTS - output] = mixed


@compiled
def _learn_all(
    t: Ints,
    nets: Floats,
    floats: Floats,
    kept: Row,
    values: Floats,
    targets: Floats,
    turns: int,
    rate: float,
    trace: float,
) -> None:
    for turn in range(turns - 1, -1, -1):
        row = turn * ROW
        if turn < turns - 1:
            _mix(values, targets, turn, kept[row + TURN] == kept[row + ROW + TURN], trace)
        learn(t, nets, 0, kept, row, to_move(kept, row), floats, targets, turn * OUTPUTS, rate)


@compiled
def teach(
    t: Ints,
    g: Floats,
    nets: Floats,
    start: Row,
    nodes: Row,
    book: Book,
    other: Row,
    other_book: Book,
    floats: Floats,
    kept: Row,
    values: Floats,
    targets: Floats,
    games: int,
    most_turns: int,
    rate: float,
    trace: float,
) -> int:
    """Let the first net learn from so many games played by `book`'s policies; returns how many came to an end.

    After each game every position before a throw is moved towards a mix of what came of it and of what the net thought
    of the next one, computed backwards. A game of more turns than `most_turns` is broken off: its last positions are
    worth what the net thinks.
    """
    ended = 0
    for _ in range(games):
        thrown = begin(t, start, nodes, book)
        goes_on = True
        turns = 0
        while goes_on and turns < most_turns:
            _note(t, nets, nodes, floats, kept, values, turns)
            goes_on = take_turn(t, g, nets, nodes, book, other, other_book, thrown, floats)
            thrown = False
            turns += 1
        last = turns - 1
        if goes_on:
            for output in range(OUTPUTS):
                targets[last * OUTPUTS + output] = values[last * OUTPUTS + output]
        else:
            ended += 1
            _last_target(t, nodes, to_move(kept, last * ROW), targets, last * OUTPUTS)
        _learn_all(t, nets, floats, kept, values, targets, turns, rate, trace)
    return ended


@compiled
def _count(t: Ints, nodes: Row, book: Book, side: int) -> None:
    """Count how a game ended for the first player, who had that side."""
    if nodes[GAME + OUTCOME] == GOING_ON:
        book[WON + 3] += 1
        return
    worth = result(t, nodes, GAME, side)
    if worth > 0:
        book[WON] += 1
    elif worth < 0:
        book[WON + 1] += 1
    else:
        book[WON + 2] += 1
    book[WON + 4] += worth
    book[WON + 5] += worth * worth


@compiled
def meet(
    t: Ints,
    g: Floats,
    nets: Floats,
    start: Row,
    nodes: Row,
    book: Book,
    other: Row,
    other_book: Book,
    floats: Floats,
    first: int,
    second: int,
    games: int,
    most_turns: int,
) -> None:
    """Let two players, each a policy, meet in so many games, changing sides after each; `book` counts how they end.

    The net of the first begins at nought in `nets`, that of the second behind it.
    """
    for game in range(games):
        side = game % 2
        book[POLICY + side] = first
        book[POLICY + 1 - side] = second
        book[NET_AT + side] = 0
        book[NET_AT + 1 - side] = t[NET_SIZE]
        thrown = begin(t, start, nodes, book)
        turns = 0
        while take_turn(t, g, nets, nodes, book, other, other_book, thrown, floats) and turns < most_turns:
            thrown = False
            turns += 1
        _count(t, nodes, book, side)
