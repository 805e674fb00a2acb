"""The luck of a throw, compiled: by how much it is better than the mean of all throws, as the net that learns sees it.

That mean is taken over the very throws that may come, so luck comes to nought in the long run, however badly the net
judges. What a match came to less its luck is therefore as true as what it came to, and tells more after few games
(D. Montgomery, "Variance Reduction", GammOnLine, February 2000).
"""

from engine.training.compiled import compiled
from engine.training.copying import copy_row
from engine.training.layout import (
    DICE,
    DICE_THROWN,
    GAME,
    OUTPUTS,
    OUTPUTS_NOW,
    Book,
    Floats,
    Ints,
    Row,
)
from engine.training.lessons import shares_ahead, shares_of_throw
from engine.training.turns import passes, throw


@compiled
def throw_for_luck(
    t: Ints,
    g: Floats,
    nets: Floats,
    nodes: Row,
    book: Book,
    near: Row,
    near_book: Book,
    near_other: Row,
    near_other_book: Book,
    near_floats: Floats,
    deep: Row,
    deep_book: Book,
    deep_other: Row,
    deep_other_book: Book,
    deep_floats: Floats,
    luck: Floats,
) -> None:
    """Throw the dice of the game in the row `GAME`, and write how lucky its side is in that: three shares.

    They are worked out in scratch memory of their own: `near`, `deep` and what follows each. Both sides play by the
    net there. A side that must pass throws nothing and is not lucky.
    """
    for output in range(OUTPUTS):
        luck[output] = 0.0
    if passes(t, nodes):
        return
    copy_row(nodes, GAME, near, GAME)
    shares_ahead(
        t,
        g,
        nets,
        near,
        near_book,
        near_other,
        near_other_book,
        near_floats,
        deep,
        deep_book,
        deep_other,
        deep_other_book,
        deep_floats,
        luck,
    )
    throw(t, book)
    for die in range(t[DICE]):
        near_book[DICE_THROWN + die] = book[DICE_THROWN + die]
    shares_of_throw(
        t,
        g,
        nets,
        near,
        near_book,
        near_other,
        near_other_book,
        False,
        near_floats,
        deep,
        deep_book,
        deep_other,
        deep_other_book,
        deep_floats,
    )
    for output in range(OUTPUTS):
        luck[output] = deep_floats[OUTPUTS_NOW + output] - luck[output]
