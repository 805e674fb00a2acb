"""Figures as data: tables in CSV, and the Data Package that describes them for archives.

A package is `datapackage.json`, with a Table Schema for each file; see https://datapackage.org.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from lab.citation import describe_citation

Cell: TypeAlias = str | int | float | None

MAX_DECIMALS = 6
"""Decimals of a number: more than any page shows."""


@dataclass(frozen=True)
class DataColumn:
    """A column: what is in it, in one unit, and which values it can have.

    `kind` is a type of Table Schema: string, integer, number or date. Where a cell need not be
    filled, an empty one has no value.
    """

    name: str
    kind: str
    description: str
    required: bool = True
    minimum: int | None = None
    maximum: int | None = None
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class ForeignKey:
    """Columns whose values are those of the same columns in a row of another table."""

    columns: tuple[str, ...]
    table: str


@dataclass(frozen=True)
class DataTable:
    """A file of a package: its columns, those that are its key, and the function of its rows."""

    name: str
    title: str
    description: str
    columns: tuple[DataColumn, ...]
    key: tuple[str, ...]
    list_rows: Callable[[], Iterable[Sequence[Cell]]]
    references: tuple[ForeignKey, ...] = ()


def build_csv(table: DataTable) -> str:
    """Return a table's file, with a line for its columns' names."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(column.name for column in table.columns)
    writer.writerows([_format_cell(cell) for cell in row] for row in table.list_rows())
    return text.getvalue()


def _format_cell(cell: Cell) -> str | int:
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{cell:.{MAX_DECIMALS}f}".rstrip("0").rstrip(".")
    return cell


def build_package(tables: Sequence[DataTable]) -> str:
    """Return the text of the package's datapackage.json."""
    cited = describe_citation()
    package = {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": "tabula-figures",
        "title": "Figures of the historical games of tables, from Tabula's computer players",
        "description": "The figures of Tabula's pages, each with its seeds and commit.",
        "version": cited["version"],
        "licenses": [{"name": cited["license"], "title": "MIT License"}],
        "contributors": [
            {"title": author["name"], "roles": ["creator"]} for author in cited["authors"]
        ],
        "keywords": cited["keywords"],
        "resources": [_describe_resource(table) for table in tables],
    }
    return json.dumps(package, indent=2, ensure_ascii=False) + "\n"


def _describe_resource(table: DataTable) -> dict[str, Any]:
    return {
        "name": table.name,
        "type": "table",
        "title": table.title,
        "description": table.description,
        "path": f"{table.name}.csv",
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "schema": {
            "fields": [_describe_field(column) for column in table.columns],
            "primaryKey": list(table.key),
            **_describe_references(table),
            "missingValues": [""],
        },
    }


def _describe_references(table: DataTable) -> dict[str, Any]:
    keys = [
        {
            "fields": list(key.columns),
            "reference": {"resource": key.table, "fields": list(key.columns)},
        }
        for key in table.references
    ]
    return {"foreignKeys": keys} if keys else {}


def _describe_field(column: DataColumn) -> dict[str, Any]:
    limits = {
        "required": column.required or None,
        "minimum": column.minimum,
        "maximum": column.maximum,
        "enum": list(column.values) or None,
    }
    return {
        "name": column.name,
        "type": column.kind,
        "description": column.description,
        "constraints": {name: limit for name, limit in limits.items() if limit is not None},
    }
