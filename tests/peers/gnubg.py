"""GNU Backgammon, by its command line, where it is installed."""

import shutil
import subprocess

import pytest

GNUBG = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
GNUBG_MARKS = [
    pytest.mark.peers,
    pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed"),
]


def run_gnubg(script: str) -> str:
    """Return what it prints as it carries out a script of commands."""
    assert GNUBG is not None
    return subprocess.run(
        [GNUBG, "-t", "-q"],
        input=f"{script}quit\ny\n",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    ).stdout
