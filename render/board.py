"""The picture of a board."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from PIL import Image

from engine.position import Side
from engine.possible import may_stand
from render import art
from render.arrows import draw_arrows
from render.canvas import Canvas, choose_font, fit_text, text_font, title_font
from render.describe import list_bar_tables
from render.drawing import Drawing, paint_badge, start_drawing
from render.geometry import LETTER_SPACE, Box, Spot
from render.ground import Stage
from render.lettering import measure_text
from render.png import encode_png
from render.scene import Die, Scene, SceneMove, SceneOption, View
from render.strip import draw_strip


@dataclass(frozen=True, slots=True)
class MoveMarks:
    """The marks of some moves: how many men came to rest on each place, where a hit was, and left.

    A man who moved on from where he arrived came to rest only where he ended.
    """

    came: Mapping[int, int]
    hit: frozenset[int]
    left: frozenset[int]


def mark_moves(moves: Iterable[SceneMove]) -> MoveMarks:
    """Return the marks of moves, which were made in that order."""
    came: Counter[int] = Counter()
    hit: set[int] = set()
    left: set[int] = set()
    for move in moves:
        if came[move.source]:
            came[move.source] -= 1
        else:
            left.add(move.source)
        came[move.target] += 1
        if move.hit:
            hit.add(move.target)
    # One mark a place: where a man has come to rest that counts, and not who left.
    resting = +came
    return MoveMarks(came, frozenset(hit & resting.keys()), frozenset(left - resting.keys()))


def list_numbers_by_target(options: Iterable[SceneOption]) -> Mapping[int, tuple[int, ...]]:
    """Return the numbers by which a man may go to each place, the largest first."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    for option in options:
        found[option.target].add(option.number)
    return {target: tuple(sorted(numbers, reverse=True)) for target, numbers in found.items()}


_TITLE_SIZES = 52, 46, 40, 34
_STATUS_SIZES = _NOTE_SIZES = 40, 36, 32, 28
"""Sizes of type: words are written as large as they fit."""
_BAR_NAME_SIZES = 48, 40, 32, 28, 24


MAX_NUMBERS = 3
"""Numbers that are written where a man may go: there are no more dice."""
_NUMBER_WIDTHS, _NUMBER_SIZES = (0.8, 1.08, 1.12), (0.75, 0.72, 0.52)
_NUMBER_HEIGHT = 0.76
"""How large their mark and their type is for one, two or three of them, in widths of a man."""


class PointContents(NamedTuple):
    """What there is to see on one point.

    Each side's men, whether one of them lies on another, how many of the last moves ended here,
    whether one of them hit and whether one began here, whether the man on top may move, and by
    which numbers a man may come here.
    """

    gold: int
    black: int
    lying: tuple[bool, ...]
    came: int = 0
    hit: bool = False
    left: bool = False
    movable: bool = False
    numbers: tuple[int, ...] = ()


EMPTY_POINT = PointContents(0, 0, (False, False))


def draw_board(scene: Scene, view: View = View()) -> bytes:  # noqa: B008 - immutable
    """Return a scene as a PNG with a palette, 1080 pixels wide.

    The same scene and view give the same bytes.
    """
    return encode_png(compose_board(scene, view))


def compose_board(scene: Scene, view: View, shrunk: int = 1) -> Image.Image:
    """Return a scene as a palette image, `shrunk` times smaller than usual each way."""
    drawing = start_drawing(_remove_lifted_man(scene), view, shrunk)
    _add_points(drawing)
    _add_bar(drawing)
    _add_dice(drawing)
    _add_note(drawing)
    _add_title(drawing)
    for side in Side:
        draw_strip(drawing, side)
    return draw_arrows(drawing.picture, scene, drawing.stage) if scene.advice else drawing.picture


def _remove_lifted_man(scene: Scene) -> Scene:
    """Return a scene without the man who is on his way."""
    if scene.lifted is None:
        return scene
    side, place = scene.lifted
    men = bytearray(scene.position.men(side))
    men[place] -= 1
    return replace(scene, position=scene.position.with_men(side, men))


def _add_points(drawing: Drawing) -> None:
    """Draw the men of every point, what the last play did there, and whether a man may go there."""
    scene, layout = drawing.scene, drawing.layout
    gold, black = scene.position.gold, scene.position.black
    hand = layout.board.hand
    marks = mark_moves((*scene.earlier, *scene.last))
    numbers = list_numbers_by_target(scene.options)
    movable = {option.source for option in scene.options}
    for point in layout.points:
        lying = tuple(
            scene.rules.piled and men[point] == 1 and men[hand] > 0 for men in (gold, black)
        )
        shown = PointContents(
            gold[point],
            black[point],
            lying,
            min(marks.came[point], gold[point] + black[point]),
            point in marks.hit,
            point in marks.left,
            point in movable,
            numbers.get(point, ()),
        )
        # The ground has every point empty already.
        if shown != EMPTY_POINT:
            paint = partial(_paint_point, stage=drawing.stage, point=point, shown=shown)
            drawing.add_patch(layout.point_area(point), shown, paint)


def _paint_point(canvas: Canvas, stage: Stage, point: int, shown: PointContents) -> None:
    layout, theme = stage.layout, stage.theme
    man = layout.man
    for side, count, on_top in zip(Side, (shown.gold, shown.black), shown.lying, strict=True):
        _paint_pile(canvas, stage, layout.locate_pile(point, count), count, side)
        if on_top:
            canvas.paste_sprite(art.draw_man(theme, side, man), layout.locate_upper_man(point))
    held = shown.gold + shown.black
    places = layout.locate_pile(point, held)
    # Of a pile that is drawn in part, the last man stands for all above him.
    for centre in places[-min(shown.came, len(places)) :] if shown.came else ():
        canvas.paste_sprite(art.draw_arrival_ring(theme, man), centre)
    if shown.hit and held:
        x, y = places[-1]
        # The star lies towards the free end of the pile, so that it doesn't cover the man before.
        aside = man // 3
        canvas.paste_sprite(
            art.draw_hit_mark(theme, man),
            (x + aside, y + (aside if point in layout.hanging else -aside)),
        )
    if shown.movable and held:
        # The count of a high pile stands on its last man.
        on = places[-2] if held > len(places) > 1 else places[-1]
        canvas.paste_sprite(art.draw_movable_mark(theme, man), on)
    # On a full pile there is no free place, and the ring would go round a man who is still there.
    if shown.left and held < layout.most:
        canvas.paste_sprite(
            art.draw_origin_ring(theme, man), layout.locate_pile(point, held + 1)[-1]
        )
    if shown.numbers:
        free = layout.locate_pile(point, min(held + 1, layout.most))[-1]
        _paint_numbers(canvas, stage, free, shown.numbers)


def _paint_numbers(canvas: Canvas, stage: Stage, centre: Spot, numbers: Sequence[int]) -> None:
    """Draw the mark of a place to which a man may go, with the numbers that lead there."""
    theme, man, (x, y) = stage.theme, stage.layout.man, centre
    shown = numbers[:MAX_NUMBERS]
    across, up = round(man * _NUMBER_WIDTHS[len(shown) - 1] / 2), round(man * _NUMBER_HEIGHT / 2)
    canvas.rounded_rectangle(Box(x - across, y - up, x + across, y + up), theme.accent, theme.page)
    text = " ".join(map(str, shown))
    size = round(man * _NUMBER_SIZES[len(shown) - 1])
    canvas.text(centre, text, theme.page, title_font(size), "mm")


def _paint_pile(canvas: Canvas, stage: Stage, centres: list[Spot], count: int, side: Side) -> None:
    for centre in centres:
        canvas.paste_sprite(art.draw_man(stage.theme, side, stage.layout.man), centre)
    if count > len(centres):
        paint_badge(canvas, stage, centres[-1], str(count))


def _add_bar(drawing: Drawing) -> None:
    stage, board = drawing.stage, drawing.layout.board
    # The bars are the last places of a board, so all of them follow the first.
    waiting = tuple(drawing.scene.position.men(side)[board.bars[0] :] for side in Side)
    name = drawing.scene.words.bar if _is_bar_named(drawing.scene) else ""
    if name or any(map(any, waiting)):
        paint = partial(_paint_bar, stage=stage, waiting=waiting, name=name)
        drawing.add_patch(drawing.layout.bar, ("bar", waiting, name), paint)


def _is_bar_named(scene: Scene) -> bool:
    """Whether the bar is to be named: at first, and where men can ever wait there."""
    rules = scene.rules
    return scene.ways and any(
        may_stand(rules, side, bar) for side in Side for bar in rules.board.bars
    )


def _paint_bar(canvas: Canvas, stage: Stage, waiting: tuple[bytes, ...], name: str) -> None:
    """Draw the bar's name and each side's men on it, with their tables where there are several.

    A man waits to enter the table that is named.
    """
    board = stage.layout.board
    if name:
        _paint_bar_name(canvas, stage, name)
    for side, men in zip(Side, waiting, strict=True):
        centres = stage.layout.locate_bar_pile(sum(men), lower=side is stage.below)
        _paint_pile(canvas, stage, centres, sum(men), side)
        if len(board.bars) > 1:
            names = [
                name
                for (_, name), count in zip(list_bar_tables(board), men, strict=True)
                for _ in range(count)
            ]
            _label_bar_men(canvas, stage, centres, names)


def _paint_bar_name(canvas: Canvas, stage: Stage, name: str) -> None:
    """Write the bar's name at its lower end, level with the letters of the points."""
    theme, bar = stage.theme, stage.layout.bar
    middle, half = bar.bottom - LETTER_SPACE // 2, LETTER_SPACE // 2 - 2
    plate = Box(bar.left + 3, middle - half, bar.right - 4, middle + half)
    canvas.rounded_rectangle(plate, theme.page, theme.ink)
    room = plate.width - 8
    font = choose_font(name, map(title_font, _BAR_NAME_SIZES), room)
    canvas.text(plate.centre, fit_text(name, font, room), theme.ink, font, "mm")


def _label_bar_men(canvas: Canvas, stage: Stage, centres: list[Spot], tables: list[str]) -> None:
    """Label men on the bar with the table that each waits to enter.

    The last may carry their number instead.
    """
    counted = len(tables) > len(centres)
    for centre, name in zip(centres[:-1] if counted else centres, tables, strict=False):
        paint_badge(canvas, stage, centre, name)


def _add_dice(drawing: Drawing) -> None:
    scene, stage = drawing.scene, drawing.stage
    side = scene.thrower or Side.GOLD
    for box, thrown in zip(drawing.layout.lay_out_dice(len(scene.dice)), scene.dice, strict=True):
        paint = partial(_paint_die, stage=stage, box=box, thrown=thrown, side=side)
        drawing.add_patch(box, ("die", thrown, side), paint)


def _paint_die(canvas: Canvas, stage: Stage, box: Box, thrown: Die, side: Side) -> None:
    canvas.paste_sprite(art.draw_die(stage.theme, side, thrown, box.width), box.centre)


def _add_note(drawing: Drawing) -> None:
    box, note = drawing.layout.note, drawing.scene.note
    if box and note:
        paint = partial(_paint_note, stage=drawing.stage, box=box, note=note)
        drawing.add_patch(box, ("note", note), paint)


def _paint_note(canvas: Canvas, stage: Stage, box: Box, note: str) -> None:
    theme = stage.theme
    canvas.rounded_rectangle(
        Box(box.left, box.top, box.right - 1, box.bottom - 1), theme.page, theme.accent, 4
    )
    room = box.width - 30
    font = choose_font(note, map(text_font, _NOTE_SIZES), room)
    canvas.text(box.centre, fit_text(note, font, room), theme.ink, font, "mm")


def _add_title(drawing: Drawing) -> None:
    box, scene = drawing.layout.title, drawing.scene
    if box:
        status = scene.status if scene.drawn_status is None else scene.drawn_status
        paint = partial(
            _paint_title, stage=drawing.stage, box=box, title=scene.title, status=status
        )
        drawing.add_patch(box, ("title", scene.title, status), paint)


def _paint_title(canvas: Canvas, stage: Stage, box: Box, title: str, status: str) -> None:
    ink, y = stage.theme.ink, box.centre[1]
    # The title has three fifths of the line at most, so that the status always has room. The status
    # has all that the title leaves, less both margins and a gap.
    share = box.width * 3 // 5
    font = choose_font(title, map(title_font, _TITLE_SIZES), share)
    words = fit_text(title, font, share)
    canvas.text((box.left + 14, y), words, ink, font, "lm")
    room = box.width - round(measure_text(words, font)) - 58
    beside = choose_font(status, map(text_font, _STATUS_SIZES), room)
    canvas.text((box.right - 14, y), fit_text(status, beside, room), ink, beside, "rm")
