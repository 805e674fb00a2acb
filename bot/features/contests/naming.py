"""Offering a server's contests by their names, where one of them is meant."""

from collections.abc import Collection

from discord import app_commands

from bot.features.contests.rows import LEAGUES, TOURNAMENTS, ContestFormat
from bot.features.contests.service import MOST_LISTED
from bot.features.contests.texts import format_contest_name
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.controls import LONGEST_ENTRY, MOST_CHOICES
from engine.folding import fold_text
from render.characters import shorten_text


async def offer_leagues(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the leagues of this server whose names hold what was typed."""
    return await _offer_contests(interaction, typed, LEAGUES)


async def offer_tournaments(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the tournaments of this server whose names hold what was typed."""
    return await _offer_contests(interaction, typed, TOURNAMENTS)


async def offer_contests(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the leagues and tournaments of this server whose names hold what was typed."""
    return await _offer_contests(interaction, typed, LEAGUES | TOURNAMENTS)


async def _offer_contests(
    interaction: Interaction, typed: str, formats: Collection[ContestFormat]
) -> list[app_commands.Choice[str]]:
    contests = interaction.client.app.store.contests
    found = await contests.load_latest(interaction.guild_id or 0, MOST_LISTED, formats)
    wanted = fold_text(typed)
    say = interaction.client.get_asker_reader(interaction)
    return [
        app_commands.Choice(
            name=shorten_text(format_contest_name(say, each), LONGEST_ENTRY), value=str(each.id)
        )
        for each in found
        if wanted in fold_text(each.name)
    ][:MOST_CHOICES]
