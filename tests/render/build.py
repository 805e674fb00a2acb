"""Builders for tests of the pictures: men by point and scenes."""

import io
from typing import Any

from PIL import Image

from engine.board import TABLES
from engine.games import GAMES
from engine.position import Position, Side
from render.board import draw_board
from render.scene import Scene

NOBODY = bytes(len(TABLES.place_names))


def pack_men(**counts: int) -> bytes:
    """One side's men by the names of their places."""
    return bytes(counts.get(name, 0) for name in TABLES.place_names)


def build_scene(gold: bytes = NOBODY, black: bytes = NOBODY, **fields: Any) -> Scene:
    """A scene of Zeno with those men, and any of its other fields."""
    shown: dict[str, Any] = {
        "rules": GAMES["zeno"].rules,
        "position": Position(gold, black, Side.GOLD),
        "names": ("Ana", "Ben"),
        "title": "Zeno",
        "status": "Ana throws",
    }
    return Scene(**shown | fields)


def render_picture(scene: Scene) -> Image.Image:
    """The pixels of a scene's picture."""
    with Image.open(io.BytesIO(draw_board(scene))) as image:
        return image.convert("RGB")
