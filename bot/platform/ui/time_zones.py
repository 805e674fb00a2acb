"""Choosing a time zone."""

import discord

from bot.platform.time_zones import LONGEST_ZONE
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.forms import build_text_form


def build_zone_form(interaction: Interaction, custom_id: str) -> discord.ui.Modal:
    """Return the form in which a time zone is typed; there are too many for a menu."""
    say = interaction.client.get_asker_reader(interaction)
    return build_text_form(
        custom_id,
        title=say("Time zone"),
        label=say("A city or an offset"),
        hint=say("Europe/Berlin, New York or +2"),
        longest=LONGEST_ZONE,
    )
