"""Which way a board is played: an arrow for each side on the frame, and the homes it leads to."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from engine.position import Side
from engine.rules import Rules
from render.canvas import Canvas, title_font
from render.geometry import BoardLayout, Box, Spot
from render.lettering import measure_text
from render.ornament import SCALE, scale_box
from render.pen import Pen
from render.theme import Colour, Theme

_LANES = 14, 28
"""How far inside the frame's edge gold's and black's arrows run."""
_BETWEEN = -6, 6
"""How far from the middle they run where three rows leave a gap between two."""
_LINE, _OUTLINE, _DOT = 8, 2, 9
"""How wide a line is, how far what outlines it is seen, and how far a start reaches."""
_HEAD_LENGTH, _HEAD_HALF = 32, 12
_ENDS_APART = 20
"""How far before its point's middle an arrow starts and ends, lest it touch the other side's."""
_STAGGER = 42
"""How far behind gold's black's start and head lie where both have the same."""
_PASSING = 0.25, 0.36
"""How far along a row gold's and black's passing heads are, as shares of it: clear of the bar."""
_PLATE_MARGIN, _RIM, _PLATE_ROUNDING = 1, 3, 16
LETTER_SIZE = 58
"""How large the type of a point's letter is."""
_NUMBERED_SIZES, _TWO_NUMBERS_SIZES = (42, 36), (40, 26)
"""The types of a letter and a number that share a point, and of two numbers."""


class Home(NamedTuple):
    """The points from which a side bears off, or on which it ends, and whose home they are."""

    sides: tuple[Side, ...]
    points: tuple[int, ...]


def list_homes(rules: Rules) -> tuple[Home, ...]:
    """Return the homes of a game, one where both sides have the same."""
    gold, black = (tuple(sorted(rules.home(side))) for side in Side)
    return (
        (Home(tuple(Side), gold),)
        if gold == black
        else (Home((Side.GOLD,), gold), Home((Side.BLACK,), black))
    )


class Way(NamedTuple):
    """A side's way round: the corners of its line, and the base and the tip of each head."""

    line: list[Spot]
    heads: list[tuple[Spot, Spot]]


def draw_courses(
    pen: Pen, layout: BoardLayout, courses: Sequence[tuple[int, ...]], theme: Theme
) -> None:
    """Draw gold's and black's way round, on a pen of the ground's scale."""
    # The men of black and white on a white frame are outlined in black.
    outline = theme.ink if theme.gold.body == theme.page else theme.ivory
    # The wide light line under the narrow one outlines it, so that it is seen on any ground.
    coats = [
        (way, wider, fill)
        for way, stone in zip(find_ways(layout, courses), (theme.gold, theme.black), strict=False)
        for wider, fill in ((_OUTLINE, outline), (0, stone.body))
    ]
    for way, wider, fill in coats:
        _draw_line(pen, way.line, wider, fill)
    # Heads come after all lines, since they are wider than the room between two.
    for way, wider, fill in coats:
        for base, tip in way.heads:
            _draw_head(pen, base, tip, wider, fill)


def find_ways(layout: BoardLayout, courses: Sequence[tuple[int, ...]]) -> list[Way]:
    """Return where gold's and black's arrows run: outside the points, each in a lane of its own."""
    behind_start, behind_end = (
        _STAGGER if len({course[end] for course in courses}) < len(courses) else 0
        for end in (0, -1)
    )
    return [
        _find_way(layout, course, at, at * behind_start, at * behind_end)
        for at, course in enumerate(courses)
    ]


def _find_way(
    layout: BoardLayout, course: tuple[int, ...], at: int, behind_start: int, behind_end: int
) -> Way:
    """Return a way round that starts and ends so far behind where it usually does.

    It has a head at its end, and one on each row that it runs along.
    """
    line = list(_trace_course(layout, course, at))
    line[0] = _shift(line[0], line[1], behind_start - _ENDS_APART)
    tip = _shift(line[-1], line[-2], behind_end + _ENDS_APART)
    line[-1] = _shift(tip, line[-2], _HEAD_LENGTH)
    heads = [(line[-1], tip)]
    for start, end in pairwise(line):
        if start[1] == end[1]:
            base = round(start[0] + _PASSING[at] * (end[0] - start[0])), start[1]
            heads.append((base, _shift(base, end, _HEAD_LENGTH)))
    return Way(line, heads)


def _trace_course(layout: BoardLayout, course: tuple[int, ...], at: int) -> Iterator[Spot]:
    """Yield the corners of a way round, from the first point's middle to the last one's."""
    yield layout.points[course[0]].centre[0], _find_lane(layout, course[0], at)
    for one, other in pairwise(course):
        upper, lower = _find_lane(layout, one, at), _find_lane(layout, other, at)
        if upper != lower:
            frame = layout.frame
            is_left = layout.points[one].centre[0] < layout.inside.centre[0]
            x = frame.left + _LANES[at] if is_left else frame.right - _LANES[at]
            yield from ((x, upper), (x, lower))
    yield layout.points[course[-1]].centre[0], _find_lane(layout, course[-1], at)


def _find_lane(layout: BoardLayout, point: int, at: int) -> int:
    """Return how far down a way round passes a point."""
    if point in layout.hanging:
        return layout.frame.top + _LANES[at]
    if layout.letter_room(point).bottom >= layout.inside.bottom:
        return layout.frame.bottom - _LANES[at]
    above = max(layout.points[each].bottom for each in layout.hanging)
    return (above + layout.points[point].top) // 2 + _BETWEEN[at]


def _shift(spot: Spot, towards: Spot, far: int) -> Spot:
    """Return a spot so far along a row towards another."""
    return spot[0] + (far if towards[0] > spot[0] else -far), spot[1]


def _draw_line(pen: Pen, line: Sequence[Spot], wider: int, fill: Colour) -> None:
    large = [(SCALE * x, SCALE * y) for x, y in line]
    (x, y), reach = large[0], SCALE * (_DOT + wider)
    pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=fill)
    pen.line(large, fill=fill, width=SCALE * (_LINE + 2 * wider), joint="curve")


def _draw_head(pen: Pen, base: Spot, tip: Spot, wider: int, fill: Colour) -> None:
    on, half = 1 if tip[0] > base[0] else -1, _HEAD_HALF + wider
    corners = (
        (tip[0] + 2 * wider * on, tip[1]),
        (base[0] - wider * on, base[1] - half),
        (base[0] - wider * on, base[1] + half),
    )
    pen.polygon([(SCALE * x, SCALE * y) for x, y in corners], fill=fill)


def choose_letter_colour(theme: Theme, sides: tuple[Side, ...]) -> Colour:
    """Return the colour of letters on the field, or on the plate of those sides' home."""
    match sides:
        case ():
            return theme.letters
        case (Side.BLACK,):
            return theme.black.mark
    return theme.ink


def draw_home_plate(pen: Pen, layout: BoardLayout, theme: Theme, home: Home) -> None:
    """Draw what lies below the letters of a home, in the colour of whose it is.

    The pen is of the ground's scale.
    """
    rooms = [layout.letter_room(point) for point in home.points]
    edges = [
        min(room.left for room in rooms) + _PLATE_MARGIN,
        rooms[0].top + _PLATE_MARGIN,
        max(room.right for room in rooms) - _PLATE_MARGIN,
        rooms[0].bottom - _PLATE_MARGIN,
    ]
    coats: tuple[tuple[Colour, Colour], ...]
    if len(home.sides) > 1:
        # Both colours round a light plate: gold within black.
        coats = (theme.gold.body, theme.black.body), (theme.page, theme.page)
    else:
        stone = theme.gold if home.sides == (Side.GOLD,) else theme.black
        coats = ((stone.body, theme.ink if stone.body == theme.page else theme.ivory),)
    for at, (fill, rim) in enumerate(coats):
        far = 2 * _RIM * at
        box = Box(edges[0] + far, edges[1] + far, edges[2] - far, edges[3] - far)
        pen.rounded_rectangle(
            scale_box(box), _PLATE_ROUNDING * SCALE, fill, rim, width=_RIM * SCALE
        )


def write_letters(
    canvas: Canvas, layout: BoardLayout, theme: Theme, homes: Sequence[Home], counted: Sequence[int]
) -> None:
    """Write the letters of all points; those `counted` have their distance from the end, too."""
    owners = {point: home.sides for home in homes for point in home.points}
    for point, room in ((point, layout.letter_room(point)) for point in layout.points):
        (x, y), name = room.centre, layout.board.place_names[point]
        colour = choose_letter_colour(theme, owners.get(point, ()))
        if point in counted:
            number = str(len(counted) - counted.index(point))
            sizes = _TWO_NUMBERS_SIZES if name.isdigit() else _NUMBERED_SIZES
            letter_font, number_font = map(title_font, sizes)
            widths = measure_text(name, letter_font), measure_text(number, number_font)
            seam = x + round(widths[0] - widths[1]) // 2
            canvas.text((seam - 2, y), name, colour, letter_font, "rm")
            canvas.text((seam + 2, y), number, colour, number_font, "lm")
        else:
            canvas.text((x, y), name, colour, title_font(LETTER_SIZE), "mm")
