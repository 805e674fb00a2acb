"""The strips above and below a board, one a side: name, men beside the board, pips or luck."""

from dataclasses import replace
from functools import lru_cache, partial
from math import ceil
from typing import TypeVar

from engine.pips import count_pips
from engine.position import Side
from engine.possible import may_stand
from render import art
from render.canvas import Canvas, fit_text, text_font
from render.drawing import Drawing
from render.geometry import STRIP_HEIGHT, BoardLayout, Box, Spot, Strip
from render.ground import Stage
from render.lettering import measure_text
from render.scene import Scene

_Each = TypeVar("_Each")

_NAME_SIZE, _COUNT_SIZE = 48, 40
"""Sizes of type."""
_ICON, _NAME_START, _NAME_GRID = 54, 80, 64
"""The man before a name, where the name begins, and the steps in which what is beyond it begins."""
_TRAY_MAN_HEIGHT = 44
"""How high men beside the board are drawn."""
_HAND_SHOWN, _HAND_STEP = 2, 14
_RACK_WIDTH = 112
"""How wide men borne off may lie side by side."""
_SLOT = 14
"""How wide the place for the first man borne off is."""
_PAD, _PADS = 14, 28
"""Beside a thing in a strip, and beside and between two."""
_MIN_NAME_WIDTH = 230
"""How wide a name is where a strip is full of other things."""
_LUCK_BAR_WIDTH = 112
"""How wide the bar of luck is."""
_PART_WIDTHS = 144, 176, 208, 240, 272, 304, 368, 440
"""The widths of a strip's parts: few sizes, so that what is beside them is seldom redrawn."""
_LITTLE_LUCK = 0.1
"""Points of luck, to either side, that fill a bar where neither side had more."""


def draw_strip(drawing: Drawing, side: Side) -> None:
    """Describe one side."""
    scene, stage = drawing.scene, drawing.stage
    strip = lay_out_strip(scene, drawing.layout, side, lower=side is stage.below)
    _add_name(drawing, strip.name, side)

    in_hand, borne_off = _count_men_beside(scene, side)
    if in_hand:
        text = scene.words.in_hand(in_hand)
        paint = partial(
            _paint_hand, stage=stage, box=strip.hand, side=side, count=in_hand, text=text
        )
        drawing.add_patch(strip.hand, ("hand", side, in_hand, text), paint)
    if _is_rack_shown(scene, side, borne_off):
        text = scene.words.off(borne_off)
        paint = partial(
            _paint_rack, stage=stage, box=strip.off, side=side, count=borne_off, text=text
        )
        drawing.add_patch(strip.off, ("off", side, borne_off, text), paint)

    left = count_pips(scene.rules, scene.position, side)
    if scene.luck:
        _add_luck(drawing, strip.tally, scene.luck, _pick_side(scene.luck, side))
    elif left is not None:
        text = scene.words.pips(left)
        drawing.add_patch(
            strip.tally,
            ("pips", text),
            partial(_paint_pips, stage=stage, box=strip.tally, text=text),
        )


def _add_name(drawing: Drawing, box: Box, side: Side) -> None:
    scene = drawing.scene
    name, turn = _pick_side(scene.drawn_names or scene.names, side), scene.turn is side
    paint = partial(_paint_name, stage=drawing.stage, box=box, side=side, name=name, turn=turn)
    # What is beyond the name is the same for many names, and painted once for them.
    end = box.left + _NAME_START + ceil(measure_text(name, text_font(_NAME_SIZE))) + _PAD
    end += -end % _NAME_GRID
    if box.right - end < _NAME_GRID:
        # The pointer, which stands at the end of the box, is painted with the name.
        end = box.right
    drawing.add_patch(replace(box, right=end), (side, name, turn), paint)
    if turn and end < box.right:
        drawing.add_patch(replace(box, left=end), (side, "beyond a name"), paint)


# Each picture compares the names of all who ever sat there, which seldom change.
@lru_cache(maxsize=4096)
def shorten_name(name: str) -> str:
    """Return what is seen of a name where little room is left for it."""
    return fit_text(name, text_font(_NAME_SIZE), _MIN_NAME_WIDTH)


def lay_out_strip(scene: Scene, layout: BoardLayout, side: Side, *, lower: bool) -> Strip:
    """Return where a side is written about, the one that sits below or the other."""
    in_hand, borne_off = _count_men_beside(scene, side)
    words = scene.words
    hand = (
        _choose_part_width(words.in_hand(in_hand), _TRAY_MAN_HEIGHT + _HAND_STEP) if in_hand else 0
    )
    shown = _is_rack_shown(scene, side, borne_off)
    beside = _RACK_WIDTH if borne_off else _SLOT
    off = _choose_part_width(words.off(borne_off), beside) if shown else 0
    if scene.luck:
        # Alike on both strips, so that the bars stand below each other.
        tally = max(
            _choose_part_width(words.luck(each), _LUCK_BAR_WIDTH + _PAD) for each in scene.luck
        )
    else:
        left = count_pips(scene.rules, scene.position, side)
        tally = 0 if left is None else _choose_part_width(words.pips(left), 0)
    return layout.divide_strip(lower=lower, hand=hand, off=off, tally=tally)


def _choose_part_width(text: str, beside: int) -> int:
    """Return how wide a part of a strip is that holds words and something beside them."""
    needed = ceil(measure_text(text, text_font(_COUNT_SIZE))) + beside + _PADS
    return next((room for room in _PART_WIDTHS if room >= needed), _PART_WIDTHS[-1])


def locate_in_tray(strip: Strip, *, borne_off: bool) -> Spot:
    """Return where a man comes to lie who is borne off, or whence one in hand comes."""
    tray = strip.off if borne_off else strip.hand
    return tray.left + STRIP_HEIGHT // 2, tray.centre[1]


def _pick_side(both: tuple[_Each, _Each], side: Side) -> _Each:
    """Return of what gold and black have that of one side."""
    gold, black = both
    return gold if side is Side.GOLD else black


def _count_men_beside(scene: Scene, side: Side) -> tuple[int, int]:
    """Return how many men a side has in hand and borne off.

    Men that are piled up are seen on their points.
    """
    board, men = scene.rules.board, scene.position.men(side)
    return 0 if scene.rules.piled else men[board.hand], men[board.off]


def _is_rack_shown(scene: Scene, side: Side, borne_off: int) -> bool:
    """Whether it is shown where men come who are borne off: at first, and once there are any."""
    rules = scene.rules
    return borne_off > 0 or (scene.ways and may_stand(rules, side, rules.board.off))


def _paint_name(
    canvas: Canvas, stage: Stage, box: Box, side: Side, name: str, *, turn: bool
) -> None:
    """Write a player's name, with a frame and a pointer where it is his turn."""
    theme, y = stage.theme, box.centre[1]
    end = box.right - _PAD
    if turn:
        canvas.rounded_rectangle(
            Box(box.left + 3, box.top + 4, box.right - 4, box.bottom - 5), None, theme.accent, 5
        )
        canvas.polygon([(end - 30, y - 17), (end - 30, y + 17), (end - 4, y)], theme.accent)
        end -= 40
    canvas.paste_sprite(art.draw_man(theme, side, _ICON), (box.left + 42, y))
    left = box.left + _NAME_START
    canvas.text(
        (left, y),
        fit_text(name, text_font(_NAME_SIZE), end - left),
        theme.ink,
        text_font(_NAME_SIZE),
        "lm",
    )


def _paint_hand(canvas: Canvas, stage: Stage, box: Box, side: Side, count: int, text: str) -> None:
    """Draw a few of the men in hand, and tell how many there are."""
    shown = min(count, _HAND_SHOWN)
    for at in range(shown):
        canvas.paste_sprite(
            art.draw_man(stage.theme, side, _TRAY_MAN_HEIGHT),
            (box.left + 30 + _HAND_STEP * at, box.centre[1]),
        )
    _write_count(canvas, stage, box, text, _TRAY_MAN_HEIGHT + _HAND_STEP * (shown - 1))


def _paint_rack(canvas: Canvas, stage: Stage, box: Box, side: Side, count: int, text: str) -> None:
    """Draw the men borne off edge by edge, and tell how many there are.

    Before the first there is an empty place for him.
    """
    if not count:
        left, middle, half = box.left + _PAD, box.centre[1], _TRAY_MAN_HEIGHT // 2
        slot = Box(left - _SLOT // 2, middle - half, left + _SLOT // 2, middle + half)
        canvas.rounded_rectangle(slot, None, stage.theme.ink)
        _write_count(canvas, stage, box, text, _SLOT)
        return
    sprite = art.draw_man_edge(stage.theme, side, _TRAY_MAN_HEIGHT)
    # Many men borne off overlap, so that they keep to the room that the strip has given them.
    step = min(sprite.width, _RACK_WIDTH // count)
    for at in range(count):
        canvas.paste_sprite(sprite, (box.left + _PAD + step * at, box.centre[1]))
    _write_count(canvas, stage, box, text, sprite.width + step * (count - 1))


def _write_count(canvas: Canvas, stage: Stage, box: Box, text: str, taken: int) -> None:
    """Write how many men are beside the board, to the right of those that are drawn."""
    left = box.left + taken + 18
    words = fit_text(text, text_font(_COUNT_SIZE), box.right - left)
    canvas.text((left, box.centre[1]), words, stage.theme.ink, text_font(_COUNT_SIZE), "lm")


def _paint_pips(canvas: Canvas, stage: Stage, box: Box, text: str) -> None:
    words = fit_text(text, text_font(_COUNT_SIZE), box.width - 2 * _PAD)
    canvas.text(
        (box.right - _PAD, box.centre[1]), words, stage.theme.ink, text_font(_COUNT_SIZE), "rm"
    )


def _add_luck(drawing: Drawing, box: Box, both: tuple[float, float], mine: float) -> None:
    # Both sides' bars have one scale, so that their lengths can be compared. The share is rounded
    # since it is part of the patch's key: nearly equal bars are painted once.
    share = round(mine / max(_LITTLE_LUCK, *map(abs, both)), 2)
    text = drawing.scene.words.luck(mine)
    paint = partial(_paint_luck, stage=drawing.stage, box=box, share=share, text=text)
    drawing.add_patch(box, ("luck", share, text), paint)


def _paint_luck(canvas: Canvas, stage: Stage, box: Box, share: float, text: str) -> None:
    """Draw a bar of luck from the middle, and write its length.

    It goes to the right for kind dice and to the left for unkind ones.
    """
    theme, y = stage.theme, box.centre[1]
    left = box.left + _PAD
    right = left + _LUCK_BAR_WIDTH
    middle = (left + right) // 2
    end = middle + round(share * ((right - left) // 2 - 5))
    canvas.rectangle(Box(left, y - 15, right, y + 15), theme.plates[0], theme.frame, 2)
    canvas.rectangle(Box(min(middle, end), y - 10, max(middle, end), y + 10), theme.accent)
    canvas.rectangle(Box(middle - 2, y - 20, middle + 2, y + 20), theme.ink)
    words = fit_text(text, text_font(_COUNT_SIZE), box.right - right - 2 * _PAD)
    canvas.text((box.right - _PAD, y), words, theme.ink, text_font(_COUNT_SIZE), "rm")
