"""A game as a PDF to print: its board, its rules, and its men and dice."""

from dataclasses import dataclass

from bot.features.printing.board_sheets import add_board_sheets
from bot.features.printing.ink import get_ink_theme
from bot.features.printing.men_sheet import add_men_sheets
from bot.features.printing.paper import PAPERS, PaperName, PrintSize
from bot.features.printing.pdf_pen import create_sheets
from bot.features.printing.plan import plan_board
from bot.features.printing.rule_sheet import add_rule_sheets
from bot.platform.i18n.common import format_title
from bot.platform.i18n.reader import Reader
from engine.games import find_game
from engine.rules import Game
from render.theme import Theme, choose_default_theme


@dataclass(frozen=True, slots=True)
class PrintTerms:
    """How a game is printed; without a theme it has the one that suits its board.

    `plain` prints it in black and white, whatever the theme.
    """

    paper: PaperName = PaperName.A4
    size: PrintSize = PrintSize.SMALL
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
    paper = PAPERS[terms.paper]
    sheets = create_sheets(format_title(say, game), say.language.replace("_", "-"))
    plan = plan_board(rules, paper, terms.size)
    add_board_sheets(say, sheets, game, plan, theme, paper)
    add_rule_sheets(say, sheets, game, theme, paper)
    add_men_sheets(say, sheets, game, theme, paper, terms.size.man_mm)
    return PrintedGame(bytes(sheets.pdf.output()), sheets.pdf.page)
