"""`python -m lab.training`: a mistyped command changes nothing, an interrupted one loses nothing.

A sentence explains the first before anything is compiled, and says what the second keeps.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from engine.games import GAMES
from engine.players.files import WEIGHTS
from engine.players.net import load_net
from lab.command_line import EXIT_INTERRUPTED, EXIT_USAGE
from lab.studies.errors import load_errors
from lab.training import __main__ as command

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "generated" / "strength.md"

needs_kernel = pytest.mark.skipif(
    find_spec("numba") is None, reason="the extra `train` is not installed"
)


def start(*typed: str, without: Path | None = None) -> subprocess.Popen[str]:
    """Start the command; it finds no package of other makes where there is a folder `without`."""
    path = {"PYTHONPATH": str(without)} if without else {}
    return subprocess.Popen(
        (sys.executable, "-m", "lab.training", *typed),
        cwd=ROOT,
        env=os.environ | path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def run(*typed: str, without: Path | None = None) -> tuple[int, str, str]:
    process = start(*typed, without=without)
    out, err = process.communicate(timeout=900)
    return process.returncode, out, err


def interrupt(process: subprocess.Popen[str], lines: int) -> tuple[str, str]:
    """Interrupt the command after so many lines, as the keyboard does: all its processes."""
    assert process.stdout
    seen = "".join(process.stdout.readline() for _ in range(lines))
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=900)
    assert process.returncode == EXIT_INTERRUPTED
    return seen + out, err


def hide_packages(folder: Path) -> Path:
    """Make packages of other makes fail to be imported, as where they aren't installed."""
    for name in ("gnubg_nn", "bgsage"):
        (folder / f"{name}.py").write_text("raise ImportError('no such package')\n", "utf-8")
    return folder


def list_rows(page: str, width: int) -> dict[str, str]:
    """The rows of a table with so many columns, by game."""
    return {
        line.split(" | ")[0].removeprefix("| "): line
        for line in page.splitlines()
        if line.startswith("| ") and line.count("|") == width + 1
    }


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        (("train", "zenoo"), "There is no game called 'zenoo'; did you mean Zeno?"),
        (
            ("train", "zeno", "--option", "gaol=off"),
            "There is no option called 'gaol'; there is: goal",
        ),
        (("train", "zeno", "--option", "goal=of"), "There is no value called 'of'; there is: off"),
        (
            ("train", "zeno", "--option", "goal"),
            "There is no value called ''; there is: table, off",
        ),
        (("train", "all", "--option", "goal=off"), "An option is chosen for one game, not for all"),
    ],
)
def test_what_is_not_there_is_told(
    typed: tuple[str, ...], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["training", *typed])
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert str(ended.value) == text


@pytest.mark.parametrize(
    "typed",
    [
        ("strength", "--against", "gnubg 7-ply"),
        ("strength", "--games", "-5"),
        ("strength", "--seconds", "-1"),
        ("strength", "--nets", "/nonexistent"),
        ("errors", "--processes", "0"),
        ("errors", "--positions", "0"),
        ("errors", "--rollouts", "0"),
        ("errors", "--only"),
        ("studies", "--games", "many"),
        ("nosuch",),
    ],
)
def test_a_wrong_argument_is_told_in_a_sentence(
    typed: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["training", *typed])
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == EXIT_USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert typed[-1] in err


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        (("studies", "--renew"), "--study and --renew are for stored studies"),
        (("studies", "--study", "usual"), "--study and --renew are for stored studies"),
        (("studies", "--repeat", "--study", "usal"), "did you mean usual?"),
        (("strength", "--only", "zeno", "--against", "pubeval"), "backgammon's matches"),
        (("strength", "--decisions", "1"), "has no standard error"),
        (("errors", "--only", "nogame"), "did you mean Zeno or Ludus Anglicorum?"),
    ],
)
def test_arguments_that_do_not_go_together_are_told(
    typed: tuple[str, ...], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["training", *typed])
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert text in str(ended.value)


def test_a_missing_package_names_itself(tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text(
        "raise ModuleNotFoundError('No module named numba', name='numba')\n", "utf-8"
    )
    page = tmp_path / "page.md"
    code, _, err = run("errors", "--only", "doblet", "--page", str(page), without=tmp_path)
    assert code == 1
    assert err.startswith("The package numba is not installed here, so nothing was changed")
    assert err.count("\n") == 1
    assert not page.exists()


@needs_kernel
def test_the_page_of_errors_is_of_the_file_that_is_named(tmp_path: Path) -> None:
    kept, page = tmp_path / "errors.json", tmp_path / "page.md"
    places = ("--kept", str(kept), "--page", str(page))
    code, _, err = run("errors", "--only", "doblet", "--positions", "4", *places)
    assert (code, err) == (0, "")
    assert list(load_errors(kept)) == ["doblet"]
    assert list(list_rows(page.read_text("utf-8"), 9)) == ["game", "---", "Doblet"]


@needs_kernel
def test_interrupted_errors_keep_what_is_measured(tmp_path: Path) -> None:
    kept, page = tmp_path / "errors.json", tmp_path / "page.md"
    few = ("--positions", "2", "--rollouts", "2", "--seconds", "0", "--processes", "2")
    process = start("errors", *few, "--kept", str(kept), "--page", str(page))
    # The first is about the kernel.
    out, err = interrupt(process, 2)
    assert err == ""
    stored = [GAMES[slug].title for slug in load_errors(kept)]
    assert 0 < len(stored) < len(GAMES)
    assert list(list_rows(page.read_text("utf-8"), 9)) == ["game", "---", *stored]
    (text,) = (line for line in out.splitlines() if line.startswith("Interrupted"))
    assert text == out.splitlines()[-1]
    assert all(title in text for title in stored)


@needs_kernel
def test_interrupted_strength_has_the_same_on_the_page_and_beside_the_nets(
    tmp_path: Path,
) -> None:
    nets, page = tmp_path / "nets", tmp_path / "page.md"
    shutil.copytree(WEIGHTS, nets)
    few = ("--games", "2", "--seconds", "0.01", "--processes", "2", "--note")
    process = start("strength", *few, "--nets", str(nets), "--page", str(page))
    out, err = interrupt(process, 3)
    assert err == ""
    assert out.splitlines()[-1].startswith("Interrupted; kept on the page")
    rows = list_rows(page.read_text("utf-8"), 11)
    noted = {
        game.title
        for slug, game in GAMES.items()
        if load_net(nets / f"{slug}.npz").facts["strength"]
        != load_net(WEIGHTS / f"{slug}.npz").facts["strength"]
    }
    assert 0 < len(noted) < len(GAMES)
    assert noted == {*rows} - {"game", "---"}


@needs_kernel
def test_what_is_not_named_stays_on_the_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    before = PAGE.read_text("utf-8")
    page.write_text(before, "utf-8")
    few = ("--games", "2", "--seconds", "0.01", "--page", str(page))
    code, out, err = run("strength", "--only", "laquet", *few)
    assert (code, err) == (0, "")
    # Nobody has met, as backgammon isn't named.
    assert " against gnubg" not in out
    assert "gnubg-nn" not in out
    changed = {*page.read_text("utf-8").splitlines()} ^ {*before.splitlines()}
    assert {re.split(r" \| |:", line)[0] for line in changed} <= {
        "| Laquet",
        # The games whose players miss the aim.
        "Short of the aim, 90% of the games against greedy",
        "Short of it at 1-ply too",
    }


@needs_kernel
def test_matches_with_others_stay_where_their_packages_are_missing(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    before = PAGE.read_text("utf-8")
    page.write_text(before, "utf-8")
    code, out, err = run(
        "strength",
        "--only",
        "backgammon",
        "--seconds",
        "0",
        "--page",
        str(page),
        without=hide_packages(tmp_path),
    )
    assert (code, err) == (0, "")
    assert page.read_text("utf-8") == before
    assert out.count("The package gnubg-nn cannot be imported here") == 2
    assert "Matches with other programs stay on the page as they are" in out
    assert "Refereed decisions stay on the page as they are" in out


@needs_kernel
def test_only_a_match_that_is_named_is_played_anew(tmp_path: Path) -> None:
    pytest.importorskip("gnubg_nn", reason="gnubg_nn is not installed")
    page = tmp_path / "page.md"
    before = PAGE.read_text("utf-8")
    page.write_text(before, "utf-8")
    few = ("--seconds", "0", "--decisions", "0", "--peers", "0.1", "--page", str(page))
    code, _, err = run("strength", "--only", "backgammon", "--against", "gnubg 2-ply", *few)
    assert (code, err) == (0, "")
    changed = {*page.read_text("utf-8").splitlines()} - {*before.splitlines()}
    (line,) = changed
    assert line.startswith("| the net (1-ply) against gnubg 2-ply | 2 |")
    assert re.search(r"at `[0-9a-f]+(-dirty)?`, seed 1, [0-9.]+ s, gnubg-nn [0-9.a]+ \|$", line)
