"""The tables of figures on the pages about disputed rules, docs/readings.

People write those pages. The tables in them are built here from what has been counted, and a test
compares them; `python -m lab.readings` prints them.
"""

import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lab.studies.figures import (
    format_interval,
    format_length,
    format_mean,
    format_middle_range,
)
from lab.studies.study import Share, Study, load_game_studies
from lab.studies.study_files import get_study

FOLDER = Path(__file__).parents[1] / "docs" / "readings"
COUNTS = FOLDER / "figures.csv"
"""What `python -m lab.reading_games` has counted."""

USUAL = "usual"


@dataclass(frozen=True)
class ReadingPage:
    """A page on a disputed rule: the game, the options that it compares, and what ends by the rule.

    Where no ending is named, the games in which no man is hit are counted instead.
    """

    name: str
    slug: str
    options: tuple[str, ...]
    endings: tuple[str, ...] = ()


PAGES = (
    ReadingPage(
        "lympolding",
        "ludus-anglicorum",
        (
            "blockade=skip",
            "blockade=murray",
            "blockade=exact",
            "blockade=wins",
            "blockade=permanent",
            "blockade=shut-out",
        ),
        ("lympolded", "lympolded-for-ever", "lurched"),
    ),
    ReadingPage(
        "barata",
        "emperador",
        ("barata=four", "barata=six", "barata=off", "reentry=first"),
        ("barata", "barata-at-once"),
    ),
    ReadingPage("zeno-goals", "zeno", ("goal=table", "goal=off")),
)

EVENTS = {
    "lympolded": "a side has lympolded the other",
    "seven-to-enter": "a side has left the other seven men for six entry points",
    "six-points": "a side holds six points in a row",
    "four-hits": "a side has hit four men while holding six points",
    "no-entry": "a side has left the other no point to enter on",
    "all-home": "a side has all its men in the last table, or off",
}


def build_study_table(page: ReadingPage) -> Iterator[str]:
    """Yield the lines of the table that compares a page's options."""
    last = "ended by it" if page.endings else "no man hit"
    yield f"| option | games | throws (nine in ten) | who begins wins | men hit a game | {last} |"
    yield "| --- | --- | --- | --- | --- | --- |"
    studies = load_game_studies(page.slug)
    for option in page.options:
        study = get_study(studies, option if option in studies else USUAL)
        yield (
            f"| `{option}` | {study.games:,} | {format_length(study.length_quantile(0.5))}; "
            f"{format_middle_range(study)} | {format_interval(study.starter_share)} | "
            f"{format_mean(study.mean_count('hits'))} | {_format_last(page, study)} |"
        )


def _format_last(page: ReadingPage, study: Study) -> str:
    if not page.endings:
        hit = study.occurrence_share("hits")
        return format_interval(Share(hit.whole - hit.part, hit.whole))
    share = study.end_share(*page.endings)
    return format_interval(share) if share.part else "none"


def build_event_table(page: ReadingPage) -> Iterator[str]:
    """Yield the lines of the table that says who wins once something has come about."""
    yield "| the first time that | in | it wins | drawn |"
    yield "| --- | --- | --- | --- |"
    with COUNTS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["game"] == page.slug:
                seen, won = int(row["seen"]), int(row["won"])
                share = format_interval(Share(won, seen)) if seen else "-"
                yield (
                    f"| {EVENTS[row['event']]} | {seen} of {row['games']} games | {share} | "
                    f"{row['drawn']} |"
                )


if __name__ == "__main__":
    for each in PAGES:
        lines = (each.name, "", *build_study_table(each), "", *build_event_table(each), "", "")
        sys.stdout.write("\n".join(lines))
