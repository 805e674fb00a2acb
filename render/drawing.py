"""A picture in the making."""

from collections.abc import Hashable
from dataclasses import dataclass

from PIL import Image

from render.geometry import BoardLayout, Box
from render.ground import Ground, Paint, Stage, build_ground, build_stage
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
    base = build_ground(seen)
    # The ground is shared by all pictures of this stage, so each picture begins as a copy.
    return Drawing(scene, seen, base, base.copy_blank())
