"""Solves the games that are small enough: `python -m lab.solving`."""

from lab.solving.figures import measure_games, save_figures

if __name__ == "__main__":
    save_figures(measure_games())
