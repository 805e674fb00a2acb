"""The luck of a throw, compiled: its gain over the mean of all throws, as the learning net sees it.

That mean is taken over the very throws that may come, so luck averages zero in the long run,
however badly the net judges. A match's luck-adjusted result is therefore as unbiased as its result,
and tells more after few games (D. Montgomery, "Variance Reduction", GammOnLine, February 2000).
"""

from lab.training.compiled import compiled
from lab.training.copying import copy_row
from lab.training.layout import (
    DICE,
    DICE_THROWN,
    GAME,
    OUTPUTS,
    OUTPUTS_NOW,
    Floats,
    KernelData,
    TurnMemory,
)
from lab.training.lessons import write_one_ply_shares, write_throw_shares
from lab.training.turns import has_to_pass, throw_dice


@compiled
def throw_and_measure_luck(
    known: KernelData, desk: TurnMemory, near: TurnMemory, deep: TurnMemory, luck: Floats
) -> None:
    """Throw the dice of the game in row `GAME`, and write its side's luck in that: three shares.

    They are worked out on desks of their own, `near` and `deep`, where both sides play by the net.
    A side that must pass throws nothing and is not lucky.
    """
    for output in range(OUTPUTS):
        luck[output] = 0.0
    if has_to_pass(known.table, desk.nodes):
        return
    # Only rows and dice go to the other desk: the game's own dice and policies must stay as they
    # are.
    copy_row(desk.nodes, GAME, near.nodes, GAME)
    write_one_ply_shares(known, near, deep, luck)
    throw_dice(known.table, desk.book)
    for die in range(known.table[DICE]):
        near.book[DICE_THROWN + die] = desk.book[DICE_THROWN + die]
    # The mean has prepared `near` for this: the hidden units' sums, and room for one end.
    write_throw_shares(known, near, deep, False)
    for output in range(OUTPUTS):
        luck[output] = deep.floats[OUTPUTS_NOW + output] - luck[output]
