"""1-ply search, compiled: choose the best kept end when every next throw is answered.

The answers are searched for on a desk of their own, `deep`, as that of the game is in use.
"""

from engine.players.one_ply import CLOSE
from lab.training.compiled import compiled
from lab.training.copying import copy_row
from lab.training.layout import (
    BY_NET,
    DICE,
    DICE_THROWN,
    GAME,
    KEEP,
    KEPT,
    KEPT_COUNT,
    KEPT_WORTH,
    NET_AT,
    POLICY,
    ROW,
    SIDES,
    Book,
    Ints,
    KernelData,
    TurnMemory,
)
from lab.training.turns import (
    LOWEST,
    choose_play,
    count_dice_showing,
    evaluate_position,
    finish_turn,
    finish_turn_elsewhere,
    has_to_pass,
    next_thrower,
    prepare_sums,
    score_game,
    side_to_move,
    throw_and_find_ends,
)

FACES = 6


@compiled
def count_dice_orders(t: Ints, book: Book) -> int:
    """In how many ways the dice can fall as they lie."""
    ways = 1
    # The factorial of how many dice there are, divided below by that of how many show each number.
    for dice in range(2, t[DICE] + 1):
        ways *= dice
    for number in range(1, FACES + 1):
        for same in range(2, count_dice_showing(t, book, number) + 1):
            ways //= same
    return ways


@compiled
def decode_dice(t: Ints, book: Book, code: int) -> bool:
    """Lay the dice that a code stands for; return whether no die shows more than the one before."""
    before = FACES
    ordered = True
    for die in range(t[DICE]):
        shown = code % FACES + 1
        # The dice are the digits of the code to base six. Of all orders of a throw only the one in
        # which no number rises is to count, so that each throw is answered once.
        code //= FACES
        book[DICE_THROWN + die] = shown
        ordered = ordered and shown <= before
        before = shown
    return ordered


@compiled
def evaluate_before_throw(known: KernelData, desk: TurnMemory) -> float:
    """Return the evaluation of the game in row `GAME` for the side to throw.

    It is the mean over the throws, each played best.
    """
    t, nodes, book = known.table, desk.nodes, desk.book
    prepare_sums(known, desk)
    # Nothing is thrown here, so there is nothing to average.
    if has_to_pass(t, nodes):
        return evaluate_position(
            known, desk, nodes, GAME, side_to_move(nodes, GAME), next_thrower(t, nodes, GAME, False)
        )
    total = 0.0
    ways = 0
    book[KEEP] = 1
    for code in range(FACES ** t[DICE]):
        if decode_dice(t, book, code):
            choose_play(known, desk)
            total += count_dice_orders(t, book) * desk.floats[KEPT_WORTH]
            ways += count_dice_orders(t, book)
    return total / ways


@compiled
def count_close_ends(desk: TurnMemory) -> int:
    """How many of the ends kept are close to the best, itself among them."""
    floats = desk.floats
    close = 0
    # The ends are kept best first, so the close ones stand together at the front.
    while (
        close < desk.book[KEPT_COUNT] and floats[KEPT_WORTH + close] >= floats[KEPT_WORTH] - CLOSE
    ):
        close += 1
    return close


@compiled
def _evaluate_end_one_ply(known: KernelData, desk: TurnMemory, row: int, deep: TurnMemory) -> float:
    """What an end is worth one throw further to the side that plays it."""
    side = side_to_move(desk.nodes, row)
    if not finish_turn_elsewhere(known, desk, row, deep, False):
        return score_game(known.table, deep.nodes, GAME, side)
    value = evaluate_before_throw(known, deep)
    return value if side_to_move(deep.nodes, GAME) == side else -value


@compiled
def take_turn_one_ply(
    known: KernelData, desk: TurnMemory, deep: TurnMemory, thrown: bool, most: int
) -> bool:
    """Play one turn as `take_turn` does, with a 1-ply search of at most `most` close best ends."""
    nodes, book = desk.nodes, desk.book
    passed = has_to_pass(known.table, nodes)
    if not passed:
        side = side_to_move(nodes, GAME)
        # The mover imagines the answers: both sides play them by its own net.
        for each in range(SIDES):
            deep.book[POLICY + each] = BY_NET
            deep.book[NET_AT + each] = book[NET_AT + side]
        book[KEEP] = most
        throw_and_find_ends(known, desk, thrown)
        close = count_close_ends(desk)
        best = LOWEST
        chosen = KEPT
        # A single close end is played without a search.
        for at in range(close if close > 1 else 0):
            row = KEPT + at * ROW
            value = _evaluate_end_one_ply(known, desk, row, deep)
            if value > best:
                best = value
                chosen = row
        # `finish_turn` plays what stands first.
        copy_row(nodes, chosen, nodes, KEPT)
    return finish_turn(known, desk, passed)
