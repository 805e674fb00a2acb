"""Where men are seen on a picture, wherever they stand."""

from engine.position import Side
from render.geometry import BoardLayout, Spot
from render.scene import Scene
from render.strip import lay_out_strip, locate_in_tray


def locate_man(scene: Scene, place: int, side: Side, layout: BoardLayout, *, lower: bool) -> Spot:
    """Return where the last of a side's men in a place is drawn."""
    board = scene.rules.board
    if place in (board.hand, board.off):
        strip = lay_out_strip(scene, layout, side, lower=lower)
        return locate_in_tray(strip, borne_off=place == board.off)
    return layout.locate_last_man(place, _count_men(scene, place, side), lower=lower)


def _count_men(scene: Scene, place: int, side: Side) -> int:
    """Return how many men are piled on a place; on the bar each side has its own pile."""
    mine, position = scene.position.men(side), scene.position
    if place in scene.rules.board.bars:
        return scene.rules.board.count_waiting(mine)
    return position.gold[place] + position.black[place]
