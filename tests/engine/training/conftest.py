"""The kernel compiled once, by whichever of the tests' processes comes first; the others take what it has kept."""

from importlib.util import find_spec
from pathlib import Path

from filelock import FileLock

import engine.training

if find_spec("numba"):
    with FileLock(Path(engine.training.__file__).with_name("__pycache__") / "kernel.lock"):
        import engine.training.ahead
        import engine.training.games
        import engine.training.luck
