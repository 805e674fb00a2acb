"""The pages on disputed rules quote what has been counted, and nothing else."""

import re
from pathlib import Path

import pytest

from engine.games import GAMES
from lab import reading_games
from lab.readings import FOLDER, PAGES, ReadingPage, build_event_table, build_study_table

STUDIES = Path(__file__).parents[2] / "docs" / "generated" / "studies.md"

FIGURE = re.compile(r"\d+\.\d+%?|\d{1,3},\d{3}|\d+%")
NOT_COUNTED = {"9.482", "95%"}
"""Where Agathias' epigram is in the Greek Anthology, and how wide the intervals are."""

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def read_page(page: ReadingPage) -> str:
    """Return the text of a page."""
    return (FOLDER / f"{page.name}.md").read_text("utf-8")


def extract_section(page: ReadingPage) -> str:
    """Return what the page of the studies says of the game."""
    text = STUDIES.read_text("utf-8").partition(f"\n## {GAMES[page.slug].title}\n")[2]
    return text.partition("\n## ")[0]


def test_every_page_is_known() -> None:
    assert {file.stem for file in FOLDER.glob("*.md")} == {page.name for page in PAGES}


@every_page
def test_the_tables_have_what_was_counted(page: ReadingPage) -> None:
    text = read_page(page)
    assert "\n".join(build_study_table(page)) in text
    assert "\n".join(build_event_table(page)) in text


@every_page
def test_the_prose_quotes_figures_of_the_tables_or_the_studies(page: ReadingPage) -> None:
    tables = (*build_study_table(page), *build_event_table(page))
    text = read_page(page)
    for line in tables:
        text = text.replace(line, "")
    counted = set(FIGURE.findall("\n".join((*tables, extract_section(page)))))
    assert set(FIGURE.findall(text)) - NOT_COUNTED <= counted


def test_the_counts_can_be_made_again() -> None:
    reading = reading_games.READINGS[0]
    first = reading_games.play_game(reading, seed=reading_games.FIRST_SEED)
    assert first == reading_games.play_game(reading, seed=reading_games.FIRST_SEED)
    assert set(first[0]) <= set(reading.events)
