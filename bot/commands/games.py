"""Choosing a game by a part of its name."""

from discord import app_commands

from bot.views.controls import MOST_CHOICES
from engine.games import GAMES


def game_choices(typed: str) -> list[app_commands.Choice[str]]:
    """List the games whose slug, title or other names hold what was typed, as choices."""
    wanted = typed.casefold()
    return [
        app_commands.Choice(name=game.title, value=game.slug)
        for game in GAMES.values()
        if any(wanted in name.casefold() for name in (game.slug, game.title, *game.aliases))
    ][:MOST_CHOICES]
