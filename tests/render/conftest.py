"""The fonts of a system, of many scripts or none."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.render.fonts import install_fonts


@pytest.fixture
def fonts(tmp_path: Path) -> Iterator[None]:
    """Let the system have fonts of many scripts."""
    with install_fonts(tmp_path):
        yield


@pytest.fixture
def no_fonts(tmp_path: Path) -> Iterator[None]:
    """Let the system have no fonts at all."""
    with install_fonts(tmp_path, scripts=()):
        yield
