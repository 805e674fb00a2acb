"""Pages stay short enough to be read, and quote only figures that a script has written."""

import re
from pathlib import Path

import pytest

from engine.games import GAMES
from engine.players.exact import get_ending_table

ROOT = Path(__file__).parents[2]

MAX_WORDS = {
    "README.md": 950,
    "CONTRIBUTING.md": 1500,
    "PRIVACY.md": 1250,
    "TERMS.md": 300,
    "SECURITY.md": 150,
    "CODE_OF_CONDUCT.md": 100,
    "docs/README.md": 300,
    "docs/playing.md": 1800,
    "docs/clubs.md": 1200,
    "docs/dice.md": 1600,
    "docs/record.md": 1800,
    "docs/computer.md": 935,
    "docs/players.md": 620,
    "docs/glossary.md": 500,
    "docs/operations.md": 2400,
    "docs/security.md": 900,
    "docs/reliability.md": 1300,
    "docs/performance.md": 1300,
    "docs/engine.md": 600,
    "docs/ludii/README.md": 520,
    "docs/readings/barata.md": 1300,
    "docs/readings/lympolding.md": 1300,
    "docs/readings/zeno-goals.md": 1300,
    "docs/releasing.md": 250,
    "docs/translating.md": 650,
    "tests/bench/README.md": 800,
    "tests/torture/README.md": 1500,
}
"""How many words each page may have, as `wc -w` counts them.

What has to be said besides is worth more than something that is there; or it is generated.
"""
MAX_GLOSSARY_WORDS = 2300
UNLIMITED = ("CHANGELOG.md", "docs/generated/")


def list_pages() -> list[str]:
    """The pages that people write."""
    found = (file for each in ("*.md", "docs/**/*.md", "tests/**/*.md") for file in ROOT.glob(each))
    names = (file.relative_to(ROOT).as_posix() for file in found)
    return sorted(name for name in names if not name.startswith(UNLIMITED))


@pytest.mark.parametrize("name", list_pages())
def test_a_page_has_no_more_words_than_it_may(name: str) -> None:
    glossary = name.startswith("docs/translating/")
    assert glossary or name in MAX_WORDS, "give the page a budget"
    most = MAX_GLOSSARY_WORDS if glossary else MAX_WORDS[name]
    assert len((ROOT / name).read_text("utf-8").split()) <= most, "leave something out"


def test_the_page_of_the_computer_quotes_figures_of_the_generated_pages() -> None:
    """Check the figures with a sign of their own: percentages, and numbers with a decimal."""
    page = (ROOT / "docs" / "computer.md").read_text("utf-8")
    written = "".join(
        (ROOT / "docs" / "generated" / name).read_text("utf-8")
        for name in ("strength.md", "studies.md")
    )
    figures = set(re.findall(r"\d+\.\d+", page.partition("## Puzzles")[0]))
    figures |= set(re.findall(r"\d[\d,.]*\d", page.partition("## What the games are like")[2]))
    assert len(figures) > 30
    quoted = {each for each in figures if not re.search(rf"(?<![\d.]){each}(?![\d])", written)}
    # The number of the epigram.
    assert quoted <= {"9.482"}


def test_the_page_of_the_computer_quotes_all_that_was_measured_against_gnubg() -> None:
    """Check that it tells of defeats as of the rest, and what the referee found."""
    page = " ".join((ROOT / "docs" / "computer.md").read_text("utf-8").replace(";", "").split())
    strength = (ROOT / "docs" / "generated" / "strength.md").read_text("utf-8")
    met = r"^\| the net \(.-ply\) against gnubg .-ply \| ([\d,]+) \| ([+-])([\d.]+)"
    games = re.findall(met, strength, re.MULTILINE)
    judged = r"^\| (?:the net \(|gnubg ).-ply\)? \| [\d,]+ \| ([\d.]+)"
    refereed = re.findall(judged, strength, re.MULTILINE)
    assert len(games) >= 4
    assert len(refereed) >= 5
    assert [count for count, _, _ in games if f"({count}" not in page] == []
    assert [each for _, sign, each in games if sign == "-" and f" {each} " not in page] == []
    assert [each for each in refereed if f" {each} " not in page.replace(",", "")] == []


def test_the_page_of_the_computer_counts_the_games_whose_last_throws_are_known() -> None:
    page = (ROOT / "docs" / "computer.md").read_text("utf-8")
    every = [game.resolve_rules({}) for game in GAMES.values()]
    endings = [rules for rules in every if get_ending_table(rules) is not None]
    count = {8: "eight", 9: "nine", 10: "ten"}[len(endings)]
    assert f"the last throws of {count} others" in page


def test_the_page_of_performance_quotes_figures_of_the_measurements() -> None:
    page = (ROOT / "docs" / "performance.md").read_text("utf-8").partition("## Beyond one")[0]
    measured = (ROOT / "docs" / "generated" / "measurements.md").read_text("utf-8")
    figures = set(re.findall(r"(?<![\w.])\d[\d,.]*\d", page))
    assert len(figures) > 30
    assert {
        each for each in figures if not re.search(rf"(?<![\d.,]){each}(?![\d])", measured)
    } == set()
