"""What those read who manage a server."""

from collections.abc import Sequence

from bot.app.servers import Lack
from bot.store import Server
from bot.views.card import Card, Listing
from bot.views.controls import first_game_controls
from bot.words import servers as words
from bot.words.reader import Reader


def choices_card(say: Reader, server: Server, lacks: Sequence[Lack]) -> Card:
    """Return what a server has chosen for its matches, and what the bot lacks there."""
    return Card(texts=(words.choices(say, server), *_check(say, lacks)))


def welcome_card(say: Reader, lacks: Sequence[Lack]) -> Card:
    """Return what the bot says in a server that has invited it: how to begin, and what it lacks."""
    check = _check(say, lacks) if lacks else ()
    return Card(texts=(*words.welcome(say), *check), controls=first_game_controls(say))


def _check(say: Reader, lacks: Sequence[Lack]) -> tuple[str | Listing, ...]:
    if not lacks:
        return (words.nothing_lacks(say),)
    lines = tuple(words.lack(say, each) for each in lacks)
    listing = Listing(lines, lambda n: words.more_lacks(say, n), joined=True)
    return listing, words.remedy(say)
