"""The languages in the project: called by their own names, as Discord names them.

Whether they are complete is for a release to ask, by `make complete`; what would be wrong in a
translation is found by `make check`.
"""

import pytest
from babel import Locale

from bot.platform.i18n.reader import list_languages, load_reader


def test_languages_are_called_by_their_own_names() -> None:
    languages = dict(list_languages())
    assert {"en", "de", "es", "fr", "pt-BR"} <= languages.keys()
    for code, name in languages.items():
        assert name.casefold() == str(Locale.parse(code, sep="-").get_display_name()).casefold()


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
