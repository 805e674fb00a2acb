"""The pages on disputed rules quote what has been counted, and nothing else."""

import re
from pathlib import Path

import pytest

from engine.games import GAMES
from lab.readings import (
    EVENTS,
    FOLDER,
    PAGES,
    ReadingPage,
    build_event_table,
    build_study_table,
    load_counts,
)
from lab.studies.study import load_game_studies
from lab.studies.study_files import get_study

STUDIES = Path(__file__).parents[2] / "docs" / "generated" / "studies.md"

FIGURE = re.compile(r"\d+\.\d+%?|\d{1,3},\d{3}|\d+%")
NOT_COUNTED = {"9.482", "95%", "1.3"}
"""Where Agathias' epigram is in the Greek Anthology, how wide the intervals are, and a version."""

MIN_GAMES = 500
"""Fewer games of a reading say too little of what is rare."""

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


def test_every_count_says_what_played_it() -> None:
    counts = load_counts()
    assert {count.event for count in counts} == set(EVENTS)
    for count in counts:
        assert count.games >= MIN_GAMES
        assert 0 <= count.won + count.drawn <= count.seen <= count.games
        assert re.fullmatch(r"net [0-9a-f]{12} .*", count.player)
        assert re.fullmatch(r"[0-9a-f]{12}", count.commit)
        assert count.player == get_study(load_game_studies(count.game), count.study).by
        assert count.edition == GAMES[count.game].edition


@every_page
def test_a_page_names_its_sources_and_is_found_from_the_others(page: ReadingPage) -> None:
    sources = read_page(page).partition("\n## Sources\n")[2].partition("\n## ")[0]
    listed = [line for line in sources.splitlines() if line.startswith("- ")]
    assert len(listed) > 3
    for source in split_list(sources):
        assert re.search(r"\b1\d{3}|\b20\d\d|about \d{3}|no\s+year known", source)
    assert f"../readings/{page.name}.md" in extract_section(page)
    games = (STUDIES.parent / "games.md").read_text("utf-8")
    section = games.partition(f"\n### {GAMES[page.slug].title}\n")[2].partition("\n##")[0]
    assert f"../readings/{page.name}.md" in section


def split_list(text: str) -> list[str]:
    """Return the entries of a section's lists."""
    return [entry.partition("\n\n")[0] for entry in text.split("\n- ")[1:]]
