"""The sheets with the board, and the small picture of how the men stand at first."""

from collections.abc import Collection, Iterable

from bot.features.printing import texts as words
from bot.features.printing.paper import MARGIN_MM, Paper
from bot.features.printing.pdf_pen import POINT_MM, PdfPen, Sheets
from bot.features.printing.plan import BoardPlan
from bot.platform.i18n.reader import Reader
from engine.position import Side
from engine.rules import Game, Rules
from render import ornament
from render.art import paint_man
from render.geometry import WIDTH, BoardLayout, Box, Spot
from render.ground import INSCRIPTIONS, draw_courses
from render.layout import lay_out_board
from render.lettering import TITLE
from render.ornament import SCALE, PointShape, scale_box
from render.theme import Colour, Theme

CAPTION_PT = 7.0
_TICK_MM, _TICK_GAP_MM, _TICK_LINE_MM = 4.0, 1.5, 0.15
"""How long a mark for cutting is, how far from the corner it begins, and how thick it is."""
_LETTER_UNITS, _INSCRIPTION_UNITS = 34, 46
"""How high letters of points and those of an inscription are, in units of the board."""
_KEY_MM = 3.0
_ROUNDING = 10
BLACK: Colour = (0, 0, 0)


def add_board_sheets(
    say: Reader, sheets: Sheets, game: Game, plan: BoardPlan, theme: Theme, paper: Paper
) -> None:
    """Add the sheets with a game's board, each with a line that says what to do with it."""
    sheet = paper.turn(landscape=plan.landscape)
    for number, piece in enumerate(plan.pieces):
        sheets.add(sheet.width, sheet.height)
        width, height = piece.width * plan.scale, piece.height * plan.scale
        left, top = (sheet.width - width) / 2, (sheet.height - height) / 2
        pen = PdfPen(
            sheets, left - piece.left * plan.scale, top - piece.top * plan.scale, plan.scale
        )
        with sheets.clip(left, top, width, height):
            draw_board(pen, plan.layout, theme, shown=_list_points(plan.layout, piece))
        line = sheet.height - MARGIN_MM / 2
        caption = words.format_board_caption(say, game, len(plan.pieces), number + 1)
        start = MARGIN_MM
        if len(plan.pieces) > 1:
            _draw_cutting_marks(sheets, left, top, width, height)
            start += _draw_key(sheets, plan, number, line)
        sheets.write_fitted(caption, start, line, CAPTION_PT, BLACK)


def _list_points(layout: BoardLayout, piece: Box) -> list[int]:
    """Return the points on a piece of a board: a letter that is cut off would still be text."""
    return [
        point
        for point, box in layout.points.items()
        if piece.left <= box.centre[0] <= piece.right and piece.top <= box.centre[1] <= piece.bottom
    ]


def _draw_cutting_marks(
    sheets: Sheets, left: float, top: float, width: float, height: float
) -> None:
    for x, outwards in ((left, -1), (left + width, 1)):
        for y, up in ((top, -1), (top + height, 1)):
            near, far = _TICK_GAP_MM, _TICK_GAP_MM + _TICK_MM
            sheets.draw_line(
                [(x + outwards * near, y), (x + outwards * far, y)], BLACK, _TICK_LINE_MM
            )
            sheets.draw_line([(x, y + up * near), (x, y + up * far)], BLACK, _TICK_LINE_MM)


def _draw_key(sheets: Sheets, plan: BoardPlan, number: int, line: float) -> float:
    """Draw where on the board a sheet lies, and return how much room that takes."""
    down = len(plan.pieces) // plan.across
    for at in range(len(plan.pieces)):
        x = MARGIN_MM + at % plan.across * _KEY_MM
        y = line - (down - at // plan.across) * _KEY_MM + 0.5
        box = (x, y, x + _KEY_MM, y + _KEY_MM)
        tone = BLACK if at == number else (255, 255, 255)
        PdfPen(sheets, 0, 0, 1).rectangle((*box,), fill=tone)
        corners = [(x, y), (x + _KEY_MM, y), (x + _KEY_MM, y + _KEY_MM), (x, y + _KEY_MM), (x, y)]
        sheets.draw_line(corners, BLACK, _TICK_LINE_MM)
    return (plan.across + 1) * _KEY_MM


def draw_board(
    pen: PdfPen,
    layout: BoardLayout,
    theme: Theme,
    courses: Iterable[tuple[int, ...]] = (),
    shown: Collection[int] | None = None,
) -> None:
    """Draw a board without men, as pictures have it, with the letters of its points.

    `courses` are gold's and black's ways round, drawn as arrows where they are given; `shown` are
    the points to draw, if not all.
    """
    # Ornaments are drawn in the units of the ground of pictures, which are smaller.
    fine = PdfPen(pen.sheets, pen.left, pen.top, pen.scale / SCALE)
    # A cord of the frame's colour would not be seen on it, and a white frame takes less ink.
    band = theme.page if theme.cord == theme.frame else theme.frame
    fine.rounded_rectangle(scale_box(layout.frame), _ROUNDING * SCALE, band, theme.frame, SCALE)
    ornament.draw_border(fine, theme, layout.frame)
    fine.rectangle(scale_box(layout.inside), fill=theme.wood)
    ornament.draw_grain(fine, theme, layout.inside)
    fine.rectangle(scale_box(layout.bar), fill=theme.bar, outline=theme.frame, width=SCALE)
    inscription = dict(
        zip(
            (point for row in layout.board.rows for point in row),
            "".join(INSCRIPTIONS.get(layout.board.name, ())),
            strict=False,
        )
    )
    points = layout.points if shown is None else shown
    for point in points:
        box = layout.points[point]
        shape = PointShape(box, point % 2, hangs=point in layout.hanging, bare=bool(inscription))
        ornament.draw_point(fine, theme, shape)
    draw_courses(pen, layout, courses, theme)
    for point in points:
        name = layout.board.place_names[point]
        _write_letter(pen, layout.locate_letter(point), name, _LETTER_UNITS, theme.letters)
        if inscription:
            letter = inscription[point]
            _write_letter(pen, layout.locate_tip(point), letter, _INSCRIPTION_UNITS, theme.ink)


def _write_letter(pen: PdfPen, spot: Spot, letter: str, units: int, colour: Colour) -> None:
    x, y = pen.left + spot[0] * pen.scale, pen.top + spot[1] * pen.scale
    size = units * pen.scale / POINT_MM
    pen.sheets.write_centred(letter, x, y, size, colour)


def measure_set_up(rules: Rules, width: float) -> float:
    """Return how high a picture of the set-up is that has that width."""
    return lay_out_board(rules, Side.GOLD).frame.height * width / WIDTH


def draw_set_up(
    sheets: Sheets, rules: Rules, theme: Theme, left: float, top: float, width: float
) -> None:
    """Draw how the men stand at first, small, with each side's way round."""
    layout = lay_out_board(rules, Side.GOLD)
    scale = width / WIDTH
    pen = PdfPen(sheets, left, top - layout.frame.top * scale, scale)
    courses = [rules.course(side) for side in Side] if rules.moving else []
    draw_board(pen, layout, theme, courses)
    for side in Side:
        men = rules.start_position.men(side)
        for point in layout.points:
            _draw_pile(pen, layout, theme, side, point, men[point])


def _draw_pile(
    pen: PdfPen, layout: BoardLayout, theme: Theme, side: Side, point: int, count: int
) -> None:
    centres = layout.locate_pile(point, count)
    for centre in centres:
        draw_man(pen, theme, side, layout.man, centre)
    if count > len(centres):
        x, y = centres[-1]
        half = layout.man // 4
        pen.rounded_rectangle(
            Box(x - half, y - half, x + half, y + half).edges, half, theme.page, theme.ink, 2
        )
        _write_letter(pen, (x, y), str(count), layout.man // 2 - 4, theme.ink)


def draw_man(pen: PdfPen, theme: Theme, side: Side, size: int, centre: Spot) -> None:
    """Draw a man of that width with his middle there, in units of the pen."""
    corner = (
        pen.left + (centre[0] - size / 2) * pen.scale,
        pen.top + (centre[1] - size / 2) * pen.scale,
    )
    # Finer units make lines as thin as in pictures, where they have whole widths.
    fine = 1000
    paint_man(PdfPen(pen.sheets, *corner, pen.scale * size / fine), theme, side, fine)


def write_heading(sheets: Sheets, text: str, x: float, y: float, size: float) -> None:
    """Write the heading of a sheet."""
    sheets.write_fitted(text, x, y, size, BLACK, font=TITLE)
