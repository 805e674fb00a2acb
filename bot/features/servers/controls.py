"""Buttons that lead to a first game."""

from typing import Any

import discord
from discord import ButtonStyle

from bot.features.computer.controls import make_computer_control_id
from bot.features.lessons.controls import first_lesson_control
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Item
from engine.games.picks import FIRST_GAME, QUICK_GAME

BEGIN = "begin"
"""Offer a first game."""


def first_game_controls(say: Reader) -> tuple[Item, ...]:
    """Return the buttons that lead to a first game in one press, and to its rules.

    The first teaches one.
    """
    offers = [
        first_lesson_control(say),
        play_computer_control(say),
        *(
            discord.ui.Button[Any](
                label=label, style=ButtonStyle.primary, custom_id=f"{BEGIN}:{slug}"
            )
            for slug, label in (
                (QUICK_GAME, say("Offer a quick game")),
                (FIRST_GAME, say("Offer a race")),
            )
        ),
    ]
    return (*offers, all_games_control(say))


def play_computer_control(say: Reader) -> Item:
    """Return the button that begins a first game against the computer, which works anywhere."""
    return discord.ui.Button(
        label=say("Play the computer"),
        style=ButtonStyle.primary,
        custom_id=make_computer_control_id(FIRST_GAME),
    )


def all_games_control(say: Reader) -> Item:
    """Return the button that leads to the rules of every game, which works anywhere."""
    return discord.ui.Button(
        label=say("All games"), style=ButtonStyle.secondary, custom_id=f"{BEGIN}:rules"
    )
