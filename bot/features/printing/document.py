"""A game as a PDF to print in little ink: its board, its rules, and its men and dice."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from bot.features.printing import pdf_pen, sheet_layout
from bot.features.printing.sheet_layout import MARGIN_MM, Paper
from bot.features.rulebook.texts import format_printed_rules, format_tagline
from bot.platform.i18n.common import format_title
from bot.platform.i18n.reader import Reader
from engine.games import find_game
from engine.position import Side
from engine.rules import Game, Rules
from render import ornament
from render.art import PIPS, paint_man
from render.courses import choose_letter_colour, draw_courses, draw_home_plate, list_homes
from render.geometry import WIDTH, BoardLayout, Box, Spot
from render.ground import INSCRIPTIONS
from render.layout import lay_out_board
from render.lettering import TITLE
from render.ornament import SCALE, PointShape, scale_box
from render.theme import Colour, Stone, Theme, choose_default_theme, load_themes


def format_board_caption(say: Reader, game: Game, count: int, number: int) -> str:
    """Say what to do with a sheet of the board."""
    title = format_title(say, game)
    if count == 1:
        return say("{game}. Print at 100%, not fitted to the page.", game=title)
    return say(
        "{game}, sheet {number} of {count}. Cut along the marks where this sheet meets another, "
        "lay the edges side by side, and tape them on the back.",
        game=title,
        number=number,
        count=count,
    )


def format_rules_footer(say: Reader, game: Game) -> str:
    """Say which edition of the rules a sheet has."""
    return say("{game}, rules edition {n}.", game=format_title(say, game), n=game.edition)


def format_men_heading(say: Reader, game: Game) -> str:
    """Head the sheet of men."""
    return say("{game}: men and dice", game=format_title(say, game))


def format_men_help(say: Reader, men: int, width: int) -> str:
    """Say what to do with the men to cut out."""
    return say.plural(
        "{n} man for each side, {width} mm wide. Glue the sheet to card, and cut the men out; or "
        "use coins and buttons of that size.",
        "{n} men for each side, {width} mm wide. Glue the sheet to card, and cut the men out; or "
        "use coins and buttons of that size.",
        men,
        width=width,
    )


def format_dice_help(say: Reader, dice: int) -> str:
    """Say what to do with the dice to fold."""
    return say.plural(
        "{n} die: cut it out with its flaps, fold along the lines, and glue the flaps inside.",
        "{n} dice: cut them out with their flaps, fold along the lines, and glue the flaps inside.",
        dice,
    )


def format_scale_line(say: Reader, width: int) -> str:
    """Say how long the line is by which the printed size is checked."""
    return say("This line is {width} mm long if the sheet was printed at 100%.", width=width)


def format_print_reply(say: Reader, game: Game, pages: int) -> str:
    """Say what a file to print has."""
    title = format_title(say, game)
    sheets = say.plural("{n} sheet", "{n} sheets", pages)
    return say(
        "**{game}** to print, on {sheets}: the board, the rules, and men and dice to cut out. "
        "Print at 100%, not fitted to the page.",
        game=title,
        sheets=sheets,
    )


CAPTION_PT = 7.0
_TICK_MM, _TICK_GAP_MM, _TICK_LINE_MM = 4.0, 1.5, 0.15
"""How long a mark for cutting is, how far from the corner it begins, and how thick it is."""
_LETTER_UNITS, _INSCRIPTION_UNITS = 48, 46
"""How high letters of points and those of an inscription are, in units of the board."""
_KEY_MM = 3.0
_ROUNDING = 10
BLACK: Colour = (0, 0, 0)


def add_board_sheets(
    say: Reader,
    sheets: pdf_pen.Sheets,
    game: Game,
    plan: sheet_layout.BoardPlan,
    theme: Theme,
    paper: Paper,
) -> None:
    """Add the sheets with a game's board, each with a line that says what to do with it."""
    sheet = paper.turn(landscape=plan.landscape)
    for number, piece in enumerate(plan.pieces):
        sheets.add(sheet.width, sheet.height)
        width, height = piece.width * plan.scale, piece.height * plan.scale
        left, top = (sheet.width - width) / 2, (sheet.height - height) / 2
        pen = pdf_pen.PdfPen(
            sheets, left - piece.left * plan.scale, top - piece.top * plan.scale, plan.scale
        )
        with sheets.clip(left, top, width, height):
            rules = game.resolve_rules({})
            draw_board(pen, plan.layout, theme, rules, _list_points(plan.layout, piece))
        line = sheet.height - MARGIN_MM / 2
        caption = format_board_caption(say, game, len(plan.pieces), number + 1)
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
    sheets: pdf_pen.Sheets, left: float, top: float, width: float, height: float
) -> None:
    for x, outwards in ((left, -1), (left + width, 1)):
        for y, up in ((top, -1), (top + height, 1)):
            near, far = _TICK_GAP_MM, _TICK_GAP_MM + _TICK_MM
            sheets.draw_line(
                [(x + outwards * near, y), (x + outwards * far, y)], BLACK, _TICK_LINE_MM
            )
            sheets.draw_line([(x, y + up * near), (x, y + up * far)], BLACK, _TICK_LINE_MM)


def _draw_key(
    sheets: pdf_pen.Sheets, plan: sheet_layout.BoardPlan, number: int, line: float
) -> float:
    """Draw where on the board a sheet lies, and return how much room that takes."""
    down = len(plan.pieces) // plan.across
    for at in range(len(plan.pieces)):
        x = MARGIN_MM + at % plan.across * _KEY_MM
        y = line - (down - at // plan.across) * _KEY_MM + 0.5
        box = (x, y, x + _KEY_MM, y + _KEY_MM)
        tone = BLACK if at == number else (255, 255, 255)
        pdf_pen.PdfPen(sheets, 0, 0, 1).rectangle((*box,), fill=tone)
        corners = [(x, y), (x + _KEY_MM, y), (x + _KEY_MM, y + _KEY_MM), (x, y + _KEY_MM), (x, y)]
        sheets.draw_line(corners, BLACK, _TICK_LINE_MM)
    return (plan.across + 1) * _KEY_MM


def draw_board(
    pen: pdf_pen.PdfPen,
    layout: BoardLayout,
    theme: Theme,
    rules: Rules,
    shown: Collection[int] | None = None,
) -> None:
    """Draw a board without men, as pictures have it at first, with each side's way round and home.

    `shown` are the points to draw, if not all.
    """
    courses = [rules.course(side) for side in Side] if rules.moving else []
    homes = list_homes(rules) if rules.moving else ()
    # Ornaments are drawn in the units of the ground of pictures, which are smaller.
    fine = pdf_pen.PdfPen(pen.sheets, pen.left, pen.top, pen.scale / SCALE)
    # A cord of the frame's colour would not be seen on it, and a white frame takes less ink.
    band = theme.page if theme.cord == theme.frame else theme.frame
    fine.rounded_rectangle(scale_box(layout.frame), _ROUNDING * SCALE, band, theme.frame, SCALE)
    if not courses:
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
    draw_courses(fine, layout, courses, theme)
    for home in homes:
        draw_home_plate(fine, layout, theme, home)
    owners = {point: home.sides for home in homes for point in home.points}
    for point in points:
        name = layout.board.place_names[point]
        colour = choose_letter_colour(theme, owners.get(point, ()))
        _write_letter(pen, layout.locate_letter(point), name, _LETTER_UNITS, colour)
        if inscription:
            letter = inscription[point]
            _write_letter(pen, layout.locate_tip(point), letter, _INSCRIPTION_UNITS, theme.ink)


def _write_letter(pen: pdf_pen.PdfPen, spot: Spot, letter: str, units: int, colour: Colour) -> None:
    x, y = pen.left + spot[0] * pen.scale, pen.top + spot[1] * pen.scale
    size = units * pen.scale / pdf_pen.POINT_MM
    pen.sheets.write_centred(letter, x, y, size, colour)


def measure_set_up(rules: Rules, width: float) -> float:
    """Return how high a picture of the set-up is that has that width."""
    return lay_out_board(rules, Side.GOLD).frame.height * width / WIDTH


def draw_set_up(
    sheets: pdf_pen.Sheets, rules: Rules, theme: Theme, left: float, top: float, width: float
) -> None:
    """Draw how the men stand at first, small, with each side's way round."""
    layout = lay_out_board(rules, Side.GOLD)
    scale = width / WIDTH
    pen = pdf_pen.PdfPen(sheets, left, top - layout.frame.top * scale, scale)
    draw_board(pen, layout, theme, rules)
    for side in Side:
        men = list_standing_men(rules, side)
        for point in layout.points:
            _draw_pile(pen, layout, theme, side, point, men[point])


def list_standing_men(rules: Rules, side: Side) -> bytes:
    """Return how many men of a side stand on each place at first, those on top of others too."""
    men = bytearray(rules.start_position.men(side))
    if rules.piled:
        course = rules.course(side)
        for point in course:
            # As many are in hand for each point as there are layers above the lowest.
            men[point] += men[rules.board.hand] // len(course)
        men[rules.board.hand] = 0
    return bytes(men)


def _draw_pile(
    pen: pdf_pen.PdfPen, layout: BoardLayout, theme: Theme, side: Side, point: int, count: int
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


def draw_man(pen: pdf_pen.PdfPen, theme: Theme, side: Side, size: int, centre: Spot) -> None:
    """Draw a man of that width with his middle there, in units of the pen."""
    corner = (
        pen.left + (centre[0] - size / 2) * pen.scale,
        pen.top + (centre[1] - size / 2) * pen.scale,
    )
    # Finer units make lines as thin as in pictures, where they have whole widths.
    fine = 1000
    paint_man(pdf_pen.PdfPen(pen.sheets, *corner, pen.scale * size / fine), theme, side, fine)


def write_heading(sheets: pdf_pen.Sheets, text: str, x: float, y: float, size: float) -> None:
    """Write the heading of a sheet."""
    sheets.write_fitted(text, x, y, size, BLACK, font=TITLE)


RULES_HEADING_PT = 20.0
TAGLINE_PT = 10.5
LARGEST_PT, SMALLEST_PT, STEP_PT = 10.0, 7.0, 0.25
"""Sizes of type: the rules are set as large as they fit on a page, but never smaller than this."""
GUTTER_MM = 7.0
_HEADING_MM = 9.0
_RULES_SPACE_MM = 3.0
_SET_UP_SHARE = 0.82
"""How wide the picture of the set-up is, in widths of a column."""
_MAX_PAGES = 9
_BALANCE_STEP_MM = 2.0


def add_rule_sheets(
    say: Reader, sheets: pdf_pen.Sheets, game: Game, theme: Theme, paper: Paper
) -> None:
    """Add the rules of a game on a sheet, or on more where type would be too small to read."""
    rules = game.resolve_rules({})
    width = (paper.inner_width - GUTTER_MM) / 2
    tagline = pdf_pen.break_lines(
        sheets, "", format_tagline(say, game), TAGLINE_PT, paper.inner_width
    )
    top = MARGIN_MM + _HEADING_MM + pdf_pen.measure_lines(tagline, TAGLINE_PT) + _RULES_SPACE_MM
    picture = measure_set_up(rules, width * _SET_UP_SHARE)
    size, columns, filled = _fit_text(say, sheets, game, paper, top, picture)
    page = -1
    for column, lines in zip(columns, filled, strict=True):
        if column.page != page:
            page = column.page
            sheets.add(paper.width, paper.height)
            footer = format_rules_footer(say, game)
            sheets.write_fitted(footer, MARGIN_MM, paper.height - MARGIN_MM / 2, CAPTION_PT, BLACK)
            if page == 0:
                title = format_title(say, game)
                write_heading(sheets, title, MARGIN_MM, MARGIN_MM + 7, RULES_HEADING_PT)
                pdf_pen.write_lines(sheets, tagline, MARGIN_MM, MARGIN_MM + _HEADING_MM, TAGLINE_PT)
                left = MARGIN_MM + width + GUTTER_MM + width * (1 - _SET_UP_SHARE) / 2
                draw_set_up(sheets, rules, theme, left, top, width * _SET_UP_SHARE)
        pdf_pen.write_lines(sheets, lines, column.left, column.top, size)


def _fit_text(
    say: Reader, sheets: pdf_pen.Sheets, game: Game, paper: Paper, top: float, picture: float
) -> tuple[float, tuple[pdf_pen.Column, ...], tuple[tuple[pdf_pen.Line, ...], ...]]:
    """Return the size of type, the columns and their lines: on one page if that can be read."""
    width = (paper.inner_width - GUTTER_MM) / 2
    paragraphs = list(format_printed_rules(say, game))
    for pages in range(1, _MAX_PAGES):
        columns = tuple(_iter_columns(pages, paper, width, top, picture))
        size = LARGEST_PT
        while size >= SMALLEST_PT:
            lines = [
                line
                for heading, text in paragraphs
                for line in pdf_pen.break_lines(sheets, heading, text, size, width)
            ]
            if filled := pdf_pen.fill_columns(lines, columns, size):
                return size, *_balance_columns(lines, columns, filled, size)
            size -= STEP_PT
    raise ValueError(f"the rules of {game.slug} have no room on {_MAX_PAGES - 1} pages")


def _balance_columns(
    lines: list[pdf_pen.Line],
    columns: tuple[pdf_pen.Column, ...],
    filled: tuple[tuple[pdf_pen.Line, ...], ...],
    size: float,
) -> tuple[tuple[pdf_pen.Column, ...], tuple[tuple[pdf_pen.Line, ...], ...]]:
    """Return the columns of the last page as short as its lines allow, both about equally full."""
    while True:
        *before, one, other = columns
        ended = [replace(each, bottom=each.bottom - _BALANCE_STEP_MM) for each in (one, other)]
        shorter = (*before, *ended)
        again = pdf_pen.fill_columns(lines, shorter, size)
        # A column below its own picture may have no room left.
        if again is None or ended[1].bottom < ended[1].top:
            return columns, filled
        columns, filled = shorter, again


def _iter_columns(
    pages: int, paper: Paper, width: float, top: float, picture: float
) -> Iterator[pdf_pen.Column]:
    """Yield two columns a page; on the first the second begins below the picture."""
    bottom = paper.height - MARGIN_MM
    for page in range(pages):
        first = top if page == 0 else MARGIN_MM
        yield pdf_pen.Column(page, MARGIN_MM, first, bottom)
        second = first + picture + _RULES_SPACE_MM if page == 0 else first
        yield pdf_pen.Column(page, MARGIN_MM + width + GUTTER_MM, second, bottom)


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
    say: Reader, sheets: pdf_pen.Sheets, game: Game, theme: Theme, paper: Paper, man_mm: int
) -> None:
    """Add a sheet with a game's men and dice to cut out, and more where one has no room."""
    rules = game.resolve_rules({})
    top = _begin_sheet(say, sheets, game, paper)
    top = _write(sheets, format_men_help(say, rules.men, man_mm), top, paper)
    top = _place_men(sheets, theme, paper, top, man_mm, [s for s in Side for _ in range(rules.men)])
    text = format_dice_help(say, rules.dice.count)
    lines = pdf_pen.break_lines(sheets, "", text, TEXT_PT, paper.inner_width)
    needed = 2 * _SPACE_MM + pdf_pen.measure_lines(lines, TEXT_PT) + _FLAP_MM + _NET_HEIGHT
    if top + needed > paper.height - MARGIN_MM:
        top = _begin_sheet(say, sheets, game, paper)
    top = _write(sheets, text, top + _SPACE_MM, paper)
    _place_dice(sheets, paper, top, rules.dice.count)


def _begin_sheet(say: Reader, sheets: pdf_pen.Sheets, game: Game, paper: Paper) -> float:
    """Begin a sheet with its heading and the line by which its size is checked."""
    sheets.add(paper.width, paper.height)
    write_heading(sheets, format_men_heading(say, game), MARGIN_MM, MARGIN_MM + 6, HEADING_PT)
    line = paper.height - MARGIN_MM / 2 - 1
    end = MARGIN_MM + SCALE_LINE_MM
    sheets.draw_line([(MARGIN_MM, line), (end, line)], BLACK, _LINE_MM)
    for x in (MARGIN_MM, end):
        sheets.draw_line([(x, line - 1), (x, line + 1)], BLACK, _LINE_MM)
    text = format_scale_line(say, SCALE_LINE_MM)
    sheets.write_fitted(text, end + 2, line + 0.8, CAPTION_PT, BLACK)
    return MARGIN_MM + 9


def _write(sheets: pdf_pen.Sheets, text: str, top: float, paper: Paper) -> float:
    """Write a text across the sheet, and return where it ends."""
    lines = pdf_pen.break_lines(sheets, "", text, TEXT_PT, paper.inner_width)
    return pdf_pen.write_lines(sheets, lines, MARGIN_MM, top, TEXT_PT) + _SPACE_MM / 2


def _place_men(
    sheets: pdf_pen.Sheets, theme: Theme, paper: Paper, top: float, man_mm: int, men: Iterable[Side]
) -> float:
    pitch = man_mm + _GAP_MM
    across = int((paper.inner_width + _GAP_MM) // pitch)
    row = top
    for at, side in enumerate(men):
        row = top + at // across * pitch
        x = MARGIN_MM + at % across * pitch
        pen = pdf_pen.PdfPen(sheets, x, row, man_mm / 2)
        draw_man(pen, theme, side, 2, (1, 1))
    return row + pitch


def _place_dice(sheets: pdf_pen.Sheets, paper: Paper, top: float, count: int) -> None:
    pitch = _NET_WIDTH + _GAP_MM
    across = int((paper.inner_width + _GAP_MM) // pitch)
    for at in range(count):
        x = MARGIN_MM + _FLAP_MM + at % across * pitch
        _draw_net(sheets, x, top + _FLAP_MM + at // across * (_NET_HEIGHT + _GAP_MM))


def _draw_net(sheets: pdf_pen.Sheets, left: float, top: float) -> None:
    """Draw the cross that a die is folded from."""
    pen = pdf_pen.PdfPen(sheets, left, top, _DIE_MM)
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


def _draw_flap(
    sheets: pdf_pen.Sheets, pen: pdf_pen.PdfPen, face: tuple[int, int], way: tuple[int, int]
) -> None:
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


_BLACK: Colour = (0, 0, 0)
_WHITE: Colour = (255, 255, 255)
_PALE: Colour = (205, 205, 205)


@cache
def get_ink_theme() -> Theme:
    """Return the plainest theme in black, white and one grey."""
    return replace(
        load_themes()["plain"],
        name="black-and-white",
        page=_WHITE,
        ink=_BLACK,
        wood=_WHITE,
        frame=_BLACK,
        bar=_WHITE,
        cord=_BLACK,
        plates=(_WHITE, _PALE),
        tints=(_BLACK, _BLACK),
        letters=_BLACK,
        accent=_BLACK,
        ivory=_WHITE,
        gold=Stone(_WHITE, _BLACK, _BLACK),
        black=Stone(_BLACK, _BLACK, _WHITE),
    )


@dataclass(frozen=True, slots=True)
class PrintTerms:
    """How a game is printed; without a theme it has the one that suits its board.

    `plain` prints it in black and white, whatever the theme.
    """

    paper: sheet_layout.PaperName = sheet_layout.PaperName.A4
    size: sheet_layout.PrintSize = sheet_layout.PrintSize.SMALL
    theme: Theme | None = None
    plain: bool = False


@dataclass(frozen=True, slots=True)
class PrintedGame:
    """A PDF, and how many sheets it has."""

    content: bytes
    pages: int


def name_print_file(game: Game, terms: PrintTerms) -> str:
    """Return what the file of a game is called."""
    return f"{game.slug}-{terms.paper}.pdf"


def print_named_game(say: Reader, slug: str, terms: PrintTerms) -> PrintedGame:
    """Return a game as a PDF by its name, as another process is asked for it."""
    return print_game(say, find_game(slug), terms)


def print_game(say: Reader, game: Game, terms: PrintTerms) -> PrintedGame:
    """Return a game as a PDF; that takes a second or two."""
    rules = game.resolve_rules({})
    theme = terms.theme or choose_default_theme(rules.board)
    if terms.plain:
        theme = get_ink_theme()
    paper = sheet_layout.PAPERS[terms.paper]
    sheets = pdf_pen.build_sheets(format_title(say, game), say.language.replace("_", "-"))
    plan = sheet_layout.plan_board(rules, paper, terms.size)
    add_board_sheets(say, sheets, game, plan, theme, paper)
    add_rule_sheets(say, sheets, game, theme, paper)
    add_men_sheets(say, sheets, game, theme, paper, terms.size.man_mm)
    return PrintedGame(bytes(sheets.pdf.output()), sheets.pdf.page)
