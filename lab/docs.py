"""What is generated for readers: `make docs` writes it, `make check` compares it.

Figures that take hours to measure aren't among it: `make strength` writes those of strength.md,
`make errors` stores how far evaluations err, and `make studies` counts those of which studies.md is
made, and draws their pictures. `make readings` counts those of the pages on disputed rules, `make
figures` stores those of measurements.md, and `make solve` works out those of solved.md.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from difflib import unified_diff
from functools import partial
from pathlib import Path
from typing import TypeAlias

from lab import (
    architecture,
    citation,
    commands_page,
    extensions_page,
    fields_page,
    figures_page,
    games_page,
    nets_page,
    readings,
)
from lab.data_package import build_csv, build_package
from lab.solving import data as solved_data
from lab.solving import page as solved_page
from lab.studies import page as studies_page
from lab.studies.data import list_tables
from lab.studies.study_files import load_all_studies

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PICTURES = DOCS / "pictures"

TABLES = (
    *list_tables(load_all_studies()),
    readings.build_table(),
    solved_data.build_table(),
)
"""The tables of figures, which make one package of data."""

Pages: TypeAlias = Mapping[str, Callable[[], str]]

PAGES: Pages = {
    ".zenodo.json": citation.build_deposit,
    "CITATION.cff": citation.build_citation,
    "docs/data/datapackage.json": partial(build_package, TABLES),
    **{f"docs/data/{table.name}.csv": partial(build_csv, table) for table in TABLES},
    "docs/generated/commands.md": commands_page.build_page,
    "docs/generated/extension-points.md": extensions_page.build_page,
    "docs/generated/games.md": games_page.build_page,
    "docs/generated/measurements.md": figures_page.build_page,
    "docs/generated/nets.md": nets_page.build_page,
    "docs/generated/record-fields.md": fields_page.build_page,
    "docs/generated/solved.md": solved_page.build_page,
    "docs/generated/studies.md": studies_page.build_page,
    "docs/pictures/architecture.svg": architecture.build_picture,
}


def write_pages(root: Path = ROOT, pages: Pages = PAGES) -> None:
    """Write pages of a checkout, by default every one."""
    for name, build_page in pages.items():
        page = root / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(build_page(), "utf-8")


def compare_pages(root: Path = ROOT, pages: Pages = PAGES) -> Iterator[str]:
    """Yield the lines in which the pages of a checkout differ from what would be written."""
    for name, build_page in pages.items():
        page = root / name
        written = page.read_text("utf-8") if page.exists() else ""
        yield from unified_diff(written.splitlines(), build_page().splitlines(), name, lineterm="")


if __name__ == "__main__":
    if sys.argv[1:] == ["check"]:
        if lines := list(compare_pages()):
            sys.exit("\n".join((*lines, "Run make docs to update it")))
    else:
        write_pages()
