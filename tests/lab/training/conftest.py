"""The kernel compiled once for all test processes.

The first process compiles it, and the others take it from the cache.
"""

from importlib.util import find_spec
from pathlib import Path

from filelock import FileLock

import lab.training

if find_spec("numba"):
    with FileLock(Path(lab.training.__file__).with_name("__pycache__") / "kernel.lock"):
        import lab.training.games
        import lab.training.luck
        import lab.training.one_ply
