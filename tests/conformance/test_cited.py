"""What the pages say of history and rules names a work that we have read, and the page lists it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.games import EDITIONS
from engine.games.house_rules import UNUSABLE
from engine.games.unplayed import UNPLAYED, UnplayedGame
from engine.rules import Game
from tests.conformance.cited import (
    CITATIONS,
    EXTERNAL_SOURCES,
    NAMES,
    find_shared_folder,
    load_document,
)

PAGES = (*EDITIONS.values(), *UNPLAYED)
NAMELESS = re.compile(
    r"\b(accounts|(an)?other readers?|the encyclopaedia|the article|the leaflet|h[ei] says|as he)\b"
)
DATE = re.compile(r"\b(?:1\d{3}|20\d{2})\b|\bf\. \d+[rv]")

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.slug)


def list_sources(page: Game | UnplayedGame) -> tuple[str, ...]:
    """The works that a page lists."""
    return page.sources if isinstance(page, UnplayedGame) else page.provenance.sources


def list_sentences(page: Game | UnplayedGame) -> Iterator[str]:
    """Everything that a page says in its own words."""
    if isinstance(page, UnplayedGame):
        yield from (page.known, page.why)
        return
    yield from (page.tagline, *page.special, *page.solved)
    yield from (page.provenance.history, *page.provenance.decisions)
    for option in page.options:
        yield from (option.asks, *(value.meaning for value in option.values))
        # Every game takes this house rule, and its own works need not be the game's.
        if option.source != UNUSABLE.source:
            yield option.source


@pytest.fixture(name="folder")
def _folder() -> Path:
    """The shared folder; without it nothing can be looked up."""
    folder = find_shared_folder()
    if folder is None:
        pytest.skip(
            "the project's shared folder, with the documents, does not lie beside the checkout"
        )
    return folder


@every_page
def test_every_work_that_a_page_cites_was_read_somewhere(page: Game | UnplayedGame) -> None:
    assert list_sources(page)
    assert set(list_sources(page)) <= CITATIONS.keys()


@every_page
def test_a_work_that_a_sentence_names_is_among_the_sources_of_the_page(
    page: Game | UnplayedGame,
) -> None:
    entry = None if isinstance(page, UnplayedGame) else page.provenance.ludeme
    for sentence in (*list_sentences(page), *(entry.differences if entry else ())):
        for name, words in NAMES.items():
            if name in sentence:
                assert any(words in source for source in list_sources(page)), (name, sentence)


@every_page
def test_no_sentence_appeals_to_somebody_without_a_name(page: Game | UnplayedGame) -> None:
    for sentence in list_sentences(page):
        assert not NAMELESS.search(sentence), sentence


@pytest.mark.parametrize("citation", CITATIONS)
def test_a_citation_is_what_the_document_says(citation: str, folder: Path) -> None:
    where, *words = CITATIONS[citation]
    if not where.startswith("http"):
        text = load_document(folder, where)
        assert words
        assert all(each in text for each in words)


@every_page
def test_years_and_folios_stand_in_the_documents(page: Game | UnplayedGame, folder: Path) -> None:
    text = "\n".join(
        load_document(folder, f"{path}") for path in ("rules/rulebook.md", "rules/dossier.md")
    )
    text += "\n".join(path.read_text("utf-8") for path in folder.glob("seeds/*.txt"))
    for sentence in list_sentences(page):
        for date in DATE.findall(sentence):
            assert date in text or date in EXTERNAL_SOURCES, (date, sentence)
