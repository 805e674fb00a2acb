"""The skeleton of a game is one that plays, and says what is left to do."""

import runpy
import shutil
from pathlib import Path

import pytest

from engine.rules import Game
from lab.new_game import ROOT, SHEETS, write_skeleton


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout with the folders and the sheets that a new game goes to."""
    for folder in ("engine/games", "tests/engine/games", "tests/conformance"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(SHEETS, tmp_path / SHEETS.relative_to(ROOT))
    return tmp_path


def test_a_new_game_has_a_file_a_sheet_and_a_test(root: Path) -> None:
    game, sheets, test = write_skeleton("Ludus nóvus", root)
    assert (game.name, test.name) == ("ludus_novus.py", "test_ludus_novus.py")
    defined = runpy.run_path(str(game))["LUDUS_NOVUS"]
    assert isinstance(defined, Game)
    assert (defined.slug, defined.title) == ("ludus-novus", "Ludus nóvus")
    assert defined.resolve_rules({"unusable": "opponent"}).men == 15
    find_sheet = runpy.run_path(str(sheets))["find_sheet"]
    assert find_sheet("ludus-novus", {}) == find_sheet("irish", {})
    assert all("TODO" in path.read_text("utf-8") for path in (game, sheets, test))


def test_a_game_that_is_there_is_left_alone(root: Path) -> None:
    game, *_ = write_skeleton("zeno", root)
    files = (game, root / SHEETS.relative_to(ROOT))
    before = [path.read_text("utf-8") for path in files]
    with pytest.raises(FileExistsError):
        write_skeleton("Zeno", root)
    assert [path.read_text("utf-8") for path in files] == before
