"""The plain form of what is typed."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.folding import fold_text


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("22\u20137", "22-7"),  # an en dash
        ("22\u20147", "22-7"),  # an em dash
        ("22\u22127", "22-7"),  # a minus sign
        ("22\u20117", "22-7"),  # a hyphen that does not break
        ("22\uff0d7", "22-7"),  # a full-width hyphen
        ("5d\uff0b12h", "5d+12h"),
        ("\uff35nusable\uff1a\u3000opponent", "unusable: opponent"),
        ("Pa\u2019ume  Carie ", "pa'ume carie"),
        ("pa\u00b4ume", "pa'ume"),
        ("\u201cbest\u201d", '"best"'),
        ("5\u00a0d", "5 d"),
        ("5\u202fd\u2009+ 1h", "5 d + 1h"),
        ("a\u200bb\ufeffc\u00add", "abcd"),
        ("\u0661\u0662-\u06f7", "12-7"),  # Arabic-Indic and Persian
        ("\u0967\u0968", "12"),  # Devanagari
        ("24\u204418", "24/18"),
        ("a\u2192g", "a>g"),
        ("I\u0301mperial", "\u00edmperial"),
        ("STRASSE stra\u00dfe", "strasse strasse"),
        ("a\r\nb", "a b"),
    ],
)
def test_typed_texts_in_plain_form(typed: str, plain: str) -> None:
    assert fold_text(typed) == plain


@given(st.text(max_size=60))
def test_the_plain_form_has_no_foreign_digits_and_no_spare_spaces(typed: str) -> None:
    plain = fold_text(typed)
    assert plain == " ".join(plain.split())
    assert all(each.isascii() for each in plain if unicodedata.category(each) == "Nd")
