"""What the slash commands say of themselves, in every language that has a catalogue.

Commands and their options keep their English names: what is typed is the same for everyone. Their
descriptions and the names of their choices are translated.
"""

from collections.abc import Iterator
from pathlib import Path

from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation, TranslationContextTypes, locale_str

from bot.platform.i18n.catalogue_texts import Text
from bot.platform.i18n.reader import load_reader
from bot.platform.ui.declarations import Commands

COMMAND = "command"
"""The context of what commands say of themselves."""
LONGEST = 100
"""Characters that Discord allows for each."""

TRANSLATED = (
    TranslationContextLocation.command_description,
    TranslationContextLocation.group_description,
    TranslationContextLocation.parameter_description,
    TranslationContextLocation.choice_name,
)


class Translator(app_commands.Translator):
    """Looks texts up in the catalogues of a folder when commands are registered with Discord."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def translate(
        self, string: locale_str, locale: Locale, context: TranslationContextTypes
    ) -> str | None:
        """Return the translation, or None where it is no other than the English text."""
        if context.location not in TRANSLATED:
            return None
        said = load_reader(locale.value, self._folder).in_context(COMMAND, string.message)
        return None if said == string.message else said


def list_texts(commands: Commands) -> Iterator[Text]:
    """Yield every text that the translator is asked for, with its context."""
    for command in commands:
        yield COMMAND, command.description
        if isinstance(command, app_commands.Group):
            yield from list_texts(tuple(command.commands))
            continue
        for parameter in command.parameters:
            yield COMMAND, parameter.description
            yield from ((COMMAND, choice.name) for choice in parameter.choices)
