"""Lessons one throw further, compiled: positions of games, and what each is worth by all the throws that may follow.

What a game then came to tells what a position is worth only with the luck of its dice. The mean over every next throw,
each played best, has no luck in it, and is nearer the truth than what the net says of the position itself.
"""

from engine.training.ahead import FACES, lay_dice, ways_of_dice
from engine.training.compiled import compiled
from engine.training.copying import copy_floats, copy_row
from engine.training.games import end_shares, play
from engine.training.layout import (
    DICE,
    GAME,
    KEEP,
    KEPT,
    OUTPUTS,
    OUTPUTS_NOW,
    ROW,
    Book,
    Floats,
    Ints,
    Row,
)
from engine.training.nets import judge
from engine.training.turns import choose_play, go_on, passes, prepare, to_move


@compiled
def _add_shares(
    t: Ints, g: Floats, nets: Floats, nodes: Row, goes_on: bool, side: int, times: int, floats: Floats, shares: Floats
) -> None:
    """Add so many times what the net says, to that side, of the position that its turn has led to."""
    view = side
    if goes_on:
        view = to_move(nodes, GAME)
        judge(t, g, nets, 0, nodes, GAME, view, floats)
    else:
        end_shares(t, nodes, side, floats, OUTPUTS_NOW)
    win, won, lost = floats[OUTPUTS_NOW], floats[OUTPUTS_NOW + 1], floats[OUTPUTS_NOW + 2]
    shares[0] += times * (win if view == side else 1 - win)
    shares[1] += times * (won if view == side else lost)
    shares[2] += times * (lost if view == side else won)


@compiled
def shares_ahead(
    t: Ints,
    g: Floats,
    nets: Floats,
    nodes: Row,
    book: Book,
    other: Row,
    other_book: Book,
    floats: Floats,
    deep: Row,
    deep_book: Book,
    deep_other: Row,
    deep_other_book: Book,
    deep_floats: Floats,
    shares: Floats,
) -> None:
    """Write what the game in the row `GAME` is worth to the side to throw, one throw further: three shares.

    The turns that may follow are played in scratch memory of their own, `deep` and what comes after it.
    """
    side = to_move(nodes, GAME)
    passed = passes(t, nodes)
    prepare(t, nets, nodes, book, floats)
    book[KEEP] = 1
    total = 0
    for output in range(OUTPUTS):
        shares[output] = 0.0
    for code in range(1 if passed else FACES ** t[DICE]):
        if lay_dice(t, book, code):
            if not passed:
                choose_play(t, g, nets, nodes, book, other, other_book, floats)
            copy_row(nodes, GAME, deep, GAME)
            copy_row(nodes, KEPT, deep, KEPT)
            goes_on = go_on(t, g, nets, deep, deep_book, deep_other, deep_other_book, passed, deep_floats)
            _add_shares(t, g, nets, deep, goes_on, side, ways_of_dice(t, book), deep_floats, shares)
            total += ways_of_dice(t, book)
    for output in range(OUTPUTS):
        shares[output] /= total


@compiled
def gather(
    t: Ints,
    g: Floats,
    nets: Floats,
    nodes: Row,
    book: Book,
    other: Row,
    other_book: Book,
    start: Row,
    floats: Floats,
    deep: Row,
    deep_book: Book,
    deep_other: Row,
    deep_other_book: Book,
    deep_floats: Floats,
    kept: Row,
    shares: Floats,
    now: Floats,
    count: int,
    strays: int,
) -> None:
    """Fill `kept` with so many positions before a throw, and `shares` with three for each; `now` has room for three.

    They are those of the net's games against itself. In so many turns of a hundred a side strays: it plays some end
    that seems close to the best, for a net is to know positions too that it does not choose.
    """
    gathered = 0
    while gathered < count:
        first = gathered * ROW
        most_turns = count - gathered
        turns = play(t, g, nets, nodes, book, other, other_book, start, floats, kept, first, most_turns, strays)
        for at in range(gathered, gathered + turns):
            copy_row(kept, at * ROW, nodes, GAME)
            shares_ahead(
                t,
                g,
                nets,
                nodes,
                book,
                other,
                other_book,
                floats,
                deep,
                deep_book,
                deep_other,
                deep_other_book,
                deep_floats,
                now,
            )
            copy_floats(now, 0, shares, at * OUTPUTS, OUTPUTS)
        gathered += turns
