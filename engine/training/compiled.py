"""The one door to numba: functions compiled to machine code, and where the machine code is kept."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast

_HERE = Path(__file__).parent

Function = TypeVar("Function", bound=Callable[..., object])


def _fingerprint() -> str:
    # Numba looks only at a function's own file, not at what that file imports; so every change begins a new folder.
    texts = b"".join(path.read_bytes() for path in sorted(_HERE.glob("*.py")))
    return hashlib.sha256(texts).hexdigest()[:16]


os.environ.setdefault("NUMBA_CACHE_DIR", str(_HERE / "__pycache__" / f"kernel-{_fingerprint()}"))

import numba  # noqa: E402 - it reads where to keep machine code when it is imported

_njit = numba.njit(cache=True, error_model="numpy", nogil=True)
_njit_fast = numba.njit(cache=True, error_model="numpy", nogil=True, fastmath=True)


def compiled(function: Function) -> Function:
    """Compile a function of whole numbers and flat arrays when it is first called."""
    return cast(Function, _njit(function))


def compiled_floats(function: Function) -> Function:
    """The same for sums of floats, whose order may then change to be quick."""
    return cast(Function, _njit_fast(function))
