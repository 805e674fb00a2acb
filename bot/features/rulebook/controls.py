"""Menus and buttons that lead from one rules page to another."""

from collections.abc import Iterator

import discord
from discord import ButtonStyle, SelectOption

from bot.features.matches.controls import CardPart, card_controls
from bot.features.matches.session import MatchSession
from bot.platform.i18n import common
from bot.platform.i18n.catalogue_texts import FAMILY, game_context
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Item
from bot.platform.ui.controls import LONGEST_ENTRY
from engine.games import GAMES
from engine.games.unplayed import UNPLAYED
from render.characters import shorten_text

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


def rules_menus(say: Reader, slug: str) -> tuple[Item, Item]:
    """Return the menus that lead to every rules page.

    One lists the games beside this one, the other the other families of games.
    """
    shelves = _rules_by_family(say)
    beside = next(shelf for shelf in shelves.values() if slug in (entry.value for entry in shelf))
    # A family has no page of its own: its entry leads to its first game.
    families = [
        SelectOption(label=shorten_text(name, LONGEST_ENTRY), value=shelf[0].value)
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


@card_controls(CardPart.MORE, 10)
def _rules_control(say: Reader, session: MatchSession) -> Iterator[Item]:
    yield rules_page_control(RULES_PAGE, session.match.game.slug, say("How to play"))


@card_controls(CardPart.TURN, 55)
def _guide_control(say: Reader, session: MatchSession) -> Iterator[Item]:
    if session.match.may_abort():
        yield rules_page_control(GUIDE, session.match.game.slug, say("How to play"))


def _rules_by_family(say: Reader) -> dict[str, list[SelectOption]]:
    shelves: dict[str, list[SelectOption]] = {}
    for game in GAMES.values():
        tagline = shorten_text(say.in_context(game_context(game.slug), game.tagline), LONGEST_ENTRY)
        entry = SelectOption(
            label=shorten_text(common.format_title(say, game), LONGEST_ENTRY),
            value=game.slug,
            description=tagline,
        )
        shelves.setdefault(say.in_context(FAMILY, game.family.value), []).append(entry)
    unplayed = [
        SelectOption(
            label=shorten_text(say.in_context(game_context(page.slug), page.title), LONGEST_ENTRY),
            value=page.slug,
        )
        for page in UNPLAYED
    ]
    shelves[say("Not playable from our sources")] = unplayed
    return shelves
