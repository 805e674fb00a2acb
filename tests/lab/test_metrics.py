"""The figures of the code, counted by hand in small modules, and what they must not exceed."""

import builtins
import re
from pathlib import Path

import pytest

from lab.metrics import (
    FOLDERS,
    ROOT,
    find_circles,
    format_rooms,
    format_table,
    is_one_word,
    measure_code,
    measure_module,
    measure_rooms,
    opens_with_participle,
)

MAX_IMPORT_SHARE = 0.07
IMPORT = re.compile(r"^ *(?:from \S+ )?import (?:\([^)]*\)|.+)$", re.MULTILINE)
"""An import by its text, as it takes long to parse every module of the bot."""

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
    # Its test has two lines, and it imports nothing.
    assert (found.test_lines, found.import_lines) == (2, 0)


def test_imports_and_tests_are_counted_with_all_their_lines(tmp_path: Path) -> None:
    (tmp_path / "sample.py").write_text(
        "import os\nfrom a import (\n    b,\n)\n\n\n@mark\n@also\ndef test_it() -> None:\n    b()\n"
    )
    found = measure_module(tmp_path / "sample.py")
    assert (found.import_lines, found.test_lines, found.lines) == (4, 4, 10)
    both = measure_code((".",), tmp_path)
    assert (both.imports, both.outside_tests) == (0.4, 0.6)


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


def test_circles_are_those_that_lead_back() -> None:
    neighbours = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}, "f": {"a"}}
    assert find_circles(neighbours) == (frozenset("abc"), frozenset("de"))
    assert find_circles({"a": {"b"}, "b": ()}) == ()


def test_a_short_module_with_one_importer_is_lonely(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "sampled"
    package.mkdir()
    for name, text in {
        "__init__": "",
        "user": "import sampled.short\nimport sampled.long\nfrom sampled import shared\n",
        "other": "from sampled import shared\n",
        "short": "def f():\n    from sampled import user\n",
        "long": "#\n" * 150,
        "shared": "#\n",
    }.items():
        (package / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("lab.metrics.ROOT", tmp_path)
    rooms = measure_rooms(("sampled",))
    assert rooms.lonely == {
        "sampled.short": "sampled.user",
        # Nobody needs the user but what it uses itself.
        "sampled.user": "sampled.short",
    }
    assert rooms.circles == (frozenset({"sampled.user", "sampled.short"}),)
    assert "  sampled.short <- sampled.user" in format_rooms(rooms)


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
    text = "\n".join(
        path.read_text("utf-8") for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")
    )
    defined = {*dir(builtins), *re.findall(r"^ *class (\w+)", text, re.MULTILINE)}
    imported = set(
        re.findall(r"^(?:from \S+ )?import (?:.*, )?(\w+Error|\w+Pool)\b", text, re.MULTILINE)
    )
    named = set(re.findall(r"[Rr]aises? (_?[A-Z][a-z]\w+)", text))
    assert named - defined - imported == set()
    assert len(named) > 20


def test_imports_take_few_lines_of_the_bot() -> None:
    """A file that uses a dozen names of another imports the module; migrations stay as they are."""
    text = "".join(
        path.read_text("utf-8")
        for path in (ROOT / "bot").rglob("*.py")
        if "migrations" not in path.parts
    )
    imports = sum(len(each.splitlines()) for each in IMPORT.findall(text))
    assert 0 < imports <= MAX_IMPORT_SHARE * len(text.splitlines())


def test_no_modules_lead_to_one_another_in_a_circle() -> None:
    assert measure_rooms().circles == ()
