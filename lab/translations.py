"""The translators' files: `make words` and `make translate` write them, `make check` checks them.

`tabula.pot` lists every text; a language's `tabula.po` has them beside their translations, and is
compiled where it is used. Texts in the code are found by the calls of `say`, those of games, themes
and commands by asking these. Both files say in which file a text stands, but not in which line, and
are in the order of the texts, so that moving code within a file changes nothing in them.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from copy import deepcopy
from datetime import UTC, datetime
from difflib import SequenceMatcher
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import TypeAlias

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileError, read_po, write_po
from discord import app_commands

from bot.platform.i18n import reader
from bot.platform.i18n.reader import COMMAND_NAME, DOMAIN, LOCALES, OPTION_NAME
from bot.platform.ui import declarations
from bot.platform.ui.declarations import Commands, SlashCommand
from lab.source_texts import (
    ROOT,
    extract_texts,
    find_missed_texts,
    find_non_literals,
    find_unexplained_texts,
    list_forms,
)
from lab.translation_faults import NAMES, find_file_faults, find_message_faults
from lab.translator_notes import (
    describe_placeholders,
    find_undescribed_placeholders,
    list_command_texts,
    list_data_texts,
)

HEADER = (
    "# Tabula's texts. `make words` writes the template, `make translate` each language's file."
)

MAX_CHARACTERS = 8000
"""Characters that Discord allows in a command with all its options, descriptions and choices."""
MAX_STALE_LINES = 30
"""Nobody reads thousands of lines, as of a language that has just been begun."""
MIN_SIMILARITY = 0.7
"""How alike, of 1, two texts are where one counts as an edit of the other."""
_NO_HEADERS = re.compile(
    rb'^"(?:POT-Creation|Generated-By|Report-Msgid|.*(?:YEAR-MO|FULL NAME|@li\.org)).*\n',
    re.MULTILINE,
)
"""Those that change without need, and what Babel writes in place of those that it doesn't know."""
_NEW = Catalog()
_PREVIOUS = re.compile(r"(?:^#\| .*\n)+", re.MULTILINE)
_SEAM = re.compile(r'(?<!\\)" "')
"""Where a text is broken within its quotation marks."""

Key: TypeAlias = tuple[object, str | None]
"""What a message is known by: its text or its forms, and its context."""


def build_template(root: Path = ROOT) -> Catalog:
    """Return every text of the program whose sources lie under `root`, in English."""
    found = Catalog()
    for said in (*extract_texts(root), *list_data_texts(), *list_command_texts()):
        found.add(
            said.forms,
            locations=[(said.file, said.line)],
            auto_comments=[*said.notes, *describe_placeholders(said.forms, said.notes)],
            context=said.context,
        )
    return sort_catalogue(found)


def sort_catalogue(found: Catalog) -> Catalog:
    """Return a template of the texts by their context, then by themselves."""
    template = Catalog(header_comment=HEADER, charset="utf-8")
    for message in sorted(found, key=lambda each: (each.context or "", list_forms(each.id))):
        if message.id:
            template[message.id] = message
    return template


def write_template(folder: Path, found: Catalog) -> None:
    """Write the template."""
    folder.mkdir(parents=True, exist_ok=True)
    _get_template_path(folder).write_bytes(_encode_po(found))


def merge_template(folder: Path, found: Catalog, begun: Iterable[str] = ()) -> None:
    """Bring every language's file up to date with the template.

    `begun` are new languages. Raises ValueError for something that is no language, and for a file
    that cannot be read.
    """
    # Languages are read before anything is written, so a wrong one changes nothing.
    new = [(_get_language_path(folder, language), _parse_locale(language)) for language in begun]
    for file, locale in new:
        if not file.exists():
            file.parent.mkdir(parents=True)
            file.write_bytes(_encode_po(Catalog(locale, charset="utf-8", fuzzy=False)))
    for file in _list_language_files(folder):
        catalogue = _load_catalogue(file)
        _merge_into(catalogue, found)
        _complete_header(catalogue)
        file.write_bytes(_encode_po(catalogue))


def _complete_header(catalogue: Catalog) -> None:
    """Fill in what neither Babel nor a translator's editor has."""
    if catalogue.revision_date == _NEW.revision_date:
        catalogue.revision_date = datetime.now(UTC)
    if catalogue.last_translator == _NEW.last_translator:
        catalogue.last_translator = "Tabula's maintainers"
    if catalogue.locale and catalogue.language_team.endswith("<LL@li.org>"):
        catalogue.language_team = str(catalogue.locale.english_name)


def _merge_into(catalogue: Catalog, found: Catalog) -> None:
    """Update a language; an edited text keeps its translation as fuzzy, with the text before.

    Babel's own guess takes any text that is alike, and translators would be led astray by those
    that say something else: here a text is only taken from one that is said no longer.
    """
    kept = {
        (each.id, each.context): each.previous_id
        for each in catalogue
        if each.fuzzy and each.previous_id
    }
    known = _list_keys(catalogue)
    gone = [each for each in catalogue if each.id and each.string and not _has(found, each)]
    # Babel puts the template's own messages into the catalogue.
    catalogue.update(deepcopy(found), no_fuzzy_matching=True, update_header_comment=True)
    for message in catalogue:
        if message.id:
            message.previous_id = kept.get((message.id, message.context), [])
        if not message.id or (message.id, message.context) in known:
            continue
        same = [each for each in gone if _is_same(each, message)]
        alike = [each for each in gone if _is_edit(each, message)]
        if same:
            # It is said by more games than before, or by fewer.
            message.string, message.flags = same[0].string, same[0].flags
        elif alike:
            before = max(alike, key=lambda each: _measure_similarity(each, message))
            gone.remove(before)
            message.string = before.string
            message.flags.add("fuzzy")
            message.previous_id = before.previous_id or list_forms(before.id)


def _has(catalogue: Catalog, message: Message) -> bool:
    return catalogue.get(message.id, message.context) is not None


def _is_same(before: Message, message: Message) -> bool:
    contexts = [reader.share_context(each.context or "") for each in (before, message)]
    return before.id == message.id and contexts[0] == contexts[1] != ""


def _is_edit(before: Message, message: Message) -> bool:
    return (
        isinstance(before.id, str) == isinstance(message.id, str)
        and before.context == message.context
        and _measure_similarity(before, message) >= MIN_SIMILARITY
    )


def _measure_similarity(one: Message, other: Message) -> float:
    return SequenceMatcher(None, list_forms(one.id)[-1], list_forms(other.id)[-1]).ratio()


def check_files(folder: Path, found: Catalog) -> list[str]:
    """Return what is wrong with a folder's files, a sentence each; texts may be untranslated."""
    wrong = [*_check_template(_get_template_path(folder), found)]
    catalogues: list[Catalog] = []
    for file in _list_language_files(folder):
        try:
            catalogues.append(_load_catalogue(file))
        except ValueError as error:
            wrong.append(str(error))
        else:
            wrong += _check_language(file, catalogues[-1], found)
    return [*wrong, *_check_sizes(catalogues)]


def _check_template(file: Path, found: Catalog) -> Iterator[str]:
    if file.exists() and file.read_bytes() == _encode_po(found):
        return
    kept = _load_catalogue(file) if file.exists() else Catalog()
    yield f"{file} is out of date; run `make words`"
    for message in found:
        if message.id and not _has(kept, message):
            yield f"  {_locate(message)}{list_forms(message.id)[0]!r} is new or edited"
    for message in kept:
        if message.id and not _has(found, message):
            yield f"  {list_forms(message.id)[0]!r} is no longer said"


def _locate(message: Message) -> str:
    return "".join(
        f"{file}:{line}: " if line else f"{file}: " for file, line in message.locations[:1]
    )


def find_untranslated_texts(folder: Path, found: Catalog) -> list[str]:
    """Return what a release waits for: each text that a language lacks, a sentence each."""
    return [
        sentence
        for file in _list_language_files(folder)
        for sentence in _list_untranslated(file, _load_catalogue(file), found)
    ]


def _list_untranslated(file: Path, catalogue: Catalog, found: Catalog) -> Iterator[str]:
    if _list_keys(catalogue) != _list_keys(found):
        yield f"{file} is out of date; run `make translate`"
        return
    for message, state in _list_stale(catalogue, found):
        yield f"{file}:{message.lineno}: {list_forms(message.id)[0]!r} {state}"


def _list_stale(catalogue: Catalog, found: Catalog) -> Iterator[tuple[Message, str]]:
    """Yield the texts that wait for a language's translators, and why."""
    for message in found:
        if not message.id:
            continue
        translated = catalogue.get(message.id, message.context)
        if translated is None:
            yield message, "is new or edited"
        elif translated.fuzzy:
            yield translated, "has been edited since it was translated"
        elif not all(list_forms(translated.string) or [""]):
            yield translated, "is not translated"


def list_stale_texts(folder: Path, found: Catalog) -> list[str]:
    """Return what translators have to do, a line a text; none of it keeps from a commit."""
    lines: list[str] = []
    waiting: dict[str, list[str]] = {}
    for file in _list_language_files(folder):
        language = file.parts[-3]
        stale = [*_list_stale(_load_catalogue(file), found)]
        if len(stale) > MAX_STALE_LINES:
            lines.append(f"{language}: {len(stale)} texts; `make complete` lists them")
            continue
        for message, state in stale:
            line = f"{list_forms(message.id)[0]!r} {state}"
            waiting.setdefault(line, []).append(language)
    return [*(f"{', '.join(each)}: {line}" for line, each in waiting.items()), *lines]


def _check_language(file: Path, catalogue: Catalog, found: Catalog) -> Iterator[str]:
    """Yield what is wrong in a language's file, each with its line."""
    faults = [
        (message.lineno or 0, fault)
        for message in catalogue
        if message.id and not message.fuzzy and _has(found, message)
        for fault in find_message_faults(message, catalogue.num_plurals)
    ]
    faults += _find_name_faults(catalogue)
    faults += find_file_faults(file.read_text("utf-8"), catalogue, file.parts[-3])
    yield from (f"{file}:{line}: {fault}" for line, fault in sorted(faults))


def _find_name_faults(catalogue: Catalog) -> Iterator[tuple[int, str]]:
    """Yield the names that two commands of a group, or two options of a command, would share."""
    translated = {
        (message.context, message.id): message
        for message in catalogue
        if message.context in NAMES and message.string and not message.fuzzy
    }
    for context, siblings in _list_sibling_names(declarations.collect_commands()):
        lines: dict[str, list[int]] = {}
        for name in siblings:
            message = translated.get((context, name))
            said = str(message.string) if message else name.split()[-1]
            lines.setdefault(said, []).append(message.lineno or 0 if message else 0)
        for said, places in lines.items():
            if len(places) > 1:
                yield (
                    max(places),
                    f"{said!r} would be the name of {len(places)} commands or options side by side",
                )


def _list_sibling_names(siblings: Commands) -> Iterator[tuple[str, list[str]]]:
    yield COMMAND_NAME, [command.qualified_name for command in siblings]
    for command in siblings:
        if isinstance(command, app_commands.Group):
            yield from _list_sibling_names(tuple(command.commands))
        else:
            yield OPTION_NAME, [each.display_name for each in command.parameters]


def _check_sizes(catalogues: Iterable[Catalog]) -> Iterator[str]:
    """Yield the commands that are too large for Discord, which counts each longest translation."""
    longest: dict[tuple[str | None, str], int] = {}
    for message in (message for catalogue in catalogues for message in catalogue):
        if isinstance(message.id, str) and message.string and not message.fuzzy:
            key = message.context, message.id
            longest[key] = max(longest.get(key, 0), len(str(message.string)))

    def count(context: str, text: str) -> int:
        return max(len(text), longest.get((context, text), 0))

    for command in declarations.collect_commands():
        texts_said = [*declarations.list_texts((command,))]
        size = sum(count(context, text) for context, text in texts_said)
        values = sum(len(str(choice.value)) for choice in _list_choices(command))
        if size + values > MAX_CHARACTERS:
            yield f"/{command.name} has {size + values} characters, over {MAX_CHARACTERS}"


def _list_choices(
    command: SlashCommand | app_commands.Group,
) -> Iterator[app_commands.Choice[int | float | str]]:
    if isinstance(command, app_commands.Group):
        for each in command.commands:
            yield from _list_choices(each)
        return
    for parameter in command.parameters:
        yield from parameter.choices


def _get_template_path(folder: Path) -> Path:
    return folder / f"{DOMAIN}.pot"


def _get_language_path(folder: Path, language: str) -> Path:
    return folder / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def _list_language_files(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def _parse_locale(language: str) -> Locale:
    try:
        return Locale.parse(language)
    except (UnknownLocaleError, ValueError):
        raise ValueError(
            f"{language} is no language; German is de, Brazilian Portuguese pt_BR"
        ) from None


def _list_keys(catalogue: Catalog) -> set[Key]:
    return {(message.id, message.context) for message in catalogue if message.id}


def _load_catalogue(file: Path) -> Catalog:
    try:
        with file.open("rb") as lines:
            catalogue = read_po(lines, abort_invalid=True)
        for message in catalogue:
            _restore_previous(message)
    except (PoFileError, ValueError) as error:
        raise ValueError(f"{file} cannot be read: {error}") from None
    return catalogue


def _restore_previous(message: Message) -> None:
    """Take a text's previous form, `#| msgid`, which Babel writes but reads as a remark."""
    previous = [line for line in message.user_comments if line.startswith("|")]
    if previous:
        message.user_comments = [line for line in message.user_comments if line not in previous]
        lines = [line.removeprefix("|").strip() for line in previous]
        (before,) = (each for each in read_po([*lines, 'msgstr ""']) if each.id)
        message.previous_id = list_forms(before.id)


def _encode_po(catalogue: Catalog) -> bytes:
    file = BytesIO()
    catalogue.project, catalogue.version = "Tabula", version("tabula")
    for message in catalogue:
        # Babel takes "80% of" for printf's octal number, and programs would check for one.
        message.flags.discard("python-format")
    # What is said no longer is in the history; Babel would never take it up again.
    write_po(
        file,
        catalogue,
        width=120,
        include_lineno=False,
        include_previous=True,
        ignore_obsolete=True,
    )
    said = _PREVIOUS.sub(_join_previous, file.getvalue().decode())
    return _NO_HEADERS.sub(b"", said.encode())


def _join_previous(found: re.Match[str]) -> str:
    """Put a text's previous forms on a line each: Babel wraps them within quotation marks."""
    said = " ".join(line.removeprefix("#| ") for line in found[0].splitlines())
    forms = re.split('(?<=") (?=msgid_plural ")', said)
    return "".join(f"#| {_SEAM.sub('', form)}\n" for form in forms)


def main() -> None:
    """Write or check the files.

    What is wrong goes to standard error, a line each, and the exit status is 1.
    """
    parser = argparse.ArgumentParser(prog="python -m lab.translations")
    parser.add_argument("what", choices=("write", "merge", "check", "complete"))
    parser.add_argument("language", nargs="*", help="a language to begin, such as de")
    arguments = parser.parse_args()
    try:
        found = build_template()
        wrong = [
            *find_non_literals(),
            *find_missed_texts(found),
            *find_unexplained_texts(),
            *find_undescribed_placeholders(found),
        ]
        if arguments.what in {"write", "merge"}:
            write_template(LOCALES, found)
        else:
            wrong += check_files(LOCALES, found)
        if arguments.what == "merge":
            merge_template(LOCALES, found, arguments.language)
        if arguments.what in {"write", "merge"} and (stale := list_stale_texts(LOCALES, found)):
            sys.stdout.write("These texts wait for translators; a commit may leave them so:\n")
            sys.stdout.writelines(f"{line}\n" for line in stale)
        if arguments.what == "complete":
            wrong += find_untranslated_texts(LOCALES, found)
    except ValueError as error:
        wrong = [str(error)]
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    main()
