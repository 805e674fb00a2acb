"""The fixed part of a picture, drawn once: page, board, points and letters; and its palette.

Everything else is a patch: a part of the ground with something on it, brought to the palette and
kept. Patches never overlap, so a picture is the ground's palette image with patches pasted in:
nothing is blended twice.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, TypeAlias

from PIL import Image, ImageDraw

from engine.games import GAMES
from engine.games.picks import FIRST_GAME
from engine.position import Side
from engine.rules import Ending
from render import art, ornament
from render.canvas import Canvas, choose_font, fit_text, text_font, title_font
from render.geometry import LETTER_SPACE, WIDTH, BoardLayout, Box, Spot
from render.layout import find_points_in_use, lay_out_board
from render.lettering import measure_text
from render.ornament import SCALE, PointShape, scale_box
from render.pen import Pen
from render.scene import Die, Scene, View
from render.theme import Colour, Theme

COLOURS = 128
_DIMMING = 0.72
_MOST_PATCHES = 320
_MIN_COLOUR_DISTANCE = 6
_COURSE_OFFSET = 8
"""How far from the middle of the way each side's line is drawn."""
_SAMPLE_MAN, _SAMPLE_DIE = 58, 54
INSCRIPTIONS = {"roman": ("VICTVSLEVATE", "LVDERENESCIS", "DALVSORILOCV")}
"""The inscription of our Roman board, a letter a point.

In English: up, beaten one; you cannot play; make room for one who can. Walker's leaflet quotes a
board with words to this effect [S3].
"""

_HOME_HEIGHT, _HOME_PAD, _HOME_SIZES = 52, 12, (36, 32, 28)
"""The plate that names a side's home: how high it is, its margin and sizes of type."""
Paint: TypeAlias = Callable[[Canvas], None]


class Ground:
    """A ground in true colour and by palette, with the patches that were painted on it."""

    def __init__(self, image: Image.Image, theme: Theme, shrunk: int) -> None:
        self._image = image
        self._shrunk = shrunk
        self._palette = build_palette(theme)
        self._plain = self._reduce_image(image)
        self._patches: dict[tuple[Box, Hashable], Image.Image] = {}

    def _reduce_image(self, image: Image.Image) -> Image.Image:
        small = image.reduce(self._shrunk) if self._shrunk > 1 else image
        # Dithering would speckle flat colours, and a patch, which is reduced alone, would differ
        # from the ground beside it: error diffusion depends on the neighbouring pixels.
        return small.quantize(palette=self._palette, dither=Image.Dither.NONE)

    @property
    def pixel_bytes(self) -> int:
        """How many bytes of pixels are kept."""
        patches = sum(patch.width * patch.height for patch in self._patches.values())
        return (
            patches
            + self._plain.width * self._plain.height
            + 3 * self._image.width * self._image.height
        )

    def copy_blank(self) -> Image.Image:
        """Return a copy of the ground by palette."""
        return self._plain.copy()

    def add_patch(self, picture: Image.Image, box: Box, key: Hashable, paint: Paint) -> None:
        """Put a patch into a picture; `key` says all that `paint` draws in that box."""
        shrunk = self._shrunk
        # So that the reduced patch falls on whole pixels.
        box = Box(box.left // shrunk * shrunk, box.top // shrunk * shrunk, box.right, box.bottom)
        patch = self._patches.get((box, key))
        if patch is None:
            # Painted on true colours, with which the smooth edges of sprites and letters can blend.
            part = self._image.crop(box.edges)
            paint(Canvas(part, box.left, box.top))
            patch = self._reduce_image(part)
            # Limits the memory of a ground. All go at once, and those still in use are painted
            # again.
            if len(self._patches) >= _MOST_PATCHES:
                self._patches.clear()
            self._patches[box, key] = patch
        picture.paste(patch, (box.left // shrunk, box.top // shrunk))


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
    and `homes` the names of where they lead, if that is on the board.
    The picture is `shrunk` times smaller than usual in each direction.
    """

    layout: BoardLayout
    theme: Theme
    below: Side
    in_use: frozenset[int]
    counted: tuple[int, ...] = ()
    courses: tuple[tuple[int, ...], ...] = ()
    homes: tuple[HomeLabel, ...] = ()
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
        homes=tuple(_list_homes(scene, layout)) if travelled else (),
        shrunk=shrunk,
    )


def _list_homes(scene: Scene, layout: BoardLayout) -> Iterator[HomeLabel]:
    """Yield each side's home where a game ends there; borne-off men are seen beside the board."""
    if scene.rules.ending is not Ending.GOAL:
        return
    for side in Side:
        boxes = [layout.points[point] for point in scene.rules.home(side)]
        room = Box(
            min(box.left for box in boxes),
            min(box.top for box in boxes),
            max(box.right for box in boxes),
            max(box.bottom for box in boxes),
        )
        yield HomeLabel(side, room, scene.words.home)


@lru_cache(maxsize=6)
def build_ground(stage: Stage) -> Ground:
    """Return the ground of a stage: its board, with letters and numbers.

    Tables that are not in use are dimmed.
    """
    layout, theme = stage.layout, stage.theme
    large = _draw_frame(theme, layout)
    pen = ImageDraw.Draw(large)
    pen.rectangle(scale_box(layout.bar), fill=theme.bar)
    bare = layout.board.name in INSCRIPTIONS
    for point, box in layout.points.items():
        ornament.draw_point(
            pen, theme, PointShape(box, point % 2, hangs=point in layout.hanging, bare=bare)
        )
    # Letters come after the reduction: Pillow smooths type itself, and reducing it would blur it.
    image = large.reduce(SCALE)
    canvas = Canvas(image)
    draw_courses(canvas.pen, layout, stage.courses, theme)
    _draw_letters(canvas, stage)
    # After the letters, which fade with their points.
    _dim_unused_points(image, stage)
    _draw_inscription(canvas, stage)
    for home in stage.homes:
        _draw_home(canvas, theme, home)
    return Ground(image, theme, stage.shrunk)


def _draw_frame(theme: Theme, layout: BoardLayout) -> Image.Image:
    """Draw a large ground's frame and field."""
    large = Image.new("RGB", (WIDTH * SCALE, layout.height * SCALE), theme.page)
    pen = ImageDraw.Draw(large)
    pen.rounded_rectangle(scale_box(layout.frame), 10 * SCALE, fill=theme.frame)
    ornament.draw_border(pen, theme, layout.frame)
    pen.rectangle(scale_box(layout.inside), fill=theme.wood)
    ornament.draw_grain(pen, theme, layout.inside)
    return large


def _draw_letters(canvas: Canvas, stage: Stage) -> None:
    layout, counted = stage.layout, stage.counted
    for point in layout.points:
        x, y = layout.locate_letter(point)
        name = layout.board.place_names[point]
        if point in counted:
            number = str(len(counted) - counted.index(point))
            canvas.text((x - 4, y), name, stage.theme.letters, title_font(36), "rm")
            canvas.text((x + 2, y), number, stage.theme.letters, text_font(30), "lm")
        else:
            # With a little of the field round it, for a way may run behind.
            canvas.text_with_halo(
                (x, y), name, stage.theme.letters, stage.theme.wood, title_font(40)
            )


def _draw_inscription(canvas: Canvas, stage: Stage) -> None:
    """Write the board's words, each letter with a little of its plate, so that ways pass behind."""
    board, theme = stage.layout.board, stage.theme
    # Most boards have no inscription, so the pairs may end at once.
    for point, letter in zip(
        chain(*board.rows), "".join(INSCRIPTIONS.get(board.name, ())), strict=False
    ):
        canvas.text_with_halo(
            stage.layout.locate_tip(point),
            letter,
            theme.ink,
            theme.plates[point % 2],
            title_font(48),
        )


def _draw_home(canvas: Canvas, theme: Theme, home: HomeLabel) -> None:
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


def draw_courses(
    pen: Pen, layout: BoardLayout, courses: Iterable[tuple[int, ...]], theme: Theme
) -> None:
    """Draw gold's and black's way round as arrows through the round ends of their points."""
    for course, stone, aside in zip(
        courses, (theme.gold, theme.black), (-_COURSE_OFFSET, _COURSE_OFFSET), strict=False
    ):
        middles = (layout.on_the_way(point) for point in course)
        # Both ways pass the same points. A shift in both directions keeps them apart on every
        # stretch, whether it runs across or down.
        line = [(x + aside, y + aside) for x, y in middles]
        x, y = line[0]
        # The wide light line under the narrow one outlines it, so that it is seen on any ground.
        for width, fill in ((14, theme.ivory), (8, stone.body)):
            pen.ellipse((x - width, y - width, x + width, y + width), fill=fill)
            pen.line(line, fill=fill, width=width, joint="curve")
        pen.polygon(_arrow_head(line[-2], line[-1]), fill=stone.body, outline=theme.ivory, width=3)


def _arrow_head(before: Spot, end: Spot) -> list[Spot]:
    back = 34 if end[0] > before[0] else -34
    return [
        (end[0] + back // 2, end[1]),
        (end[0] - back, end[1] - 15),
        (end[0] - back, end[1] + 15),
    ]


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
