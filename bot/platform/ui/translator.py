"""What the slash commands say of themselves, in every language that has a catalogue.

Commands and their options keep their English names: what is typed is the same for everyone. Their
descriptions and the names of their choices are translated, and so are the entries of a person's
menu, which nobody types.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation, TranslationContextTypes, locale_str

from bot.platform.i18n.catalogue_texts import Text
from bot.platform.i18n.reader import load_reader
from bot.platform.ui.declarations import Commands
from render.characters import utf16_length

COMMAND = "command"
"""The context of what commands say of themselves."""
LONGEST = 100
"""Characters that Discord allows for each."""
LONGEST_ENTRY = 32
"""Characters that it allows for an entry of a person's menu."""

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
        is_entry = isinstance(context.data, app_commands.ContextMenu)
        if context.location not in TRANSLATED and not is_entry:
            return None
        said = load_reader(locale.value, self._folder).in_context(COMMAND, string.message)
        if is_entry and utf16_length(said) > LONGEST_ENTRY:
            return None
        return None if said == string.message else said


def list_menu_texts(menus: Iterable[app_commands.ContextMenu]) -> Iterator[Text]:
    """Yield the names of entries of a person's menu, with their context."""
    yield from ((COMMAND, menu.name) for menu in menus)


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
