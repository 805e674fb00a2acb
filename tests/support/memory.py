"""Where the tests keep their files: in memory, where there is room, as nothing outlives them.

A disk takes milliseconds for each commit of a database, and minutes to delete a hundred thousand
files.
"""

import os
import shutil
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM_BYTES = 2**30
"""Bytes that the files of the tests which run at once may take."""


def find_memory_folder() -> Path | None:
    """Return a folder in memory, if there is one with room."""
    if (
        MEMORY.is_dir()
        and os.access(MEMORY, os.W_OK)
        and shutil.disk_usage(MEMORY).free >= ROOM_BYTES
    ):
        return MEMORY
    return None
