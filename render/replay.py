"""A match as a moving picture: throws are shown before they are played, and men glide from place to place."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from PIL import Image

from engine.position import Side
from render import art, geometry
from render.board import compose
from render.geometry import MAN
from render.scene import Moved, Scene, View

SHRUNK = 2
"""Replays are 600 by 425 pixels."""
THROW_MS, GLIDE_MS, REST_MS, LAST_MS = 600, 70, 500, 6000
MOST_FRAMES = 1000
"""Even all alike, so that they become one, they stand less long than the 655 seconds that a frame of a GIF can."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A scene of a match and the move that led to it; None for a throw, or anything else that moves no man."""

    scene: Scene
    moved: Moved | None = None
    side: Side = Side.GOLD


class Detail(NamedTuple):
    """How closely a match is shown: frames between two places, whether throws are shown, every how many-th moment."""

    glides: int
    throws: bool
    every: int = 1


DETAILS = (
    Detail(3, True),
    Detail(1, True),
    Detail(0, True),
    Detail(0, False),
    *(Detail(0, False, 2**n) for n in (1, 2, 3, 4)),
)
"""From the closest on: frames are given up before size is."""


def film(moments: Sequence[Moment], view: View, most_bytes: int) -> bytes:
    """Return a match as a GIF of at most so many bytes, as closely as they allow; the last picture is held.

    The shortest film is returned even where it is too large.
    """
    made = b""
    for detail in DETAILS:
        if detail is not DETAILS[-1] and frames_of(moments, detail) > MOST_FRAMES:
            continue
        made = encoded(frames(moments, view, detail))
        if len(made) <= most_bytes:
            break
    return made


def frames_of(moments: Sequence[Moment], detail: Detail) -> int:
    """Return how many frames a match takes at most."""
    moves = sum(moment.moved is not None for moment in moments)
    return (moves * (1 + detail.glides) + (len(moments) - moves) * detail.throws) // detail.every + 1


def frames(moments: Sequence[Moment], view: View, detail: Detail) -> Iterator[Image.Image]:
    """Yield a match's frames, as closely as `detail` says."""
    before: Scene | None = None
    last, count = len(moments) - 1, 0
    for at, moment in enumerate(moments):
        if before and moment.moved and detail.glides and not _comes_down(before, moment.moved):
            yield from _glide(before, moment, view, detail.glides)
        before = moment.scene
        shown = moment.moved is not None or detail.throws
        if at == last or (shown and count % detail.every == 0):
            lasts = LAST_MS if at == last else REST_MS if moment.moved else THROW_MS
            yield _lasting(compose(moment.scene, view, SHRUNK), lasts)
        count += shown


def _comes_down(scene: Scene, moved: Moved) -> bool:
    """Whether a man only comes down from those he lies on."""
    return scene.rules.piled and moved.source == scene.rules.board.hand


def _lasting(frame: Image.Image, milliseconds: int) -> Image.Image:
    frame.info["duration"] = milliseconds
    return frame


def _glide(before: Scene, moment: Moment, view: View, count: int) -> Iterator[Image.Image]:
    """Yield the frames in which a man is on his way."""
    moved, side = moment.moved, moment.side
    assert moved is not None
    board = geometry.turned(before.rules.board, view.below)
    lifted, lower = replace(before, lifted=(side, moved.source), last=()), side is view.below
    start = geometry.spot(board, moved.source, _seen(before, moved.source, side), lower=lower)
    end = geometry.spot(board, moved.target, _seen(moment.scene, moved.target, side), lower=lower)
    ground = compose(lifted, view, SHRUNK)
    man = art.man(view.theme_of(before.rules.board), side).reduce(SHRUNK)
    mask = man.getchannel("A").point(lambda alpha: 255 if alpha > 127 else 0).convert("1")
    flat = man.convert("RGB").quantize(palette=ground, dither=Image.Dither.NONE)
    for step in range(1, count + 1):
        share = step / (count + 1)
        x, y = (round((a + (b - a) * share - MAN / 2) / SHRUNK) for a, b in zip(start, end, strict=True))
        frame = ground.copy()
        frame.paste(flat, (x, y), mask)
        yield _lasting(frame, GLIDE_MS)


def _seen(scene: Scene, place: int, side: Side) -> int:
    """Return how many men are piled on a place; on the bar each side has its own pile."""
    mine, position = scene.position.men(side), scene.position
    if place in scene.rules.board.bars:
        return scene.rules.board.waiting(mine)
    return position.gold[place] + position.black[place] if place < scene.rules.board.size else mine[place]


def encoded(shown: Iterator[Image.Image]) -> bytes:
    """Return frames as a GIF that is played once; each says in its `duration` how long it stands."""
    file = io.BytesIO()
    # Optimized, what a frame leaves as it was is transparent, which makes the film a quarter as large.
    next(shown).save(file, "GIF", save_all=True, append_images=shown, optimize=True, disposal=1)
    return file.getvalue()
