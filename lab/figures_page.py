"""The page of measurements: `make docs` writes it from the stored figures, each with its run.

`python -m lab.figures_page take RUN` stores the medians of a run of `make bench`, and `row TABLE
CELL...` a row of what is measured by hand; then `make docs` writes the page.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

ROOT = Path(__file__).parents[1]
FIGURES = ROOT / "tests" / "bench" / "figures.json"
COMMIT_DIGITS = 8
HEAD = """# Measurements

This page is written by `make docs` from `tests/bench/figures.json`, the figures of stored runs.
[tests/bench/README.md](../../tests/bench/README.md) has the commands, and says how they measure;
[performance.md](../performance.md) says what the figures mean. Compare only within a line.

They were measured on {machine}.
"""

Row: TypeAlias = dict[str, Any]
"""The cells of a line, and the run that they are of.

`timed` and `against` name the tests whose medians they are, and `share` which part of one counts.
"""


def load_figures() -> dict[str, Any]:
    """Return what is stored: the machine, and the chapters with their tables."""
    figures: dict[str, Any] = json.loads(FIGURES.read_text("utf-8"))
    return figures


def save_figures(figures: dict[str, Any]) -> None:
    """Store the figures, a line for each row."""
    text = json.dumps(figures, indent=1, ensure_ascii=False)
    FIGURES.write_text(f"{text}\n", "utf-8")


def build_page() -> str:
    """Return the page."""
    figures = load_figures()
    chapters = [_build_chapter(chapter) for chapter in figures["chapters"]]
    return "\n".join([HEAD.format(machine=figures["machine"]), *chapters])


def _build_chapter(chapter: dict[str, Any]) -> str:
    parts = [f"## {chapter['title']}", chapter["before"]]
    if rows := chapter["rows"]:
        columns = chapter["columns"]
        lines = [columns, ["---"] * len(columns), *(row["cells"] for row in rows)]
        parts.append("\n".join(f"| {' | '.join(line)} |" for line in lines))
    parts += [chapter["after"], f"Measured {_describe_runs(chapter)}."]
    return "\n\n".join(part for part in parts if part) + "\n"


def _describe_runs(chapter: dict[str, Any]) -> str:
    runs = {chapter["run"], *(row.get("run", chapter["run"]) for row in chapter["rows"])}
    return "; ".join(sorted(runs))


def describe_run(instant: datetime, commit: str) -> str:
    """Return what names a run: its day, and the commit that was measured."""
    return f"on {instant:%Y-%m-%d} at `{commit[:COMMIT_DIGITS]}`"


def list_rows(figures: dict[str, Any]) -> Iterator[Row]:
    """Yield the rows of all tables."""
    for chapter in figures["chapters"]:
        yield from chapter["rows"]


def take_run(figures: dict[str, Any], run: dict[str, Any]) -> int:
    """Put the medians of a run of pytest-benchmark into the rows; return into how many."""
    medians = {each["name"]: each["stats"]["median"] for each in run["benchmarks"]}
    commit = run["commit_info"]["id"] + ("+" if run["commit_info"]["dirty"] else "")
    name = describe_run(datetime.fromisoformat(run["datetime"]), commit)
    taken = 0
    for row in list_rows(figures):
        if {row.get("timed"), row.get("against")} <= medians.keys():
            _fill_row(row, medians[row["timed"]], medians[row["against"]])
            row["run"] = name
            taken += 1
    return taken


def _fill_row(row: Row, timed_s: float, against_s: float) -> None:
    share = row.get("share", 1)
    what, _, reference, _ = row["cells"]
    named, colon, _ = reference.partition(": ")
    if colon:
        reference = f"{named}: {_format_time(share * against_s)}"
    row["cells"] = [
        what,
        _format_time(share * timed_s),
        reference,
        _format_number(timed_s / against_s),
    ]


def _format_time(seconds: float) -> str:
    return f"{_format_number(1000 * seconds)} ms"


def _format_number(number: float) -> str:
    """Write a number with two digits that count, as no more can be compared."""
    return f"{number:.0f}" if number >= 10 else f"{float(f'{number:.2g}'):g}"


def put_row(figures: dict[str, Any], title: str, cells: Sequence[str], name: str) -> None:
    """Put a row of what was measured by hand into a table, in the place of that row if it is there.

    It is known by the cells that come before the first figure with a unit, or by the first. Raises
    ValueError for a table that is not there, or has other columns.
    """
    chapter = next((each for each in figures["chapters"] if each["title"] == title), None)
    if chapter is None or len(chapter["columns"]) != len(cells):
        raise ValueError(f"there is no table “{title}” of {len(cells)} columns")
    keys = chapter.get("keys", 1)
    row = {"cells": [*cells], "run": name}
    for number, known in enumerate(chapter["rows"]):
        if known["cells"][:keys] == row["cells"][:keys]:
            chapter["rows"][number] = {**known, **row}
            return
    chapter["rows"].append(row)


def _find_commit() -> str:
    found = subprocess.run(  # noqa: S603 - our own words
        ["git", "describe", "--always", "--dirty=+", "--exclude=*", f"--abbrev={COMMIT_DIGITS}"],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return found.stdout.strip()


def main(arguments: Sequence[str]) -> None:
    """Store figures as the command line says."""
    figures = load_figures()
    match arguments:
        case ["take", file]:
            taken = take_run(figures, json.loads(Path(file).read_text("utf-8")))
            sys.stdout.write(f"{taken} rows are of this run now\n")
        case ["row", title, *cells]:
            put_row(figures, title, cells, describe_run(datetime.now(UTC), _find_commit()))
        case _:
            sys.exit(__doc__)
    save_figures(figures)


if __name__ == "__main__":
    main(sys.argv[1:])
