"""The tables of figures on the pages about disputed rules, docs/readings.

People write those pages. The tables in them are built here from what has been counted, and a test
compares them; `python -m lab.readings` prints them.
"""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from engine.strict_json import parse_json, write_json
from lab.command_line import write_beside
from lab.data_package import Cell, DataColumn, DataTable, ForeignKey
from lab.studies.figures import (
    format_interval,
    format_length,
    format_mean,
    format_middle_range,
)
from lab.studies.study import USUAL, Share, Study, load_game_studies
from lab.studies.study_files import get_study

FOLDER = Path(__file__).parents[1] / "docs" / "readings"
COUNTS = Path(__file__).with_name("reading_counts.json")
"""What `make readings` has counted."""


@dataclass(frozen=True)
class EventCount:
    """In how many games an event was seen, and how many of them went to the side it speaks for.

    The games are of a `player` against itself; the first has dice of `first_seed`, each later one
    of the next seed.
    """

    game: str
    study: str
    event: str
    player: str
    edition: int
    first_seed: int
    games: int
    seen: int
    won: int
    drawn: int
    day: str
    commit: str


def load_counts() -> list[EventCount]:
    """Read what has been counted."""
    if not COUNTS.exists():
        return []
    return [EventCount(**each) for each in parse_json(COUNTS.read_text("utf-8"))]


def save_counts(counts: Iterable[EventCount]) -> None:
    """Write what has been counted, a line an event; the old file stays until the new one is."""
    lines = ",\n".join(write_json(asdict(each)) for each in counts)
    write_beside(COUNTS, f"[\n{lines}\n]\n")


@dataclass(frozen=True)
class ReadingPage:
    """A page on a disputed rule: the game, the options that it compares, and what ends by the rule.

    Where no ending is named, the games in which no man is hit are counted instead.
    """

    name: str
    title: str
    slug: str
    options: tuple[str, ...]
    endings: tuple[str, ...] = ()
    never: str = ""
    """The option by which the rule ends no game."""


PAGES = (
    ReadingPage(
        "lympolding",
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
        never="blockade=skip",
    ),
    ReadingPage(
        "barata",
        "barata",
        "emperador",
        ("barata=four", "barata=six", "barata=no-entry", "barata=off", "reentry=first"),
        ("barata", "barata-at-once", "barata-no-entry"),
        never="barata=off",
    ),
    ReadingPage("zeno-goals", "the two Zeno goals", "zeno", ("goal=table", "goal=off")),
)

EVENTS = {
    "lympolded": "a side has lympolded the other",
    "seven-to-enter": "a side has left the other seven men for six entry points",
    "six-points": "a side holds six points in a row",
    "four-hits": "a side has hit four men while holding six points",
    "no-entry": "a side has left the other no point to enter on",
    "all-home": "a side has all its men in the last table, or off",
}


def list_page_links(slug: str | None = None) -> str:
    """Return links to the pages of a game, or to all, as they stand on a generated page."""
    return ", ".join(
        f"[{page.title}](../readings/{page.name}.md)" for page in PAGES if slug in (None, page.slug)
    )


def build_study_table(page: ReadingPage) -> Iterator[str]:
    """Yield the lines of the table that compares a page's options."""
    last = "ended by it" if page.endings else "no man hit"
    yield f"| option | games | throws (nine in ten) | who begins wins | men hit a game | {last} |"
    yield "| --- | --- | --- | --- | --- | --- |"
    studies = load_game_studies(page.slug)
    for option in page.options:
        study = get_study(studies, option if option in studies else USUAL)
        cells = (
            f"`{option}`{_format_player(study)}",
            f"{study.games:,}",
            f"{format_length(study.length_quantile(0.5))}; {format_middle_range(study)}",
            format_interval(study.starter_share),
            format_mean(study.mean_count("hits")),
            _format_last(page, option, study),
        )
        yield f"| {' | '.join(cells)} |"


def _format_player(study: Study) -> str:
    return "" if study.by.startswith("net ") else f", {study.by}"


def _format_last(page: ReadingPage, option: str, study: Study) -> str:
    if not page.endings:
        hit = study.occurrence_share("hits")
        return format_interval(Share(hit.whole - hit.part, hit.whole))
    if option == page.never:
        return "never"
    share = study.end_share(*page.endings)
    # What hasn't been seen may still come about.
    return format_interval(share) if share.part else f"0 (below {100 * share.interval[1]:.2f}%)"


def build_event_table(page: ReadingPage) -> Iterator[str]:
    """Yield the lines of the table that says who wins once something has come about."""
    yield "| the first time that | in | it wins | drawn |"
    yield "| --- | --- | --- | --- |"
    for count in load_counts():
        if count.game == page.slug:
            seen = format_interval(Share(count.seen, count.games))
            won = format_interval(Share(count.won, count.seen)) if count.seen else "-"
            yield (
                f"| {EVENTS[count.event]} | {count.seen:,} of {count.games:,} games: {seen} | "
                f"{won} | {count.drawn} |"
            )


def build_table() -> DataTable:
    """Return the table of the data package with what was counted for the pages."""
    return DataTable(
        "readings",
        "Who wins once it has come about",
        "Games in which something disputed has come about, and how often the side that it speaks "
        "for won them. Low and high are the ends of a 95% confidence interval, after Wilson.",
        (
            DataColumn("game", "string", "the game's slug, as in games.md"),
            DataColumn("study", "string", "usual: the usual rules; goal=off: a value of an option"),
            DataColumn(
                "event",
                "string",
                "what came about, for the first time in a game",
                values=(*EVENTS,),
            ),
            DataColumn("player", "string", "who played both sides: a net by its weights' hash"),
            DataColumn("edition", "integer", "the edition of the game's rules", minimum=1),
            DataColumn("first_seed", "integer", "the seed of the first game; each has the next"),
            DataColumn("games", "integer", "games played", minimum=1),
            DataColumn("seen", "integer", "games in which it came about", minimum=0),
            *_build_percents("seen", "share of the games in which it came about", required=True),
            DataColumn("won", "integer", "of them, won by the side it speaks for", minimum=0),
            *_build_percents("won", "share of them won by that side", required=False),
            DataColumn("drawn", "integer", "of them, drawn", minimum=0),
            DataColumn("day", "date", "the day on which they were played"),
            DataColumn(
                "commit",
                "string",
                "the commit of the program that played them, if known",
                required=False,
            ),
        ),
        ("game", "study", "event"),
        list_rows,
        (ForeignKey(("game", "study"), "studies"),),
    )


def _build_percents(name: str, description: str, *, required: bool) -> Iterator[DataColumn]:
    for end, which in (("", ""), ("_low", "low end of the "), ("_high", "high end of the ")):
        text = f"{which}{description}"
        yield DataColumn(f"{name}_percent{end}", "number", text, required, minimum=0, maximum=100)


def list_rows() -> Iterator[tuple[Cell, ...]]:
    """Yield a row for every event."""
    for count in load_counts():
        seen = Share(count.seen, count.games)
        won = Share(count.won, count.seen) if count.seen else None
        yield (
            *(count.game, count.study, count.event, count.player, count.edition),
            *(count.first_seed, count.games),
            *(count.seen, *_list_percents(seen)),
            *(count.won, *_list_percents(won)),
            *(count.drawn, count.day, count.commit or None),
        )


def _list_percents(share: Share | None) -> tuple[float | None, ...]:
    if share is None:
        return (None, None, None)
    return tuple(100 * value for value in (share.value, *share.interval))


if __name__ == "__main__":
    for each in PAGES:
        lines = (each.name, "", *build_study_table(each), "", *build_event_table(each), "", "")
        sys.stdout.write("\n".join(lines))
