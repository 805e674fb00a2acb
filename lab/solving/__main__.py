"""Solve the games that are small enough, or some parts by their names."""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from lab.command_line import (
    EXIT_INTERRUPTED,
    SentenceParser,
    describe_missing_package,
    lock_file,
    postpone_interrupt,
)
from lab.figures_page import find_commit
from lab.solving import figures


def _iter_states() -> Iterator[figures.Reading]:
    yield (), figures.count_all_states


def _iter_palm() -> Iterator[figures.Reading]:
    # Only this part is compiled.
    from lab.solving.palm_figures import iter_palm

    yield from iter_palm()


SECTIONS: Mapping[str, Callable[[], Iterator[figures.Reading]]] = {
    "states": _iter_states,
    figures.APART: figures.iter_apart,
    figures.TABLE: figures.iter_tables,
    figures.PALM: _iter_palm,
    figures.BEAR_OFF: figures.iter_bearing_off,
}
"""What is solved, in the order of the page."""


def main() -> None:
    """Read the command line and solve what it says."""
    parser = SentenceParser(prog="python -m lab.solving", description=__doc__)
    parser.add_argument(
        "parts",
        nargs="*",
        type=_parse_part,
        metavar="PART",
        default=list(SECTIONS),
        help=f"what to solve: {', '.join(SECTIONS)} (default: all)",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="leave out what this commit has solved already, as after an interruption",
    )
    arguments = parser.parse_args()
    done: list[str] = []
    try:
        solve_parts(arguments.parts, done, resume=arguments.resume)
    except ModuleNotFoundError as error:
        sys.exit(describe_missing_package(error))
    except KeyboardInterrupt:
        _print_line(
            f"Interrupted; what this run has solved ({len(done)} readings) is kept in "
            f"{figures.FIGURES}, and --resume goes on from there"
        )
        sys.exit(EXIT_INTERRUPTED)


def _parse_part(text: str) -> str:
    if text not in SECTIONS:
        known = ", ".join(SECTIONS)
        raise argparse.ArgumentTypeError(f"there is no part {text!r}; there are: {known}")
    return text


def solve_parts(parts: list[str], done: list[str], *, resume: bool) -> None:
    """Solve parts of the page, and store each reading when it is done."""
    before = figures.load_figures()
    # Before any figures are stored: they would make it a commit with changes.
    commit = find_commit()
    for part in parts:
        solved: dict[tuple[str, ...], figures.Figures] = {}
        spent = 0.0
        for path, solve in SECTIONS[part]():
            name = " ".join((part, *path))
            known = _find(before, (part, *path))
            # What was stored since makes it a commit with changes. One that nobody knows is no
            # other's.
            if resume and commit and known.get("commit", "").rstrip("+") == commit.rstrip("+"):
                _print_line(f"{name}: kept")
                solved[path] = known
                spent += known.get("run_s", 0.0)
                continue
            begun = time.process_time()
            found = solve()
            seconds = round(time.process_time() - begun, 1)
            # Counts of states are no readings, and have nowhere to keep their run.
            solved[path] = {**found, "commit": commit, "run_s": seconds} if path else found
            spent += seconds
            with _change_figures() as stored:
                _put(stored, (part, *path), solved[path])
                done.append(name)
            _print_line(f"{name}: solved in {seconds:.0f} s of a processor")
        with _change_figures() as stored:
            # Readings that there are no longer are left out.
            stored.pop(part, None)
            for path, found in solved.items():
                _put(stored, (part, *path), found)
            stored.setdefault("runs", {})[part] = {"commit": commit, "seconds": round(spent)}


@contextmanager
def _change_figures() -> Iterator[figures.Figures]:
    """Let the stored figures be changed, to which another run may have added meanwhile."""
    with postpone_interrupt(), lock_file(figures.FIGURES):
        stored = figures.load_figures()
        yield stored
        figures.save_figures(stored)


def _find(stored: figures.Figures, path: tuple[str, ...]) -> figures.Figures:
    for name in path:
        stored = stored.get(name, {})
    return stored


def _put(stored: figures.Figures, path: tuple[str, ...], found: figures.Figures) -> None:
    *folders, last = path
    for name in folders:
        stored = stored.setdefault(name, {})
    stored[last] = found


def _print_line(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a command's output


if __name__ == "__main__":
    main()
