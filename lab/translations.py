"""The translators' files: `make words` writes them, `make check` compares them with the code.

`tabula.pot` lists every text; a language's `tabula.po` has them beside their translations, from
which `tabula.mo`, the one that the bot reads, is compiled. Texts in the code are found by the calls
of `say`, those of games, themes and commands by asking these. `make words ARGS=de` begins German.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import TypeAlias

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po, write_po
from discord import app_commands

from bot.platform.i18n import catalogue_texts as texts
from bot.platform.i18n.catalogue_texts import Text
from bot.platform.i18n.command_names import COMMAND_NAME, OPTION_NAME
from bot.platform.i18n.reader import DOMAIN, LOCALES
from bot.platform.ui import discovery as commands
from bot.platform.ui import translator
from bot.platform.ui.declarations import Commands, SlashCommand
from lab.source_texts import (
    ROOT,
    extract_texts,
    find_missed_texts,
    find_non_literals,
    find_unexplained_texts,
    list_forms,
)

HEADER = "# Tabula's texts. `make words` writes this file."

NAMES = (COMMAND_NAME, OPTION_NAME)
"""The contexts of what commands and their options are called."""
MOST_CHARACTERS = 8000
"""Characters that Discord allows in a command with all its options, descriptions and choices."""

Key: TypeAlias = tuple[object, str | None]
"""What a message is known by: its text or its forms, and its context."""


def build_template(root: Path = ROOT) -> Catalog:
    """Return every text of the program whose sources lie under `root`, in English."""
    catalogue = Catalog(project="Tabula", header_comment=HEADER, charset="utf-8")
    for said in extract_texts(root):
        # Without line numbers, which would change the template with every edit of the code.
        catalogue.add(
            said.forms, locations=[(said.file, 0)], auto_comments=said.notes, context=said.context
        )
    for context, text in (*texts.list_texts(), *texts.list_phrases(), *_list_command_texts()):
        catalogue.add(text, context=context)
    return catalogue


def _list_command_texts() -> Iterator[Text]:
    yield from translator.list_texts(commands.collect_commands())
    yield from translator.list_menu_texts(commands.collect_menus())


def write_files(folder: Path, found: Catalog, begun: Iterable[str] = ()) -> None:
    """Write the template, and update and compile the texts of every language.

    `begun` are new languages. Raises ValueError for something that is no language, and for a file
    that cannot be read.
    """
    # Languages are read before anything is written, so a wrong one changes nothing.
    new = [(_get_language_path(folder, language), _parse_locale(language)) for language in begun]
    folder.mkdir(parents=True, exist_ok=True)
    kept = _get_template_path(folder)
    if _is_outdated(kept, found):
        kept.write_bytes(_encode_po(found))
    for file, locale in new:
        if not file.exists():
            file.parent.mkdir(parents=True)
            file.write_bytes(
                _encode_po(Catalog(locale, project="Tabula", charset="utf-8", fuzzy=False))
            )
    for file in _list_language_files(folder):
        catalogue = _load_catalogue(file)
        # A guess from a similar text would have to be looked at as long as an empty one.
        catalogue.update(found, no_fuzzy_matching=True)
        file.write_bytes(_encode_po(catalogue))
        # Compiled is what the file says, which is what `check_files` reads.
        file.with_suffix(".mo").write_bytes(_encode_mo(_load_catalogue(file)))


def check_files(folder: Path, found: Catalog) -> list[str]:
    """Return what is wrong with a folder's files, a sentence each.

    Raises ValueError for a file that cannot be read.
    """
    wrong = []
    kept = _get_template_path(folder)
    if _is_outdated(kept, found):
        wrong.append(f"{kept.name} is out of date; `make words` updates it")
    for file in _list_language_files(folder):
        catalogue = _load_catalogue(file)
        wrong += [
            f"{_get_language(file)}: {sentence}"
            for sentence in _check_language(file, catalogue, found)
        ]
    files = map(_load_catalogue, _list_language_files(folder))
    return [*wrong, *_check_sizes([*files])]


def _check_language(file: Path, catalogue: Catalog, found: Catalog) -> Iterator[str]:
    if _list_keys(catalogue) != _list_keys(found):
        yield "the texts are out of date; `make words` brings them up to date"
    compiled = file.with_suffix(".mo")
    if not compiled.exists() or compiled.read_bytes() != _encode_mo(catalogue):
        yield f"{compiled.name} is not what {file.name} says; `make words` compiles it"
    for message in catalogue:
        if message.id and not message.fuzzy:
            yield from _check_message(message)
    yield from _check_names(catalogue)


def _check_message(message: Message) -> Iterator[str]:
    """Yield the faults of a translation: parts that differ from the English, or excess length.

    The length limit is Discord's.
    """
    # A language may have more plural forms than English. Each must have what all English forms
    # have, and may have what any of them has.
    originals = [_parse_placeholders(text) for text in list_forms(message.id)]
    code = [_list_code(text) for text in list_forms(message.id)]
    least, most = set.intersection(*originals), set.union(*originals)
    for said in filter(None, list_forms(message.string)):
        try:
            parts = _parse_placeholders(said)
        except ValueError as error:
            yield f"{said!r} cannot be filled in: {error}"
            continue
        if missing := least - parts:
            yield f"{said!r} lacks {_format_placeholders(missing)}"
        if foreign := parts - most:
            yield f"{said!r} has {_format_placeholders(foreign)}, which the English has not"
        if _list_code(said) not in code:
            yield f"{said!r} changes what stands in backticks, which stays as in English"
        if message.context == translator.COMMAND and len(said) > translator.LONGEST:
            yield f"{said!r} is longer than the {translator.LONGEST} characters that Discord allows"
        if message.context in NAMES and not translator.is_valid_name(said):
            yield f"{said!r} is no name that Discord takes for a command or an option"


def _list_code(text: str) -> list[str]:
    return sorted(re.findall(r"`[^`]*`", text))


def _check_names(catalogue: Catalog) -> Iterator[str]:
    """Yield the names that two commands of a group, or two options of a command, would share."""
    translated = {
        (message.context, message.id): str(message.string)
        for message in catalogue
        if message.context in NAMES and message.string and not message.fuzzy
    }
    for context, names in _list_sibling_names(commands.collect_commands()):
        said = Counter(translated.get((context, name), name.split()[-1]) for name in names)
        for name, times in said.items():
            if times > 1:
                yield f"{name!r} would be the name of {times} commands or options side by side"


def _list_sibling_names(siblings: Commands) -> Iterator[tuple[str, list[str]]]:
    yield COMMAND_NAME, [command.qualified_name for command in siblings]
    for command in siblings:
        if isinstance(command, app_commands.Group):
            yield from _list_sibling_names(tuple(command.commands))
        else:
            yield OPTION_NAME, [each.display_name for each in command.parameters]


def _check_sizes(catalogues: Sequence[Catalog]) -> Iterator[str]:
    """Yield the commands that are too large for Discord, which counts each longest translation."""
    longest: dict[tuple[str | None, str], int] = {}
    for message in (message for catalogue in catalogues for message in catalogue):
        if isinstance(message.id, str) and message.string and not message.fuzzy:
            key = message.context, message.id
            longest[key] = max(longest.get(key, 0), len(str(message.string)))

    def count(context: str, text: str) -> int:
        return max(len(text), longest.get((context, text), 0))

    for command in commands.collect_commands():
        texts_said = [*translator.list_texts((command,))]
        size = sum(count(context, text) for context, text in texts_said)
        values = sum(len(str(choice.value)) for choice in _list_choices(command))
        if size + values > MOST_CHARACTERS:
            yield f"/{command.name} has {size + values} characters, over {MOST_CHARACTERS}"


def _list_choices(
    command: SlashCommand | app_commands.Group,
) -> Iterator[app_commands.Choice[int | float | str]]:
    if isinstance(command, app_commands.Group):
        for each in command.commands:
            yield from _list_choices(each)
        return
    for parameter in command.parameters:
        yield from parameter.choices


def _parse_placeholders(text: str) -> set[str]:
    """Return the parts of a text, which are in braces; raises ValueError for bad braces."""
    return {
        "".join((name, f"!{conversion}" if conversion else "", f":{how}" if how else ""))
        for _, name, how, conversion in Formatter().parse(text)
        if name is not None
    }


def _format_placeholders(parts: set[str]) -> str:
    return ", ".join(f"{{{part}}}" for part in sorted(parts))


def _get_template_path(folder: Path) -> Path:
    return folder / f"{DOMAIN}.pot"


def _get_language_path(folder: Path, language: str) -> Path:
    return folder / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def _list_language_files(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def _get_language(file: Path) -> str:
    return file.parts[-3]


def _parse_locale(language: str) -> Locale:
    try:
        return Locale.parse(language)
    except (UnknownLocaleError, ValueError):
        raise ValueError(
            f"{language} is no language; German is de, Brazilian Portuguese pt_BR"
        ) from None


def _is_outdated(kept: Path, found: Catalog) -> bool:
    """Whether a kept template says something else than its date and what was found."""
    if not kept.exists():
        return True
    found.creation_date = _load_catalogue(kept).creation_date
    return kept.read_bytes() != _encode_po(found)


def _list_keys(catalogue: Catalog) -> set[Key]:
    return {(message.id, message.context) for message in catalogue if message.id}


def _load_catalogue(file: Path) -> Catalog:
    try:
        with file.open("rb") as lines:
            return read_po(lines, abort_invalid=True)
    except (PoFileError, ValueError) as error:
        raise ValueError(f"{file} cannot be read: {error}") from None


def _encode_po(catalogue: Catalog) -> bytes:
    file = BytesIO()
    write_po(file, catalogue, width=120, include_lineno=False)
    return file.getvalue()


def _encode_mo(catalogue: Catalog) -> bytes:
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def main() -> None:
    """Write or check the files.

    What is wrong goes to standard error, a line each, and the exit status is 1.
    """
    parser = argparse.ArgumentParser(prog="python -m lab.translations")
    parser.add_argument("what", choices=("write", "check"))
    parser.add_argument("language", nargs="*", help="a language to begin, such as de")
    arguments = parser.parse_args()
    try:
        found = build_template()
        wrong = [*find_non_literals(), *find_missed_texts(found), *find_unexplained_texts()]
        if arguments.what == "write":
            write_files(LOCALES, found, arguments.language)
        else:
            wrong += check_files(LOCALES, found)
    except ValueError as error:
        wrong = [str(error)]
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    main()
