"""Which cases of a test are left to `make test-rest`."""

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest

T = TypeVar("T")


def mark_sweeps(cases: Iterable[T], is_core: Callable[[T], object]) -> list[object]:
    """Mark all cases as sweeps but those by which `make test` finds out what is broken."""
    return [
        case if is_core(case) else pytest.param(case, marks=pytest.mark.sweep) for case in cases
    ]
