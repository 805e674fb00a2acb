"""Choosing a game by a part of its name, and a pace."""

import contextlib

from discord import app_commands

from bot.delivery.outlets import Interaction
from bot.views.controls import LONGEST_ENTRY, MOST_CHOICES
from bot.words.clock import pace as told
from bot.words.common import title
from bot.words.reader import Reader
from bot.words.texts import of_game
from engine.clock import PACES, read_pace
from engine.folding import fold
from engine.games import GAMES
from engine.games.names import is_called
from engine.games.unplayed import UNPLAYED, Page
from engine.players.level import Level
from engine.refusal import Refusal
from engine.rules import Game
from render.characters import cut

BANKS = ("10m+15s", "30m+1m", "5d+12h")
"""Times for all turns that are offered; others can be typed."""
LEVELS = [app_commands.Choice(name=level.value, value=level.value) for level in Level]
"""How well the computer plays: a choice of several commands."""


def game_choices(say: Reader, typed: str) -> list[app_commands.Choice[str]]:
    """List the games whose slug, title or other names contain what was typed.

    The names are those in the reader's language and in English.
    """
    return [
        app_commands.Choice(name=cut(title(say, game), LONGEST_ENTRY), value=game.slug)
        for game in GAMES.values()
        if _is_called(say, game, typed)
    ][:MOST_CHOICES]


def page_choices(say: Reader, typed: str) -> list[app_commands.Choice[str]]:
    """List the games in the same way that have a page but can't be played.

    They are listed only once something was typed.
    """
    return [
        app_commands.Choice(name=cut(_unplayed(say, page), LONGEST_ENTRY), value=page.slug)
        for page in UNPLAYED
        if typed and _is_called(say, page, typed)
    ]


async def paces_like(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the paces that begin with what was typed, each with what it gives.

    Some of them have a time for all turns.
    """
    say = interaction.client.reader(interaction.locale)
    paces = [*PACES.values(), *map(read_pace, BANKS)]
    wanted = fold(typed)
    with contextlib.suppress(Refusal):
        # What is typed in full may be called otherwise (`1 day`), or be another time for all turns.
        wanted = read_pace(typed).name
        paces.append(read_pace(typed))
    return [
        app_commands.Choice(
            name=cut(f"{pace.name}: {told(say, pace)}", LONGEST_ENTRY), value=pace.name
        )
        for pace in dict.fromkeys(paces)
        if pace.name.startswith(wanted)
    ]


def _unplayed(say: Reader, page: Page) -> str:
    return say("{game} (not playable)", game=say.of(of_game(page.slug), page.title))


def _is_called(say: Reader, game: Game | Page, typed: str) -> bool:
    ours = (game.title, *game.aliases)
    names = (game.slug, *ours, *(say.of(of_game(game.slug), name) for name in ours))
    return is_called(names, typed)
