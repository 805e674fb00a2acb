"""Writes what `/rules` shows and the pictures of the page: `python -m lab.studies`."""

from engine.players.statistics import STATISTICS
from lab.docs import PICTURES
from lab.studies.charts import draw_pictures
from lab.studies.statistics import build_statistics

if __name__ == "__main__":
    STATISTICS.write_text(build_statistics(), "utf-8")
    for name, picture in draw_pictures().items():
        (PICTURES / name).write_bytes(picture)
