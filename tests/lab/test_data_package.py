"""The figures' files of data are what their schema says, and what the page shows."""

import csv
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped, unused-ignore]
import pytest

from engine.games import GAMES
from lab.data_package import DataColumn, DataTable, build_csv
from lab.docs import DOCS, TABLES
from lab.studies.page import build_page
from lab.studies.study_files import load_all_studies

DATA = DOCS / "data"
PACKAGE = json.loads((DATA / "datapackage.json").read_text("utf-8"))
RESOURCES = {resource["name"]: resource for resource in PACKAGE["resources"]}
NAME = re.compile(r"[a-z0-9][a-z0-9._/-]*")
NUMBER = r"-?\d+(?:\.\d+)?"

Row = Mapping[str, Any]

every_table = pytest.mark.parametrize("name", RESOURCES)


@cache
def load_rows(name: str, folder: Path = DATA) -> tuple[Row, ...]:
    """Read a table as an archive's reader would: by the types of its schema."""
    fields = {field["name"]: field for field in RESOURCES[name]["schema"]["fields"]}
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        assert reader.fieldnames == list(fields)
        return tuple(
            {key: read_cell(fields[key], cell) for key, cell in line.items()} for line in reader
        )


def read_cell(field: Mapping[str, Any], cell: str) -> str | int | float | None:
    """Return a cell's value; an empty one has none."""
    if cell == "":
        return None
    match field["type"]:
        case "integer":
            return int(cell)
        case "number":
            return float(cell)
    return cell


def build_row_schema(fields: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a JSON Schema of the rows of a table with these fields of a Table Schema."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [field["name"] for field in fields],
        "properties": {field["name"]: build_cell_schema(field) for field in fields},
    }


def build_cell_schema(field: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of one field."""
    constraints = dict(field["constraints"])
    kind = "string" if field["type"] == "date" else field["type"]
    schema: dict[str, Any] = {"type": [kind] if constraints.pop("required", 0) else [kind, "null"]}
    if field["type"] == "date":
        schema["pattern"] = r"^\d{4}-\d\d-\d\d$"
    return {**schema, **constraints}


load_studies = cache(load_all_studies)
read_page = cache(build_page)


@every_table
def test_every_row_is_as_the_schema_says(name: str) -> None:
    schema = RESOURCES[name]["schema"]
    validator = jsonschema.Draft202012Validator(build_row_schema(schema["fields"]))
    rows = load_rows(name)
    assert rows
    for row in rows:
        validator.validate(row)
    keys = [tuple(row[part] for part in schema["primaryKey"]) for row in rows]
    assert len({*keys}) == len(keys)


@every_table
def test_a_row_refers_to_one_that_is_there(name: str) -> None:
    for key in RESOURCES[name]["schema"].get("foreignKeys", ()):
        fields, reference = key["fields"], key["reference"]
        others = load_rows(reference["resource"])
        known = {tuple(row[each] for each in reference["fields"]) for row in others}
        assert {tuple(row[each] for each in fields) for row in load_rows(name)} <= known


def test_what_is_counted_of_a_study_refers_to_it() -> None:
    referring = {name for name in RESOURCES if RESOURCES[name]["schema"].get("foreignKeys")}
    assert referring == {"study-events", "study-endings", "readings"}


@every_table
def test_a_column_says_what_it_holds(name: str) -> None:
    for field in RESOURCES[name]["schema"]["fields"]:
        assert field["type"] in {"string", "integer", "number", "date"}
        assert len(field["description"]) > 5
        assert re.fullmatch("[a-z][a-z0-9_]*", field["name"])


def test_the_package_names_its_files_and_no_others() -> None:
    assert {path.name for path in DATA.iterdir()} == {
        "datapackage.json",
        *(resource["path"] for resource in RESOURCES.values()),
    }
    assert [table.name for table in TABLES] == list(RESOURCES)
    assert all(NAME.fullmatch(name) for name in (PACKAGE["name"], *RESOURCES))
    assert PACKAGE["licenses"][0]["name"] == "MIT"


@pytest.mark.parametrize(
    ("field", "cell"),
    [("games", 0), ("games", None), ("games", "many"), ("starter_wins_percent", 100.5)],
)
def test_a_wrong_cell_is_found(field: str, cell: object) -> None:
    validator = jsonschema.Draft202012Validator(
        build_row_schema(RESOURCES["studies"]["schema"]["fields"])
    )
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({**load_rows("studies")[0], field: cell})


def test_numbers_are_written_without_exponents_and_empty_cells_empty() -> None:
    columns = tuple(DataColumn(name, "number", "a number") for name in "abc")
    table = DataTable(
        "x", "X", "numbers", columns, ("a",), lambda: [(1e-9, None, 12.5), (7, 0.1, "ä")]
    )
    assert build_csv(table) == "a,b,c\n0,,12.5\n7,0.1,ä\n"


def test_every_study_has_its_rows() -> None:
    known = {(slug, name) for slug, named in load_studies().items() for name in named}
    assert {(row["game"], row["study"]) for row in load_rows("study-runs")} == known
    counted = (*load_rows("studies"), *load_rows("study-meetings"))
    games = {(row["game"], row["study"]): row["games"] for row in counted}
    assert games.keys() == known
    for key, number in games.items():
        runs = [row for row in load_rows("study-runs") if (row["game"], row["study"]) == key]
        assert sum(run["games"] for run in runs) == number
        assert all(run["commit"] or run["stored"] for run in runs)


def find_row(table: str, slug: str, study: str) -> Row | None:
    """The row of a study."""
    found = (row for row in load_rows(table) if (row["game"], row["study"]) == (slug, study))
    return next(found, None)


def list_page_rows(page: str) -> Iterator[list[str]]:
    """The cells of the tables in a part of the page, without their heads."""
    for line in page.splitlines():
        if line.startswith(("| [", "| `")):
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


def agrees(shown: str, value: float | None) -> bool:
    """Whether the first number that is shown is a value rounded as far as it is shown."""
    if value is None:
        return shown == "-"
    found = re.match(NUMBER, shown.replace(",", ""))
    assert found, shown
    decimals = len(found[0].partition(".")[2])
    return abs(float(found[0]) - value) <= float(f"5e-{decimals + 1}") + 1e-5


def agrees_within(shown: str, row: Row, name: str) -> bool:
    """Whether a share is shown with the half width of its interval, or a dash."""
    share, low, high = (row[f"{name}_percent{end}"] for end in ("", "_low", "_high"))
    if not agrees(shown, share):
        return False
    return shown == "-" or agrees(shown.partition("± ")[2], (float(high) - float(low)) / 2)


def test_the_page_shows_the_figures_of_the_files() -> None:
    overview = read_page().partition("\n## All games\n")[2].partition("\n## ")[0]
    rows = list(list_page_rows(overview))
    assert len(rows) == len(GAMES)
    for slug, shown in zip(load_studies(), rows, strict=True):
        row = find_row("studies", slug, "usual")
        assert row
        assert agrees(shown[1], row["games"])
        assert agrees(shown[2], row["throws_median"])
        assert shown[3] == f"{row['throws_p05']} to {row['throws_p95']}"
        assert agrees_within(shown[4], row, "starter_wins")
        assert agrees(shown[5], get_mean(slug, "usual", "hits"))
        assert agrees(shown[6], row["idle_throws_percent"])
        assert agrees(shown[7], row["no_winner_percent"])
        met = find_row("study-meetings", slug, "net:greedy")
        assert agrees_within(shown[8], met, "first_wins") if met else shown[8] == "-"


def get_mean(slug: str, study: str, event: str) -> float:
    """How often something happens a game."""
    for row in load_rows("study-events"):
        if (row["game"], row["study"], row["event"]) == (slug, study, event):
            return float(row["mean"])
    raise LookupError(event)


@pytest.mark.parametrize("slug", GAMES)
def test_the_options_of_a_game_have_the_figures_of_the_files(slug: str) -> None:
    section = read_page().partition(f"\n## {GAMES[slug].title}\n")[2].partition("\n## ")[0]
    assert f'Again: `make studies ARGS="--repeat --only {slug}"`' in section
    rows = list(list_page_rows(section))
    studies = [name for name in load_studies()[slug] if "=" in name and ":" not in name]
    assert [shown[0] for shown in rows] == [f"`{name}`" for name in studies]
    for name, shown in zip(studies, rows, strict=True):
        row = find_row("studies", slug, name)
        assert row
        runs = [
            run for run in load_rows("study-runs") if (run["game"], run["study"]) == (slug, name)
        ]
        assert agrees(shown[2], row["games"])
        assert shown[3] == ", ".join(str(run["seed"]) for run in runs)
        assert agrees(shown[4], row["throws_median"])
        assert shown[4].endswith(f"; {row['throws_p05']} to {row['throws_p95']}")
        assert agrees_within(shown[5], row, "starter_wins")
        assert agrees(shown[6], get_mean(slug, name, "hits"))
        met = find_row("study-meetings", slug, f"{name}:greedy")
        assert agrees_within(shown[7], met, "first_wins") if met else shown[7] == "-"
