"""The lines of the log that pages quote are lines that the program writes."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
HOLE = "\0"
"""What stands for a part that is filled in."""


def list_sentences() -> Iterator[str]:
    """Each text in the program, with a hole where something is filled in."""
    for file in (ROOT / "bot").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.JoinedStr):
                parts = (p.value if isinstance(p, ast.Constant) else HOLE for p in node.values)
                yield "".join(map(str, parts))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield re.sub(r"%[sd]|%\.\df|\{\w*\}", HOLE, node.value)


def list_quotations(page: str) -> list[str]:
    """Return what the first cells of the rows of a page's tables of log lines quote."""
    tables = re.findall(r"^\| (?:line|what you see) \|.*\n(?:\|.*\n)+", page, re.MULTILINE)
    cells = [row.split("|")[1] for table in tables for row in table.splitlines()[2:]]
    return [quoted for cell in cells for quoted in re.findall(r"`([^`]+)`", cell)]


def test_each_line_that_a_page_quotes_is_written_by_the_program() -> None:
    written = list(list_sentences())
    for name in ("operations.md", "reliability.md"):
        quoted = list_quotations((ROOT / "docs" / name).read_text("utf-8"))
        assert len(quoted) > 10
        unknown = [
            each
            for each in quoted
            # A part that is filled in is dots, or a number.
            if not all(
                any(fragment in sentence for sentence in written)
                for fragment in re.split(r"\s*\.\.\.\s*|\d+", each)
            )
        ]
        assert unknown == []
