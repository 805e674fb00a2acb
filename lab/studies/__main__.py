"""Writes the page, its pictures and what `/rules` shows: `python -m lab.studies`."""

import sys
from pathlib import Path

from engine.players.statistics import STATISTICS
from lab.studies.charts import draw_pictures
from lab.studies.page import build_page
from lab.studies.statistics import build_statistics

DOCS = Path(__file__).parents[2] / "docs"


def write_docs(folder: Path) -> None:
    """Write the page and its pictures."""
    (folder / "studies.md").write_text(build_page(), "utf-8")
    for name, picture in draw_pictures().items():
        (folder / "pictures" / name).write_bytes(picture)


if __name__ == "__main__":
    STATISTICS.write_text(build_statistics(), "utf-8")
    write_docs(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS)
