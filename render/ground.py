"""The fixed part of a picture, drawn once: page, board, points and letters; and its palette.

Everything else is a patch: a part of the ground with something on it, brought to the palette and
kept. Patches never overlap, so a picture is the ground's palette image with patches pasted in:
nothing is blended twice.
"""

import zlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from threading import Lock
from typing import NamedTuple, TypeAlias

from PIL import Image, ImageChops, ImageDraw

from engine.games import GAMES
from engine.games.suggested import FIRST_GAME
from engine.position import Side
from engine.rules import Ending
from render import art, ornament
from render.canvas import Canvas, choose_font, fit_text, text_font, title_font
from render.courses import (
    Home,
    draw_courses,
    draw_home_plate,
    list_homes,
    write_letters,
)
from render.geometry import LETTER_SPACE, WIDTH, BoardLayout, Box, Spot
from render.layout import find_points_in_use, lay_out_board
from render.lettering import measure_text
from render.ornament import SCALE, PointShape, scale_box
from render.scene import Die, Scene, View
from render.theme import Colour, Theme

COLOURS = 128
_DIMMING = 0.72
_PATCH_BYTES = 12 * 1024 * 1024
"""What the patches of one ground may take."""
_PACKING_LEVEL = 1
"""Boards are flat colours: the quickest level makes 3 MB into 0.1 MB in 5 ms, and back in 2."""
MAX_GROUND_BYTES = 48 * 1024 * 1024
"""What all grounds may keep, with their patches: some twenty in use and hundreds compressed."""
_MIN_COLOUR_DISTANCE = 6
_SAMPLE_MAN, _SAMPLE_DIE = 58, 54
INSCRIPTIONS = {"roman": ("VENARILAVARI", "LVDERERIDERE", "OCCESTVIVERE")}
"""The inscription of our Roman board, a letter a point.

It is that of a board in the forum of Timgad, CIL VIII 17938. In English: to hunt, to bathe, to
play, to laugh, that is to live.
"""

_HOME_HEIGHT, _HOME_PAD, _HOME_SIZES = 52, 12, (36, 32, 28)
"""The plate that names a side's home: how high it is, its margin and sizes of type."""
Paint: TypeAlias = Callable[[Canvas], None]


class Ground:
    """A ground in true colour and by palette, with the patches that were painted on it.

    It keeps its true colours compressed, so that all else can be dropped and made again in a few
    milliseconds, a tenth of the time for which a ground is drawn. Threads may share it.
    """

    def __init__(self, image: Image.Image, theme: Theme, shrunk: int) -> None:
        self._size = image.size
        self._packed = zlib.compress(image.tobytes(), _PACKING_LEVEL)
        self._shrunk = shrunk
        self._palette = build_palette(theme)
        self._image: Image.Image | None = image
        self._plain: Image.Image | None = self._reduce_image(image)
        self._patches = _PatchCache()

    def _reduce_image(self, image: Image.Image) -> Image.Image:
        small = image.reduce(self._shrunk) if self._shrunk > 1 else image
        # Dithering would speckle flat colours, and a patch, which is reduced alone, would differ
        # from the ground beside it: error diffusion depends on the neighbouring pixels.
        return small.quantize(palette=self._palette, dither=Image.Dither.NONE)

    @property
    def kept_bytes(self) -> int:
        """How many bytes of pixels are kept."""
        image, plain = self._image, self._plain
        return (
            len(self._packed)
            + self._patches.size
            + (plain.width * plain.height if plain else 0)
            + (3 * image.width * image.height if image else 0)
        )

    def drop_true_colours(self) -> None:
        """Free the true colours, which only new patches need."""
        self._image = None

    def drop_patches(self) -> None:
        """Free all that can be made again from what is compressed."""
        self._image = self._plain = None
        self._patches = _PatchCache()

    def _unpack_image(self) -> Image.Image:
        """Return the true colours, and keep them for the next patch."""
        image = self._image
        if image is None:
            image = Image.frombytes("RGB", self._size, zlib.decompress(self._packed))
            self._image = image
        return image

    def _reduce_plain(self) -> Image.Image:
        """Return the ground by palette, which is kept."""
        plain = self._plain
        if plain is None:
            plain = self._plain = self._reduce_image(self._unpack_image())
        return plain

    def copy_blank(self) -> Image.Image:
        """Return a copy of the ground by palette."""
        return self._reduce_plain().copy()

    def add_patch(self, picture: Image.Image, box: Box, key: Hashable, paint: Paint) -> None:
        """Put a patch into a picture; `key` says all that `paint` draws in that box."""
        patches, named = self._patches, (box, key)
        patch = patches.get(named)
        if patch is None:
            patch = self._paint_patch(box, paint)
            patches.add(named, patch)
        if patch.image:
            picture.paste(patch.image, patch.at)

    def _paint_patch(self, box: Box, paint: Paint) -> "_Patch":
        """Paint a patch, and return the part of it that differs from the ground."""
        shrunk = self._shrunk
        # So that the reduced patch falls on whole pixels.
        left, top = box.left // shrunk * shrunk, box.top // shrunk * shrunk
        # Painted on true colours, with which the smooth edges of sprites and letters can blend.
        part = self._unpack_image().crop((left, top, box.right, box.bottom))
        paint(Canvas(part, left, top))
        reduced = self._reduce_image(part)
        left, top = left // shrunk, top // shrunk
        below = self._reduce_plain().crop((left, top, left + reduced.width, top + reduced.height))
        # Subtracting palette indices modulo 256 gives zero only where they agree.
        changed = ImageChops.subtract_modulo(reduced, below).getbbox()
        if shrunk > 1:
            # Neighbours may share a row of pixels, of which the later patch has all.
            changed = 0, 0, *reduced.size
        if changed is None:
            return _Patch(None, (left, top))
        return _Patch(reduced.crop(changed), (left + changed[0], top + changed[1]))


class _Patch(NamedTuple):
    """What is pasted into a picture, if anything, and where."""

    image: Image.Image | None
    at: Spot

    @property
    def bytes(self) -> int:
        """How many bytes of pixels it has."""
        return self.image.width * self.image.height if self.image else 0


class _PatchCache:
    """Patches by their boxes and what they show, the one unused for longest first."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[tuple[Box, Hashable], _Patch] = OrderedDict()
        self.size = 0

    def get(self, named: tuple[Box, Hashable]) -> _Patch | None:
        """Return a patch that is kept, if it is."""
        with self._lock:
            patch = self._kept.get(named)
            if patch is not None:
                self._kept.move_to_end(named)
            return patch

    def add(self, named: tuple[Box, Hashable], patch: _Patch) -> None:
        """Keep a patch, in place of those that were unused for longest."""
        with self._lock:
            before = self._kept.pop(named, None)
            self._kept[named] = patch
            self.size += patch.bytes - (before.bytes if before else 0)
            while self.size > _PATCH_BYTES:
                self.size -= self._kept.popitem(last=False)[1].bytes


class HomeLabel(NamedTuple):
    """The name of a side's home, and the room of its points."""

    side: Side
    room: Box
    word: str


@dataclass(frozen=True, slots=True)
class Stage:
    """All that a ground depends on: positions, colours, and what is shown of the points.

    `in_use` are the points of the game; the others are dimmed. `counted` are points in the order in
    which a side travels them, to be numbered from the end; `courses` the ways round to be drawn,
    `homes` where they lead, and `labels` name those where a game ends.
    The picture is `shrunk` times smaller than usual in each direction.
    """

    layout: BoardLayout
    theme: Theme
    below: Side
    in_use: frozenset[int]
    counted: tuple[int, ...] = ()
    courses: tuple[tuple[int, ...], ...] = ()
    homes: tuple[Home, ...] = ()
    labels: tuple[HomeLabel, ...] = ()
    shrunk: int = 1


def build_stage(scene: Scene, view: View, shrunk: int = 1) -> Stage:
    """Return the stage on which a scene is seen."""
    rules = scene.rules
    travelled = scene.ways and rules.moving
    layout = lay_out_board(rules, view.below, titled=view.titled, whole=scene.whole)
    return Stage(
        layout=layout,
        theme=view.choose_theme(rules.board),
        below=view.below,
        in_use=frozenset(layout.points) if scene.whole else find_points_in_use(rules),
        # Points are counted for the side that has to move, or for the viewer where nobody has to.
        counted=rules.course(scene.turn or view.below) if view.numbered else (),
        courses=tuple(rules.course(side) for side in Side) if travelled else (),
        homes=list_homes(rules) if travelled else (),
        labels=tuple(_list_labels(scene, layout)) if travelled else (),
        shrunk=shrunk,
    )


def _list_labels(scene: Scene, layout: BoardLayout) -> Iterator[HomeLabel]:
    """Yield the names of homes where a game ends there, until men are drawn on them."""
    rules, both = scene.rules, (scene.position.gold, scene.position.black)
    if rules.ending is not Ending.GOAL:
        return
    for side in Side:
        boxes = [layout.points[point] for point in rules.home(side)]
        # They cover the middle of a table.
        if any(men[point] for point in rules.home(side)[1:5] for men in both):
            continue
        room = Box(
            min(box.left for box in boxes),
            min(box.top for box in boxes),
            max(box.right for box in boxes),
            max(box.bottom for box in boxes),
        )
        yield HomeLabel(side, room, scene.words.home)


class GroundCache:
    """Grounds by their stages, the one unused for longest first, within so many bytes.

    What is wanted by several threads at once is drawn by one of them. `drawn` counts the grounds
    that were drawn, `redrawn` those of them that had been drawn before and were given up since.
    """

    def __init__(self, max_bytes: int = MAX_GROUND_BYTES) -> None:
        self._max_bytes = max_bytes
        self._lock = Lock()
        self._grounds: OrderedDict[Stage, Future[Ground]] = OrderedDict()
        self._known: set[int] = set()
        self.drawn = 0
        self.redrawn = 0

    def get(self, stage: Stage) -> Ground:
        """Return the ground of a stage, drawn where it is not kept."""
        with self._lock:
            is_new = stage not in self._grounds
            drawing = self._grounds.setdefault(stage, Future())
            self._grounds.move_to_end(stage)
        ground = self._draw(stage, drawing) if is_new else drawing.result()
        with self._lock:
            self._free_bytes()
        return ground

    def _draw(self, stage: Stage, drawing: Future[Ground]) -> Ground:
        try:
            ground = _draw_ground(stage)
        except BaseException as error:
            # Waiters fail with it, and the next tries again.
            with self._lock:
                self._grounds.pop(stage, None)
            drawing.set_exception(error)
            raise
        with self._lock:
            self.drawn += 1
            self.redrawn += hash(stage) in self._known
            self._known.add(hash(stage))
        drawing.set_result(ground)
        return ground

    def _free_bytes(self) -> None:
        """Free what is made again soonest, of the grounds that were unused for longest."""
        grounds = [each.result() for each in self._grounds.values() if each.done()]
        kept = sum(each.kept_bytes for each in grounds)
        for free in (Ground.drop_true_colours, Ground.drop_patches):
            for each in grounds[:-1]:
                if kept <= self._max_bytes:
                    return
                kept -= each.kept_bytes
                free(each)
                kept += each.kept_bytes
        while kept > self._max_bytes and len(self._grounds) > 1:
            _, oldest = self._grounds.popitem(last=False)
            kept -= oldest.result().kept_bytes if oldest.done() else 0

    @property
    def kept_bytes(self) -> int:
        """How many bytes of pixels all grounds keep."""
        with self._lock:
            done = [each for each in self._grounds.values() if each.done()]
            return sum(each.result().kept_bytes for each in done)

    def clear(self) -> None:
        """Forget every ground."""
        with self._lock:
            self._grounds.clear()


GROUNDS = GroundCache()
"""The grounds of this process."""


def _draw_ground(stage: Stage) -> Ground:
    """Draw the ground of a stage: its board, with letters and numbers.

    Tables that are not in use are dimmed.
    """
    layout, theme = stage.layout, stage.theme
    large = _draw_frame(theme, layout, is_bare=bool(stage.courses))
    pen = ImageDraw.Draw(large)
    pen.rectangle(scale_box(layout.bar), fill=theme.bar)
    bare = layout.board.name in INSCRIPTIONS
    for point, box in layout.points.items():
        ornament.draw_point(
            pen, theme, PointShape(box, point % 2, hangs=point in layout.hanging, bare=bare)
        )
    draw_courses(pen, layout, stage.courses, theme)
    for home in stage.homes:
        draw_home_plate(pen, layout, theme, home)
    # Letters come after the reduction: Pillow smooths type itself, and reducing it would blur it.
    image = large.reduce(SCALE)
    canvas = Canvas(image)
    write_letters(canvas, layout, theme, stage.homes, stage.counted)
    # After the letters, which fade with their points.
    _dim_unused_points(image, stage)
    _draw_inscription(canvas, stage)
    for label in stage.labels:
        _draw_label(canvas, theme, label)
    return Ground(image, theme, stage.shrunk)


def _draw_frame(theme: Theme, layout: BoardLayout, *, is_bare: bool = False) -> Image.Image:
    """Draw a large ground's frame and field; a bare frame has no ornament."""
    small = _draw_small_frame(theme, layout.height, layout.frame, layout.inside, is_bare=is_bare)
    return small.resize((WIDTH * SCALE, layout.height * SCALE), Image.Resampling.NEAREST)


# Boards of a size share it, and its ornament takes longer than all else of a ground.
@lru_cache(maxsize=4)
def _draw_small_frame(
    theme: Theme, height: int, frame: Box, inside: Box, *, is_bare: bool
) -> Image.Image:
    large = Image.new("RGB", (WIDTH * SCALE, height * SCALE), theme.page)
    pen = ImageDraw.Draw(large)
    pen.rounded_rectangle(scale_box(frame), 10 * SCALE, fill=theme.frame)
    if not is_bare:
        ornament.draw_border(pen, theme, frame)
    pen.rectangle(scale_box(inside), fill=theme.wood)
    ornament.draw_grain(pen, theme, inside)
    return large.reduce(SCALE)


def _draw_inscription(canvas: Canvas, stage: Stage) -> None:
    """Write the board's words, a letter on each point."""
    board, theme = stage.layout.board, stage.theme
    # Most boards have no inscription, so the pairs may end at once.
    for point, letter in zip(
        chain(*board.rows), "".join(INSCRIPTIONS.get(board.name, ())), strict=False
    ):
        canvas.text(stage.layout.locate_tip(point), letter, theme.ink, title_font(48), "mm")


def _draw_label(canvas: Canvas, theme: Theme, home: HomeLabel) -> None:
    """Name a side's home in the middle of its points, with one of its men."""
    most = home.room.width - _HOME_HEIGHT - 3 * _HOME_PAD
    font = choose_font(home.word, map(title_font, _HOME_SIZES), most)
    word = fit_text(home.word, font, most)
    half = (_HOME_HEIGHT + 2 * _HOME_PAD + round(measure_text(word, font))) // 2
    x, y = home.room.centre
    up = _HOME_HEIGHT // 2
    canvas.rounded_rectangle(Box(x - half, y - up, x + half, y + up), theme.page, theme.ink)
    man = art.draw_man(theme, home.side, _HOME_HEIGHT - _HOME_PAD)
    canvas.paste_sprite(man, (x - half + up, y))
    canvas.text((x - half + _HOME_HEIGHT, y), word, theme.ink, font, "lm")


def _dim_unused_points(image: Image.Image, stage: Stage) -> None:
    for point in stage.layout.points.keys() - stage.in_use:
        box = stage.layout.points[point]
        area = (box.left, box.top - LETTER_SPACE, box.right, box.bottom + LETTER_SPACE)
        image.paste(ornament.fade_part(image.crop(area), stage.theme, _DIMMING), area[:2])


@lru_cache(maxsize=8)
def build_palette(theme: Theme) -> Image.Image:
    """Return a theme's palette, made once: its own colours, and shades of all that can be drawn."""
    # One palette serves every picture of a theme, so the sample has each piece on each background
    # where it may lie, faded parts and the board's material.
    sample = Image.new("RGB", (WIDTH, 400), theme.page)
    canvas = Canvas(sample)
    pen = canvas.pen
    for at, side in enumerate(Side):
        for back, colour in enumerate((theme.page, theme.wood, *theme.plates, theme.bar)):
            left, top = 120 * back, 130 * at
            pen.rectangle((left, top, left + 119, top + 129), fill=colour)
            canvas.paste_sprite(art.draw_man(theme, side, _SAMPLE_MAN), (left + 40, top + 40))
            canvas.paste_sprite(art.draw_arrival_ring(theme, _SAMPLE_MAN), (left + 40, top + 40))
            for used, across in ((False, 88), (True, 30)):
                sprite = art.draw_die(theme, side, Die(6, used=used, presumed=True), _SAMPLE_DIE)
                canvas.paste_sprite(sprite, (left + across, top + 96))
            canvas.text((left + 70, top + 8), "Amg", theme.ink, text_font(30), "la")
            canvas.text((left + 70, top + 40), "Amg", theme.letters, text_font(30), "la")
    for at, tone in enumerate((*theme.plates, *theme.tints)):
        sample.paste(
            ornament.fade_part(Image.new("RGB", (60, 60), tone), theme, _DIMMING), (70 * at, 300)
        )
        pen.rectangle((300 + 60 * at, 300, 350 + 60 * at, 390), fill=tone)
    sample.paste(_draw_material(theme).resize((580, 380)), (610, 10))
    # The theme's own colours go in unchanged, so that large areas and letters keep their contrast;
    # median cut chooses only the shades between them.
    exact = theme.colours
    reduced = (
        sample.quantize(COLOURS - len(exact), method=Image.Quantize.MEDIANCUT).getpalette() or []
    )
    shades = [tuple(reduced[at : at + 3]) for at in range(0, 3 * (COLOURS - len(exact)), 3)]
    # Pillow looks colours up in steps of four: a shade next to a theme's own colour would be taken
    # in its place.
    apart = [
        shade
        for shade in shades
        if all(_colour_distance(shade, own) > _MIN_COLOUR_DISTANCE for own in exact)
    ]
    settled = Image.new("P", (1, 1))
    settled.putpalette([*chain(*exact), *chain(*apart)])
    return settled


def _colour_distance(one: Colour, other: Colour) -> int:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def _draw_material(theme: Theme) -> Image.Image:
    """Draw a corner of a board, for the colours of its ornament."""
    corner = lay_out_board(GAMES[FIRST_GAME].rules, Side.GOLD)
    large = _draw_frame(theme, corner)
    pen = ImageDraw.Draw(large)
    for point, box in corner.points.items():
        ornament.draw_point(
            pen, theme, PointShape(box, point % 2, hangs=point in corner.hanging, bare=False)
        )
    return large.reduce(SCALE).crop((0, corner.frame.top, 600, corner.frame.top + 400))
