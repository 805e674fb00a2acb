"""What those read who manage a server."""

from collections.abc import Sequence

from bot.features.servers import texts as words
from bot.features.servers.controls import first_game_controls
from bot.features.servers.service import MissingPermissions
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, Listing


def welcome_card(say: Reader, lacks: Sequence[MissingPermissions]) -> Card:
    """Return what the bot says in a server that has invited it: how to begin, and what it lacks."""
    check = format_check(say, lacks) if lacks else ()
    return Card(texts=(*words.format_welcome(say), *check), controls=first_game_controls(say))


def format_check(say: Reader, lacks: Sequence[MissingPermissions]) -> tuple[str | Listing, ...]:
    """Tell which permissions the bot lacks in a server, and who can grant them."""
    lines = tuple(words.format_missing(say, each) for each in lacks)
    listing = Listing(lines, lambda n: words.format_more_missing(say, n), joined=True)
    return listing, words.explain_remedy(say)
