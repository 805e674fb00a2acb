"""Choosing a language by a part of its name."""

from discord import app_commands

from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.i18n.reader import list_languages
from bot.platform.languages import FOLLOW_DISCORD
from bot.platform.ui.app_client import AppClient, Interaction
from bot.platform.ui.controls import MOST_CHOICES
from engine.folding import fold_text

LONGEST_LANGUAGE = 40


async def offer_languages(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the languages whose own name or code contains what was typed."""
    say = interaction.client.get_asker_reader(interaction)
    entries = {FOLLOW_DISCORD: say("As Discord says"), **list_languages(interaction.client.locales)}
    wanted = fold_text(typed)
    return [
        app_commands.Choice(name=name, value=code)
        for code, name in entries.items()
        if wanted in fold_text(name) or wanted in fold_text(code)
    ][:MOST_CHOICES]


def parse_language(client: AppClient, typed: str) -> str | None:
    """Return the language of that code or own name; None to read as Discord says.

    Raises DeclinedError for one that there is not.
    """
    wanted = fold_text(typed)
    if wanted == FOLLOW_DISCORD:
        return None
    known = list_languages(client.locales)
    for code, name in known.items():
        if wanted in (fold_text(code), fold_text(name)):
            return code
    raise DeclinedError(DeclineReason.NO_LANGUAGE, typed=typed, known=tuple(known.values()))


def format_language(client: AppClient, language: str) -> str:
    """Write a chosen language by its own name; by its code where it is supported no longer."""
    return list_languages(client.locales).get(language, language)
