"""What docstrings, comments and pages call by name exists."""

import builtins
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted(
    file for folder in ("bot", "engine", "render", "lab") for file in (ROOT / folder).rglob("*.py")
)
PAGES = sorted([ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])

REMARK = re.compile(r'"""(.*?)"""|# ([^\n]*)|"[^"\n]{60,}"', re.DOTALL)
"""A docstring, a comment, or a text so long that it spells no name."""
CONSTANT = re.compile(r"(?<![\w./-])([A-Z]{2,}(?:_[A-Z]+)+)(?![\w/])")
ERROR = re.compile(r"[Rr]aises? ([A-Z]\w+)")
LATER_ERROR = re.compile(r"[Rr]aises? [^.]*?, ([A-Z][a-z]\w+) (?:if|where|for|unless)")
DOTTED = re.compile(r"`([A-Z][A-Za-z]+)\.(?!md\b)([A-Za-z_]+)`")
CALLED = re.compile(r"`([a-z_]+)\.([a-z_]+)\(")
ENVIRONMENT = ("TABULA_", "MALLOC_")
"""Begin the names of what is set outside the program."""


@cache
def read_module(file: Path) -> tuple[frozenset[str], tuple[str, ...]]:
    """The names that a module has, or spells in a short text; its docstrings and comments."""
    text = file.read_text("utf-8")
    remarks = [docstring or comment for docstring, comment in REMARK.findall(text)]
    names = re.findall(r"\w+", REMARK.sub("", text))
    return frozenset((file.stem, *names)), tuple(remarks)


@cache
def collect_names() -> frozenset[str]:
    """Every name that the code has, or that it spells in a short text."""
    return frozenset(dir(builtins)).union(*(read_module(file)[0] for file in SOURCES))


def list_remarks(file: Path) -> tuple[str, ...]:
    """The docstrings and comments of a module, or a whole page."""
    return (file.read_text("utf-8"),) if file.suffix == ".md" else read_module(file)[1]


def find_unknown_names(remark: str) -> list[str]:
    """What a remark calls by a name that nothing has."""
    known = collect_names()
    named = [
        *(name for name in CONSTANT.findall(remark) if not name.startswith(ENVIRONMENT)),
        *ERROR.findall(remark),
        *LATER_ERROR.findall(remark),
        *(part for pair in DOTTED.findall(remark) for part in pair),
        *(part for pair in CALLED.findall(remark) for part in pair if part != "say"),
    ]
    return [name for name in named if name not in known]


def test_what_is_called_by_name_exists() -> None:
    # One test, or each process that shares the tests would read all the code.
    unknown = {
        str(file.relative_to(ROOT)): [
            name for remark in list_remarks(file) for name in find_unknown_names(remark)
        ]
        for file in (*SOURCES, *PAGES)
    }
    assert {file: names for file, names in unknown.items() if names} == {}


@pytest.mark.parametrize(
    "remark",
    [
        "What takes longer than QUICK_SECONDS is late.",
        "Raises LimitExceededError if there are many, Repetition if it is there already.",
        "It is said with `say.nowhere_at_all(text)`.",
        "Men wait (`Placing.STILL`).",
    ],
)
def test_a_name_that_nothing_has_is_found(remark: str) -> None:
    assert find_unknown_names(remark)
