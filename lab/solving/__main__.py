"""Solves the games that are small enough: `python -m lab.solving`, or some parts by their names."""

import sys
import time
from collections.abc import Callable, Mapping

from lab.figures_page import find_commit
from lab.solving import figures
from lab.solving.palm_figures import measure_palm

SECTIONS: Mapping[str, Callable[[], figures.Figures]] = {
    "states": figures.count_all_states,
    figures.APART: figures.measure_apart,
    figures.TABLE: figures.measure_tables,
    figures.PALM: measure_palm,
    figures.BEAR_OFF: figures.measure_bearing_off,
}
"""What is solved, in the order of the page."""


def main(arguments: list[str]) -> None:
    """Solve the parts named, or all."""
    names = [each for each in arguments if each in SECTIONS] or list(SECTIONS)
    found = figures.load_figures()
    # Before any figures are stored: they would make it a commit with changes.
    commit = find_commit()
    for name in names:
        begun = time.process_time()
        found[name] = SECTIONS[name]()
        seconds = round(time.process_time() - begun)
        found.setdefault("runs", {})[name] = {"commit": commit, "seconds": seconds}
        # A part at a time: the longest takes minutes, and what is done is not to be lost.
        figures.save_figures(found)


if __name__ == "__main__":
    main(sys.argv[1:])
