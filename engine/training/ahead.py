"""1-ply search, compiled: choose the best kept end when every next throw is answered.

The answers are searched for on a desk of their own, `deep`, as that of the game is in use.
"""

from engine.players.ahead import CLOSE
from engine.training.compiled import compiled
from engine.training.copying import copy_row
from engine.training.layout import (
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
    Desk,
    Ints,
    Known,
)
from engine.training.turns import (
    LOWEST,
    alike,
    choose_play,
    find_ends,
    go_on,
    go_on_elsewhere,
    passes,
    prepare,
    result,
    standing,
    throws_next,
    to_move,
)

FACES = 6


@compiled
def ways_of_dice(t: Ints, book: Book) -> int:
    """In how many ways the dice can fall as they lie."""
    ways = 1
    for dice in range(2, t[DICE] + 1):
        ways *= dice
    for number in range(1, FACES + 1):
        for same in range(2, alike(t, book, number) + 1):
            ways //= same
    return ways


@compiled
def lay_dice(t: Ints, book: Book, code: int) -> bool:
    """Lay the dice that a code stands for; return whether no die shows more than the one before."""
    before = FACES
    ordered = True
    for die in range(t[DICE]):
        shown = code % FACES + 1
        code //= FACES
        book[DICE_THROWN + die] = shown
        ordered = ordered and shown <= before
        before = shown
    return ordered


@compiled
def before_throw(known: Known, desk: Desk) -> float:
    """Return the worth of the game in row `GAME` to the side to throw.

    It is the mean over the throws, each played best.
    """
    t, nodes, book = known.table, desk.nodes, desk.book
    prepare(known, desk)
    if passes(t, nodes):
        return standing(
            known, desk, nodes, GAME, to_move(nodes, GAME), throws_next(t, nodes, GAME, False)
        )
    total = 0.0
    ways = 0
    book[KEEP] = 1
    for code in range(FACES ** t[DICE]):
        if lay_dice(t, book, code):
            choose_play(known, desk)
            total += ways_of_dice(t, book) * desk.floats[KEPT_WORTH]
            ways += ways_of_dice(t, book)
    return total / ways


@compiled
def close_ends(desk: Desk) -> int:
    """How many of the ends kept are close to the best, itself among them."""
    floats = desk.floats
    close = 0
    while (
        close < desk.book[KEPT_COUNT] and floats[KEPT_WORTH + close] >= floats[KEPT_WORTH] - CLOSE
    ):
        close += 1
    return close


@compiled
def _worth_ahead(known: Known, desk: Desk, row: int, deep: Desk) -> float:
    """What an end is worth one throw further to the side that plays it."""
    side = to_move(desk.nodes, row)
    if not go_on_elsewhere(known, desk, row, deep, False):
        return result(known.table, deep.nodes, GAME, side)
    worth = before_throw(known, deep)
    return worth if to_move(deep.nodes, GAME) == side else -worth


@compiled
def take_turn_ahead(known: Known, desk: Desk, deep: Desk, thrown: bool, most: int) -> bool:
    """Play one turn as `take_turn` does, with a 1-ply search of at most `most` close best ends."""
    nodes, book = desk.nodes, desk.book
    passed = passes(known.table, nodes)
    if not passed:
        side = to_move(nodes, GAME)
        for each in range(SIDES):
            deep.book[POLICY + each] = BY_NET
            deep.book[NET_AT + each] = book[NET_AT + side]
        book[KEEP] = most
        find_ends(known, desk, thrown)
        close = close_ends(desk)
        best = LOWEST
        chosen = KEPT
        for at in range(close if close > 1 else 0):
            row = KEPT + at * ROW
            worth = _worth_ahead(known, desk, row, deep)
            if worth > best:
                best = worth
                chosen = row
        copy_row(nodes, chosen, nodes, KEPT)
    return go_on(known, desk, passed)
