"""Copying rows and lines of floats, compiled.

Places are unsigned, or the compiler would allow for negative ones.
"""

import numpy as np

from lab.training.compiled import compiled, compiled_inline
from lab.training.layout import ROW, Floats, Row


@compiled_inline
def copy_row(source: Row, start: int, target: Row, row: int) -> None:
    """Copy one row to another."""
    here = np.uintp(start)
    there = np.uintp(row)
    for at in range(np.uintp(ROW)):
        target[there + at] = source[here + at]


@compiled
def copy_floats(source: Floats, start: int, target: Floats, to: int, count: int) -> None:
    """Copy so many floats."""
    here = np.uintp(start)
    there = np.uintp(to)
    for at in range(np.uintp(count)):
        target[there + at] = source[here + at]
