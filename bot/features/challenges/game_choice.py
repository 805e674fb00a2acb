"""Choosing a game by a part of its name, and a pace."""

import contextlib

from discord import app_commands

from bot.features.matches.clock_texts import format_pace as told
from bot.platform.i18n.catalogue_texts import game_context
from bot.platform.i18n.common import format_labelled, format_title
from bot.platform.i18n.reader import Reader
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.controls import LONGEST_ENTRY, MOST_CHOICES
from engine.clock import PACES, Pace, parse_pace
from engine.folding import fold_text
from engine.games import GAMES
from engine.games.names import fold_name, has_matching_name
from engine.games.unplayed import UNPLAYED, UnplayedGame
from engine.players.level import Level
from engine.refusal import Refusal
from engine.rules import Game
from render.characters import shorten_text

TIME_BANKS = ("10m+15s", "30m+1m", "5d+12h")
"""Times for all turns that are offered; others can be typed."""
LEVEL_CHOICES = [app_commands.Choice(name=level.value, value=level.value) for level in Level]
"""How well the computer plays: a choice of several commands."""


def list_game_choices(say: Reader, typed: str) -> list[app_commands.Choice[str]]:
    """List the games whose slug, title or other names contain what was typed.

    The names are those in the reader's language and in English. Games of exactly that name come
    first, then those whose title begins so.
    """
    found = [game for game in GAMES.values() if _is_name_match(say, game, typed)]
    found.sort(key=lambda game: _rank_name_match(say, game, typed))
    return [
        app_commands.Choice(
            name=shorten_text(format_title(say, game), LONGEST_ENTRY), value=game.slug
        )
        for game in found[:MOST_CHOICES]
    ]


async def offer_games(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the games whose slug, title or other names contain what was typed."""
    return list_game_choices(interaction.client.get_asker_reader(interaction), typed)


def list_page_choices(say: Reader, typed: str) -> list[app_commands.Choice[str]]:
    """List the games in the same way that have a page but can't be played.

    They are listed only once something was typed.
    """
    return [
        app_commands.Choice(
            name=shorten_text(_format_unplayed(say, page), LONGEST_ENTRY), value=page.slug
        )
        for page in UNPLAYED
        if typed and _is_name_match(say, page, typed)
    ]


def list_paces() -> list[Pace]:
    """List the paces that are offered; a time for all turns can be typed besides."""
    return [*PACES.values(), *map(parse_pace, TIME_BANKS)]


async def offer_paces(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the paces that begin with what was typed, each with what it gives.

    Some of them have a time for all turns.
    """
    say = interaction.client.get_asker_reader(interaction)
    paces = list_paces()
    wanted = fold_text(typed)
    with contextlib.suppress(Refusal):
        # What is typed in full may be called otherwise (`1 day`), or be another time for all turns.
        wanted = parse_pace(typed).name
        paces.append(parse_pace(typed))
    return [
        app_commands.Choice(
            name=shorten_text(format_labelled(say, pace.name, told(say, pace)), LONGEST_ENTRY),
            value=pace.name,
        )
        # What was typed may be one of the listed paces, and is offered once.
        for pace in dict.fromkeys(paces)
        if pace.name.startswith(wanted)
    ]


def _format_unplayed(say: Reader, page: UnplayedGame) -> str:
    return say("{game} (not playable)", game=say.in_context(game_context(page.slug), page.title))


def _is_name_match(say: Reader, game: Game | UnplayedGame, typed: str) -> bool:
    return has_matching_name(_list_names(say, game), typed)


def _list_names(say: Reader, game: Game | UnplayedGame) -> tuple[str, ...]:
    # English names are found in every language, since they are the ones in the sources.
    ours = (game.title, *game.aliases)
    return game.slug, *ours, *(say.in_context(game_context(game.slug), name) for name in ours)


def _rank_name_match(say: Reader, game: Game, typed: str) -> int:
    """Return how far down a game comes among those that match what was typed."""
    wanted = fold_name(typed)
    if not wanted or wanted in map(fold_name, _list_names(say, game)):
        return 0
    return 1 if fold_name(format_title(say, game)).startswith(wanted) else 2
