"""The languages in the project: of bearable length, and called by their own names.

Whether they are complete is for a release to ask, by `make complete`.
"""

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from bot.platform.i18n.reader import DOMAIN, LOCALES, list_languages, load_reader
from render.lettering import TEXT, _has_all_glyphs
from tests.support.pseudo import list_forms

FILES = sorted(LOCALES.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))
MAX_LABEL_LENGTH = 45
"""Characters of what may be a label: on a phone a longer one is cut."""
LABEL_WORDS = 3


def read_messages(file: Path) -> list[Message]:
    """Every message of a catalogue."""
    with file.open("rb") as lines:
        return [message for message in read_po(lines) if message.id]


def list_pairs(message: Message) -> list[tuple[str, str]]:
    """Each form of a translation with the longest English form."""
    english = max(list_forms(message.id), key=len)
    return [(english, text) for text in list_forms(message.string or "")]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parts[-3])
def test_no_text_is_longer_than_the_cards_are_tried_with(file: Path) -> None:
    """Every card is tried with words twice as long, so that what is shorter fits."""
    long = [
        text
        for message in read_messages(file)
        for english, text in list_pairs(message)
        if len(text) > 2 * len(english) + 12
    ]
    assert long == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parts[-3])
def test_a_label_is_short(file: Path) -> None:
    long = [
        text
        for message in read_messages(file)
        if not message.context
        for english, text in list_pairs(message)
        if len(english.split()) <= LABEL_WORDS and not re.search(r"[{.:;?!]", english)
        if len(text) > MAX_LABEL_LENGTH
    ]
    assert long == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parts[-3])
def test_pictures_have_its_letters(file: Path) -> None:
    """No text of a picture depends on the fonts of the machine."""
    letters = {
        letter
        for message in read_messages(file)
        for text in list_forms(message.string or "")
        for letter in text
        if letter.isalnum()
    }
    assert "é" in letters or "ß" in letters
    assert [each for each in sorted(letters) if not _has_all_glyphs(TEXT, each)] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parts[-3])
def test_marks_stay_as_they_are(file: Path) -> None:
    changed = [
        text
        for message in read_messages(file)
        for english, text in list_pairs(message)
        if english.count("**") != text.count("**")
        or english.count("\n") != text.count("\n")
        or find_line_mark(english) != find_line_mark(text)
    ]
    assert changed == []


def find_line_mark(text: str) -> str:
    """The mark of Discord's markdown with which a text begins, such as that of a heading."""
    found = re.match(r"#{1,3} |-# |> |[•-] ", text)
    return found[0] if found else ""


def test_languages_are_called_by_their_own_names() -> None:
    assert dict(list_languages()) == {
        "en": "English",
        "de": "Deutsch",
        "es": "Español",
        "fr": "Français",
        "pt-BR": "Português (Brasil)",
    }


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("es-ES", "es"),
        ("es-419", "es"),
        ("de", "de"),
        ("fr", "fr"),
        ("pt-BR", "pt_BR"),
        ("en-GB", "en"),
        ("ja", "en"),
    ],
)
def test_discord_names_a_language_that_is_read(locale: str, language: str) -> None:
    assert load_reader(locale).language == language


def test_commands_are_named_as_a_language_calls_them() -> None:
    say = load_reader("es-ES")
    name = say.in_context("command name", "challenge")
    assert name != "challenge"
    text = say(
        "You have no match in this channel. Start one with `/play` or `/challenge`, list yours "
        "with `/matches`, or try the `/puzzle` of the day."
    )
    assert f"`/{name}`" in text
    assert "`/challenge`" not in text
