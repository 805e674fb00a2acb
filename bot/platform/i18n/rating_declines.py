"""Why nothing can be said of a rating."""

from collections.abc import Callable, Mapping
from typing import Any

from bot.platform.errors import DeclineReason
from bot.platform.i18n.common import format_title
from bot.platform.i18n.reader import Reader
from engine.games import GAMES


def _explain_no_rating(say: Reader, parts: Mapping[str, Any]) -> str:
    """Tell that somebody (`who`; nobody: the reader) has no rating, in one game or in any."""
    who = f"<@{parts['who']}>" if parts["who"] else ""
    game = parts["game"]
    title = format_title(say, GAMES[game]) if game else ""
    if who and game:
        return say(
            "{who} hasn't finished a rated match of {game} in this server, so there is no rating "
            "to explain yet.",
            who=who,
            game=title,
        )
    if who:
        return say(
            "{who} hasn't finished a rated match in this server, so there is no rating to explain "
            "yet.",
            who=who,
        )
    if game:
        return say(
            "You haven't finished a rated match of {game} in this server yet; `/challenge` starts "
            "one.",
            game=title,
        )
    return say(
        "You haven't finished a rated match in this server yet; `/challenge` starts one.",
    )


RATING_DECLINE_TEXTS: Mapping[DeclineReason, Callable[[Reader, Mapping[str, Any]], str]] = {
    DeclineReason.NO_RATING: _explain_no_rating,
    DeclineReason.NO_SEASON: lambda say, parts: say(
        "A season is a quarter of a year: type it as `{season}`, or `now` for this one.", **parts
    ),
}
