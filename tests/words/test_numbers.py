"""Numbers and punctuation as each language writes them."""

import re

import pytest
from babel.core import Locale

from bot.features.analysis.texts import format_evaluation
from bot.features.rulebook.texts import format_options, format_origins, format_paragraphs
from bot.platform.i18n.common import format_count, format_decimal, format_gain, format_points
from bot.platform.i18n.reader import list_languages, load_reader
from engine.games import GAMES

NARROW_SPACE = "\u202f"
FRENCH_FAULT = re.compile(r".{0,20}[\w)»`*][ \xa0]?[;:!?%](?!//)")
"""A sign of punctuation that has no narrow space before it, and what it stands after."""


@pytest.mark.parametrize("locale", list_languages())
def test_numbers_have_the_signs_of_the_language(locale: str) -> None:
    """The signs are those of the Unicode Common Locale Data Repository.

    Between groups of digits a language may have the narrow space of the international standard.
    """
    say = load_reader(locale)
    symbols = Locale.parse(locale, sep="-").number_symbols["latn"]
    decimal = symbols["decimal"]
    group = format_count(say, 10_000).removeprefix("10").removesuffix("000")
    assert group in (symbols["group"], NARROW_SPACE)
    assert format_count(say, 999) == "999"
    assert format_count(say, 10_000) == f"10{group}000"
    assert format_count(say, 1_234_567) == f"1{group}234{group}567"
    assert format_decimal(say, 0.236) == f"0{decimal}24"
    assert format_points(say, 0.236) == f"+0{decimal}24"
    assert format_points(say, -1.5) == f"−1{decimal}50"


def test_a_loss_has_a_minus_sign() -> None:
    assert [format_gain(16), format_gain(0), format_gain(-71)] == ["+16", "+0", "−71"]


def test_an_evaluation_has_the_decimals_of_the_language() -> None:
    text = format_evaluation(load_reader("de"), 0.04, -0.92)
    assert text == "Gewinnchance 4\xa0%, Equity −0,92."


@pytest.mark.parametrize("slug", GAMES)
def test_french_rules_have_a_narrow_space_before_double_signs(slug: str) -> None:
    french, game = load_reader("fr"), GAMES[slug]
    for pages in (format_paragraphs, format_options, format_origins):
        for heading, text in pages(french, game):
            assert FRENCH_FAULT.findall(heading + text) == []
