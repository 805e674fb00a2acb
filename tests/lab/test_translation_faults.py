"""What `make check` finds in a translation: faults of every kind, each at its line."""

from pathlib import Path
from typing import TypeAlias

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from lab.translation_faults import find_message_faults
from lab.translations import check_files, merge_template, sort_catalogue, write_template

Forms: TypeAlias = str | tuple[str, ...]

PLANTED: list[tuple[str | None, Forms, Forms, str]] = [
    (None, "{who} is in.", "Dabei.", "lacks {who}"),
    (None, "{who} is out.", "{wer} ist raus.", "has {wer}, which the English has not"),
    (None, "{who} waits.", "{who} und {who}.", "has {who} more often than the English"),
    (None, "{who} rolls.", "{who würfelt.", "cannot be filled in: expected '}' before end"),
    (None, ("{n} man", "{n} men"), ("{n} Stein", ""), "has 1 of 2 plural forms"),
    (None, ("{n} die", "{n} dice"), ("Würfel", "{n} Würfel"), "lacks {n}"),
    (None, "Type `/roll`.", "Tipp `/würfeln`.", "changes what stands in backticks"),
    (None, "Type `6-5`.", "Tipp `6-5.", "changes what stands in backticks"),
    (None, "**Drawn** at last.", "**Remis.", "lacks **"),
    (None, "Not _this_ one.", "Nicht dieses.", "lacks _"),
    (None, "### The end", "Das Ende", "lacks ### "),
    (None, "[See]({link}) it.", "Sieh: {link}.", "lacks ]("),
    (None, "From <t:{at}:f> on.", "Ab <t:{at}:R>.", "lacks <t:{at}:f>"),
    (None, "One\nTwo", "Eins, zwei", "lacks a line break"),
    (None, "Three", "Drei ", "begins or ends with other spaces"),
    (None, "One man moves.", "Ein  Stein zieht.", "has two spaces side by side"),
    (None, "Two men move.", "Zwei\u200b Steine.", "has characters that nobody sees"),
    (None, "May I?", "Darf ich", "doesn't end in '?'"),
    (None, "Four men", "Vier 石", "has letters that pictures can't show: 石"),
    (None, "{n} short words", "{n} " + "lange " * 9 + "Wörter", "has 64 characters, over 42"),
    (None, "Bearing everybody off", "m" * 46, "has 46 characters, over the 45 of a button"),
    ("command", "Show the board that you have.", "z" * 101, "is longer than the 100 characters"),
    ("option name", "match", "Die Partie", "is no name that Discord takes"),
    ("command name", "match draw", "remis", ""),
    ("command name", "match resign", "remis", "would be the name of 2 commands or options"),
]
"""A context, a text, a translation, and the fault of it."""


def write_catalogue(folder: Path, planted: list[tuple[str | None, Forms, Forms, str]]) -> Path:
    """A template of the texts, and German with these translations."""
    found = Catalog()
    for context, text, _, _ in planted:
        found.add(text, context=context)
    found = sort_catalogue(found)
    write_template(folder, found)
    merge_template(folder, found, ["de"])
    file = folder / "de" / "LC_MESSAGES" / "tabula.po"
    with file.open("rb") as lines:
        catalogue = read_po(lines)
    for context, text, said, _ in planted:
        message = catalogue.get(text, context)
        assert message is not None
        message.string = said
    with file.open("wb") as target:
        write_po(target, catalogue)
    return file


def test_every_planted_fault_is_found_at_its_line_with_its_text(tmp_path: Path) -> None:
    file = write_catalogue(tmp_path, PLANTED)
    with file.open("rb") as lines:
        catalogue = read_po(lines)
    template = Catalog()
    for each in catalogue:
        if each.id:
            template.add(each.id, context=each.context)
    found = check_files(tmp_path, sort_catalogue(template))
    for context, text, said, fault in PLANTED:
        message = catalogue.get(text, context)
        assert message is not None
        sentence = next(form for form in ((said,) if isinstance(said, str) else said) if form)
        begin = f"{file}:{message.lineno}: {sentence!r} {fault}"
        assert not fault or any(line.startswith(begin) for line in found), begin
    # A text with one fault has one line.
    lines_of_faults = [line.removeprefix(f"{file}:").partition(":")[0] for line in found]
    assert len({*lines_of_faults}) == len([each for each in PLANTED if each[3]])


def test_what_is_wrong_with_a_file_is_found_at_its_line(tmp_path: Path) -> None:
    file = write_catalogue(tmp_path, [(None, "Roll", "Würfeln", "")])
    template = Catalog()
    template.add("Roll")
    template = sort_catalogue(template)
    assert check_files(tmp_path, template) == []
    right = file.read_text("utf-8")
    line = right[: right.index('msgid "Roll"')].count("\n") + 1
    file.write_text(f'{right}\nmsgid ""\n"Roll"\nmsgstr "Werfen"\n', "utf-8")
    (doubled,) = check_files(tmp_path, template)
    assert doubled.endswith(f": 'Roll' is in line {line} too")
    for before, after, fault in (
        ("plural=(n != 1)", "plural=(n > 1)", "the header needs Plural-Forms: nplurals=2; "),
        ("Language: de", "Language: nl", "the header names the language nl, the folder de"),
        ('msgid "Roll"', 'msgid "Roll', "'msgid \"Roll' lacks a quotation mark"),
        ('msgstr "Würfeln"', "<<<<<<< main", "cannot be read: "),
    ):
        assert before in right
        file.write_text(right.replace(before, after), "utf-8")
        assert fault in "\n".join(check_files(tmp_path, template))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{name} threw {dice}.", "{dice} rzuca {name}, {{tak}}."),
        ("; ", "\u202f; "),
        ("See **here**: {link}", "**Tutaj**: {link}"),
        (("{name} has one man.", "{name} has {n} men."), ("{name}: jeden.", "{name}: {n}.")),
        ("Is it?", ""),
    ],
)
def test_what_a_language_may_change_is_no_fault(text: Forms, said: Forms) -> None:
    assert list(find_message_faults(Message(text, said), 2)) == []


@pytest.mark.parametrize(
    ("forms", "fault"),
    [
        (("jeden.", "{name}: {n}.", "{name}: {n}."), "'jeden.' lacks {name}"),
        (("{name}.", "{name} {m}.", "{name}."), "'{name} {m}.' has {m}, which the English has not"),
        (
            ("{name.id} {name}.",) * 3,
            "'{name.id} {name}.' has {name.id}, which the English has not",
        ),
        (("{name!r}.",) * 3, "'{name!r}.' lacks {name}"),
    ],
)
def test_a_form_may_leave_out_only_what_an_english_form_leaves_out(
    forms: tuple[str, ...], fault: str
) -> None:
    english = "{name} has one man.", "{name} has {n} men."
    assert fault in list(find_message_faults(Message(english, forms), 3))
