"""The catalogue: the games of one family with their traits, and menus to play or read them."""

from collections.abc import Iterator
from typing import Any

import discord
from discord import SelectOption

from bot.features.computer.controls import PICK_GAME
from bot.features.rulebook.controls import CATALOGUE, RULES
from bot.features.rulebook.texts import format_learning, format_luck
from bot.platform.i18n import common
from bot.platform.i18n.catalogue_texts import FAMILY, game_context
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, Item, Listing
from bot.platform.ui.controls import LONGEST_ENTRY
from engine.games import GAMES
from engine.players.statistics import load_statistics
from engine.rules import Family, Game
from render.characters import shorten_text

SECONDS_PER_THROW = 15
"""About what a throw takes two people who know the game, to look, decide and press."""


def catalogue_card(say: Reader, family: Family) -> Card:
    """Return the games of a family, with menus that play one, read its rules, or turn the page."""
    games = [game for game in GAMES.values() if game.family is family]
    lines = tuple(_format_game(say, game) for game in games)
    return Card(
        texts=(
            say("### Games: {family}", family=say.in_context(FAMILY, family.value)),
            Listing(lines, lambda n: common.format_remainder(say, n)),
        ),
        controls=(
            _make_game_menu(say, say("Play the computer"), games, PICK_GAME),
            _make_game_menu(say, say("Read the rules"), games, f"{RULES}:catalogue"),
            _make_family_menu(say, family),
        ),
        small=say(
            "Times are for two who know the game. `/challenge` plays another person, and `/learn` "
            "teaches."
        ),
    )


def _format_game(say: Reader, game: Game) -> str:
    title = common.format_title(say, game)
    tagline = say.in_context(game_context(game.slug), game.tagline)
    traits = " · ".join(_list_traits(say, game))
    # Translators: a game and a sentence about it, then its traits in small print.
    return say("**{game}**: {tagline}\n-# {traits}", game=title, traits=traits, tagline=tagline)


def _list_traits(say: Reader, game: Game) -> Iterator[str]:
    """Yield what is measured of a game: its length, how much is luck, how much to learn."""
    if figures := load_statistics(game.slug, game.edition):
        minutes = max(1, round(figures.throws[1] * SECONDS_PER_THROW / 60))
        yield say.plural("{n} minute", "{n} minutes", minutes)
        if figures.luck:
            yield format_luck(say, figures.luck)
    yield format_learning(say, game)


def _make_game_menu(say: Reader, placeholder: str, games: list[Game], custom_id: str) -> Item:
    options = [
        SelectOption(
            label=shorten_text(common.format_title(say, game), LONGEST_ENTRY), value=game.slug
        )
        for game in games
    ]
    return discord.ui.Select[Any](placeholder=placeholder, options=options, custom_id=custom_id)


def _make_family_menu(say: Reader, shown: Family) -> Item:
    options = [
        SelectOption(
            label=shorten_text(say.in_context(FAMILY, family.value), LONGEST_ENTRY),
            value=family.value,
        )
        for family in Family
        if family is not shown
    ]
    return discord.ui.Select[Any](
        placeholder=say("Other games"), options=options, custom_id=f"{CATALOGUE}:family"
    )
