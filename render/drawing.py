"""A picture in the making."""

from collections.abc import Hashable
from dataclasses import dataclass

from PIL import Image

from render.canvas import Canvas, title_font
from render.geometry import BoardLayout, Box, Spot
from render.ground import GROUNDS, Ground, Paint, Stage, build_stage
from render.scene import Scene, View


@dataclass(frozen=True, slots=True)
class Drawing:
    """What a picture shows, on which stage, and the picture as far as it is drawn."""

    scene: Scene
    stage: Stage
    base: Ground
    picture: Image.Image

    @property
    def layout(self) -> BoardLayout:
        """Where things lie."""
        return self.stage.layout

    def add_patch(self, box: Box, key: Hashable, paint: Paint) -> None:
        """Put a patch there; `key` says all that `paint` draws in that box on this stage."""
        self.base.add_patch(self.picture, box, key, paint)


def start_drawing(scene: Scene, view: View, shrunk: int) -> Drawing:
    """Return a picture of a scene on which nothing but the ground is drawn."""
    seen = build_stage(scene, view, shrunk)
    base = GROUNDS.get(seen)
    # The ground is shared by all pictures of this stage, so each picture begins as a copy.
    return Drawing(scene, seen, base, base.copy_blank())


def paint_badge(canvas: Canvas, stage: Stage, centre: Spot, text: str) -> None:
    """Write how many men a pile has on its last one, or where a man waits to enter."""
    man, (x, y) = stage.layout.man, centre
    across, up = man * 15 // 32, man * 3 // 8
    canvas.rounded_rectangle(
        Box(x - across, y - up, x + across, y + up), stage.theme.page, stage.theme.ink
    )
    size = man * 3 // 4 if text.isdigit() else man * 5 // 8
    canvas.text(centre, text, stage.theme.ink, title_font(size), "mm")
