"""The words of each language: one for a term, and none that its glossary bans."""

import re
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from bot.platform.i18n.reader import LOCALES
from lab.glossaries import FOLDER, Term, find_wrong_terms, list_page_terms, load_terms
from lab.source_texts import Forms, list_forms
from tests.support.pseudo import read_template

LANGUAGES = sorted(file.parts[-3] for file in LOCALES.glob("*/LC_MESSAGES/*.po"))
LISTED = sorted(file.stem for file in FOLDER.glob("*.toml"))


def get_file(language: str) -> Path:
    """Where a language's texts are."""
    return LOCALES / language / "LC_MESSAGES" / "tabula.po"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_term_has_one_word(language: str) -> None:
    with get_file(language).open("rb") as lines:
        wrong = find_wrong_terms(read_po(lines), load_terms(language))
    assert [f"{get_file(language)}:{line}: {fault}" for line, fault in wrong] == []


@pytest.mark.parametrize("language", LISTED)
def test_a_glossarys_page_says_the_words_that_texts_are_held_to(language: str) -> None:
    rows = list_page_terms((FOLDER / f"{language}.md").read_text("utf-8"))
    for term in filter(lambda each: each.use, load_terms(language)):
        said = [word for row, word in rows.items() if re.search(rf"\b{term.english}\b", row)]
        assert not said or re.search(term.use, " ".join(said), re.IGNORECASE), term


@cache
def list_english() -> list[str]:
    """Every English text, its forms together."""
    return [" ".join(list_forms(message.id)) for message in read_template() if message.id]


@pytest.mark.parametrize("language", LISTED)
def test_every_term_is_looked_for_in_a_text(language: str) -> None:
    for term in load_terms(language):
        assert term.use or term.never
        assert any(re.search(term.texts, each, re.IGNORECASE) for each in list_english()), term


def make_catalogue(*said: tuple[Forms, Forms]) -> Catalog:
    """A catalogue of these translations."""
    catalogue = Catalog("de")
    for text, translation in said:
        catalogue.add(text, translation)
    return catalogue


@pytest.mark.parametrize(
    ("text", "said", "faults"),
    [
        ("The ladder of {who}", "Die Leiter von {who}", []),
        ("The ladder", "Die Rangliste", ["'Rangliste' isn't the word", "the word for 'ladder' is"]),
        ("A rope ladder", "Ein Seil", []),
        ("The leaderboard", "Die Rangliste", []),
        ("Type `ladder`", "Tipp `ladder`", []),
        ("The ladder", "", []),
        (("{n} ladder", "{n} ladders"), ("", ""), []),
    ],
)
def test_a_second_word_and_a_banned_one_are_found(
    text: Forms, said: Forms, faults: list[str]
) -> None:
    terms = (Term("ladder", texts=r"\bladder", save="rope", use="leiter", never="rangliste"),)
    found = [fault for _, fault in find_wrong_terms(make_catalogue((text, said)), terms)]
    assert len(found) == len(faults)
    assert all(fault.startswith(begin) for fault, begin in zip(found, faults, strict=True))


def test_a_command_in_a_group_is_looked_at_alone() -> None:
    catalogue = Catalog("de")
    catalogue.add("ladder challenge", "fordern", context="command name")
    assert [*find_wrong_terms(catalogue, (Term("ladder", texts="ladder", use="leiter"),))] == []


def test_a_language_without_a_list_is_held_to_nothing(tmp_path: Path) -> None:
    assert load_terms("pl", tmp_path) == ()
