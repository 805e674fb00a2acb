"""The kernel's door to numba: functions compiled to machine code, and where that is kept."""

import hashlib
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast, get_type_hints

from lab.training.layout import (
    Book,
    Floats,
    Ints,
    KernelData,
    LessonBuffer,
    ReplayBuffer,
    Row,
    TurnMemory,
)

_HERE = Path(__file__).parent
_PLAYERS = _HERE.parents[1] / "engine" / "players"
# Nothing here makes an array, so none need be counted: to count them at every call would take most
# of the time.
_SETTINGS = {"cache": True, "error_model": "numpy", "nogil": True, "_nrt": False}

Function = TypeVar("Function", bound=Callable[..., object])


def _hash_kernel() -> str:
    # Numba looks only at a function's own file, not at what that file imports; so every change
    # begins a new folder.
    texts = [path.read_bytes() for path in sorted(_HERE.glob("*.py"))]
    kernel = b"".join(text for text in texts if b"@compiled" in text or b"constant offsets" in text)
    # Constants of the players' are in the machine code, too.
    named = sorted(set(re.findall(rb"from engine\.players\.(\w+) import", kernel)))
    players = [(_PLAYERS / f"{name.decode()}.py").read_bytes() for name in named]
    return hashlib.sha256(b"".join((kernel, *players))).hexdigest()[:16]


os.environ.setdefault("NUMBA_CACHE_DIR", str(_HERE / "__pycache__" / f"kernel-{_hash_kernel()}"))

import numba  # noqa: E402 - it reads where to keep machine code when it is imported

_KINDS = {
    # `::1` promises an array without gaps, so that compiled code need not multiply by strides.
    Ints: numba.int32[::1],
    Row: numba.int8[::1],
    Book: numba.int64[::1],
    Floats: numba.float32[::1],
    int: numba.int64,
    float: numba.float64,
    bool: numba.boolean,
    type(None): numba.void,
}
_KINDS |= {
    several: numba.types.NamedTuple(
        tuple(_KINDS[kind] for kind in get_type_hints(several).values()), several
    )
    for several in (KernelData, TurnMemory, LessonBuffer, ReplayBuffer)
}


def _build_signature(function: Callable[..., object]) -> object:
    """Return a function's type hints as numba writes them.

    So the function is compiled once, and not for every kind of whole number.
    """
    # With a signature numba compiles at once: a wrong hint shows when its module is imported, and
    # not in the middle of training.
    hints = get_type_hints(function)
    returned = _KINDS[hints.pop("return")]
    return returned(*(_KINDS[hint] for hint in hints.values()))


# All three names begin with `compiled`: the fingerprint takes a file that uses one for a part of
# the kernel.
def compiled(function: Function) -> Function:
    """Compile a function of numbers and flat arrays, or of several, all with type hints.

    It is compiled at once or read from the cache.
    """
    return _compile(function)


def compiled_inline(function: Function) -> Function:
    """Compile a function and inline its calls: for what is asked for every man.

    A call would take longer, since it hands over arrays part by part.
    """
    return _compile(function, forceinline=True)


def compiled_floats(function: Function) -> Function:
    """The same for sums of floats, whose order may then change to be quick."""
    return _compile(function, fastmath=True)


def _compile(function: Function, **settings: bool) -> Function:
    return cast(Function, numba.njit(_build_signature(function), **settings, **_SETTINGS)(function))
