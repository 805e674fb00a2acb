"""Buttons under a play that is tried."""

import discord
from discord import ButtonStyle

from bot.features.trying.service import Trial
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Item
from bot.platform.ui.controls import VerbScope, declare_verb

PLAY_TRIAL = declare_verb("tried", VerbScope.ACTION)
"""Play what was tried."""
NOT_YET = "notyet"
"""Leave unplayed what was to be confirmed."""


def play_trial_control(say: Reader, trial: Trial) -> Item:
    """Return the button that plays what was tried."""
    session = trial.before
    custom_id = f"{PLAY_TRIAL}:{session.id}:{session.match.version}:{trial.text}"
    return discord.ui.Button(label=say("Play it"), style=ButtonStyle.success, custom_id=custom_id)


def dismiss_trial_control(say: Reader, trial: Trial) -> Item:
    """Return the button that leaves a play unplayed."""
    return discord.ui.Button(
        label=say("Not yet"), style=ButtonStyle.secondary, custom_id=f"{NOT_YET}:{trial.text}"
    )
