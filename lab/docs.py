"""What is generated in docs/: `make docs` writes it, `make check` compares it.

Figures that take hours to measure aren't among it: `make strength` writes those of strength.md, and
`make studies` counts those of which studies.md is made, and draws their pictures.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from difflib import unified_diff
from pathlib import Path

from lab import architecture, commands_page, extensions_page, fields_page, games_page
from lab.studies import page as studies_page

DOCS = Path(__file__).parents[1] / "docs"
PICTURES = DOCS / "pictures"

PAGES: Mapping[str, Callable[[], str]] = {
    "generated/commands.md": commands_page.build_page,
    "generated/extension-points.md": extensions_page.build_page,
    "generated/games.md": games_page.build_page,
    "generated/record-fields.md": fields_page.build_page,
    "generated/studies.md": studies_page.build_page,
    "pictures/architecture.svg": architecture.build_picture,
}


def write_pages(folder: Path = DOCS) -> None:
    """Write every page into a folder."""
    for name, build_page in PAGES.items():
        (folder / name).write_text(build_page(), "utf-8")


def compare_pages(folder: Path = DOCS) -> Iterator[str]:
    """Yield the lines in which the pages of a folder differ from what would be written."""
    for name, build_page in PAGES.items():
        written = (folder / name).read_text("utf-8")
        yield from unified_diff(written.splitlines(), build_page().splitlines(), name, lineterm="")


if __name__ == "__main__":
    if sys.argv[1:] == ["check"]:
        if lines := list(compare_pages()):
            sys.exit("\n".join((*lines, "Run make docs to update it")))
    else:
        write_pages()
