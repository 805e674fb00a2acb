"""One throw further, compiled: of the best ends kept, the one that is worth most when every next throw is answered.

The answers are searched for in scratch memory of their own, `deep` and what follows it, as that of the game is in use.
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
    Floats,
    Ints,
    Row,
)
from engine.training.turns import (
    LOWEST,
    alike,
    choose_play,
    find_ends,
    go_on,
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
    """Lay the dice as a whole number says; returns whether none shows more than the one before it."""
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
def before_throw(
    t: Ints, g: Floats, nets: Floats, nodes: Row, book: Book, other: Row, other_book: Book, floats: Floats
) -> float:
    """What the game in the row `GAME` is worth to the side to throw: the mean over the throws, each played best."""
    side = to_move(nodes, GAME)
    prepare(t, nets, nodes, book, floats)
    if passes(t, nodes):
        view = throws_next(t, nodes, GAME, False)
        return standing(t, g, nets, nodes, nodes, GAME, book, side, view, floats)
    total = 0.0
    ways = 0
    book[KEEP] = 1
    for code in range(FACES ** t[DICE]):
        if lay_dice(t, book, code):
            choose_play(t, g, nets, nodes, book, other, other_book, floats)
            total += ways_of_dice(t, book) * floats[KEPT_WORTH]
            ways += ways_of_dice(t, book)
    return total / ways


@compiled
def close_ends(book: Book, floats: Floats) -> int:
    """How many of the ends kept are close to the best, itself among them."""
    close = 0
    while close < book[KEPT_COUNT] and floats[KEPT_WORTH + close] >= floats[KEPT_WORTH] - CLOSE:
        close += 1
    return close


@compiled
def _worth_ahead(
    t: Ints,
    g: Floats,
    nets: Floats,
    nodes: Row,
    row: int,
    deep: Row,
    deep_book: Book,
    deep_other: Row,
    deep_other_book: Book,
    deep_floats: Floats,
) -> float:
    """What an end is worth one throw further to the side that plays it."""
    side = to_move(nodes, row)
    copy_row(nodes, GAME, deep, GAME)
    copy_row(nodes, row, deep, KEPT)
    if not go_on(t, g, nets, deep, deep_book, deep_other, deep_other_book, False, deep_floats):
        return result(t, deep, GAME, side)
    worth = before_throw(t, g, nets, deep, deep_book, deep_other, deep_other_book, deep_floats)
    return worth if to_move(deep, GAME) == side else -worth


@compiled
def take_turn_ahead(
    t: Ints,
    g: Floats,
    nets: Floats,
    nodes: Row,
    book: Book,
    other: Row,
    other_book: Book,
    thrown: bool,
    floats: Floats,
    deep: Row,
    deep_book: Book,
    deep_other: Row,
    deep_other_book: Book,
    deep_floats: Floats,
    most: int,
) -> bool:
    """Play one turn as `take_turn` does, looking one throw further at `most` of the best ends that are close."""
    passed = passes(t, nodes)
    if not passed:
        side = to_move(nodes, GAME)
        for each in range(SIDES):
            deep_book[POLICY + each] = BY_NET
            deep_book[NET_AT + each] = book[NET_AT + side]
        book[KEEP] = most
        find_ends(t, g, nets, nodes, book, other, other_book, thrown, floats)
        close = close_ends(book, floats)
        best = LOWEST
        chosen = KEPT
        for at in range(close if close > 1 else 0):
            row = KEPT + at * ROW
            worth = _worth_ahead(t, g, nets, nodes, row, deep, deep_book, deep_other, deep_other_book, deep_floats)
            if worth > best:
                best = worth
                chosen = row
        copy_row(nodes, chosen, nodes, KEPT)
    return go_on(t, g, nets, nodes, book, other, other_book, passed, floats)
