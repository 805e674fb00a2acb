"""What is written on the sheets of a printed game."""

from bot.platform.i18n.common import format_title
from bot.platform.i18n.reader import Reader
from engine.rules import Game


def format_board_caption(say: Reader, game: Game, count: int, number: int) -> str:
    """Say what to do with a sheet of the board."""
    title = format_title(say, game)
    if count == 1:
        return say("{game}. Print at 100 %, not fitted to the page.", game=title)
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
    return say("This line is {width} mm long if the sheet was printed at 100 %.", width=width)


def format_print_reply(say: Reader, game: Game, pages: int) -> str:
    """Say what a file to print has."""
    title = format_title(say, game)
    sheets = say.plural("{n} sheet", "{n} sheets", pages)
    return say(
        "**{game}** to print, on {sheets}: the board, the rules, and men and dice to cut out. "
        "Print at 100 %, not fitted to the page.",
        game=title,
        sheets=sheets,
    )
