"""A game's rules page: its set-up as a picture, how it is played, its house rules, its sources."""

from collections.abc import Iterable

import discord
from discord import ButtonStyle

from bot.features.computer.controls import make_computer_control_id
from bot.features.lessons.controls import game_lesson_controls
from bot.features.matches.board_texts import translate_board_words
from bot.features.matches.extensions import TURN_LINES
from bot.features.matches.session import MatchSession
from bot.features.rulebook import texts as words
from bot.features.rulebook.controls import ORIGINS_PAGE, RULES_PAGE, rules_menus, rules_page_control
from bot.features.rulebook.rule_texts import describe_goal
from bot.platform.i18n import common
from bot.platform.i18n.catalogue_texts import game_context
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, Item, Listing, Picture
from engine.games import find_game
from engine.games.unplayed import UnplayedGame, find_unplayed
from engine.position import Side
from engine.rules import Game
from render.describe import describe_scene
from render.scene import Scene


@TURN_LINES.add()
def format_goal_line(say: Reader, session: MatchSession) -> str:
    """Say in the first turns of a match what wins."""
    if not session.match.may_abort():
        return ""
    return say("**Goal:** {goal}", goal=describe_goal(say, session.match.rules))


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
        texts=(heading, Listing(texts, lambda n: common.format_remainder(say, n))),
        controls=(*rules_menus(say, game.slug), back),
    )


def _not_playable_card(say: Reader, page: UnplayedGame) -> Card:
    context = game_context(page.slug)
    heading = say("### {game}: not playable here", game=say.in_context(context, page.title))
    names = ", ".join(say.in_context(context, name) for name in page.aliases)
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
    shown = _build_start_scene(say, game)
    heading = say("### {game}: the rules", game=common.format_title(say, game))
    above = (heading, words.format_tagline(say, game))
    onward = rules_page_control(ORIGINS_PAGE, game.slug, say("House rules and sources"))
    return Card(
        texts=above,
        picture=Picture(shown, describe_scene(shown)),
        # The rules stand below the picture, and give way where the message is too long.
        below=(
            Listing(
                _format_paragraphs(words.format_paragraphs(say, game)),
                lambda n: common.format_remainder(say, n),
            ),
        ),
        controls=(
            *rules_menus(say, game.slug),
            _make_play_button(say, game),
            *game_lesson_controls(say, game.slug),
            onward,
        ),
    )


def _make_play_button(say: Reader, game: Game) -> Item:
    return discord.ui.Button(
        label=say("Play the computer"),
        style=ButtonStyle.primary,
        custom_id=make_computer_control_id(game.slug),
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
