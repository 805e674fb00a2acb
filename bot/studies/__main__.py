"""Writes the page and its pictures: `python -m bot.studies`."""

import sys
from pathlib import Path

from bot.studies.charts import draw_pictures
from bot.studies.page import build_page

DOCS = Path(__file__).parents[2] / "docs"


def write_docs(folder: Path) -> None:
    """Write the page and its pictures."""
    (folder / "studies.md").write_text(build_page(), "utf-8")
    for name, picture in draw_pictures().items():
        (folder / "pictures" / name).write_bytes(picture)


if __name__ == "__main__":
    write_docs(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS)
