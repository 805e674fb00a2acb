"""Whole games, compiled: a net learning against itself, and two players' games, counted."""

from lab.training.compiled import compiled
from lab.training.copying import copy_floats, copy_row
from lab.training.layout import (
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
    Floats,
    Ints,
    KernelData,
    ReplayBuffer,
    Row,
    TurnMemory,
)
from lab.training.nets import evaluate_row, update_net
from lab.training.turns import next_random, score_game, side_to_move, take_turn


@compiled
def start_game(t: Ints, start: Row, desk: TurnMemory) -> bool:
    """Set out the men and settle who begins.

    Returns whether the dice of the roll battle are the first throw.
    """
    nodes, book = desk.nodes, desk.book
    copy_row(start, 0, nodes, GAME)
    nodes[GAME + TURN] = t[BEGINS] if t[BEGINS] >= 0 else next_random(book) % 2
    if t[BATTLE_PLAYED] == 0:
        return False
    # The battle's dice differ. Adding one to five to the first number, modulo six, gives each of
    # the others equally often. Which side begins is drawn apart: it is either's as often.
    first = next_random(book) % 6
    book[DICE_THROWN] = first + 1
    book[DICE_THROWN + 1] = (first + 1 + next_random(book) % 5) % 6 + 1
    return True


@compiled
def write_end_shares(t: Ints, nodes: Row, side: int, targets: Floats, at: int) -> None:
    """What the game that has ended was worth to the side that threw last."""
    points = score_game(t, nodes, GAME, side)
    targets[at] = 1.0 if points > 0 else 0.0
    if nodes[GAME + OUTCOME] == DRAWN:
        targets[at] = 0.5
    if t[EXTRA] > 0:
        targets[at + 1] = max(points - 1, 0) / t[EXTRA]
        targets[at + 2] = max(-points - 1, 0) / t[EXTRA]


@compiled
def flip_shares(shares: Floats, at: int) -> None:
    """Write three shares as the other side sees them."""
    # One side's chance is the rest of the other's; what one wins beyond a point the other loses.
    won = shares[at + 1]
    shares[at] = 1 - shares[at]
    shares[at + 1] = shares[at + 2]
    shares[at + 2] = won


@compiled
def _mix_targets(values: Floats, targets: Floats, same: bool, trace: float) -> None:
    """Turn the next turn's target into this one's.

    The share `trace` is what came of it, the rest is what the net thought.
    """
    for output in range(OUTPUTS):
        targets[output] = trace * targets[output] + (1 - trace) * values[output]
    if not same:
        flip_shares(targets, 0)


@compiled
def play_game(
    known: KernelData, desk: TurnMemory, start: Row, kept: Row, first: int, most_turns: int
) -> int:
    """Play a game and keep every position before a throw, from `first` in `kept`.

    Returns how many turns it took.
    """
    thrown = start_game(known.table, start, desk)
    goes_on = True
    turns = 0
    while goes_on and turns < most_turns:
        copy_row(desk.nodes, GAME, kept, first + turns * ROW)
        goes_on = take_turn(known, desk, thrown)
        thrown = False
        turns += 1
    return turns


@compiled
def _learn_game(
    known: KernelData,
    floats: Floats,
    past: ReplayBuffer,
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
    # Each turn's target is made of the one after it, so the game is learnt from its end.
    for turn in range(turns - 1, -1, -1):
        row = first + turn * ROW
        view = side_to_move(kept, row)
        evaluate_row(t, g, nets, 0, kept, row, view, floats)
        if turn < turns - 1:
            _mix_targets(values, targets, view == side_to_move(kept, row + ROW), trace)
        elif ends[end] < 0:
            # A negative share marks a game that was broken off: nothing but the net says what it is
            # worth.
            copy_floats(floats, OUTPUTS_NOW, targets, 0, OUTPUTS)
        else:
            copy_floats(ends, end, targets, 0, OUTPUTS)
        # Kept before the net moves: the turn before is to learn from what the net thought here.
        copy_floats(floats, OUTPUTS_NOW, values, 0, OUTPUTS)
        update_net(t, nets, 0, kept, row, view, floats, targets, rate)


@compiled
def learn_by_self_play(
    known: KernelData,
    desk: TurnMemory,
    start: Row,
    past: ReplayBuffer,
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
        # The slots are a ring: the newest game takes the place of the oldest.
        slot = book[REMEMBERED] % room
        first = slot * most_turns * ROW
        turns = play_game(known, desk, start, kept, first, most_turns)
        lengths[slot] = turns
        ends[slot * OUTPUTS] = -1.0
        if nodes[GAME + OUTCOME] != GOING_ON:
            ended += 1
            write_end_shares(
                known.table,
                nodes,
                side_to_move(kept, first + (turns - 1) * ROW),
                ends,
                slot * OUTPUTS,
            )
        book[REMEMBERED] += 1
        for lesson in range(again + 1):
            # The first lesson is the game just played; only the others are drawn.
            if lesson > 0:
                slot = next_random(book) % min(book[REMEMBERED], room)
            _learn_game(known, desk.floats, past, slot, most_turns, values, targets, rate, trace)
    return ended


@compiled
def count_game(t: Ints, nodes: Row, book: Book, side: int, began: int, turns: int) -> None:
    """Count how a game ended, for the first player, who had that side, and for who `began`."""
    book[WON + 8] += turns
    book[WON + 9] += turns * turns
    if nodes[GAME + OUTCOME] == GOING_ON:
        book[WON + 3] += 1
        return
    points = score_game(t, nodes, GAME, side)
    if points > 0:
        book[WON] += 1
    elif points < 0:
        book[WON + 1] += 1
    else:
        book[WON + 2] += 1
    book[WON + 4] += points
    book[WON + 5] += points * points
    # The first player won (points > 0) with the side that began, or lost with the other: either way
    # the side that began has won, and is counted at 6; at 7 where it has lost.
    if points != 0:
        book[WON + 6 + ((points > 0) != (side == began))] += 1


@compiled
def play_games(
    known: KernelData,
    desk: TurnMemory,
    start: Row,
    first: int,
    second: int,
    games: int,
    most_turns: int,
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
        thrown = start_game(t, start, desk)
        began = side_to_move(nodes, GAME)
        turns = 0
        goes_on = True
        while goes_on and turns < most_turns:
            goes_on = take_turn(known, desk, thrown)
            thrown = False
            turns += 1
        count_game(t, nodes, book, side, began, turns)
