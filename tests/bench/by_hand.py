"""What a measurement is when it is started by hand: of as much as the command line says."""

import asyncio
import sys
import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any


def print_measurement(measured: Callable[[Path, int], Coroutine[Any, Any, object]]) -> None:
    """Measure so much in a folder that is thrown away, and print what came of it."""
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(f"{asyncio.run(measured(Path(folder), int(sys.argv[1])))}\n")
