"""The made-up language: nothing can be overlooked in it, and nothing breaks."""

import re
from pathlib import Path

import pytest

from bot.platform.i18n.reader import list_texts, load_reader
from tests.support.pseudo import LOCALE, compile_pseudo_folder, pseudo_translate, read_template


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Roll", "«Rollll»"),
        ("{name} threw {dice}.", "«{name} threwww {dice}.»"),
        ("**Drawn**: type `/roll`.", "«**Drawnnn**: typeee `/roll`.»"),
        ("-# <@{person}> may **wait**", "-# «<@{person}> mayy **waittt**»"),
        ("### The end", "### «Thee endd»"),
        (
            "• a {{brace}} of https://example.org/men",
            "• «aa {{braceee}} off https://example.org/men»",
        ),
        ("The _first_ two", "«Thee _firsttt_ twoo»"),
    ],
)
def test_what_must_stay_whole_stays_whole(text: str, sentence: str) -> None:
    assert pseudo_translate(text) == sentence


def test_every_text_of_the_program_is_in_brackets_and_longer_by_a_third(tmp_path: Path) -> None:
    reader = load_reader(LOCALE, compile_pseudo_folder(tmp_path, read_template()))
    assert reader.language == "en_XA"
    for context, text in list_texts():
        sentence = reader.in_context(context, text)
        assert "«" in sentence
        assert sentence.endswith("»")
        # What is typed stays as it is.
        letters, lengthened = (
            sum(map(str.isalpha, re.sub(r"`[^`]*`", "", each))) for each in (text, sentence)
        )
        assert lengthened >= letters * 4 / 3
    assert reader.format_list(["`Ana`", "`Ben`"]).startswith("«`Ana` ")
