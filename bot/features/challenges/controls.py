"""Buttons and menus under challenges, and of house rules that are chosen."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum, auto
from typing import Any

import discord
from discord import ButtonStyle, SelectOption

from bot.features.matches.controls import CardPart, card_controls
from bot.features.matches.session import MatchSession
from bot.platform.i18n import common
from bot.platform.i18n.catalogue_texts import FAMILY, game_context, option_context
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Item
from bot.platform.ui.controls import LONGEST_ENTRY, MOST_CHOICES, VerbScope, declare_verb
from bot.store import Challenge
from engine.games import GAMES
from engine.position import Side
from engine.rules import Family, Game, Option, OptionValue
from render.characters import shorten_text

REMATCH = declare_verb("rematch", VerbScope.NUMBER)
"""Offer a match again."""
ANSWER = declare_verb("challenge", VerbScope.NUMBER)
"""Answer a challenge."""
CHALLENGE_DICE = declare_verb("challengedice", VerbScope.NUMBER)
"""Show what is fixed of the dice of a challenge."""
WITHDRAW = "withdraw"
"""Withdraw or decline an open challenge, wherever its message is."""
DRAFT = "draft"
"""Choose a house rule."""
DRAFT_GAME = "draftgame"
"""Choose the game of a challenge to somebody."""
DRAFT_TERM = "draftterm"
"""Choose a side, a pace, or whether it is rated."""
POST_DRAFT = "send"
"""Make a challenge with the terms and house rules chosen."""


class DraftTerm(StrEnum):
    """What is chosen for a challenge besides house rules."""

    SIDE = auto()
    PACE = auto()
    RATED = auto()


@card_controls(CardPart.END, 10)
def _rematch_control(say: Reader, session: MatchSession) -> Iterator[Item]:
    yield discord.ui.Button(
        # Translators: button: challenges the same opponent once more (noun).
        label=say("Rematch"),
        style=ButtonStyle.primary,
        custom_id=f"{REMATCH}:{session.id}",
    )


def challenge_controls(say: Reader, challenge: Challenge) -> tuple[Item, ...]:
    """Return the buttons under a challenge.

    They accept (one a side between teams), decline, and open the rules and the dice.
    """
    buttons = [
        _make_answer_button(challenge, act, label, ButtonStyle.success)
        for act, label in _acceptance_labels(say, challenge).items()
    ]
    # Translators: button: refuses a challenge (verb).
    refusal = say("Decline")
    if not challenge.opponent:
        # Translators: button: takes one's own challenge back (verb).
        refusal = say("Withdraw")
    buttons.append(_make_answer_button(challenge, "decline", refusal, ButtonStyle.secondary))
    # Translators: button: shows the rules of the game that is challenged to (noun).
    buttons.append(_make_answer_button(challenge, "rules", say("Rules"), ButtonStyle.secondary))
    buttons.append(
        _make_answer_button(
            challenge, "word", say("Accept with a secret word"), ButtonStyle.secondary
        )
    )
    if challenge.opponent is None:
        label = say("Play the computer") if challenge.players == 1 else say("Fill with computers")
        buttons.append(_make_answer_button(challenge, "fill", label, ButtonStyle.secondary))
    buttons.append(
        discord.ui.Button(label=say("Fair dice"), custom_id=f"{CHALLENGE_DICE}:{challenge.id}")
    )
    return tuple(buttons)


def withdrawal_menu(say: Reader, challenges: Sequence[Challenge], person: int) -> tuple[Item, ...]:
    """Return the menu by which a person withdraws or declines one of these challenges.

    There is none where there are no challenges.
    """
    concerning = [each for each in challenges if person in (each.challenger, each.opponent)]
    if not concerning:
        return ()
    return (
        discord.ui.Select[Any](
            placeholder=say("Withdraw or decline a challenge"),
            options=[
                _withdrawal_option(say, challenge, person)
                for challenge in concerning[:MOST_CHOICES]
            ],
            custom_id=f"{WITHDRAW}:",
        ),
    )


def _withdrawal_option(say: Reader, challenge: Challenge, person: int) -> SelectOption:
    game = common.format_title(say, GAMES[challenge.game])
    parts = {"game": game, "number": challenge.id}
    label = say("Withdraw {game}, challenge {number}", **parts)
    if challenge.challenger != person:
        label = say("Decline {game}, challenge {number}", **parts)
    return SelectOption(label=shorten_text(label, LONGEST_ENTRY), value=str(challenge.id))


def _acceptance_labels(say: Reader, challenge: Challenge) -> Mapping[str, str]:
    if challenge.players == 1:
        # Translators: button: accepts a challenge, so that the match begins (verb).
        return {"accept": say("Accept")}
    return {side.value: say("Join {side}", side=common.format_side(say, side)) for side in Side}


def _make_answer_button(challenge: Challenge, act: str, label: str, style: ButtonStyle) -> Item:
    return discord.ui.Button(label=label, style=style, custom_id=f"{ANSWER}:{challenge.id}:{act}")


def game_menus(say: Reader, opponent: int) -> tuple[Item, ...]:
    """Return a menu of games for each family, by which somebody chooses one against an opponent."""
    return tuple(
        discord.ui.Select[Any](
            placeholder=say.in_context(FAMILY, family.value),
            options=[
                SelectOption(
                    label=shorten_text(common.format_title(say, game), LONGEST_ENTRY),
                    value=game.slug,
                    description=shorten_text(
                        say.in_context(game_context(game.slug), game.tagline), LONGEST_ENTRY
                    ),
                )
                for game in GAMES.values()
                if game.family is family
            ],
            custom_id=f"{DRAFT_GAME}:{opponent}:{family.name.lower()}",
        )
        for family in Family
    )


def option_menus(
    say: Reader, game: Game, chosen: Mapping[str, str]
) -> tuple[tuple[Option, Item], ...]:
    """Return each house rule that can be agreed on beforehand, with its menu.

    Each shows what is chosen.
    """
    return tuple(
        (option, _make_option_menu(say, option, chosen))
        for option in game.options
        if not option.starter_chooses
    )


def _make_option_menu(say: Reader, option: Option, chosen: Mapping[str, str]) -> Item:
    return discord.ui.Select[Any](
        options=[
            _option_value(say, option, value, chosen) for value in option.values[:MOST_CHOICES]
        ],
        custom_id=f"{DRAFT}:{option.name}",
    )


def _option_value(
    say: Reader, option: Option, value: OptionValue, chosen: Mapping[str, str]
) -> SelectOption:
    return SelectOption(
        label=shorten_text(f"{option.name}: {value.name}", LONGEST_ENTRY),
        value=value.name,
        description=shorten_text(
            say.in_context(option_context(option.name), value.meaning), LONGEST_ENTRY
        ),
        default=chosen.get(option.name, option.default_value.name) == value.name,
    )
