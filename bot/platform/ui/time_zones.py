"""Choosing a time zone."""

from discord import app_commands

from bot.platform.time_zones import find_zone_or_utc, suggest_zones, to_wall_time
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.controls import MOST_CHOICES


async def offer_zones(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the time zones that hold what was typed, each with the time that it is there."""
    now = interaction.client.app.clock()
    return [
        app_commands.Choice(
            name=f"{name} ({to_wall_time(now, find_zone_or_utc(name)):%H:%M})",
            value=name,
        )
        for name in suggest_zones(typed)[:MOST_CHOICES]
    ]
