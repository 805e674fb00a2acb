"""What the slash commands say of themselves, in every language that has a catalogue.

The names of commands and options are translated as well as their descriptions, the names of their
choices, and the entries of a person's menu. Discord knows a command by its English name all the
same, so nothing else depends on a translation.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation, TranslationContextTypes, locale_str

from bot.platform.i18n.catalogue_texts import Text
from bot.platform.i18n.command_names import COMMAND_NAME, OPTION_NAME
from bot.platform.i18n.reader import Reader, load_reader
from bot.platform.ui.declarations import Commands
from render.characters import utf16_length

COMMAND = "command"
"""The context of what commands say of themselves."""
LONGEST = 100
"""Characters that Discord allows for each."""
LONGEST_ENTRY = 32
"""Characters that it allows for an entry of a person's menu."""

LONGEST_NAME = 32
"""Characters that it allows for the name of a command or an option."""

NAMED = (
    TranslationContextLocation.command_name,
    TranslationContextLocation.group_name,
    TranslationContextLocation.parameter_name,
)
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
        say = load_reader(locale.value, self._folder)
        is_entry = isinstance(context.data, app_commands.ContextMenu)
        if context.location in NAMED and not is_entry:
            return _translate_name(say, context.data)
        if context.location not in TRANSLATED and not is_entry:
            return None
        said = say.in_context(COMMAND, string.message)
        if is_entry and utf16_length(said) > LONGEST_ENTRY:
            return None
        return None if said == string.message else said


def _translate_name(say: Reader, named: object) -> str | None:
    """Return a name as Discord takes it, or None where it is no other than the English one."""
    if isinstance(named, app_commands.Command | app_commands.Group):
        context, name = COMMAND_NAME, named.qualified_name
    elif isinstance(named, app_commands.Parameter):
        context, name = OPTION_NAME, named.display_name
    else:
        return None
    said = say.in_context(context, name)
    return said if said != name and is_valid_name(said) else None


def is_valid_name(name: str) -> bool:
    """Return whether Discord takes a name: letters in lower case, digits, `-` and `_`."""
    letters = name.replace("-", "").replace("_", "")
    return name == name.lower() and letters.isalnum() and len(name) <= LONGEST_NAME


def list_menu_texts(menus: Iterable[app_commands.ContextMenu]) -> Iterator[Text]:
    """Yield the names of entries of a person's menu, with their context."""
    yield from ((COMMAND, menu.name) for menu in menus)


def list_texts(commands: Commands) -> Iterator[Text]:
    """Yield every text that the translator is asked for, with its context."""
    for command in commands:
        yield COMMAND_NAME, command.qualified_name
        yield COMMAND, command.description
        if isinstance(command, app_commands.Group):
            yield from list_texts(tuple(command.commands))
            continue
        for parameter in command.parameters:
            yield OPTION_NAME, parameter.display_name
            yield COMMAND, parameter.description
            yield from ((COMMAND, choice.name) for choice in parameter.choices)
