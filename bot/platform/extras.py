"""What to do where a library is missing that not everybody needs."""

import re
import shlex
from importlib.metadata import requires
from pathlib import Path

LOCKS = Path(__file__).parents[2] / "requirements"
"""The pinned libraries of a checkout, which no wheel brings along."""
LOCK_NAMES = {"play": "play.txt"}
"""By the extra; all others are in the container's."""


def advise_installation(extra: str) -> str:
    """Return what brings the libraries of an extra, from a checkout or to an installed wheel."""
    lock = LOCKS / LOCK_NAMES.get(extra, "container.txt")
    if lock.is_file():
        where = shlex.quote(str(lock))
        return f"`pip install --require-hashes --only-binary=:all: -r {where}` brings it"
    wanted = (
        each.partition(";")[0].strip()
        for each in requires("tabula") or ()
        if re.search(rf"extra == ['\"]{extra}['\"]", each)
    )
    return f"install {' and '.join(wanted)} in the same environment"
