"""What a measurement is when it is started by hand: of as much as the command line says."""

import asyncio
import sys
import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any


def print_measurement(
    measured: Callable[[Path, int], Coroutine[Any, Any, str | tuple[Any, ...]]], count: int = 1
) -> None:
    """Measure so much in a folder that is thrown away, and print what came of it.

    That is a text, or several things of which the first is one.
    """
    count = int(sys.argv[1]) if len(sys.argv) > 1 else count
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(measured(Path(folder), count))
    sys.stdout.write(f"{found if isinstance(found, str) else found[0]}\n")
