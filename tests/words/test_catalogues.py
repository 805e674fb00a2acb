"""The languages in the project: called by their own names, as Discord names them.

Whether they are complete is for a release to ask, by `make complete`; what would be wrong in a
translation is found by `make check`.
"""

from pathlib import Path

import pytest
from babel import Locale

from bot.platform.i18n.reader import list_languages, load_reader

ROOT = Path(__file__).parents[2]
COUNTS = dict(enumerate(("five", "six", "seven", "eight", "nine", "ten"), 5))


def test_languages_are_called_by_their_own_names() -> None:
    languages = dict(list_languages())
    for code, name in languages.items():
        assert name.casefold() == str(Locale.parse(code, sep="-").get_display_name()).casefold()


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        *((locale, locale.replace("-", "_")) for locale in list_languages()),
        ("es-ES", "es"),
        ("es-419", "es"),
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


def test_the_front_page_counts_and_names_the_languages() -> None:
    page = " ".join((ROOT / "README.md").read_text("utf-8").split())
    names = {
        locale: Locale.parse(locale, sep="-").get_display_name("en") for locale in list_languages()
    }
    names["pt-BR"] = "Brazilian Portuguese"
    assert [name for name in names.values() if str(name) not in page] == []
    assert f" {COUNTS[len(names)]} languages " in page


def test_each_language_has_a_glossary_that_translators_find() -> None:
    page = (ROOT / "docs/translating.md").read_text("utf-8")
    for locale in {*list_languages()} - {"en"}:
        glossary = f"translating/{locale.replace('-', '_')}.md"
        assert (ROOT / "docs" / glossary).is_file()
        assert f"]({glossary})" in page
