"""The card with a game to print."""

from bot.features.printing import texts as words
from bot.features.printing.document import PrintedGame, PrintTerms, name_print_file
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, CardFile
from engine.rules import Game


def print_card(say: Reader, game: Game, terms: PrintTerms, printed: PrintedGame) -> Card:
    """Return a printed game as a file."""
    told = words.format_print_reply(say, game, printed.pages)
    return Card(texts=(told,), file=CardFile(name_print_file(game, terms), printed.content))
