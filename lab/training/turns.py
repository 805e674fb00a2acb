"""The turn machine, compiled: throw, choose, play, offer, then the next throw.

It works as `engine.match` does.

The game stands in the row `GAME` of a desk's `nodes`; `other` and `other_book` are for the search
of what is offered to the other side. How each side chooses, and where its net begins, stand in
`book`.
"""

import numpy as np

from lab.training.compiled import compiled, compiled_inline
from lab.training.copying import copy_row
from lab.training.endings import count_points
from lab.training.greedy import compute_greedy_equity
from lab.training.layout import (
    AGAIN,
    ANY_PAIR,
    AT_RANDOM,
    BAN_CLOSED,
    BLACK_WON,
    BOTH_STUCK,
    BOUND_POINTS,
    BOUND_TABLES,
    BY_NET,
    CHOICES,
    CHOSEN_FROM,
    COUNTS,
    DICE,
    DICE_THROWN,
    DOUBLE,
    DRAWN,
    ENDS,
    FALLEN,
    FALLS_WHOLE,
    FIXED,
    FIXED_COUNT,
    GAME,
    GOING_ON,
    GOLD_WON,
    GREEDILY,
    HOME,
    HOW,
    IDLE,
    KEEP,
    KEPT,
    KEPT_COUNT,
    KEPT_WORTH,
    LEFT,
    LEFT_COUNT,
    MAX_HIDDEN,
    MEMORY,
    MEN_ENTERED,
    MEN_HIT,
    NAMED,
    NET_AT,
    OFF,
    OFFERED,
    OUTCOME,
    PASSED,
    PLACED,
    PLACES,
    PLAYER,
    PLAYERS,
    POINTS_BROKEN,
    POLICY,
    PRESUMED,
    RANDOM,
    REMEMBERS,
    ROW,
    SUMS_OF,
    THIRD,
    THIRD_MAJORET,
    THIRD_MINORET,
    THROWS,
    TURN,
    TWICE,
    UNUSABLE,
    UNUSABLE_LOSES,
    UNUSABLE_LOST,
    UNUSABLE_OPPONENT,
    USED,
    USES,
    WIDTH,
    Book,
    Ints,
    KernelData,
    Row,
    TurnMemory,
)
from lab.training.moves import WALL, count_waiting, is_stuck
from lab.training.nets import compute_equity_from_base, write_sums
from lab.training.search import can_move, search_plays

LOWEST = -1.0e9
PRIME = 6364136223846793005
STEP = 1442695040888963407
MIX = 0x2545F4914F6CDD1D


@compiled_inline
def next_random(book: Book) -> int:
    """The next of a row of random whole numbers, from 0 to 2 ** 31 - 1."""
    # A linear congruential generator with Knuth's constants for 64 bits, whose overflow is meant.
    book[RANDOM] = book[RANDOM] * PRIME + STEP
    mixed = book[RANDOM]
    # Its low bits follow short cycles, so high bits are mixed in. The mask cuts off the sign bits
    # that shifting a negative number brings in.
    mixed = (mixed ^ (mixed >> 32 & 0xFFFFFFFF)) * MIX
    return mixed >> 29 & 0x7FFFFFFF


@compiled
def throw_dice(t: Ints, book: Book) -> None:
    """Throw the game's dice."""
    for die in range(t[DICE]):
        book[DICE_THROWN + die] = next_random(book) % 6 + 1


@compiled_inline
def count_dice_showing(t: Ints, book: Book, number: int) -> int:
    """How many dice show that number."""
    count = 0
    for die in range(t[DICE]):
        count += book[DICE_THROWN + die] == number
    return count


@compiled
def is_double(t: Ints, book: Book) -> bool:
    """Whether the throw counts as doubles."""
    kinds = 0
    for number in range(1, 7):
        kinds += count_dice_showing(t, book, number) > 0
    return kinds < t[DICE] if t[ANY_PAIR] > 0 else kinds == 1 < t[DICE]


@compiled
def _write_numbers(t: Ints, book: Book, nodes: Row, row: int) -> None:
    """Write into a row the numbers that the throw gives to play."""
    twice = t[TWICE] > 0 and is_double(t, book)
    highest = 0
    lowest = 7
    for number in range(1, 7):
        count = count_dice_showing(t, book, number)
        if count > 0:
            highest = number
            lowest = min(lowest, number)
        nodes[row + LEFT + number] = 2 * count if twice and count > 1 else count
    for at in range(t[FIXED_COUNT]):
        nodes[row + LEFT + t[FIXED + at]] += 1
    if t[THIRD] == THIRD_MAJORET:
        nodes[row + LEFT + highest] += 1
    elif t[THIRD] == THIRD_MINORET:
        nodes[row + LEFT + lowest] += 1
    total = 0
    for number in range(1, 7):
        total += nodes[row + LEFT + number]
    nodes[row + LEFT_COUNT] = total


@compiled_inline
def side_to_move(nodes: Row, row: int) -> int:
    """Return the side to move as a whole machine word.

    So every function is compiled for one kind of number only.
    """
    return nodes[row + TURN] + 0


@compiled
def next_thrower(t: Ints, nodes: Row, row: int, double: bool) -> int:
    """Return the side that throws after this turn.

    It is the same side after doubles that throw again, or while its team goes on.
    """
    side = side_to_move(nodes, row)
    if t[AGAIN] > 0 and double:
        return side
    return side if nodes[row + PLAYER] + 1 < t[PLAYERS] else 1 - side


@compiled
def score_game(t: Ints, nodes: Row, row: int, side: int) -> int:
    """The points that a game which has ended brings a side."""
    outcome = nodes[row + OUTCOME]
    if outcome == DRAWN:
        return 0
    return count_points(t, nodes, row) if outcome == side + 1 else -count_points(t, nodes, row)


@compiled
def evaluate_position(
    known: KernelData, desk: TurnMemory, nodes: Row, row: int, who: int, view: int
) -> float:
    """Evaluate a position for side `who`, by its own judgement, where `view` throws next."""
    t, g, nets = known
    book, floats = desk.book, desk.floats
    policy = book[POLICY + who]
    # Whichever end is given the highest number is chosen, so each is as likely as any other.
    if policy == AT_RANDOM:
        return float(next_random(book))
    if policy == GREEDILY:
        value = compute_greedy_equity(t, g, nodes, row, view, floats)
    else:
        value = compute_equity_from_base(
            t, g, nets, book[NET_AT + who], desk.nodes, GAME, nodes, row, view, floats
        )
    return value if view == who else -value


@compiled
def write_offer(t: Ints, nodes: Row, row: int, other: Row) -> int:
    """Write the position, with the numbers left for the other side, to the head of `other`.

    Returns that side.
    """
    copy_row(nodes, row, other, 0)
    side = 1 - side_to_move(nodes, row)
    other[TURN] = side
    other[OUTCOME] = GOING_ON
    if t[REMEMBERS] == PLACED:
        other[MEMORY] = 0
    return side


@compiled
def choose_offer_play(known: KernelData, desk: TurnMemory, who: int, view: int) -> float:
    """Find what a side does with offered numbers, by `who`'s judgement.

    Returns what that is then worth to the side. The numbers stand in the first row of `other` and
    the side that may use them has its turn there; what it does is left in the row `KEPT`. Leaving
    them all is one of its choices. `view` throws next.
    """
    t, other = known.table, desk.other
    side = side_to_move(other, 0)
    sign = 1 if who == side else -1
    copy_row(other, 0, other, KEPT)
    best = sign * evaluate_position(known, desk, other, 0, who, view)
    count = search_plays(t, other, side, desk.other_book, 1)
    for at in range(count):
        row = desk.other_book[ENDS + at] * ROW
        if other[row + OUTCOME] != GOING_ON and desk.book[POLICY + who] != AT_RANDOM:
            value = float(score_game(t, other, row, side))
        else:
            value = sign * evaluate_position(known, desk, other, row, who, view)
        if value > best:
            best = value
            copy_row(other, row, other, KEPT)
    return best


@compiled
def _make_offer(t: Ints, desk: TurnMemory, row: int) -> bool:
    """Return whether leftover numbers are offered to the other side, which can use one.

    They are then handed on.
    """
    nodes = desk.nodes
    if (
        t[UNUSABLE] != UNUSABLE_OPPONENT
        or nodes[row + LEFT_COUNT] == 0
        or nodes[row + OUTCOME] != GOING_ON
    ):
        return False
    side = write_offer(t, nodes, row, desk.other)
    return can_move(t, desk.other, 0, side, desk.other_book, USES)


@compiled_inline
def _evaluate_end(known: KernelData, desk: TurnMemory, row: int, double: bool) -> float:
    """What the end of a play is worth to the side that made it, what is left over counted in."""
    t, nodes = known.table, desk.nodes
    side = side_to_move(nodes, GAME)
    # Before the outcome is looked at: random play is blind to a win as well.
    if desk.book[POLICY + side] == AT_RANDOM:
        return float(next_random(desk.book))
    if nodes[row + OUTCOME] != GOING_ON:
        return float(score_game(t, nodes, row, side))
    view = next_thrower(t, nodes, row, double)
    if _make_offer(t, desk, row):
        return -choose_offer_play(known, desk, side, view)
    return evaluate_position(known, desk, nodes, row, side, view)


@compiled
def _is_ad_fallum(t: Ints, nodes: Row, book: Book, count: int) -> bool:
    """Whether a side that found so many ends is ad fallum."""
    if t[UNUSABLE] != UNUSABLE_LOSES:
        return False
    if t[FALLS_WHOLE] > 0:
        return count == 0
    for at in range(count):
        if nodes[book[ENDS + at] * ROW + LEFT_COUNT] == 0:
            return False
    return True


@compiled_inline
def _keep_end(desk: TurnMemory, row: int, end_worth: float, double: bool) -> None:
    """Keep an end if it is among the best so far; of equals the first found stays ahead."""
    nodes, book, floats = desk.nodes, desk.book, desk.floats
    # Kept evaluations are floats, and a double beside its own rounding would not seem equal.
    value = np.float32(end_worth)
    at = book[KEPT_COUNT]
    if at == book[KEEP]:
        at -= 1
        if value <= floats[KEPT_WORTH + at]:
            return
    else:
        book[KEPT_COUNT] += 1
    while at > 0 and value > floats[KEPT_WORTH + at - 1]:
        copy_row(nodes, KEPT + (at - 1) * ROW, nodes, KEPT + at * ROW)
        floats[KEPT_WORTH + at] = floats[KEPT_WORTH + at - 1]
        at -= 1
    copy_row(nodes, row, nodes, KEPT + at * ROW)
    nodes[KEPT + at * ROW + DOUBLE] = double
    floats[KEPT_WORTH + at] = value


@compiled
def _keep_best_ends(known: KernelData, desk: TurnMemory) -> None:
    """Look for the ends of this throw that are among the best so far, and keep them."""
    t, nodes, book = known.table, desk.nodes, desk.book
    copy_row(nodes, GAME, nodes, 0)
    _write_numbers(t, book, nodes, 0)
    side = side_to_move(nodes, 0)
    double = is_double(t, book)
    count = search_plays(t, nodes, side, book, 0)
    book[CHOSEN_FROM] += count
    if _is_ad_fallum(t, nodes, book, count):
        nodes[OUTCOME] = BLACK_WON if side == 0 else GOLD_WON
        nodes[HOW] = FALLEN
        nodes[COUNTS] = 1
        _keep_end(desk, 0, score_game(t, nodes, 0, side), double)
        return
    if count == 0:
        _keep_end(desk, 0, _evaluate_end(known, desk, 0, double), double)
    for at in range(count):
        row = book[ENDS + at] * ROW
        _keep_end(desk, row, _evaluate_end(known, desk, row, double), double)


@compiled
def choose_play(known: KernelData, desk: TurnMemory) -> None:
    """Keep the best ends of the throw in the rows at `KEPT`, best first.

    The book says how many. What enters the hidden units must be prepared.
    """
    t, book = known.table, desk.book
    book[KEPT_COUNT] = 0
    if t[PRESUMED] == 0 or (t[NAMED] == 0 and count_dice_showing(t, book, t[PRESUMED]) > 0):
        _keep_best_ends(known, desk)
        return
    # Each die in turn may be turned to the assumed number, and all ends that follow compete.
    for die in range(t[DICE]):
        number = book[DICE_THROWN + die]
        book[DICE_THROWN + die] = t[PRESUMED]
        _keep_best_ends(known, desk)
        book[DICE_THROWN + die] = number


@compiled
def _prepare_sums_for(known: KernelData, desk: TurnMemory, who: int) -> None:
    """Work out once what enters the hidden units of a side's net, seen by either side."""
    for view in range(2):
        at = SUMS_OF + view * MAX_HIDDEN
        write_sums(
            known.table,
            known.nets,
            desk.book[NET_AT + who],
            desk.nodes,
            GAME,
            view,
            desk.floats,
            at,
        )


@compiled
def prepare_sums(known: KernelData, desk: TurnMemory) -> None:
    """Compute the hidden units' sums of the net that judges this turn, once, if a net does."""
    side = side_to_move(desk.nodes, GAME)
    if desk.book[POLICY + side] == BY_NET:
        _prepare_sums_for(known, desk, side)


@compiled
def count_moves(
    t: Ints, before: Row, here: int, after: Row, there: int, side: int, book: Book
) -> bool:
    """Count the men that a side has hit and those it has entered from one row to another.

    Returns whether it has moved at all. The side alone has moved: so who stood on a point and does
    not any more was hit, or went on.
    """
    mine = side * PLACES
    theirs = (1 - side) * PLACES
    moved = False
    for place in range(t[WIDTH]):
        hit = before[here + theirs + place] - after[there + theirs + place]
        if hit > 0:
            book[MEN_HIT + side] += hit
        gone = before[here + mine + place] - after[there + mine + place]
        if gone > 0:
            moved = True
            if place > t[OFF]:
                book[MEN_ENTERED + side] += gone
    return moved


@compiled
def _take_offer(known: KernelData, desk: TurnMemory, double: bool) -> None:
    """Let the other side use the numbers left over as it likes best."""
    t = known.table
    nodes, book, other = desk.nodes, desk.book, desk.other
    if not _make_offer(t, desk, KEPT):
        return
    book[OFFERED] += 1
    who = side_to_move(other, 0)
    view = next_thrower(t, nodes, KEPT, double)
    _prepare_sums_for(known, desk, who)
    choose_offer_play(known, desk, who, view)
    book[USED] += count_moves(t, other, 0, other, KEPT, who, book)
    # Using what is left over does not make it the other side's turn.
    turn = nodes[KEPT + TURN]
    copy_row(other, KEPT, nodes, KEPT)
    nodes[KEPT + TURN] = turn


@compiled
def _find_bound_home(t: Ints, nodes: Row, row: int) -> int:
    """The side whose whole home binds the tables, or -1."""
    if t[BOUND_POINTS] != BOUND_TABLES:
        return -1
    for side in range(2):
        # The tables are bound only while the other side has a man to enter.
        held = count_waiting(t, nodes, row + (1 - side) * PLACES) > 0
        for step in range(WALL):
            point = t[HOME + side * PLACES + step]
            held = held and nodes[row + side * PLACES + point] >= t[BAN_CLOSED]
        if held:
            return side
    return -1


@compiled
def _roll_for_break(known: KernelData, desk: TurnMemory, holder: int) -> None:
    """Let both sides throw for the bound tables.

    The winner chooses a point, of which one man goes to the bar.
    """
    t = known.table
    nodes, book, other = desk.nodes, desk.book, desk.other
    winner = next_random(book) % 2
    view = side_to_move(nodes, GAME)
    bar = holder * PLACES + t[OFF] + 1
    best = LOWEST
    chosen = 0
    _prepare_sums_for(known, desk, winner)
    for step in range(WALL):
        point = holder * PLACES + t[HOME + holder * PLACES + step]
        copy_row(nodes, GAME, other, 0)
        other[point] -= 1
        other[bar] += 1
        value = evaluate_position(known, desk, other, 0, winner, view)
        if value > best:
            best = value
            chosen = point
    nodes[GAME + chosen] -= 1
    nodes[GAME + bar] += 1
    book[POINTS_BROKEN] += 1


@compiled
def _pass_dice(t: Ints, nodes: Row, passed: bool, double: bool) -> bool:
    """Settle whose throw is next, or that nobody can ever move again.

    Returns whether it is another player's throw.
    """
    for number in range(1, 7):
        nodes[GAME + LEFT + number] = 0
    nodes[GAME + LEFT_COUNT] = 0
    if t[REMEMBERS] == PLACED:
        nodes[GAME + MEMORY] = 0
    if is_stuck(t, nodes, GAME, 0) and is_stuck(t, nodes, GAME, 1):
        nodes[GAME + OUTCOME] = DRAWN
        nodes[GAME + HOW] = BOTH_STUCK
        return False
    if t[AGAIN] > 0 and double and not passed:
        return False
    if nodes[GAME + PLAYER] + 1 < t[PLAYERS]:
        nodes[GAME + PLAYER] += 1
        return True
    nodes[GAME + PLAYER] = 0
    nodes[GAME + TURN] = 1 - nodes[GAME + TURN]
    return True


@compiled
def has_to_pass(t: Ints, nodes: Row) -> bool:
    """Whether the side to move cannot move whatever it throws, and so does not throw."""
    # Where unplayable numbers are handed over or lose the game, the dice have to be thrown.
    return t[UNUSABLE] == UNUSABLE_LOST and is_stuck(t, nodes, GAME, side_to_move(nodes, GAME))


@compiled
def finish_turn(known: KernelData, desk: TurnMemory, passed: bool) -> bool:
    """Play the best end kept, unless the side has `passed`, and hand the dice on.

    Returns whether the game goes on.
    """
    t, nodes, book = known.table, desk.nodes, desk.book
    double = False
    if passed:
        book[PASSED] += 1
    else:
        double = nodes[KEPT + DOUBLE] > 0
        moved = count_moves(t, nodes, GAME, nodes, KEPT, side_to_move(nodes, GAME), book)
        book[IDLE] += not moved and nodes[KEPT + OUTCOME] == GOING_ON
        _take_offer(known, desk, double)
        copy_row(nodes, KEPT, nodes, GAME)
    if nodes[GAME + OUTCOME] != GOING_ON:
        return False
    if _pass_dice(t, nodes, passed, double):
        holder = _find_bound_home(t, nodes, GAME)
        if holder >= 0:
            _roll_for_break(known, desk, holder)
    return nodes[GAME + OUTCOME] == GOING_ON


@compiled
def finish_turn_elsewhere(
    known: KernelData, desk: TurnMemory, end: int, elsewhere: TurnMemory, passed: bool
) -> bool:
    """Copy a desk's game, and an end of its turn, to another desk, and go on there.

    Returns whether that game goes on.
    """
    copy_row(desk.nodes, GAME, elsewhere.nodes, GAME)
    copy_row(desk.nodes, end, elsewhere.nodes, KEPT)
    return finish_turn(known, elsewhere, passed)


@compiled
def throw_and_find_ends(known: KernelData, desk: TurnMemory, thrown: bool) -> None:
    """Throw, unless the dice are `thrown` already, and keep the best ends.

    The book says how many.
    """
    book = desk.book
    if not thrown:
        throw_dice(known.table, book)
    found = book[CHOSEN_FROM]
    prepare_sums(known, desk)
    choose_play(known, desk)
    book[THROWS] += 1
    book[CHOICES] += book[CHOSEN_FROM] > found + 1


@compiled
def take_turn(known: KernelData, desk: TurnMemory, thrown: bool) -> bool:
    """Play one turn of the game in row `GAME`, and return whether it goes on.

    The dice may be `thrown` already.
    """
    passed = has_to_pass(known.table, desk.nodes)
    if not passed:
        desk.book[KEEP] = 1
        throw_and_find_ends(known, desk, thrown)
    return finish_turn(known, desk, passed)
