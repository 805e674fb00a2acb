"""A picture in the making."""

from collections.abc import Hashable
from dataclasses import dataclass

from PIL import Image

from render.geometry import Box, Layout
from render.ground import Ground, Paint, Stage, ground, stage
from render.scene import Scene, View


@dataclass(frozen=True, slots=True)
class Drawing:
    """What a picture shows, on which stage, and the picture as far as it is drawn."""

    scene: Scene
    stage: Stage
    base: Ground
    picture: Image.Image

    @property
    def layout(self) -> Layout:
        """Where things lie."""
        return self.stage.layout

    def add(self, box: Box, key: Hashable, paint: Paint) -> None:
        """Put a patch there; `key` says all that `paint` draws in that box on this stage."""
        self.base.add(self.picture, box, key, paint)


def begin(scene: Scene, view: View, shrunk: int) -> Drawing:
    """Return a picture of a scene on which nothing but the ground is drawn."""
    seen = stage(scene, view, shrunk)
    base = ground(seen)
    return Drawing(scene, seen, base, base.blank())
