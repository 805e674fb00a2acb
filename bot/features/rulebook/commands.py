"""What one reads: /games with the catalogue, /rules, /help."""

from collections.abc import Iterator
from typing import Any

import discord
from discord import SelectOption, app_commands

from bot.features.computer.controls import PICK_GAME
from bot.features.matches.interactions import list_game_choices, list_page_choices
from bot.features.rulebook import cards
from bot.features.rulebook.texts import format_learning, format_luck
from bot.platform.i18n import common
from bot.platform.i18n.reader import FAMILY, Reader, UnknownControlError, game_context
from bot.platform.ui.access import get_server_permissions, is_bot_member
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.card import Card, Item, list_lines
from bot.platform.ui.channels import is_direct
from bot.platform.ui.controls import MAX_CHOICES, MAX_ENTRY_LENGTH, get_selection, parse_choice
from bot.platform.ui.declarations import (
    DIRECT,
    EVERYWHERE,
    SlashCommand,
    collect_commands,
    collect_menus,
    command,
    press,
)
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
            list_lines(say, lines),
        ),
        controls=(
            _build_game_menu(say, say("Play the computer"), games, PICK_GAME),
            _build_game_menu(say, say("Read the rules"), games, f"{cards.RULES}:catalogue"),
            _build_family_menu(say, family),
        ),
        small=say(
            "Times are for two people who know the game. `/challenge` plays another person, and "
            "`/learn` teaches."
        ),
    )


def _format_game(say: Reader, game: Game) -> str:
    title = common.format_title(say, game)
    tagline = say.in_context(game_context(game.slug), game.tagline)
    traits = common.join_facts(say, *_list_traits(say, game))
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


def _build_game_menu(say: Reader, placeholder: str, games: list[Game], custom_id: str) -> Item:
    options = [
        SelectOption(
            label=shorten_text(common.format_title(say, game), MAX_ENTRY_LENGTH), value=game.slug
        )
        for game in games
    ]
    return discord.ui.Select[Any](placeholder=placeholder, options=options, custom_id=custom_id)


def _build_family_menu(say: Reader, shown: Family) -> Item:
    options = [
        SelectOption(
            label=shorten_text(say.in_context(FAMILY, family.value), MAX_ENTRY_LENGTH),
            value=family.value,
        )
        for family in Family
        if family is not shown
    ]
    return discord.ui.Select[Any](
        placeholder=say("Other games"), options=options, custom_id=f"{cards.CATALOGUE}:family"
    )


@command(everywhere=True)
async def games(answer: InteractionAnswer) -> None:
    """Browse the games: how long they take, what they're like, and play one."""
    await answer.send_page(cards.CATALOGUE, catalogue_card(answer.reader, next(iter(Family))))


@press(cards.CATALOGUE, everywhere=True)
async def show_family(answer: InteractionAnswer) -> None:
    """Show another family of games in the catalogue."""
    family = parse_choice(Family, get_selection(answer.interaction))
    await answer.turn_page(cards.CATALOGUE, catalogue_card(answer.reader, family))


@command(everywhere=True)
@app_commands.describe(game="The game; leave it out to browse all games")
async def rules(answer: InteractionAnswer, game: str | None = None) -> None:
    """Read how a game is played and where it comes from."""
    await answer.send_page(cards.RULES, cards.rules_card(answer.reader, game or next(iter(GAMES))))


@rules.autocomplete("game")
async def _pages_like(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the games whose name contains what was typed.

    Those that can't be played but have a page are included.
    """
    say = interaction.client.get_asker_reader(interaction)
    # Games that can be played come first: Discord shows a limited number of choices.
    return [*list_game_choices(say, typed), *list_page_choices(say, typed)][:MAX_CHOICES]


@press(cards.RULES, everywhere=True)
async def choose_rules(answer: InteractionAnswer) -> None:
    """Show another game's rules in place of these."""
    game = get_selection(answer.interaction)
    await answer.turn_page(cards.RULES, cards.rules_card(answer.reader, game))


@press(cards.RULES_PAGE, everywhere=True)
async def turn_to_rules(answer: InteractionAnswer, game: str) -> None:
    """Turn to a game's rules."""
    await answer.turn_page(cards.RULES, cards.rules_card(answer.reader, game))


@press(cards.GUIDE, everywhere=True)
async def open_rules(answer: InteractionAnswer, game: str) -> None:
    """Open a game's rules for the one who asks."""
    await answer.send_page(cards.RULES, cards.rules_card(answer.reader, game))


@press(cards.ORIGINS_PAGE, everywhere=True)
async def turn_to_origins(answer: InteractionAnswer, game: str) -> None:
    """Turn to a game's house rules and sources."""
    await answer.turn_page(cards.RULES, cards.origins_card(answer.reader, game))


@command(everywhere=True)
async def help(answer: InteractionAnswer) -> None:  # noqa: A001 - the command's name
    """Learn how to start, and see all commands."""
    await answer.send(cards.help_card(answer.reader, in_server=is_bot_member(answer.interaction)))


@press(cards.HELP, everywhere=True)
async def open_help(answer: InteractionAnswer, page: cards.HelpPage) -> None:
    """Open more of what `/help` shows: how contests are run, all commands, or one group of them."""
    say = answer.reader
    if page is cards.HelpPage.CONTESTS:
        await answer.send(cards.contest_help_card(say))
        return
    shelves = list_usable_commands(answer.interaction)
    if page is cards.HelpPage.COMMANDS:
        entries = (
            [each.name for each in collect_menus()] if is_bot_member(answer.interaction) else []
        )
        await answer.send_page(cards.HELP, cards.command_list_card(say, shelves, entries))
        return
    picked = get_selection(answer.interaction)
    if picked not in shelves:
        # The menu is of another day, or was opened elsewhere.
        raise UnknownControlError
    await answer.turn_page(cards.HELP, cards.command_shelf_card(say, shelves, picked))


SINGLE = "single"
"""How the shelf is called of the commands that stand in no group."""


def list_usable_commands(interaction: Interaction) -> cards.Shelves:
    """Return the commands that somebody may use where they ask, by their groups."""
    may = get_server_permissions(interaction)
    needed = (
        None if is_bot_member(interaction) else DIRECT if is_direct(interaction) else EVERYWHERE
    )
    shelves: dict[str, list[SlashCommand]] = {SINGLE: []}
    for top in sorted(collect_commands(), key=lambda each: each.name):
        if top.default_permissions and not top.default_permissions <= may:
            continue
        inner = [top] if isinstance(top, app_commands.Command) else top.walk_commands()
        usable = [
            each
            for each in inner
            if isinstance(each, app_commands.Command)
            if needed is None or each.extras[needed]
        ]
        if usable:
            shelves.setdefault(top.name if top is not usable[0] else SINGLE, []).extend(usable)
    return shelves
