"""What those read who manage a server."""

from collections.abc import Sequence

from bot.features.servers import texts as words
from bot.features.servers.controls import first_game_controls
from bot.features.servers.service import MissingPermissions
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, Listing
from bot.store import ServerSettings


def server_settings_card(
    say: Reader, server: ServerSettings, lacks: Sequence[MissingPermissions]
) -> Card:
    """Return what a server has chosen for its matches, and what the bot lacks there."""
    return Card(texts=(words.format_settings(say, server), *_format_check(say, lacks)))


def welcome_card(say: Reader, lacks: Sequence[MissingPermissions]) -> Card:
    """Return what the bot says in a server that has invited it: how to begin, and what it lacks."""
    check = _format_check(say, lacks) if lacks else ()
    return Card(texts=(*words.format_welcome(say), *check), controls=first_game_controls(say))


def _format_check(say: Reader, lacks: Sequence[MissingPermissions]) -> tuple[str | Listing, ...]:
    if not lacks:
        return (words.format_none_missing(say),)
    lines = tuple(words.format_missing(say, each) for each in lacks)
    listing = Listing(lines, lambda n: words.format_more_missing(say, n), joined=True)
    return listing, words.explain_remedy(say)
