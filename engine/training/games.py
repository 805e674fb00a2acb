"""Whole games, compiled: a net learning against itself, and two players' games, counted."""

from engine.training.compiled import compiled
from engine.training.copying import copy_floats, copy_row
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
    REMEMBERED,
    ROW,
    TURN,
    WON,
    Book,
    Desk,
    Floats,
    Ints,
    Known,
    Past,
    Row,
)
from engine.training.nets import judge, learn
from engine.training.turns import chance, result, take_turn, to_move


@compiled
def begin(t: Ints, start: Row, desk: Desk) -> bool:
    """Set out the men and settle who begins.

    Returns whether the dice of the roll battle are the first throw.
    """
    nodes, book = desk.nodes, desk.book
    copy_row(start, 0, nodes, GAME)
    nodes[GAME + TURN] = t[BEGINS] if t[BEGINS] >= 0 else chance(book) % 2
    if t[BATTLE_PLAYED] == 0:
        return False
    first = chance(book) % 6
    book[DICE_THROWN] = first + 1
    book[DICE_THROWN + 1] = (first + 1 + chance(book) % 5) % 6 + 1
    return True


@compiled
def end_shares(t: Ints, nodes: Row, side: int, targets: Floats, at: int) -> None:
    """What the game that has ended was worth to the side that threw last."""
    worth = result(t, nodes, GAME, side)
    targets[at] = 1.0 if worth > 0 else 0.0
    if nodes[GAME + OUTCOME] == DRAWN:
        targets[at] = 0.5
    if t[EXTRA] > 0:
        targets[at + 1] = max(worth - 1, 0) / t[EXTRA]
        targets[at + 2] = max(-worth - 1, 0) / t[EXTRA]


@compiled
def turn_round(shares: Floats, at: int) -> None:
    """Write three shares as the other side sees them."""
    won = shares[at + 1]
    shares[at] = 1 - shares[at]
    shares[at + 1] = shares[at + 2]
    shares[at + 2] = won


@compiled
def _mix(values: Floats, targets: Floats, same: bool, trace: float) -> None:
    """Turn the next turn's target into this one's.

    The share `trace` is what came of it, the rest is what the net thought.
    """
    for output in range(OUTPUTS):
        targets[output] = trace * targets[output] + (1 - trace) * values[output]
    if not same:
        turn_round(targets, 0)


@compiled
def play(known: Known, desk: Desk, start: Row, kept: Row, first: int, most_turns: int) -> int:
    """Play a game and keep every position before a throw, from `first` in `kept`.

    Returns how many turns it took.
    """
    thrown = begin(known.table, start, desk)
    goes_on = True
    turns = 0
    while goes_on and turns < most_turns:
        copy_row(desk.nodes, GAME, kept, first + turns * ROW)
        goes_on = take_turn(known, desk, thrown)
        thrown = False
        turns += 1
    return turns


@compiled
def _learn_all(
    known: Known,
    floats: Floats,
    past: Past,
    slot: int,
    most_turns: int,
    values: Floats,
    targets: Floats,
    rate: float,
    trace: float,
) -> None:
    """Learn from a remembered game, from its end to its beginning, by what the net thinks now."""
    t, g, nets = known
    kept, lengths, ends = past
    turns = lengths[slot]
    first = slot * most_turns * ROW
    end = slot * OUTPUTS
    for turn in range(turns - 1, -1, -1):
        row = first + turn * ROW
        view = to_move(kept, row)
        judge(t, g, nets, 0, kept, row, view, floats)
        if turn < turns - 1:
            _mix(values, targets, view == to_move(kept, row + ROW), trace)
        elif ends[end] < 0:
            copy_floats(floats, OUTPUTS_NOW, targets, 0, OUTPUTS)
        else:
            copy_floats(ends, end, targets, 0, OUTPUTS)
        copy_floats(floats, OUTPUTS_NOW, values, 0, OUTPUTS)
        learn(t, nets, 0, kept, row, view, floats, targets, rate)


@compiled
def teach(
    known: Known,
    desk: Desk,
    start: Row,
    past: Past,
    values: Floats,
    targets: Floats,
    games: int,
    most_turns: int,
    again: int,
    rate: float,
    trace: float,
) -> int:
    """Let the first net learn from so many games played by the book's policies.

    Returns how many came to an end. After each game every position before a throw is moved towards
    a mix of what came of it and of what the net thinks of the next one, computed backwards; so are
    those of as many games before as `again` says, drawn from the last that `past` has room for.
    `values` and `targets` have room for three outputs. A game of more turns than `most_turns` is
    broken off: its last positions are worth what the net thinks.
    """
    nodes, book = desk.nodes, desk.book
    kept, lengths, ends = past
    ended = 0
    room = len(lengths)
    for _ in range(games):
        slot = book[REMEMBERED] % room
        first = slot * most_turns * ROW
        turns = play(known, desk, start, kept, first, most_turns)
        lengths[slot] = turns
        ends[slot * OUTPUTS] = -1.0
        if nodes[GAME + OUTCOME] != GOING_ON:
            ended += 1
            end_shares(
                known.table, nodes, to_move(kept, first + (turns - 1) * ROW), ends, slot * OUTPUTS
            )
        book[REMEMBERED] += 1
        for lesson in range(again + 1):
            if lesson > 0:
                slot = chance(book) % min(book[REMEMBERED], room)
            _learn_all(known, desk.floats, past, slot, most_turns, values, targets, rate, trace)
    return ended


@compiled
def count_game(t: Ints, nodes: Row, book: Book, side: int, began: int, turns: int) -> None:
    """Count how a game ended, for the first player, who had that side, and for who `began`."""
    book[WON + 8] += turns
    book[WON + 9] += turns * turns
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
    if worth != 0:
        book[WON + 6 + ((worth > 0) != (side == began))] += 1


@compiled
def meet(
    known: Known, desk: Desk, start: Row, first: int, second: int, games: int, most_turns: int
) -> None:
    """Let two players, each a policy, meet in so many games, swapping sides after each.

    The book counts how the games end. The first player's net is at the start of `nets`, the
    second's behind it.
    """
    t, nodes, book = known.table, desk.nodes, desk.book
    for game in range(games):
        side = game % 2
        book[POLICY + side] = first
        book[POLICY + 1 - side] = second
        book[NET_AT + side] = 0
        book[NET_AT + 1 - side] = t[NET_SIZE]
        thrown = begin(t, start, desk)
        began = to_move(nodes, GAME)
        turns = 0
        goes_on = True
        while goes_on and turns < most_turns:
            goes_on = take_turn(known, desk, thrown)
            thrown = False
            turns += 1
        count_game(t, nodes, book, side, began, turns)
