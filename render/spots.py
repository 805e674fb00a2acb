"""Where men are seen on a picture, wherever they stand."""

from engine.position import Side
from render.geometry import Layout, Spot
from render.scene import Scene
from render.strip import strip_of, tray_spot


def spot_of(scene: Scene, place: int, side: Side, layout: Layout, *, lower: bool) -> Spot:
    """Return where the last of a side's men in a place is drawn."""
    board = scene.rules.board
    if place in (board.hand, board.off):
        strip = strip_of(scene, layout, side, lower=lower)
        return tray_spot(strip, borne_off=place == board.off)
    return layout.spot(place, _seen(scene, place, side), lower=lower)


def _seen(scene: Scene, place: int, side: Side) -> int:
    """Return how many men are piled on a place; on the bar each side has its own pile."""
    mine, position = scene.position.men(side), scene.position
    if place in scene.rules.board.bars:
        return scene.rules.board.waiting(mine)
    return position.gold[place] + position.black[place]
