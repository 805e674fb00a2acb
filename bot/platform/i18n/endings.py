"""Format how a game ended, and the other texts that a game words itself."""

from collections.abc import Callable, Mapping
from typing import Any

from bot.platform.i18n.catalogue_texts import game_context
from bot.platform.i18n.common import format_side
from bot.platform.i18n.reader import Reader
from engine.outcome import GameOutcome
from engine.position import Side
from engine.rules import Game, Remark

_Parts = Mapping[str, Any]


def format_ending(
    say: Reader, game: Game, outcome: GameOutcome, people: Mapping[Side, str] | None = None
) -> str:
    """Tell how a game has ended, and what that counts where the game has a word for it.

    With `people` the players are named in place of their side, except in a game's own words.
    """
    parts = dict(outcome.parts)
    if "side" in parts:
        side = Side(parts["side"])
        name = people[side] if people and outcome.how not in game.words else ""
        parts["side"] = name or format_side(say, side)
    told = _format_cause(say, game, outcome.how, parts)
    worth = parts.pop("worth", None)
    return format_game_text(say, game, worth, ending=told, **parts) if worth else told


def _format_cause(say: Reader, game: Game, how: str, parts: _Parts) -> str:
    return (
        format_game_text(say, game, how, **parts) if how in game.words else ENDINGS[how](say, parts)
    )


def format_game_text(say: Reader, game: Game, slug: str, /, **parts: Any) -> str:  # noqa: ANN401 - any value
    """Say something in a game's own words."""
    text = game.words[slug]
    if isinstance(text, str):
        return say.in_context(game_context(game.slug), text, **parts)
    return say.plural_in_context(game_context(game.slug), *text, **parts)


def format_remark(say: Reader, game: Game, told: Remark | None) -> str:
    """Tell what a game remembers; nothing where there is nothing to tell."""
    if told is None:
        return ""
    slug, parts = told
    return format_game_text(say, game, slug, **parts)


ENDINGS: Mapping[str, Callable[[Reader, _Parts], str]] = {
    "off": lambda say, _: say("every man borne off"),
    "goal": lambda say, _: say("every man in the last table"),
    "full": lambda say, parts: say.plural(
        "{n} point to {least}", "{n} points to {least}", parts["most"], **parts
    ),
    "even": lambda say, _: say("three points each"),
    "resigned": lambda say, parts: say("{side} resigned", **parts),
    "aborted": lambda say, parts: say("{side} left within the first two turns", **parts),
    "timed-out": lambda say, parts: say("{side} ran out of time", **parts),
    "abandoned": lambda say, _: say("nobody played for sixty days"),
    "agreed": lambda say, _: say("both sides agreed"),
    "adjudicated": lambda say, _: say("decided by a moderator"),
    "annulled": lambda say, _: say("annulled by a moderator"),
    "forfeited": lambda say, parts: (
        say("{side} forfeited", **parts) if "side" in parts else say("neither side played in time")
    ),
    "deadline": lambda say, _: say("decided at the deadline of the event"),
    "ad-fallum": lambda say, parts: say("ad fallum: {side} couldn't play the whole throw", **parts),
    "stuck": lambda say, _: say("no throw could ever move either side"),
    "other": lambda _, parts: str(parts["text"]),
}
"""The endings that every game can come to, by how they came about.

`other` are kept as an earlier version wrote them.
"""
