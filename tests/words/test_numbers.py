"""Numbers and punctuation as each language writes them."""

import re
from fractions import Fraction

import pytest
from babel.core import Locale
from babel.messages.pofile import read_po

from bot.features.analysis.texts import format_evaluation
from bot.features.contests import texts as contest_texts
from bot.platform.i18n.common import format_count, format_decimal, format_gain, format_points
from bot.platform.i18n.reader import DOMAIN, LOCALES, Reader, list_languages, load_reader
from engine.players.evaluation import Evaluation
from lab.source_texts import list_forms

NARROW_SPACE = "\u202f"
FRENCH_FAULT = re.compile(r".{0,20}[\w)»`*][ \xa0]?[;:!?%](?!//|\d)")
"""A sign of punctuation without a narrow space before it, and what it stands after; not 22:30."""


@pytest.mark.parametrize("locale", list_languages())
def test_numbers_have_the_signs_of_the_language(locale: str) -> None:
    """The signs are those of the Unicode Common Locale Data Repository.

    Between groups of digits a language may have the narrow space of the international standard.
    """
    say = load_reader(locale)
    if locale != "en" and not has_translation(say, "a number with decimals", "{whole}.{decimals}"):
        pytest.skip("its numbers aren't translated yet")
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


def has_translation(say: Reader, context: str, text: str) -> bool:
    """Whether a language has a text, which may be as in English."""
    with (LOCALES / say.language / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as lines:
        message = read_po(lines).get(text, context)
    return message is not None and bool(message.string) and not message.fuzzy


@pytest.mark.parametrize(
    ("locale", "win", "points"),
    [
        ("en", "72.51%", "+0.4502"),
        ("es", "72,51\xa0%", "+0,4502"),
        ("de", "72,51\xa0%", "+0,4502"),
        ("fr", f"72,51{NARROW_SPACE}%", "+0,4502"),
        ("pt-BR", "72,51%", "+0,4502"),
        ("it", "72,51%", "+0,4502"),
    ],
)
def test_an_exact_evaluation_has_the_decimals_that_it_has(
    locale: str, win: str, points: str
) -> None:
    say = load_reader(locale)
    text = format_evaluation(say, Evaluation(0.7251, 0.4502, exact=True))
    assert f" {win}, " in text
    assert points in text
    # An estimate is no more exact than it was.
    text = format_evaluation(say, Evaluation(0.7251, 0.4502))
    assert f" {win.replace('72,51', '73').replace('72.51', '73')}, " in text
    assert format_points(say, 0.45) in text
    assert points not in text


@pytest.mark.parametrize("exact", [False, True])
def test_what_is_decided_has_no_decimals(exact: bool) -> None:
    for win, points, text in ((1.0, 2.0, "100%, equity +2.00."), (0.5, 0.0, "50%, equity +0.00.")):
        evaluation = Evaluation(win, points, exact)
        assert format_evaluation(Reader.ENGLISH, evaluation) == f"Win chance {text}"


def test_french_has_a_narrow_space_before_double_signs() -> None:
    with (LOCALES / "fr" / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as lines:
        messages = [each for each in read_po(lines) if each.id and not each.fuzzy]
    for message in messages:
        for text in list_forms(message.string):
            # What is typed has no spaces, nor has what Discord replaces by a time.
            assert FRENCH_FAULT.findall(re.sub(r"`[^`]*`|<t:[^>]*>", "`", text)) == []


@pytest.mark.parametrize(
    ("locale", "expected"),
    [
        ("en", ["0 points", "½ points", "1 point", "1½ points", "2 points"]),
        ("fr", ["0 point", "½ point", "1 point", "1½ point", "2 points"]),
        ("it", ["0 punti", "½ punti", "1 punto", "1½ punti", "2 punti"]),
    ],
)
def test_points_with_a_half_have_the_form_of_the_language(locale: str, expected: list[str]) -> None:
    say = load_reader(locale)
    points = (Fraction(halves, 2) for halves in range(5))
    assert [contest_texts.format_points(say, each) for each in points] == expected
