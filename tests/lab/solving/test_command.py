"""`python -m lab.solving` in a checkout of its own: what it solves, stores and refuses."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from lab.command_line import EXIT_INTERRUPTED, EXIT_USAGE, write_beside
from lab.solving.figures import APART, FIGURES, TABLE

ROOT = Path(__file__).parents[3]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with a commit, in which anything may be written."""
    for folder in ("bot", "engine", "lab", "render"):
        ignored = shutil.ignore_patterns("__pycache__", "locale")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    for words in (
        ("init", "-q"),
        ("add", "."),
        ("-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "Copy"),
    ):
        subprocess.run(("git", *words), cwd=tmp_path, check=True)
    return tmp_path


def start(checkout: Path, *typed: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        (sys.executable, "-m", "lab.solving", *typed),
        cwd=checkout,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(checkout: Path, *typed: str) -> tuple[int, str, str]:
    process = start(checkout, *typed)
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err


def find_figures(checkout: Path) -> Path:
    return checkout / FIGURES.relative_to(ROOT)


def load(checkout: Path) -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(find_figures(checkout).read_text("utf-8"))
    return stored


def list_changes(checkout: Path) -> Sequence[str]:
    found = subprocess.run(
        ("git", "status", "--porcelain"),
        cwd=checkout,
        capture_output=True,
        text=True,
        check=True,
    )
    return [line for line in found.stdout.splitlines() if "__pycache__" not in line]


@pytest.mark.parametrize("typed", [("nosuch",), (TABLE, "nosuch"), ("--nosuch",)])
def test_a_wrong_argument_is_told_in_a_sentence_and_solves_nothing(
    checkout: Path, typed: tuple[str, ...]
) -> None:
    code, out, err = run(checkout, *typed)
    assert (code, out) == (EXIT_USAGE, "")
    assert "nosuch" in err
    assert err.count("\n") == 1
    assert not list_changes(checkout)


def test_help_solves_nothing(checkout: Path) -> None:
    code, out, _ = run(checkout, "--help")
    assert code == 0
    assert TABLE in out
    assert not list_changes(checkout)


def test_an_interrupted_run_keeps_what_is_solved_and_goes_on_from_there(checkout: Path) -> None:
    all_before = load(checkout)
    before = all_before[TABLE]
    process = start(checkout, TABLE)
    assert process.stdout
    first = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == EXIT_INTERRUPTED
    assert err == ""
    *more, text = out.splitlines()
    assert text.startswith(f"Interrupted; what this run has solved ({1 + len(more)} readings)")
    solved = [line.split(":")[0].split()[1] for line in (first, *more)]
    stored = load(checkout)[TABLE]
    assert [name for name, each in stored.items() if each != before[name]] == solved
    code, out, _ = run(checkout, TABLE, "--resume")
    assert code == 0
    lines = out.splitlines()
    assert [line.endswith(": kept") for line in lines] == [
        number < len(solved) for number in range(len(stored))
    ]
    after = load(checkout)
    assert all("run_s" in each for each in after[TABLE].values())
    # A commit with changes is marked with a plus, and the figures are changed by now.
    commits = {each["commit"].rstrip("+") for each in after[TABLE].values()}
    assert commits == {after["runs"][TABLE]["commit"].rstrip("+")}
    assert list(after[TABLE]) == list(before)
    # What wasn't named stays.
    assert {name for name in after if after[name] != all_before[name]} == {TABLE, "runs"}


def test_what_another_run_stores_meanwhile_is_kept(checkout: Path) -> None:
    process = start(checkout, TABLE)
    assert process.stdout
    process.stdout.readline()
    # As where somebody solves Doblet in a second window.
    process.send_signal(signal.SIGSTOP)
    meanwhile = load(checkout)
    meanwhile[APART]["moving=none"] = {"win": 0.25}
    write_beside(find_figures(checkout), json.dumps(meanwhile))
    process.send_signal(signal.SIGCONT)
    _, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (0, "")
    after = load(checkout)
    assert after[APART] == meanwhile[APART]
    assert after["runs"][TABLE]["commit"] != meanwhile["runs"][TABLE]["commit"]


def test_without_a_checkout_nothing_counts_as_solved_by_this_commit(checkout: Path) -> None:
    # As unpacked from an archive.
    shutil.rmtree(checkout / ".git")
    for _ in range(2):
        code, out, err = run(checkout, TABLE, "--resume")
        assert (code, err) == (0, "")
        assert all(": solved in " in line for line in out.splitlines())
    stored = load(checkout)
    assert {each["commit"] for each in stored[TABLE].values()} == {""}
    assert stored["runs"][TABLE]["commit"] == ""
