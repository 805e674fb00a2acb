"""The figures of the code, counted by hand in small modules, and what they must not exceed."""

import builtins
import re
from pathlib import Path

import pytest

from lab.metrics import (
    FOLDERS,
    ROOT,
    format_table,
    is_one_word,
    measure_code,
    measure_module,
    opens_with_participle,
)

SAMPLE = '''"""A module."""


class Board:
    # Why it is so.
    def kept(self) -> int:  # a comment beside code is no line of its own
        return 1

    def __len__(self) -> int:
        return 0


def load_match() -> str:
    text = "# no comment"
    # noqa: E501
    return text


def test_nothing() -> None:
    pass
'''


def test_a_module_is_counted_as_by_hand(tmp_path: Path) -> None:
    (tmp_path / "sample.py").write_text(SAMPLE + "#" + " " * 100 + "x\n")
    found = measure_module(tmp_path / "sample.py")
    assert (sorted(found.functions), found.classes) == (["kept", "load_match"], ("Board",))
    assert (found.lines, found.comments, found.long_lines) == (21, 2, 1)


def test_modules_are_counted_together(tmp_path: Path) -> None:
    for folder, name in (("one", "cards"), ("one", "texts"), ("two", "cards")):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / f"{name}.py").write_text(SAMPLE)
    both = measure_code(("one", "two"), tmp_path)
    assert (both.modules, both.functions) == (3, 6)
    assert (both.one_word, both.participles) == (0.5, 0.5)
    assert (both.repeated_classes, both.repeated_stems) == (("Board",), 1)
    assert measure_code(("two",), tmp_path).repeated_classes == ()
    assert "| modules | 2 | 1 | 3 |" in format_table(("one", "two"), tmp_path)


@pytest.mark.parametrize(
    ("name", "one_word", "participle"),
    [
        ("told", True, True),
        ("_rated", True, True),
        ("shown_version", False, True),
        ("seed", True, False),
        ("seed_dice", False, False),
        ("load_match", False, False),
        ("roll", True, False),
    ],
)
def test_names_are_judged_by_their_words(name: str, one_word: bool, participle: bool) -> None:
    assert (is_one_word(name), opens_with_participle(name)) == (one_word, participle)


@pytest.mark.parametrize("folder", ["engine", "render", "bot", "lab"])
@pytest.mark.sweep
def test_comments_say_why_where_a_reader_would_stop(folder: str) -> None:
    assert 0.02 <= measure_code((folder,)).comments <= 0.05


@pytest.mark.sweep
def test_names_say_what_they_do_and_no_class_is_named_twice() -> None:
    found = measure_code(FOLDERS)
    assert found.participles < 0.04
    assert found.one_word < 0.48
    assert found.repeated_classes == ()
    assert found.long_lines == 0


@pytest.mark.sweep
def test_errors_that_docstrings_name_exist() -> None:
    said = "\n".join(
        path.read_text("utf-8") for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")
    )
    defined = {*dir(builtins), *re.findall(r"^ *class (\w+)", said, re.MULTILINE)}
    imported = set(
        re.findall(r"^(?:from \S+ )?import (?:.*, )?(\w+Error|\w+Pool)\b", said, re.MULTILINE)
    )
    named = set(re.findall(r"[Rr]aises? (_?[A-Z][a-z]\w+)", said))
    assert named - defined - imported == set()
    assert len(named) > 20
