"""A game's rules page: its set-up as a picture, how it is played, its house rules, its sources."""

from collections.abc import Iterable

from bot.views.card import Card, Listing, Picture
from bot.views.controls import ORIGINS_PAGE, RULES_PAGE, page_control, rules_menus
from bot.words import common
from bot.words import rules as words
from bot.words.board import board_words
from bot.words.reader import Reader
from bot.words.texts import of_game
from engine.games import find_game
from engine.games.unplayed import Page, find_unplayed
from engine.position import Side
from engine.rules import Game
from render.describe import describe
from render.scene import Scene


def rules_card(say: Reader, name: str) -> Card:
    """Return the page of a game, or of one that can't be played.

    Raises Refusal where there is none of that name.
    """
    page = find_unplayed(name)
    return _unplayed_card(say, page) if page else _game_card(say, find_game(name))


def origins_card(say: Reader, name: str) -> Card:
    """Return a game's second page: its house rules, and where it comes from."""
    game = find_game(name)
    heading = say("### {game}: house rules and sources", game=common.title(say, game))
    texts = (*_all(words.options(say, game)), *_all(words.origins(say, game)))
    back = page_control(RULES_PAGE, game.slug, say("The rules"))
    return Card(
        texts=(heading, Listing(texts, lambda n: common.more(say, n))),
        controls=(*rules_menus(say, game.slug), back),
    )


def _unplayed_card(say: Reader, page: Page) -> Card:
    context = of_game(page.slug)
    heading = say("### {game}: not playable here", game=say.of(context, page.title))
    names = ", ".join(say.of(context, name) for name in page.aliases)
    also = say("Also called {names}.", names=names) if names else ""
    why = _paragraph(say("Why not"), say.of(context, page.why))
    return Card(
        texts=(heading, also, say.of(context, page.known), why),
        controls=rules_menus(say, page.slug),
        small="; ".join(say.of(context, source) for source in page.sources),
    )


def _game_card(say: Reader, game: Game) -> Card:
    shown = _set_up(say, game)
    heading = say("### {game}: the rules", game=common.title(say, game))
    above = (heading, words.tagline(say, game))
    onward = page_control(ORIGINS_PAGE, game.slug, say("House rules and sources"))
    return Card(
        texts=above,
        picture=Picture(shown, describe(shown)),
        below=(Listing(_all(words.paragraphs(say, game)), lambda n: common.more(say, n)),),
        controls=(*rules_menus(say, game.slug), onward),
    )


def _all(paragraphs: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(_paragraph(name, text) for name, text in paragraphs)


def _paragraph(name: str, text: str) -> str:
    # A list begins on a line of its own.
    between = "\n" if text.startswith("- ") else " "
    return f"**{name}**{between}{text}"


def _set_up(say: Reader, game: Game) -> Scene:
    rules = game.rules_with({})
    return Scene(
        rules=rules,
        position=rules.start,
        names=(common.side_title(say, Side.GOLD), common.side_title(say, Side.BLACK)),
        title=common.title(say, game),
        status=say("The set-up"),
        ways=True,
        words=board_words(say),
    )
