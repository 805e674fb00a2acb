"""What the lab's long commands share: arguments, files that stay whole, and interruptions."""

import argparse
import fcntl
import multiprocessing
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.pool import Pool
from pathlib import Path
from typing import NoReturn

EXIT_USAGE = 2
"""What a program ends with whose arguments are wrong."""
EXIT_INTERRUPTED = 130
"""What a program ends with that was interrupted at the keyboard."""

TRAINING_PACKAGES = ("numba", "llvmlite")
"""What compiles the self-play and the solvers."""


class SentenceParser(argparse.ArgumentParser):
    """A parser that refuses wrong arguments in one sentence."""

    def error(self, message: str) -> NoReturn:
        """End the program without the usage, which may take up half a screen."""
        self.exit(EXIT_USAGE, f"{self.prog}: {message}; --help says more\n")


def whole_number(least: int) -> Callable[[str], int]:
    """Return what reads a whole number that is no less."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} on")
        return number

    return read


def parse_duration(text: str) -> float:
    """Read a length of time, which may be nought."""
    try:
        duration = float(text)
    except ValueError:
        duration = -1.0
    # What is not a number is not above nought either.
    if not duration >= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 on")
    return duration


def describe_missing_package(error: ModuleNotFoundError) -> str:
    """Return a sentence on a package that training needs; raises the error if it is another."""
    name = (error.name or "").partition(".")[0]
    if name not in TRAINING_PACKAGES:
        raise error
    return (
        f"The package {name} is not installed here, so nothing was changed; `make .venv/.train` "
        "installs it"
    )


def describe_checkout(digits: int, changed: str) -> str:
    """Return the commit of the checkout, with a mark where files have changed since.

    It is empty where nobody knows it: the program was unpacked from an archive, or git is missing.
    """
    if not shutil.which("git"):
        return ""
    command = ("git", "describe", "--always", f"--dirty={changed}", f"--abbrev={digits}")
    found = subprocess.run(  # noqa: S603 - our own words
        (*command, "--exclude=*"),
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return found.stdout.strip()


def name_commit(commit: str) -> str:
    """Return what a page calls a commit, which may be unknown."""
    return f"`{commit}`" if commit else "an unknown commit"


def write_beside(path: Path, text: str) -> None:
    """Write a file; the old one stays whole until the new one is."""
    # In the same folder, since only there a file takes another's place at one stroke.
    beside = path.with_name(f"{path.name}.part")
    try:
        beside.write_text(text, "utf-8")
        beside.replace(path)
    finally:
        # Half a file, as where the disk is full, helps nobody.
        beside.unlink(missing_ok=True)


@contextmanager
def postpone_interrupt() -> Iterator[None]:
    """Let what belongs together be written to its end before an interruption counts."""
    came = False

    def remember(*_: object) -> None:
        nonlocal came
        came = True

    before = signal.signal(signal.SIGINT, remember)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    # Only now, when all is written.
    if came:
        raise KeyboardInterrupt


@contextmanager
def lock_file(path: Path) -> Iterator[None]:
    """Let a file be read, changed and written while every other run that wants to has to wait.

    What is stored has to be read within this. It doesn't nest in one folder.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # The folder is locked, as the file itself is replaced; to close it lets the next run in.
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def open_pool(processes: int) -> Pool:
    """Return forked processes that leave it to this one to be interrupted."""
    # Forked processes have the kernel that is compiled here already.
    context = multiprocessing.get_context("fork")
    return context.Pool(processes, signal.signal, (signal.SIGINT, signal.SIG_IGN))


def join_names(names: Sequence[str]) -> str:
    """Return names in a row: "one, two and three"."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
