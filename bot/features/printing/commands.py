"""Games to print: /print, and its card."""

from discord import app_commands

from bot.features.matches.interactions import MAX_NAME_LENGTH, offer_games
from bot.features.printing import document
from bot.features.printing.sheet_layout import PaperName, PrintSize
from bot.platform.i18n.reader import Reader
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import Card, CardFile
from bot.platform.ui.controls import parse_choice
from bot.platform.ui.declarations import command
from engine.games import find_game
from engine.rules import Game
from render.theme import load_themes

PAPER_CHOICES = [
    app_commands.Choice(name="A4", value=PaperName.A4.value),
    app_commands.Choice(name="US Letter", value=PaperName.LETTER.value),
]
SIZE_CHOICES = [
    app_commands.Choice(name="one sheet, men of 15 mm", value=PrintSize.SMALL.value),
    app_commands.Choice(name="up to four sheets, men of 25 mm", value=PrintSize.LARGE.value),
]
THEME_CHOICES = [
    app_commands.Choice(name=theme.title, value=name) for name, theme in load_themes().items()
]


@command(everywhere=True, name="print")
@app_commands.describe(
    game="The game",
    paper="The paper (default: A4)",
    size="How large the board is (default: one sheet)",
    theme="How the board looks (default: what suits it)",
    plain="In black and white, with little ink (default: no)",
)
@app_commands.choices(paper=PAPER_CHOICES, size=SIZE_CHOICES, theme=THEME_CHOICES)
async def print_out(
    answer: InteractionAnswer,
    game: app_commands.Range[str, 0, MAX_NAME_LENGTH],
    paper: str = PaperName.A4.value,
    size: str = PrintSize.SMALL.value,
    theme: str = "",
    plain: bool = False,
) -> None:
    """Get a game to print: board, rules, men and dice."""
    terms = document.PrintTerms(
        parse_choice(PaperName, paper),
        parse_choice(PrintSize, size),
        # One process may offer a theme that another has no longer.
        load_themes().get(theme),
        plain,
    )
    found = find_game(game)
    printed = await answer.app.costly.run(
        answer.asker, document.print_named_game, answer.reader, found.slug, terms
    )
    await answer.send(print_card(answer.reader, found, terms, printed))


print_out.autocomplete("game")(offer_games)


def print_card(
    say: Reader, game: Game, terms: document.PrintTerms, printed: document.PrintedGame
) -> Card:
    """Return a printed game as a file."""
    text = document.format_print_reply(say, game, printed.pages)
    return Card(
        texts=(text,), file=CardFile(document.name_print_file(game, terms), printed.content)
    )
