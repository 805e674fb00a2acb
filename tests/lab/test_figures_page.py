"""Stored figures: a run fills the rows that name its tests, and the page says what was measured."""

import json
from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from lab.figures_page import build_page, describe_run, list_rows, load_figures, put_row, take_run

ROOT = Path(__file__).parents[2]
RUN: dict[str, Any] = {
    "datetime": "2027-02-03T04:05:06.789+00:00",
    "commit_info": {"id": "0123456789abcdef", "dirty": False},
    "benchmarks": [
        {"name": "test_the_board_again", "stats": {"median": 0.0123}},
        {"name": "test_reference_trivial_handler", "stats": {"median": 0.0025}},
        {"name": "test_random_games_to_their_end[backgammon]", "stats": {"median": 1.2}},
    ],
}
TAKEN = "on 2027-02-03 at `01234567`"


def test_a_run_fills_the_rows_whose_tests_it_has() -> None:
    before = load_figures()
    after = deepcopy(before)
    assert take_run(after, RUN) == 1
    changed = [
        new for old, new in zip(list_rows(before), list_rows(after), strict=True) if old != new
    ]
    (row,) = changed
    assert row["cells"] == ["`/match board`", "12 ms", "a handler that says `ok`: 2.5 ms", "4.9"]
    assert row["run"] == TAKEN


def test_a_part_of_a_run_counts_where_a_row_says_so() -> None:
    figures = load_figures()
    whole = {"name": "test_reference_openspiel_s_backgammon", "stats": {"median": 0.5}}
    assert take_run(figures, {**RUN, "benchmarks": [*RUN["benchmarks"], whole]}) == 2
    (row,) = [each for each in list_rows(figures) if each.get("timed", "").endswith("[backgammon]")]
    assert row["cells"][1:] == ["120 ms", "OpenSpiel's: 50 ms", "2.4"]


def test_what_is_measured_by_hand_takes_the_place_of_its_row() -> None:
    figures = load_figures()
    count = len(list(list_rows(figures)))
    put_row(figures, "A crowd", ["60", "80.1", "11 ms", "1.5"], TAKEN)
    put_row(figures, "A crowd", ["500", "90", "10 ms", "1.6"], TAKEN)
    assert len(list(list_rows(figures))) == count + 1
    rows = [each["cells"] for each in list_rows(figures) if each.get("run") == TAKEN]
    assert rows == [["60", "80.1", "11 ms", "1.5"], ["500", "90", "10 ms", "1.6"]]
    with pytest.raises(ValueError, match="there is no table “A crowd” of 2 columns"):
        put_row(figures, "A crowd", ["60", "80.1"], TAKEN)


def test_the_tests_that_rows_name_are_there() -> None:
    written = "".join(
        file.read_text("utf-8") for file in (ROOT / "tests" / "bench").glob("test_*.py")
    )
    named = [row[kind] for row in list_rows(load_figures()) if "timed" in row for kind in KINDS]
    assert len(named) > 10
    for name in named:
        assert f"def {name.partition('[')[0]}(" in written, name


KINDS = ("timed", "against")


def test_the_page_has_every_stored_cell_and_says_when_it_was_measured() -> None:
    page = build_page()
    for row in list_rows(load_figures()):
        assert f"| {' | '.join(row['cells'])} |" in page
    assert page.count("\nMeasured ") == len(load_figures()["chapters"])
    assert json.loads((ROOT / "tests/bench/figures.json").read_text("utf-8")) == load_figures()


def test_a_run_of_an_archive_says_that_nobody_knows_its_commit() -> None:
    assert (
        describe_run(datetime(2027, 2, 3, tzinfo=UTC), "") == "on 2027-02-03 at an unknown commit"
    )
