"""The sheet with men to cut out and dice to fold."""

from collections.abc import Iterable

from bot.features.printing import texts as words
from bot.features.printing.board_sheets import BLACK, CAPTION_PT, draw_man, write_heading
from bot.features.printing.flow import break_lines, measure_lines, write_lines
from bot.features.printing.paper import MARGIN_MM, Paper
from bot.features.printing.pdf_pen import PdfPen, Sheets
from bot.platform.i18n.reader import Reader
from engine.position import Side
from engine.rules import Game
from render.art import PIPS
from render.theme import Colour, Theme

HEADING_PT, TEXT_PT = 16.0, 9.0
SCALE_LINE_MM = 50
_GAP_MM = 2.0
"""Between men: room for the scissors."""
_DIE_MM, _FLAP_MM = 16.0, 5.0
"""A die's edge, and how far a flap reaches from it."""
_LINE_MM = 0.2
_SPACE_MM = 5.0
_NET = {2: (1, 0), 3: (0, 1), 1: (1, 1), 4: (2, 1), 5: (1, 2), 6: (1, 3)}
"""Where each face lies in the cross that a die is folded from: across and down.

Opposite faces add up to seven.
"""
_FLAPS = (
    ((1, 0), (0, -1)),
    ((0, 1), (0, -1)),
    ((0, 1), (-1, 0)),
    ((0, 1), (0, 1)),
    ((2, 1), (0, -1)),
    ((2, 1), (1, 0)),
    ((2, 1), (0, 1)),
)
"""The faces whose edge has a flap, and the way from the face to it.

Every edge of the cube is folded, or has one flap.
"""
_NET_WIDTH, _NET_HEIGHT = 3 * _DIE_MM + 2 * _FLAP_MM, 4 * _DIE_MM + _FLAP_MM
_GLUE: Colour = (235, 235, 235)


def add_men_sheets(
    say: Reader, sheets: Sheets, game: Game, theme: Theme, paper: Paper, man_mm: int
) -> None:
    """Add a sheet with a game's men and dice to cut out, and more where one has no room."""
    rules = game.resolve_rules({})
    top = _begin_sheet(say, sheets, game, paper)
    top = _write(sheets, words.format_men_help(say, rules.men, man_mm), top, paper)
    top = _place_men(sheets, theme, paper, top, man_mm, [s for s in Side for _ in range(rules.men)])
    told = words.format_dice_help(say, rules.dice.count)
    lines = break_lines(sheets, "", told, TEXT_PT, paper.inner_width)
    needed = 2 * _SPACE_MM + measure_lines(lines, TEXT_PT) + _FLAP_MM + _NET_HEIGHT
    if top + needed > paper.height - MARGIN_MM:
        top = _begin_sheet(say, sheets, game, paper)
    top = _write(sheets, told, top + _SPACE_MM, paper)
    _place_dice(sheets, paper, top, rules.dice.count)


def _begin_sheet(say: Reader, sheets: Sheets, game: Game, paper: Paper) -> float:
    """Begin a sheet with its heading and the line by which its size is checked."""
    sheets.add(paper.width, paper.height)
    write_heading(sheets, words.format_men_heading(say, game), MARGIN_MM, MARGIN_MM + 6, HEADING_PT)
    line = paper.height - MARGIN_MM / 2 - 1
    end = MARGIN_MM + SCALE_LINE_MM
    sheets.draw_line([(MARGIN_MM, line), (end, line)], BLACK, _LINE_MM)
    for x in (MARGIN_MM, end):
        sheets.draw_line([(x, line - 1), (x, line + 1)], BLACK, _LINE_MM)
    told = words.format_scale_line(say, SCALE_LINE_MM)
    sheets.write_fitted(told, end + 2, line + 0.8, CAPTION_PT, BLACK)
    return MARGIN_MM + 9


def _write(sheets: Sheets, text: str, top: float, paper: Paper) -> float:
    """Write a text across the sheet, and return where it ends."""
    lines = break_lines(sheets, "", text, TEXT_PT, paper.inner_width)
    return write_lines(sheets, lines, MARGIN_MM, top, TEXT_PT) + _SPACE_MM / 2


def _place_men(
    sheets: Sheets, theme: Theme, paper: Paper, top: float, man_mm: int, men: Iterable[Side]
) -> float:
    pitch = man_mm + _GAP_MM
    across = int((paper.inner_width + _GAP_MM) // pitch)
    row = top
    for at, side in enumerate(men):
        row = top + at // across * pitch
        x = MARGIN_MM + at % across * pitch
        pen = PdfPen(sheets, x, row, man_mm / 2)
        draw_man(pen, theme, side, 2, (1, 1))
    return row + pitch


def _place_dice(sheets: Sheets, paper: Paper, top: float, count: int) -> None:
    pitch = _NET_WIDTH + _GAP_MM
    across = int((paper.inner_width + _GAP_MM) // pitch)
    for at in range(count):
        x = MARGIN_MM + _FLAP_MM + at % across * pitch
        _draw_net(sheets, x, top + _FLAP_MM + at // across * (_NET_HEIGHT + _GAP_MM))


def _draw_net(sheets: Sheets, left: float, top: float) -> None:
    """Draw the cross that a die is folded from."""
    pen = PdfPen(sheets, left, top, _DIE_MM)
    for (across, down), (aside, below) in _FLAPS:
        sheets.pdf.set_line_width(_LINE_MM)
        _draw_flap(sheets, pen, (across, down), (aside, below))
    for number, (across, down) in _NET.items():
        x, y = left + across * _DIE_MM, top + down * _DIE_MM
        sheets.fill(x, y, _DIE_MM, _DIE_MM, (255, 255, 255))
        corners = [(x, y), (x + _DIE_MM, y), (x + _DIE_MM, y + _DIE_MM), (x, y + _DIE_MM), (x, y)]
        sheets.draw_line(corners, BLACK, _LINE_MM)
        for column, row in PIPS[number]:
            middle = (across + (column + 1) / 4, down + (row + 1) / 4)
            reach = 0.08
            pen.ellipse(
                (middle[0] - reach, middle[1] - reach, middle[0] + reach, middle[1] + reach),
                fill=BLACK,
            )


def _draw_flap(sheets: Sheets, pen: PdfPen, face: tuple[int, int], way: tuple[int, int]) -> None:
    """Draw the flap on the edge of a face that lies that way."""
    middle = (face[0] + 0.5 + way[0] / 2, face[1] + 0.5 + way[1] / 2)
    along = (way[1], way[0])
    reach = _FLAP_MM / _DIE_MM
    spots = [
        (middle[0] + half * along[0] + out * way[0], middle[1] + half * along[1] + out * way[1])
        for half, out in ((-0.5, 0), (-0.32, reach), (0.32, reach), (0.5, 0))
    ]
    placed = [(pen.left + x * pen.scale, pen.top + y * pen.scale) for x, y in spots]
    sheets.pdf.set_fill_color(*_GLUE)
    sheets.pdf.set_draw_color(*BLACK)
    sheets.pdf.polygon(placed, style="DF")
