"""A match's position laid out before the kernel."""

from engine.match import Match
from engine.training import layout as at
from engine.training.rows import write_row
from engine.training.workshop import Workshop


def lay_out(shop: Workshop, match: Match, dice: tuple[int, ...] = ()) -> None:
    """Lay out the game as it stands in a match that waits for a throw, and perhaps the dice thrown."""
    write_row(shop.nodes, match.position)
    shop.nodes[at.GAME : at.GAME + at.ROW] = shop.nodes[: at.ROW]
    shop.nodes[at.GAME + at.PLAYER] = match.player
    shop.book[at.DICE_THROWN : at.DICE_THROWN + len(dice)] = dice
