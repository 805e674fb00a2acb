"""The kernel's offsets: a name given twice would lead into memory that is something else's."""

import ast
from collections import Counter
from pathlib import Path

from lab.training import layout


def test_no_name_is_given_twice() -> None:
    assert layout.__file__
    outside_classes = [
        statement
        for statement in ast.parse(Path(layout.__file__).read_text("utf-8")).body
        if not isinstance(statement, ast.ClassDef)
    ]
    nodes = (node for statement in outside_classes for node in ast.walk(statement))
    stored = (
        node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
    assert [name for name, times in Counter(node.id for node in stored).items() if times > 1] == []
