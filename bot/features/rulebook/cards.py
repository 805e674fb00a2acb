"""Cards, menus and buttons that help: a game's rules, house rules and sources, and how to start."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TypeAlias

import discord
from discord import ButtonStyle, SelectOption

from bot.features.computer.controls import (
    build_computer_control_id,
    computer_controls,
    play_control,
)
from bot.features.lessons.controls import (
    first_lesson_control,
    game_lesson_controls,
    learn_control,
)
from bot.features.matches.cards import OPENING_LINES
from bot.features.matches.controls import (
    GAME_CONTROLS,
    CardPart,
    card_controls,
    match_list_control,
)
from bot.features.matches.scene import translate_board_words
from bot.features.matches.session import MatchSession
from bot.features.rulebook import texts as words
from bot.features.rulebook.texts import describe_goal
from bot.platform.i18n import common
from bot.platform.i18n.reader import FAMILY, Reader, game_context
from bot.platform.ui.card import Card, Item, Picture, list_lines
from bot.platform.ui.controls import (
    MAX_ENTRY_LENGTH,
    MAX_LABEL_LENGTH,
    build_button,
    build_choice_menu,
)
from bot.platform.ui.declarations import COMMAND, SlashCommand
from engine.games import GAMES, find_game
from engine.games.suggested import FIRST_GAME, QUICK_GAME
from engine.games.unplayed import UNPLAYED, UnplayedGame, find_unplayed
from engine.position import Side
from engine.rules import Game
from render.characters import shorten_text
from render.describe import describe_scene
from render.scene import Scene

RULES = "rules"
"""Turn to another game's rules."""
CATALOGUE = "games"
"""Show a family of games in the catalogue."""
GUIDE = "guide"
"""Open a game's rules beside what one was looking at."""
RULES_PAGE = "howto"
"""Turn to a game's rules."""
ORIGINS_PAGE = "origins"
"""Turn to a game's house rules and sources."""
HELP = "help"
"""Open more of what `/help` shows."""


class HelpPage(StrEnum):
    """What that is."""

    CONTESTS = "contests"
    COMMANDS = "commands"
    SHELF = "shelf"
    """The commands of the group that was picked from a menu."""


Shelves: TypeAlias = Mapping[str, Sequence[SlashCommand]]
"""Commands by the group in which they stand."""


def rules_menus(say: Reader, slug: str) -> tuple[Item, Item]:
    """Return the menus that lead to every rules page.

    One lists the games beside this one, the other the other families of games.
    """
    shelves = _rules_by_family(say)
    beside = next(shelf for shelf in shelves.values() if slug in (entry.value for entry in shelf))
    # A family has no page of its own: its entry leads to its first game.
    families = [
        SelectOption(label=shorten_text(name, MAX_ENTRY_LENGTH), value=shelf[0].value)
        for name, shelf in shelves.items()
    ]
    return (
        discord.ui.Select(
            placeholder=say("Rules of another game"), options=beside, custom_id=f"{RULES}:game"
        ),
        discord.ui.Select(
            placeholder=say("Other games"), options=families, custom_id=f"{RULES}:family"
        ),
    )


def rules_page_control(verb: str, slug: str, label: str) -> Item:
    """Return the button that turns to the other page of a game."""
    return discord.ui.Button(label=label, style=ButtonStyle.secondary, custom_id=f"{verb}:{slug}")


@GAME_CONTROLS.add()
def guide_control(say: Reader, slug: str) -> Item:
    """Return the button that opens the rules of the game that a lesson or a puzzle is about."""
    return rules_page_control(GUIDE, slug, say("The rules"))


@card_controls(CardPart.MORE, 10)
def _rules_control(say: Reader, session: MatchSession) -> Iterator[Item]:
    yield rules_page_control(RULES_PAGE, session.match.game.slug, say("How to play"))


@card_controls(CardPart.OPENING, 55)
def _guide_control(say: Reader, session: MatchSession) -> Iterator[Item]:
    yield rules_page_control(GUIDE, session.match.game.slug, say("How to play"))


def _rules_by_family(say: Reader) -> dict[str, list[SelectOption]]:
    shelves: dict[str, list[SelectOption]] = {}
    for game in GAMES.values():
        tagline = shorten_text(
            say.in_context(game_context(game.slug), game.tagline), MAX_ENTRY_LENGTH
        )
        entry = SelectOption(
            label=shorten_text(common.format_title(say, game), MAX_ENTRY_LENGTH),
            value=game.slug,
            description=tagline,
        )
        shelves.setdefault(say.in_context(FAMILY, game.family.value), []).append(entry)
    unplayed = [
        SelectOption(
            label=shorten_text(
                say.in_context(game_context(page.slug), page.title), MAX_ENTRY_LENGTH
            ),
            value=page.slug,
        )
        for page in UNPLAYED
    ]
    shelves[say("Not playable here")] = unplayed
    return shelves


BEGIN = "begin"
"""Offer a first game."""


def first_game_controls(say: Reader) -> tuple[Item, ...]:
    """Return the buttons that lead to a first game in one press, and to its rules.

    The first teaches one.
    """
    return (
        first_lesson_control(say),
        play_computer_control(say),
        *offer_controls(say),
        build_button(say("All games"), f"{BEGIN}:rules"),
    )


def offer_controls(say: Reader) -> tuple[Item, ...]:
    """Return the buttons that challenge anyone to a first game."""
    return tuple(
        build_button(
            shorten_text(
                # Translators: button: challenges anyone to a game (verb).
                say("Challenge to {game}", game=common.format_title(say, GAMES[slug])),
                MAX_LABEL_LENGTH,
            ),
            f"{BEGIN}:{slug}",
            ButtonStyle.primary,
        )
        for slug in (QUICK_GAME, FIRST_GAME)
    )


def play_computer_control(say: Reader) -> Item:
    """Return the button that begins a first game against the computer, which works anywhere."""
    return discord.ui.Button(
        label=say("Play the computer"),
        style=ButtonStyle.primary,
        custom_id=build_computer_control_id(FIRST_GAME),
    )


@OPENING_LINES.add()
def format_goal_line(say: Reader, session: MatchSession) -> str:
    """Say in the first turns of a match what wins."""
    return say("**Goal:** {goal}", goal=describe_goal(say, session.match.game, session.match.rules))


def rules_card(say: Reader, name: str) -> Card:
    """Return the page of a game, or of one that can't be played.

    Raises Refusal where there is none of that name.
    """
    # Asked first, as `find_game` refuses a name that it does not know.
    page = find_unplayed(name)
    return _not_playable_card(say, page) if page else _game_rules_card(say, find_game(name))


def origins_card(say: Reader, name: str) -> Card:
    """Return a game's second page: its house rules, and where it comes from."""
    game = find_game(name)
    heading = say("### {game}: house rules and sources", game=common.format_title(say, game))
    texts = (
        *_format_paragraphs(words.format_options(say, game)),
        *_format_paragraphs(words.format_origins(say, game)),
    )
    back = rules_page_control(RULES_PAGE, game.slug, say("The rules"))
    return Card(
        texts=(heading, list_lines(say, texts)),
        controls=(*rules_menus(say, game.slug), back),
    )


def _not_playable_card(say: Reader, page: UnplayedGame) -> Card:
    context = game_context(page.slug)
    heading = say("### {game}: not playable here", game=say.in_context(context, page.title))
    names = say.join_with_commas(say.in_context(context, name) for name in page.aliases)
    also = say("Also called {names}.", names=names) if names else ""
    why = _format_paragraph(say("Why not"), say.in_context(context, page.why))
    return Card(
        texts=(heading, also, say.in_context(context, page.known), why),
        controls=rules_menus(say, page.slug),
        small=common.join_clauses(
            say, (say.in_context(context, source) for source in page.sources)
        ),
    )


def _game_rules_card(say: Reader, game: Game) -> Card:
    scene = _build_start_scene(say, game)
    heading = say("### {game}: the rules", game=common.format_title(say, game))
    above = (heading, words.format_tagline(say, game))
    onward = rules_page_control(ORIGINS_PAGE, game.slug, say("House rules and sources"))
    return Card(
        texts=above,
        picture=Picture(scene, describe_scene(scene)),
        # The rules stand below the picture, and give way where the message is too long.
        below=(list_lines(say, _format_paragraphs(words.format_paragraphs(say, game))),),
        controls=(
            *rules_menus(say, game.slug),
            _build_play_button(say, game),
            *game_lesson_controls(say, game.slug),
            onward,
        ),
    )


def _build_play_button(say: Reader, game: Game) -> Item:
    return discord.ui.Button(
        label=say("Play the computer"),
        style=ButtonStyle.primary,
        custom_id=build_computer_control_id(game.slug),
    )


def _format_paragraphs(paragraphs: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(_format_paragraph(name, text) for name, text in paragraphs)


def _format_paragraph(name: str, text: str) -> str:
    # A list begins on a line of its own.
    between = "\n" if text.startswith("- ") else " "
    return f"**{name}**{between}{text}"


def _build_start_scene(say: Reader, game: Game) -> Scene:
    # House rules may change the set-up; the page shows the usual one.
    rules = game.resolve_rules({})
    return Scene(
        rules=rules,
        position=rules.start_position,
        names=(common.format_side_title(say, Side.GOLD), common.format_side_title(say, Side.BLACK)),
        title=common.format_title(say, game),
        status=say("The set-up"),
        ways=True,
        words=translate_board_words(say),
    )


def help_card(say: Reader, *, in_server: bool) -> Card:
    """Return how to start, as much as one screen of a phone shows."""
    return Card(
        texts=words.format_help_page(say, in_server=in_server),
        controls=(
            play_control(say),
            learn_control(say),
            build_button(say("Run a league"), f"{HELP}:{HelpPage.CONTESTS}"),
            match_list_control(say),
            build_button(say("All commands"), f"{HELP}:{HelpPage.COMMANDS}"),
        ),
        small=words.format_help_footer(say),
    )


def contest_help_card(say: Reader) -> Card:
    """Return how a club gets a league, a tournament or a ladder."""
    return Card(texts=words.format_contest_help(say), small=words.format_organisers(say))


def command_list_card(say: Reader, shelves: Shelves, entries: Sequence[str]) -> Card:
    """Return every command, with a menu to read what those of a group do.

    `entries` are those of the menus of people and messages.
    """
    lines = [_format_shelf(say, name, commands) for name, commands in shelves.items()]
    named = [say.in_context(COMMAND, each) for each in entries]
    if named:
        lines.append(
            say(
                "In the menu of a person, or of a message of mine, under *Apps*: {names}.",
                names=say.format_list(named),
            )
        )
    return Card(
        texts=(say("### All commands"), list_lines(say, lines)),
        controls=(_build_shelf_menu(say, shelves),),
    )


def command_shelf_card(say: Reader, shelves: Shelves, shown: str) -> Card:
    """Return what the commands of a group do; the menu leads to the other groups."""
    lines = [
        # Translators: a command, then what it does.
        say(
            "- {command}: {description}",
            command=say.mention_command(each.qualified_name),
            description=say.in_context(COMMAND, each.description),
        )
        for each in shelves[shown]
    ]
    return Card(
        texts=(say("### All commands"), list_lines(say, lines, joined=True)),
        controls=(_build_shelf_menu(say, shelves),),
    )


def _format_shelf(say: Reader, name: str, commands: Sequence[SlashCommand]) -> str:
    mentions = common.join_facts(
        say, *(say.mention_command(each.qualified_name) for each in commands)
    )
    group = commands[0].parent
    if group is None:
        return mentions
    return f"**{say.in_context(COMMAND, group.description)}**\n{mentions}"


def _build_shelf_menu(say: Reader, shelves: Shelves) -> Item:
    entries = [
        (
            name,
            say.mention_command(name).strip("`"),
            say.in_context(COMMAND, commands[0].parent.description),
        )
        if commands[0].parent
        else (name, say("Commands without a group"), "")
        for name, commands in shelves.items()
    ]
    return build_choice_menu(
        f"{HELP}:{HelpPage.SHELF}", entries, "", say("What do these commands do?")
    )


def greeting_card(say: Reader) -> Card:
    """Return what stands first in the playground: what it is, and a first game in one press."""
    return Card(texts=words.format_playground_greeting(say), controls=first_game_controls(say))


def no_opponent_card(say: Reader, *, in_server: bool) -> Card:
    """Return what somebody is offered who would play and finds nobody."""
    offers = offer_controls(say) if in_server else ()
    return Card(
        texts=words.format_no_opponents(say, in_server=in_server),
        controls=(*computer_controls(say), *offers),
    )
