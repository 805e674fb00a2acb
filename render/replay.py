"""A match as an animated picture: each throw is shown before its play, and men glide."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from PIL import GifImagePlugin, Image, ImageChops

from engine.position import Side
from render import art
from render.arrows import locate_man
from render.board import compose_board
from render.geometry import Spot
from render.ground import build_stage
from render.scene import Scene, SceneMove, View

REPLAY_SHRINK = 2
"""Replays are 540 pixels wide."""
_GIF_TRAILER = b";"
THROW_MS, GLIDE_MS, REST_MS, LAST_MS = 600, 70, 500, 6000
MAX_FRAMES = 1000
"""The most frames of a film.

Even if all are alike and become one, they last less than the 655 seconds that a GIF's frame can.
"""


@dataclass(frozen=True, slots=True)
class ReplayMoment:
    """A scene of a match and the move that led to it; None if no man moved, as in a throw."""

    scene: Scene
    moved: SceneMove | None = None
    side: Side = Side.GOLD


class Detail(NamedTuple):
    """The detail of a film: frames between two places, throws shown or not, every n-th moment."""

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


def render_film(moments: Sequence[ReplayMoment], view: View, most_bytes: int) -> bytes:
    """Return a match as a GIF of at most so many bytes, in as much detail as they allow.

    The last picture is held. Each picture has its title, as films are shared on their own. The
    shortest film is returned even if it is too large.
    """
    view = replace(view, titled=True)
    # Every frame has the size of the first.
    moments = [replace(moment, scene=replace(moment.scene, whole=False)) for moment in moments]
    made = b""
    for detail in DETAILS:
        if detail is not DETAILS[-1] and count_frames(moments, detail) > MAX_FRAMES:
            continue
        # How large a film becomes is known only when it is made.
        made = encode_gif(draw_frames(moments, view, detail))
        if len(made) <= most_bytes:
            break
    return made


def count_frames(moments: Sequence[ReplayMoment], detail: Detail) -> int:
    """Return how many frames a match takes at most."""
    moves = sum(moment.moved is not None for moment in moments)
    return (
        moves * (1 + detail.glides) + (len(moments) - moves) * detail.throws
    ) // detail.every + 1


def draw_frames(
    moments: Sequence[ReplayMoment], view: View, detail: Detail
) -> Iterator[Image.Image]:
    """Yield a match's frames, as closely as `detail` says."""
    before: Scene | None = None
    last, count = len(moments) - 1, 0
    for at, moment in enumerate(moments):
        if before and moment.moved and detail.glides and not _is_coming_down(before, moment.moved):
            yield from _draw_glide(before, moment, view, detail.glides)
        before = moment.scene
        shown = moment.moved is not None or detail.throws
        if at == last or (shown and count % detail.every == 0):
            stands = REST_MS if moment.moved else THROW_MS
            yield _add_duration(
                compose_board(moment.scene, view, REPLAY_SHRINK), LAST_MS if at == last else stands
            )
        count += shown


def _is_coming_down(scene: Scene, moved: SceneMove) -> bool:
    """Whether a man only comes down from those he lies on."""
    return scene.rules.piled and moved.source == scene.rules.board.hand


def _add_duration(frame: Image.Image, milliseconds: int) -> Image.Image:
    frame.info["duration"] = milliseconds
    return frame


def _draw_glide(
    before: Scene, moment: ReplayMoment, view: View, count: int
) -> Iterator[Image.Image]:
    """Yield the frames in which a man is on his way."""
    moved, side = moment.moved, moment.side
    assert moved is not None
    layout = build_stage(before, view).layout
    lower = side is view.below
    start = locate_man(before, moved.source, side, layout, lower=lower)
    end = locate_man(moment.scene, moved.target, side, layout, lower=lower)
    ground = compose_board(
        replace(before, lifted=(side, moved.source), last=()), view, REPLAY_SHRINK
    )
    man = art.draw_man(view.choose_theme(before.rules.board), side, layout.man).reduce(
        REPLAY_SHRINK
    )
    # A frame by palette can't blend half-transparent edges, so each pixel is taken whole or not at
    # all.
    mask = man.getchannel("A").point(lambda alpha: 255 if alpha > 127 else 0).convert("1")
    flat = man.convert("RGB").quantize(palette=ground, dither=Image.Dither.NONE)
    for step in range(1, count + 1):
        share = step / (count + 1)
        x, y = (
            round((a + (b - a) * share - layout.man / 2) / REPLAY_SHRINK)
            for a, b in zip(start, end, strict=True)
        )
        frame = ground.copy()
        frame.paste(flat, (x, y), mask)
        yield _add_duration(frame, GLIDE_MS)


class FramePart(NamedTuple):
    """What one frame of a film changes: a part of the picture, its spot, and how long it lasts.

    The time is in milliseconds.
    """

    image: Image.Image
    at: Spot
    lasts: int


def encode_gif(shown: Iterator[Image.Image]) -> bytes:
    """Return frames of one palette as a GIF that is played once.

    Each frame says in its `duration` how long it lasts. Pillow's own way keeps every frame until
    the last is drawn. Here a frame is written once the next is known to differ, and holds only what
    it changes, which makes the film a quarter as large.
    """
    before = next(shown)
    colours = before.getpalette() or []
    unchanged = len(colours) // 3
    file = io.BytesIO()
    file.writelines(_encode_header(before, [*colours, 0, 0, 0]))
    part = FramePart(before, (0, 0), before.info["duration"])
    for frame in shown:
        lasts = frame.info["duration"]
        # Subtracting palette indices modulo 256 gives zero only where the frames agree.
        difference = ImageChops.subtract_modulo(frame, before)
        box = difference.getbbox()
        if box is None:
            part = part._replace(lasts=part.lasts + lasts)
            continue
        file.writelines(_encode_frame(part, unchanged))
        # 255 where the difference is zero: a mask of the pixels that stay. The frame is copied
        # before these become transparent, since the next one is compared with all that is seen.
        same = difference.point([255, *(0,) * 255], "1")
        before = frame.copy()
        frame.paste(unchanged, mask=same)
        part = FramePart(frame.crop(box), box[:2], lasts)
    file.writelines(_encode_frame(part, unchanged))
    file.write(_GIF_TRAILER)
    return file.getvalue()


def _encode_header(frame: Image.Image, colours: list[int]) -> list[bytes]:
    """Return the start of a film: its size and its colours.

    One more colour is for what a frame leaves as it was.
    """
    first = frame.copy()
    first.putpalette(colours)
    # A duration makes it the version that moves.
    header, _ = GifImagePlugin.getheader(first, info={"duration": frame.info["duration"]})
    return header


def _encode_frame(part: FramePart, unchanged: int) -> list[bytes]:
    """Return a frame as it is written; what it leaves as it was is transparent."""
    # Disposal 1 leaves the picture where it is, so that transparent pixels show the frame before.
    return GifImagePlugin.getdata(
        part.image, part.at, duration=part.lasts, disposal=1, transparency=unchanged
    )
