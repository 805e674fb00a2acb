"""The languages in the project: called by their own names, as Discord names them.

Whether they are complete is for a release to ask, by `make complete`; what would be wrong in a
translation is found by `make check`.
"""

from pathlib import Path

import pytest
from babel import Locale

from bot.platform.i18n.reader import list_languages, load_reader, localise_commands

ROOT = Path(__file__).parents[2]
COUNTS = dict(enumerate(("five", "six", "seven", "eight", "nine", "ten"), 5))


def test_languages_are_called_by_their_own_names() -> None:
    languages = dict(list_languages())
    # A language that has just been begun is called by its code.
    for code, name in languages.items() - {(code, code) for code in languages}:
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
    assert localise_commands(say.catalogue, "Usa `/challenge`.") == f"Usa `/{name}`."
