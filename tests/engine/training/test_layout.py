"""The kernel's offsets: a name given twice would lead into memory that is something else's."""

import ast
from collections import Counter
from pathlib import Path

from engine.training import layout


def test_no_name_is_given_twice() -> None:
    assert layout.__file__
    tree = ast.parse(Path(layout.__file__).read_text("utf-8"))
    stored = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    assert [name for name, times in Counter(node.id for node in stored).items() if times > 1] == []
